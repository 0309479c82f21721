//! Settings: their sources, and the errors about bad ones.

use profiler_core::job::Draft;
use profiler_proto::v1::RunLimits;
use profiler_server::Config;
use profiler_server::config::ConfigError;
use std::io::Write;

fn load(file: Option<&str>, env: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let written = file.map(|text| {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    });
    let env = |name: &str| Some(env.iter().find(|(key, _)| *key == name)?.1.to_owned());
    Config::load(written.as_ref().map(tempfile::NamedTempFile::path), env)
}

/// The error about a bad value in the environment.
fn complaint(name: &str, value: &str) -> String {
    load(None, &[(name, value)]).unwrap_err().to_string()
}

#[test]
fn defaults_hold_without_settings() {
    assert_eq!(load(None, &[]).unwrap(), Config::default());
}

#[test]
fn plans_settings_are_read() {
    let env = [
        ("SANDBOX_TIMEOUT_SEC", "1.5"),
        ("SANDBOX_MEM_MB", "64"),
        ("INPUT_SCALES", "[10, 20]"),
        ("EXTRA_CORNER_CASES", "0,1,2"),
        ("LOG_LEVEL", "WARNING"),
        ("PROFILER_LOG_FORMAT", "json"),
        ("PROFILER_METRICS", "127.0.0.1:9464"),
    ];
    let file = "log_level = 'warn'\nlog_format = 'json'\nmetrics = '127.0.0.1:9464'\n[defaults]\nsandbox_timeout_sec = 1.5\nsandbox_mem_mb = 64\n\
                input_scales = [10, 20]\nextra_corner_cases = [0, 1, 2]";
    assert_eq!(load(None, &env).unwrap(), load(Some(file), &[]).unwrap());
}

#[test]
fn environment_goes_before_the_file() {
    let config = load(Some("concurrency = 2"), &[("PROFILER_CONCURRENCY", "3")]);
    assert_eq!(config.unwrap().concurrency, 3);
}

#[test]
fn bad_value_names_its_variable() {
    let bad = [
        ("SANDBOX_TIMEOUT_SEC", "soon"),
        ("SANDBOX_TIMEOUT_SEC", "1e9"),
        ("SANDBOX_MEM_MB", "1"),
        ("INPUT_SCALES", "10,x"),
        ("INPUT_SCALES", "20,10"),
        ("EXTRA_CORNER_CASES", "-1"),
        ("LOG_LEVEL", "loud"),
        ("PROFILER_CONCURRENCY", "0"),
        ("PROFILER_DRAIN_SEC", "-1"),
        ("PROFILER_LOG_FORMAT", "xml"),
        ("PROFILER_METRICS", "9464"),
    ];
    let unnamed = bad.map(|(name, value)| (name, complaint(name, value)));
    assert!(unnamed.iter().all(|(name, text)| text.starts_with(name)), "{unnamed:?}");
}

#[test]
fn setting_that_does_not_exist_is_refused() {
    let refused = load(Some("concurency = 1"), &[]).unwrap_err().to_string();
    assert!(refused.contains("concurency"), "{refused}");
}

#[test]
fn bad_value_in_a_file_names_the_setting_there() {
    let refused = load(Some("[defaults]\nsandbox_mem_mb = 1"), &[]).unwrap_err().to_string();
    assert!(refused.starts_with("defaults.sandbox_mem_mb in "), "{refused}");
}

/// The time limit of a request with these limits, in milliseconds.
fn filled(limits: RunLimits) -> Option<f64> {
    let config = load(None, &[("SANDBOX_TIMEOUT_SEC", "3"), ("INPUT_SCALES", "7")]).unwrap();
    let mut draft = Draft::default();
    draft.request.limits = Some(limits);
    config.defaults.apply(&mut draft);
    draft.request.limits.unwrap().timeout_ms
}

#[test]
fn default_fills_what_a_request_leaves_out() {
    assert_eq!(filled(RunLimits::default()), Some(3000.0));
}

#[test]
fn request_goes_before_a_default() {
    let asked = RunLimits { timeout_ms: Some(1.0), ..RunLimits::default() };
    assert_eq!(filled(asked), Some(1.0));
}

#[test]
fn tasks_own_runtime_limit_goes_before_a_default() {
    let asked = RunLimits { runtime_limit_ms: Some(1.0), ..RunLimits::default() };
    assert_eq!(filled(asked), None);
}

#[test]
fn bounds_that_allow_nothing_are_refused_by_name() {
    for (file, name) in [
        ("[retention]\nruns = 0", "retention.runs in "),
        ("[retention]\ndays = 0", "retention.days in "),
        ("[quota]\nlive_runs = 0", "quota.live_runs in "),
        ("[quota]\nhour_sec = -1.0", "quota.hour_sec in "),
        ("[quota]\nrun_sec = 0.0", "quota.run_sec in "),
    ] {
        let refused = load(Some(file), &[]).unwrap_err().to_string();
        assert!(refused.starts_with(name), "{refused}");
    }
}
