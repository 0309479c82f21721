//! The arguments of `serve`.

use crate::args::SandboxArgs;
use crate::args::value::duration;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use profiler_server::Address;
use profiler_server::config::{DefaultValue, Kind, SETTINGS, Setting};
use std::path::PathBuf;
use std::time::Duration;

/// The address that `serve` listens on by default. Only this machine can reach it.
pub(super) const DEFAULT_LISTEN: &str = "127.0.0.1:50051";

/// A server's options. They override the settings in its config file.
#[derive(Debug, Clone, Args)]
pub(crate) struct ServeArgs {
    /// Address to listen on, IP:PORT, localhost:PORT or unix:PATH; repeatable
    #[arg(long, default_value = DEFAULT_LISTEN, value_name = "ADDR")]
    pub(crate) listen: Vec<Address>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
    /// Settings in TOML; environment variables override them
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Check the settings, print each with its source, and start nothing
    #[arg(long)]
    pub(crate) check_config: bool,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

/// Options that override settings, each with its text. The server's crate declares the settings.
#[derive(Debug, Clone)]
pub(crate) struct SettingArgs(pub(crate) Vec<(&'static str, String)>);

impl Args for SettingArgs {
    fn augment_args(command: Command) -> Command {
        command.args(declared().map(|(option, setting)| argument(option, setting)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SettingArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = declared().filter_map(|(option, setting)| {
            let text = match setting.kind {
                Kind::Flag => matches.get_flag(option).then(|| true.to_string()),
                Kind::Number(..) => {
                    matches.get_one::<Duration>(option).map(|it| it.as_secs_f64().to_string())
                }
                _ => matches.get_one::<String>(option).cloned(),
            };
            Some((option, text?))
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the settings that have an option, each after its option, which is also the argument's
/// id.
fn declared() -> impl Iterator<Item = (&'static str, &'static Setting)> {
    SETTINGS.iter().filter_map(|setting| Some((setting.option?, setting)))
}

fn argument(option: &'static str, setting: &'static Setting) -> Arg {
    let default = match setting.default {
        DefaultValue::Value(value) => value.trim_matches('"'),
        DefaultValue::Unset { means, .. } => means,
    };
    let meaning = capitalized(setting.meaning);
    let help = format!("{meaning} [default: {default}]");
    let mut argument = Arg::new(option).long(option.trim_start_matches('-')).help(help);
    if let Some((table, _)) = setting.key.split_once('.') {
        argument = argument.help_heading(capitalized(table));
    }
    match setting.kind {
        Kind::Flag => argument.help(meaning).action(ArgAction::SetTrue),
        // Every setting of this kind that has an option is a time.
        Kind::Number(..) => argument.value_name("TIME").value_parser(duration),
        Kind::Path => argument.value_name("PATH"),
        Kind::Address => argument.value_name("IP:PORT"),
        Kind::Engine => argument.value_name("nats://HOST:PORT,..."),
        Kind::Mode => argument.value_name("MODE"),
        Kind::Word(words) => argument.value_name(words.join("|")),
        _ => argument.value_name("NAME"),
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}
