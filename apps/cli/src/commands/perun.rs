//! `perun`: works with profiles in Perun's format, whichever program wrote them. Results go to
//! stdout.

mod profile;
mod store;

use crate::args::perun::{
    ConvertArgs, Converted, Function, Order, Perun, QueryArgs, RegressionArgs, Table,
};
use crate::exit::{Exit, Failure};
use crate::stderr::tell;
use profile::{in_file, open, text};
use profiler_export::readable;
use profiler_perun::convert::{
    Frames, plot_data_from_coefficients_of, resources_to_pandas_dataframe, to_flame_graph_format,
    to_heap_map_format, to_heat_map_format,
};
use profiler_perun::normalise::Unit;
use profiler_perun::regression::{Settings, analyse};
use profiler_perun::{Error, Profile, normalise, query};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io::{ErrorKind, Write, stdout};
use std::path::Path;

/// Runs a subcommand.
pub(crate) fn run(command: &Perun) -> Result<Exit, Failure> {
    let printed = match command {
        Perun::Regression(args) => regression(args)?,
        Perun::Query(args) => ask(args)?,
        Perun::Convert(args) => convert(args)?,
        Perun::Normalize { profile, unit } => normalize(profile, *unit)?,
        Perun::Store { profile } => store::store(profile)?,
    };
    match stdout().write_all(&printed).and_then(|()| stdout().flush()) {
        Err(cause) if cause.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::broken("write to stdout")(cause))
        }
        _ => Ok(Exit::Done),
    }
}

fn regression(args: &RegressionArgs) -> Result<Vec<u8>, Failure> {
    let mut profile = open(&args.profile)?;
    let settings = Settings {
        of: args.of.clone(),
        per: args.per.clone(),
        // An empty list means all models.
        models: args.models.iter().copied().collect::<Option<_>>().unwrap_or_default(),
        method: args.method,
        steps: args.steps,
    };
    let analysis = analyse(&profile, &settings).map_err(in_file(&args.profile))?;
    for skipped in &analysis.skipped {
        tell(format_args!(
            "swiftprof: {} does not have all models: {}",
            skipped.uid, skipped.reason
        ));
    }
    let step = settings.postprocessor();
    profile.add_models(analysis.models, step).map_err(in_file(&args.profile))?;
    text(&profile)
}

fn ask(args: &QueryArgs) -> Result<Vec<u8>, Failure> {
    let profile = open(&args.profile)?;
    let key = || {
        let missing = || Failure::argument("KEY", "this function requires a key");
        args.key.as_deref().ok_or_else(missing)
    };
    let resource = || {
        let found = query::all_resources_of(&profile).nth(args.resource);
        let missing =
            || Failure::argument("--resource", "the profile has no resource with this number");
        found.map(|(_, resource)| resource).ok_or_else(missing)
    };
    Ok(match args.function {
        Function::AllResourcesOf => values(query::all_resources_of(&profile)),
        Function::AllItemsOf => values(query::all_items_of(resource()?)),
        Function::AllResourceFieldsOf => values(query::all_resource_fields_of(&profile)),
        Function::AllNumericalResourceFieldsOf => {
            values(query::all_numerical_resource_fields_of(&profile))
        }
        Function::UniqueResourceValuesOf => {
            values(query::unique_resource_values_of(&profile, key()?))
        }
        Function::AllKeyValuesOf => values(query::all_key_values_of(resource()?, key()?)),
        Function::AllModelsOf => values(query::all_models_of(&profile)),
        Function::UniqueModelValuesOf => values(query::unique_model_values_of(&profile, key()?)),
    })
}

fn convert(args: &ConvertArgs) -> Result<Vec<u8>, Failure> {
    let profile = open(&args.profile)?;
    converted(&profile, args).map_err(in_file(&args.profile))
}

fn converted(profile: &Profile, args: &ConvertArgs) -> Result<Vec<u8>, Error> {
    match args.to {
        Converted::HeapMap => Ok(document(&to_heap_map_format(profile)?)),
        Converted::HeatMap => Ok(document(&to_heat_map_format(profile)?)),
        Converted::Flame => {
            let frames = match args.order {
                Order::RootFirst => Frames::RootFirst,
                Order::LeafFirst => Frames::LeafFirst,
            };
            Ok(lines(to_flame_graph_format(profile, frames)?.iter().map(|line| readable(line))))
        }
        Converted::Dataframe => {
            let frame = resources_to_pandas_dataframe(profile)?;
            let mut table = Vec::new();
            match args.format {
                Table::Csv => frame.write_csv(&mut table).map_err(Error::Unreadable)?,
                Table::Arrow => frame.write_arrow(&mut table)?,
            }
            Ok(table)
        }
        Converted::Plot => {
            let models = profile.models().iter().map(plot_data_from_coefficients_of);
            let models: Vec<Map<_, _>> = models.collect::<Result<_, _>>()?;
            Ok(document(&json!(models)))
        }
    }
}

fn normalize(path: &Path, unit: Option<Unit>) -> Result<Vec<u8>, Failure> {
    let profile = open(path)?;
    let normal = match unit {
        Some(unit) => normalise::unify(&profile, Some(unit)),
        None => normalise::to_unit_interval(&profile),
    };
    text(&normal.map_err(in_file(path))?)
}

fn document(value: &Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}

fn values<T: Serialize>(answers: impl IntoIterator<Item = T>) -> Vec<u8> {
    lines(answers.into_iter().map(|answer| json!(answer).to_string()))
}

fn lines(lines: impl Iterator<Item = String>) -> Vec<u8> {
    lines.flat_map(|line| format!("{line}\n").into_bytes()).collect()
}
