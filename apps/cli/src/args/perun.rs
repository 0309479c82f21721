//! The arguments of `swiftprof perun`.

use clap::{Args, Subcommand, ValueEnum};
use profiler_perun::normalise::Unit;
use profiler_perun::regression::{Kind, Method};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Value of `--models` that stands for all models.
const ALL: &str = "all";

#[derive(Debug, Subcommand)]
pub(crate) enum Perun {
    /// Fit models of an amount over a size, and print the profile with them
    Regression(RegressionArgs),
    /// Query a profile, and print one JSON value per line
    Query(QueryArgs),
    /// Print a profile in another format
    Convert(ConvertArgs),
    /// Print a profile with its amounts in one unit, or relative to the greatest amount
    Normalize {
        /// Profile file
        profile: PathBuf,
        /// Convert times or memory to this unit: ns, us, ms, s, B, kB, KiB, MB, MiB, GB, GiB
        /// [default: a share of the greatest amount of the snapshot and type]
        #[arg(long, value_parser = unit)]
        unit: Option<Unit>,
    },
    /// Store a profile in .perun/jobs of this repository, where `perun` finds it
    Store {
        /// Profile file
        profile: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct RegressionArgs {
    /// Profile file
    pub(crate) profile: PathBuf,
    /// Key of the amount
    #[arg(long, default_value = "amount", value_name = "KEY")]
    pub(crate) of: String,
    /// Key of the size
    #[arg(long, default_value = "structure-unit-size", value_name = "KEY")]
    pub(crate) per: String,
    /// Models: constant, linear, logarithmic, quadratic, power, exponential, or all
    #[arg(long, value_delimiter = ',', default_value = ALL, value_parser = model)]
    pub(crate) models: Vec<Option<Kind>>,
    /// Method that assigns points to models
    #[arg(long, default_value = "full", value_parser = method)]
    #[arg(value_name = "full|interval|bisection|initial_guess|iterative")]
    pub(crate) method: Method,
    /// Number of parts, for the methods that divide the points
    #[arg(long, default_value = "3", value_name = "N")]
    pub(crate) steps: NonZeroUsize,
}

#[derive(Debug, Args)]
pub(crate) struct QueryArgs {
    /// Query function
    #[arg(value_enum)]
    pub(crate) function: Function,
    /// Profile file
    pub(crate) profile: PathBuf,
    /// Key, for the functions that take one: `uid`, `uid:function`, `trace::line`
    pub(crate) key: Option<String>,
    /// Resource, for the functions that take one: its number in `all_resources_of`
    #[arg(long, default_value = "0", value_name = "N")]
    pub(crate) resource: usize,
}

/// Perun's query functions, under Perun's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
#[expect(clippy::enum_variant_names, reason = "the names are Perun's")]
pub(crate) enum Function {
    /// Each resource, with the number of its snapshot
    AllResourcesOf,
    /// The flattened items of one resource
    AllItemsOf,
    /// Every key of the resources
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
    /// Target format
    #[arg(value_enum)]
    pub(crate) to: Converted,
    /// Profile file
    pub(crate) profile: PathBuf,
    /// Order of the frames, for flame
    #[arg(long, value_enum, default_value_t)]
    pub(crate) order: Order,
    /// File format of the data frame
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Table,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Converted {
    /// Live memory of each snapshot
    HeapMap,
    /// Number of allocations of each address
    HeatMap,
    /// Folded stacks, for flame graph tools
    Flame,
    /// The resources as a table
    Dataframe,
    /// Models with points of their curves
    Plot,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// Callers first
    #[default]
    RootFirst,
    /// Callees first
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

/// Parses the name of a model. The word for all models gives `None`.
fn model(name: &str) -> Result<Option<Kind>, String> {
    match (name.trim(), Kind::from_name(name.trim())) {
        (ALL, _) => Ok(None),
        (_, Some(kind)) => Ok(Some(kind)),
        (_, None) => {
            let names = Kind::ALL.map(Kind::name).join(", ");
            Err(format!("must be some of {names}, or {ALL}"))
        }
    }
}

fn method(name: &str) -> Result<Method, String> {
    let found = Method::ALL.into_iter().find(|method| method.name() == name);
    found.ok_or_else(|| format!("must be one of {}", Method::ALL.map(Method::name).join(", ")))
}

fn unit(name: &str) -> Result<Unit, String> {
    Unit::from_name(name)
        .ok_or_else(|| "must be a unit of time or memory, such as ns, ms, B or MiB".into())
}
