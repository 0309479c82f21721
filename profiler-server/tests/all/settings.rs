//! The declared settings against the code that reads them, and against the committed documents.
//! `PROFILER_GOLDEN=write cargo test -p profiler-server --test all settings` writes the documents.

use profiler_core::job::{Draft, Job};
use profiler_server::Config;
use profiler_server::config::{self, DefaultValue, Kind, SETTINGS, Setting, Settings};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The file whose lines between the marks are made from the declarations.
const PAGE: &str = "docs/settings.md";
const BEGIN: &str = "<!-- begin: made from the declarations -->\n";
const END: &str = "<!-- end -->\n";
/// The file that is made from the declarations.
const EXAMPLE: &str = "packaging/debian/serve.toml";

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(path)
}

/// Compares a committed file with what it should be, or writes it.
fn compare(path: &str, expected: &str) {
    let path = repository(path);
    if env::var_os("PROFILER_GOLDEN").is_some_and(|value| value == "write") {
        fs::write(&path, expected).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap();
    assert_eq!(committed, expected, "{}", path.display());
}

fn parse(text: &str) -> Config {
    toml::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn set(setting: &Setting, text: &str) -> Settings {
    let env = |name: &str| (name == setting.variable).then(|| text.to_owned());
    Settings::read(None, env, &[]).unwrap_or_else(|error| panic!("{}: {error}", setting.key))
}

/// The value that the example file shows.
fn shown(setting: &Setting) -> &'static str {
    match setting.default {
        DefaultValue::Value(value) => value,
        DefaultValue::Unset { example, .. } => example,
    }
}

/// The names that are allowed in a table of the file: the error about an unknown name lists them.
fn fields(table: &str) -> BTreeSet<String> {
    let refused = toml::from_str::<Config>(&format!("{table}unknown = 1")).unwrap_err();
    let message = refused.message();
    let (_, expected) = message.split_once("expected ").unwrap_or_else(|| panic!("{message}"));
    expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_field_is_declared_and_no_other() {
    let declared = |table: Option<&str>| -> BTreeSet<String> {
        let names =
            SETTINGS.iter().filter_map(|setting| match (setting.key.split_once('.'), table) {
                (None, None) => Some(setting.key),
                (Some((of, _)), None) => Some(of),
                (Some((of, name)), Some(table)) if of == table => Some(name),
                _ => None,
            });
        names.map(str::to_owned).collect()
    };
    assert_eq!(fields(""), declared(None));
    let tables = SETTINGS.iter().filter_map(|setting| Some(setting.key.split_once('.')?.0));
    for table in tables.collect::<BTreeSet<_>>() {
        assert_eq!(fields(&format!("[{table}]\n")), declared(Some(table)), "{table}");
    }
}

#[test]
fn names_are_given_once() {
    let keys: BTreeSet<_> = SETTINGS.iter().map(|setting| setting.key).collect();
    let variables: BTreeSet<_> = SETTINGS.iter().map(|setting| setting.variable).collect();
    assert_eq!([keys.len(), variables.len()], [SETTINGS.len(); 2]);
}

#[test]
fn declared_defaults_are_those_of_the_code() {
    let lines = SETTINGS.iter().filter_map(|setting| match setting.default {
        DefaultValue::Value(value) => Some(format!("{} = {value}\n", setting.key)),
        DefaultValue::Unset { .. } => None,
    });
    let declared = parse(&lines.collect::<String>());
    let job = |config: &Config| {
        let mut draft = Draft::new("hello", "int main() {}");
        config.defaults.apply(&mut draft);
        Job::try_from(draft).unwrap()
    };
    let code = Config::default();
    assert_eq!(format!("{:?}", job(&declared)), format!("{:?}", job(&code)));
    // The job's own defaults are in the core, so the settings have none.
    assert_eq!(Config { defaults: code.defaults.clone(), ..declared }, code);
}

#[test]
fn variable_does_what_the_file_does() {
    for setting in SETTINGS {
        let file = parse(&format!("{} = {}", setting.key, shown(setting)));
        let text = shown(setting).trim_matches('"');
        assert_eq!(set(setting, text).config().unwrap(), file, "{}", setting.key);
    }
}

#[test]
fn both_ends_of_a_range_are_allowed_and_nothing_beyond_is() {
    let mut tried = 0;
    for setting in SETTINGS {
        let (allowed, refused) = match setting.kind {
            Kind::Count(least, most) => {
                ([least, most].map(|n| n.to_string()), [least - 1, most + 1].map(|n| n.to_string()))
            }
            Kind::Number(least, most) => (
                [least, most].map(|n| n.to_string()),
                [least - 0.001, most + 1.0].map(|n| n.to_string()),
            ),
            _ => continue,
        };
        tried += 1;
        for text in allowed {
            set(setting, &text);
        }
        for text in refused {
            let env = |name: &str| (name == setting.variable).then(|| text.clone());
            let error = Settings::read(None, env, &[]).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{}: must be from", setting.variable)), "{error}");
        }
    }
    assert!(tried > 0);
}

#[test]
fn described_settings_have_sources_and_are_read_again() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, b"max_queued = 3\n[retention]\ndays = 7\n").unwrap();
    let env = |name: &str| (name == "LOG_LEVEL").then(|| "debug".to_owned());
    let options = [("--state-dir", "/srv/runs".to_owned())];
    let settings = Settings::read(Some(file.path()), env, &options).unwrap();
    let text = settings.describe();
    let line = |begin: &str| {
        let line = text.lines().find(|line| line.starts_with(begin));
        line.unwrap_or_else(|| panic!("no {begin} in\n{text}"))
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let path = file.path().display();
    assert_eq!(line("concurrency"), "concurrency = 1 # default");
    assert_eq!(line("max_queued"), format!("max_queued = 3 # {path}"));
    assert_eq!(line("retention.days"), format!("retention.days = 7 # {path}"));
    assert_eq!(line("log_level"), "log_level = \"debug\" # LOG_LEVEL");
    assert_eq!(line("state_dir"), "state_dir = \"/srv/runs\" # --state-dir");
    assert_eq!(line("# quota.live_runs"), "# quota.live_runs: no limit # default");
    let again = Config { defaults: profiler_wire::Defaults::default(), ..parse(&text) };
    assert_eq!(again, settings.config().unwrap());
}

#[test]
fn example_file_has_every_setting() {
    let example = config::example();
    assert_eq!(parse(&example), Config::default());
    compare(EXAMPLE, &example);
    let set = example.lines().map(|line| match line.strip_prefix('#') {
        Some(setting) if !setting.starts_with(' ') => format!("{setting}\n"),
        _ => format!("{line}\n"),
    });
    let set = set.collect::<String>();
    let table: toml::Table = set.parse().unwrap();
    parse(&set);
    for setting in SETTINGS {
        let value = match setting.key.split_once('.') {
            Some((table_name, name)) => table[table_name].get(name),
            None => table.get(setting.key),
        };
        assert!(value.is_some(), "{}", setting.key);
    }
}

#[test]
fn page_has_every_setting() {
    let page = fs::read_to_string(repository(PAGE)).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("a begin");
    let (_, after) = rest.split_once(END).expect("an end");
    compare(PAGE, &format!("{before}{BEGIN}{}{END}{after}", config::table()));
}
