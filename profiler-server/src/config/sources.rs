//! Sources of settings, and their precedence.

use super::declared::{Config, DefaultValue, SETTINGS, Setting};
use super::error::ConfigError;
use super::{hints, values};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// Settings that some source has given, by their keys. A later source overrides an earlier one.
#[derive(Debug, Clone, Default)]
pub struct Settings(BTreeMap<&'static str, Given>);

/// A value, and its source.
#[derive(Debug, Clone)]
struct Given {
    value: Value,
    source: Source,
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
                settings.add(setting, setting.kind.parse(text.trim()), Source::Variable)?;
            }
            let given = options.iter().find(|(option, _)| setting.option == Some(option));
            if let Some((_, text)) = given {
                settings.add(setting, setting.kind.parse(text.trim()), Source::Option)?;
            }
        }
        settings.config()?;
        Ok(settings)
    }

    /// Returns the values, with the default of each setting that no source gives.
    ///
    /// # Errors
    /// If values do not fit together.
    pub fn config(&self) -> Result<Config, ConfigError> {
        // Never fails, because the kinds and the types of settings agree: the file was read as
        // settings, and a test tries every variable.
        let broken = |cause: toml::de::Error| ConfigError::Value {
            setting: "settings".into(),
            problem: cause.to_string(),
        };
        let lines = self.0.iter().map(|(key, given)| format!("{key} = {}\n", given.value));
        let config: Config = toml::from_str(&lines.collect::<String>()).map_err(broken)?;
        values::check(&config.defaults).map_err(|(key, problem)| {
            let setting = SETTINGS.iter().find(|setting| setting.key == key);
            let given = setting.and_then(|it| Some(self.0.get(key)?.source.name_of(it)));
            ConfigError::Value { setting: given.unwrap_or_else(|| key.into()), problem }
        })?;
        Ok(config)
    }

    /// Whether some source gives a setting.
    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Returns every setting with its value and its source, one per line. The text is itself a
    /// valid file of settings.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        for setting in SETTINGS {
            let value = match (self.0.get(setting.key), setting.default) {
                (Some(Given { value, .. }), _) => format!("{} = {value}", setting.key),
                (None, DefaultValue::Value(value)) => format!("{} = {value}", setting.key),
                (None, DefaultValue::Unset { means, .. }) => format!("# {}: {means}", setting.key),
            };
            let source = self.0.get(setting.key).map(|given| given.source.of(setting));
            let source = source.unwrap_or_else(|| "default".into());
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{value:<44} # {source}");
        }
        text
    }

    /// Takes over the values of `new` that a running server can change. Returns the keys of the
    /// other settings that differ.
    pub(crate) fn adopt(&mut self, new: &Self) -> Vec<&'static str> {
        let mut fixed = Vec::new();
        for Setting { key, reloads, .. } in SETTINGS {
            let (old, new) = (self.0.get(key), new.0.get(key));
            if old.map(|given| &given.value) == new.map(|given| &given.value) {
                continue;
            }
            match new {
                _ if !reloads => fixed.push(*key),
                Some(given) => drop(self.0.insert(*key, given.clone())),
                None => drop(self.0.remove(key)),
            }
        }
        fixed
    }

    fn add_file(&mut self, path: &Path) -> Result<(), ConfigError> {
        let broken = |cause: String| ConfigError::File { path: path.into(), cause };
        let text = fs::read_to_string(path).map_err(|cause| broken(cause.to_string()))?;
        // Unlike later checks, this error names the line, and the settings that exist.
        toml::from_str::<Config>(&text).map_err(|cause| {
            broken(format!("{}{}", cause.to_string().trim_end(), hints::of_file(&text)))
        })?;
        let root = text.parse::<Table>().map_err(|cause| broken(cause.to_string()))?;
        for setting in SETTINGS {
            if let Some(value) = setting.find(&root) {
                let checked = setting.kind.check(value).map(|()| value.clone());
                self.add(setting, checked, Source::File(path.display().to_string()))?;
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        setting: &Setting,
        checked: Result<Value, String>,
        source: Source,
    ) -> Result<(), ConfigError> {
        let wrong = |problem| ConfigError::Value { setting: source.name_of(setting), problem };
        let value = checked.map_err(wrong)?;
        self.0.insert(setting.key, Given { value, source });
        Ok(())
    }
}

impl Source {
    fn of(&self, setting: &Setting) -> String {
        match self {
            Self::File(file) => file.clone(),
            Self::Variable => setting.variable.into(),
            Self::Option => setting.option.unwrap_or(setting.key).into(),
        }
    }

    /// Returns the name by which this source gave the setting.
    fn name_of(&self, setting: &Setting) -> String {
        match self {
            Self::File(file) => format!("{} in {file}", setting.key),
            Self::Variable | Self::Option => self.of(setting),
        }
    }
}

impl Config {
    /// Returns the settings from `file`, if there is one, and from the variables that `env`
    /// returns.
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
