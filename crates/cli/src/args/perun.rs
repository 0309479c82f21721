//! What can be typed after `swiftprof perun`.

use clap::{Args, Subcommand, ValueEnum};
use profiler_perun::normalise::Unit;
use profiler_perun::regression::{Kind, Method};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The name that stands for all models.
const ALL: &str = "all";

#[derive(Debug, Subcommand)]
pub(crate) enum Perun {
    /// Print a profile with models of how an amount grows with a size
    Regression(RegressionArgs),
    /// Ask a profile; one JSON value a line
    Query(QueryArgs),
    /// Print a profile in another format
    Convert(ConvertArgs),
    /// Print a profile with its amounts in one unit, or as parts of the greatest one
    Normalize(NormalizeArgs),
    /// Put a profile into this repository's .perun/jobs, where `perun` finds it
    Store(StoreArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RegressionArgs {
    /// The profile
    pub(crate) profile: PathBuf,
    /// The key of the amount
    #[arg(long, default_value = "amount", value_name = "KEY")]
    pub(crate) of: String,
    /// The key of the size
    #[arg(long, default_value = "structure-unit-size", value_name = "KEY")]
    pub(crate) per: String,
    /// The models: constant, linear, logarithmic, quadratic, power, exponential, or all
    #[arg(long, value_delimiter = ',', default_value = ALL, value_parser = models)]
    pub(crate) models: Vec<Models>,
    /// How points are divided among models
    #[arg(long, default_value = "full", value_parser = method)]
    #[arg(value_name = "full|interval|bisection|initial_guess|iterative")]
    pub(crate) method: Method,
    /// Parts of the points, for the methods that divide them
    #[arg(long, default_value = "3", value_name = "N")]
    pub(crate) steps: NonZeroUsize,
}

/// One model, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Models {
    All,
    One(Kind),
}

#[derive(Debug, Args)]
pub(crate) struct QueryArgs {
    /// What is asked
    #[arg(value_enum)]
    pub(crate) function: Function,
    /// The profile
    pub(crate) profile: PathBuf,
    /// The key, for the functions that take one: `uid`, `uid:function`, `trace::line`
    pub(crate) key: Option<String>,
    /// Which resource, for the functions that take one: its number in `all_resources_of`
    #[arg(long, default_value = "0", value_name = "N")]
    pub(crate) resource: usize,
}

/// Perun's query functions, under their own names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
#[expect(clippy::enum_variant_names, reason = "the names are Perun's")]
pub(crate) enum Function {
    /// Each resource, with the number of its snapshot
    AllResourcesOf,
    /// The flattened items of one resource
    AllItemsOf,
    /// Every key that resources have
    AllResourceFieldsOf,
    /// Every key whose values are numbers
    AllNumericalResourceFieldsOf,
    /// Each value of a key in the resources, once
    UniqueResourceValuesOf,
    /// Every value of a key in one resource
    AllKeyValuesOf,
    /// Each model, with its number
    AllModelsOf,
    /// Each value of a key in the models, once
    UniqueModelValuesOf,
}

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// The format
    #[arg(value_enum)]
    pub(crate) to: Converted,
    /// The profile
    pub(crate) profile: PathBuf,
    /// The order of frames, for flame
    #[arg(long, value_enum, default_value_t)]
    pub(crate) order: Order,
    /// How the data frame is written
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Table,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Converted {
    /// Which memory is live in each snapshot
    HeapMap,
    /// How often each address was given out
    HeatMap,
    /// Folded stacks, for drawing a flame graph
    Flame,
    /// The resources as a table
    Dataframe,
    /// The models with the points of their curves
    Plot,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// The caller before the called
    #[default]
    RootFirst,
    /// The called before its caller
    LeafFirst,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Table {
    /// Comma-separated values
    #[default]
    Csv,
    /// An Arrow IPC file (Feather)
    Arrow,
}

#[derive(Debug, Args)]
pub(crate) struct NormalizeArgs {
    /// The profile
    pub(crate) profile: PathBuf,
    /// Bring times, or memory, to this unit: ns, us, ms, s, B, kB, KiB, MB, MiB, GB, GiB
    /// [default: parts of the greatest amount of the snapshot and type]
    #[arg(long, value_parser = unit)]
    pub(crate) unit: Option<Unit>,
}

#[derive(Debug, Args)]
pub(crate) struct StoreArgs {
    /// The profile
    pub(crate) profile: PathBuf,
}

fn models(name: &str) -> Result<Models, String> {
    match name.trim() {
        ALL => Ok(Models::All),
        name => Kind::from_name(name).map(Models::One).ok_or_else(|| {
            let names = Kind::ALL.map(Kind::name).join(", ");
            format!("give some of {names}, or {ALL}")
        }),
    }
}

fn method(name: &str) -> Result<Method, String> {
    let found = Method::ALL.into_iter().find(|method| method.name() == name);
    found.ok_or_else(|| format!("give one of {}", Method::ALL.map(Method::name).join(", ")))
}

fn unit(name: &str) -> Result<Unit, String> {
    Unit::from_name(name).ok_or_else(|| "give a unit of time or memory: ns, ms, B, MiB".into())
}
