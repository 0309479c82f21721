//! Sources of settings, and their precedence.

use super::declared::{Config, DefaultValue, SETTINGS, Setting};
use super::error::ConfigError;
use super::values;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// The settings that somebody gave, with the source of each. A later source wins.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    values: Table,
    /// The source of each value, by its key.
    sources: BTreeMap<&'static str, Source>,
}

#[derive(Debug, Clone)]
enum Source {
    /// A file.
    File(String),
    /// The setting's variable.
    Variable,
    /// The setting's option.
    Option,
}

impl Settings {
    /// Reads the settings from `file`, if there is one, then from the variables that `env` returns,
    /// then from `options`: pairs of an option, such as `--state-dir`, and its text.
    ///
    /// # Errors
    /// If the file cannot be read, or if a value is wrong, even one that a later source replaces.
    pub fn read(
        file: Option<&Path>,
        env: impl Fn(&str) -> Option<String>,
        options: &[(&str, String)],
    ) -> Result<Self, ConfigError> {
        let mut settings = Self::default();
        if let Some(path) = file {
            settings.add_file(path)?;
        }
        for setting in SETTINGS {
            if let Some(text) = env(setting.variable) {
                settings.add_text(setting, &text, Source::Variable)?;
            }
            let given = options.iter().find(|(option, _)| setting.option == Some(option));
            if let Some((_, text)) = given {
                settings.add_text(setting, text, Source::Option)?;
            }
        }
        settings.config()?;
        Ok(settings)
    }

    /// The values, with defaults for what nobody gave.
    ///
    /// # Errors
    /// If values do not fit together.
    pub fn config(&self) -> Result<Config, ConfigError> {
        // Kinds and types agree: the file was read as settings, and a test tries every variable.
        let broken = |cause: toml::de::Error| ConfigError::Value {
            setting: "settings".into(),
            problem: cause.to_string(),
        };
        let config: Config = self.values.clone().try_into().map_err(broken)?;
        values::check(&config.defaults).map_err(|(key, problem)| {
            let setting = SETTINGS.iter().find(|setting| setting.key == key);
            let name = setting.map_or_else(|| key.into(), |setting| self.name(setting));
            ConfigError::Value { setting: name, problem }
        })?;
        Ok(config)
    }

    /// Every setting with its value and its source, one a line. The text is a file of settings.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        for setting in SETTINGS {
            let (value, source) = match (setting.find(&self.values), setting.default) {
                (Some(value), _) => (format!("{} = {value}", setting.key), self.source(setting)),
                (None, DefaultValue::Value(value)) => {
                    (format!("{} = {value}", setting.key), "default".into())
                }
                (None, DefaultValue::Unset { means, .. }) => {
                    (format!("# {}: {means}", setting.key), "default".into())
                }
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{value:<44} # {source}");
        }
        text
    }

    /// Takes over the values of `new` that a running server can change. Returns the keys of the
    /// others that differ.
    pub(crate) fn adopt(&mut self, new: &Self) -> Vec<&'static str> {
        let mut fixed = Vec::new();
        for setting in SETTINGS {
            let value = setting.find(&new.values);
            if value == setting.find(&self.values) {
                continue;
            }
            if !setting.reloads {
                fixed.push(setting.key);
                continue;
            }
            match new.sources.get(setting.key) {
                Some(source) => self.sources.insert(setting.key, source.clone()),
                None => self.sources.remove(setting.key),
            };
            let value = value.cloned();
            let table = self.table_of(setting);
            let _ = match value {
                Some(value) => table.and_then(|table| table.insert(setting.path().1.into(), value)),
                None => table.and_then(|table| table.remove(setting.path().1)),
            };
        }
        fixed
    }

    fn add_file(&mut self, path: &Path) -> Result<(), ConfigError> {
        let read = |cause| ConfigError::Read { path: path.into(), cause };
        let syntax = |cause| ConfigError::Syntax { path: path.into(), cause: Box::new(cause) };
        let text = fs::read_to_string(path).map_err(read)?;
        // This error names the line, and the settings that exist.
        toml::from_str::<Config>(&text).map_err(syntax)?;
        self.values = text.parse().map_err(syntax)?;
        for setting in SETTINGS {
            if let Some(value) = setting.find(&self.values) {
                let source = Source::File(path.display().to_string());
                self.sources.insert(setting.key, source);
                let wrong = |problem| ConfigError::Value { setting: self.name(setting), problem };
                setting.kind.check(value).map_err(wrong)?;
            }
        }
        Ok(())
    }

    fn add_text(
        &mut self,
        setting: &Setting,
        text: &str,
        source: Source,
    ) -> Result<(), ConfigError> {
        self.sources.insert(setting.key, source);
        let wrong = |problem| ConfigError::Value { setting: self.name(setting), problem };
        let value = setting.kind.parse(text.trim()).map_err(wrong)?;
        if let Some(table) = self.table_of(setting) {
            table.insert(setting.path().1.into(), value);
        }
        Ok(())
    }

    /// The table that has the setting, made if there is none.
    fn table_of(&mut self, setting: &Setting) -> Option<&mut Table> {
        match setting.path().0 {
            None => Some(&mut self.values),
            Some(table) => {
                let empty = Value::Table(Table::new());
                self.values.entry(table).or_insert(empty).as_table_mut()
            }
        }
    }

    /// The name by which the setting was given.
    fn name(&self, setting: &Setting) -> String {
        match self.sources.get(setting.key) {
            Some(Source::File(file)) => format!("{} in {file}", setting.key),
            None => setting.key.into(),
            Some(Source::Variable | Source::Option) => self.source(setting),
        }
    }

    fn source(&self, setting: &Setting) -> String {
        match self.sources.get(setting.key) {
            None => "default".into(),
            Some(Source::File(file)) => file.clone(),
            Some(Source::Variable) => setting.variable.into(),
            Some(Source::Option) => setting.option.unwrap_or(setting.key).into(),
        }
    }
}

impl Config {
    /// The settings from `file`, if there is one, and from the variables that `env` returns.
    ///
    /// # Errors
    /// As [`Settings::read`].
    pub fn load(
        file: Option<&Path>,
        env: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        Settings::read(file, env, &[])?.config()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn given(pairs: &[(&str, &str)]) -> Settings {
        let value = |name: &str| pairs.iter().find(|(variable, _)| *variable == name);
        Settings::read(None, |name| value(name).map(|(_, text)| (*text).to_owned()), &[]).unwrap()
    }

    #[test]
    fn running_server_adopts_what_it_can_and_names_the_rest() {
        let mut settings = given(&[("PROFILER_MAX_QUEUED", "2"), ("SANDBOX_MEM_MB", "64")]);
        let new = given(&[("PROFILER_MAX_QUEUED", "3"), ("PROFILER_DRAIN_SEC", "7")]);
        assert_eq!(settings.adopt(&new), ["max_queued"]);
        let config = settings.config().unwrap();
        assert_eq!((config.max_queued, config.drain_limit()), (2, Duration::from_secs(7)));
        assert_eq!(config.defaults.sandbox_mem_mb, None, "it is no longer given");
        let text = settings.describe();
        assert!(
            text.contains("# PROFILER_DRAIN_SEC") && !text.contains("# SANDBOX_MEM_MB"),
            "{text}"
        );
        assert!(settings.adopt(&settings.clone()).is_empty());
    }
}
