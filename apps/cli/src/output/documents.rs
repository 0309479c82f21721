//! The documents of a command: one on stdout, and one in each file of `--output`.

use super::file::File;
use super::stdout;
use crate::args::{DocumentArgs, is_perun, report_format};
use crate::exit::Failure;
use crate::stderr::tell;
use profiler_export::{
    Ending, Error, Run, TextOptions, ended_the_run, export, export_csv, flag, objection,
    unfinished_tests, wrong_tests,
};
use profiler_proto::v1::{self, ErrorCode, ExportFormat};
use std::io::{Write, stderr};
use std::path::PathBuf;

/// The documents to write.
pub(crate) struct Documents {
    stdout: ExportFormat,
    options: TextOptions,
    /// The columns of CSV; empty for all.
    columns: Vec<String>,
    files: Vec<(File, ExportFormat)>,
}

impl Documents {
    /// Opens the documents that the arguments name. Fails before anything is measured if one of
    /// them cannot be written.
    pub(crate) fn open(args: &DocumentArgs) -> Result<Self, Failure> {
        let typed = |format| if is_perun(format) { args.perun_type } else { format };
        let file = |path: &PathBuf| {
            let format = typed(report_format(path)?);
            Ok((File::open(path)?, format))
        };
        let files: Result<Vec<_>, Failure> = args.output.iter().map(file).collect();
        let fitted = stdout::text_options();
        let options = TextOptions {
            width: fitted.width.filter(|_| !args.wide),
            explain: args.explain,
            full_diagnostics: args.full_diagnostics,
            ..fitted
        };
        let documents = Self {
            stdout: typed(args.format),
            options,
            columns: args.columns.clone(),
            files: files?,
        };
        if !documents.columns.is_empty() && documents.formats().all(|it| it != ExportFormat::Csv) {
            let problem = "requires --format csv, or -o with a file name that ends in .csv";
            return Err(Failure::argument("--columns", problem));
        }
        Ok(documents)
    }

    fn formats(&self) -> impl Iterator<Item = ExportFormat> {
        [self.stdout].into_iter().chain(self.files.iter().map(|(_, format)| *format))
    }

    /// Refuses formats whose data the job does not request, and requests what completes the others
    /// at no cost.
    pub(crate) fn prepare(&self, job: &mut v1::Job) -> Result<(), Failure> {
        require("--format", self.stdout, job)?;
        for (file, format) in &self.files {
            require(&format!("--output {}", file.path.display()), *format, job)?;
        }
        Ok(())
    }

    /// Writes the documents of a run that ends now, as [`Self::write`] does. But text about a
    /// program that does not compile goes to stderr, because it is not a result.
    pub(crate) fn write_ended(self, run: Run<'_>) -> Result<(), Failure> {
        if self.stdout != ExportFormat::Text || !is_compile_error(run.ending) {
            return self.write(run);
        }
        let palette = stdout::palette_for(&stderr());
        let text = export(run, self.stdout, &TextOptions { palette, ..self.options })?;
        // If stderr cannot be written, there is nowhere to say so.
        let _ = stderr().write_all(&text.content).and_then(|()| stderr().write_all(b"\n"));
        self.write_files(run)
    }

    /// Writes the documents.
    pub(crate) fn write(self, run: Run<'_>) -> Result<(), Failure> {
        let document = match content(run, self.stdout, &self.options, &self.columns) {
            // The objection below says more than the error about missing data.
            Err(Error::Lacks { .. }) if is_unmeasured(run.ending) => Vec::new(),
            document => document?,
        };
        stdout::write(&document)?;
        if let Some(objection) = self.unsaid_objection(run.ending) {
            tell(format_args!("swiftprof: {objection}"));
        }
        self.write_files(run)
    }

    /// Writes the files. A run that ended early may lack what a file's format needs: that file is
    /// left out, and stderr says so.
    fn write_files(self, run: Run<'_>) -> Result<(), Failure> {
        let TextOptions { explain, full_diagnostics, .. } = self.options;
        let options = TextOptions { explain, full_diagnostics, ..TextOptions::default() };
        for (file, format) in self.files {
            match (content(run, format, &options, &self.columns), run.ending) {
                (Ok(content), _) => file.fill(&content)?,
                (Err(error @ Error::Lacks { .. }), ending)
                    if matches!(ending, Ending::Error(_)) || is_unmeasured(ending) =>
                {
                    tell(format_args!(
                        "swiftprof: {} was not written: {}",
                        file.path.display(),
                        error.in_flags()
                    ));
                }
                (Err(error), _) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Returns what must be read first, unless the format on stdout contains it: that the program
    /// is not right on all test cases, or that it was not fed what it reads.
    fn unsaid_objection(&self, ending: &Ending) -> Option<String> {
        use ExportFormat::{Github, Html, Json, Junit, Sarif, Text};
        let is_said = matches!(self.stdout, Text | Html | Json | Sarif | Github);
        let report = ending.report().filter(|_| !is_said)?;
        let problem = wrong_tests(report).or_else(|| unfinished_tests(report));
        problem.filter(|_| self.stdout != Junit).or_else(|| objection(report, flag))
    }
}

/// Whether the run ended before anything was measured, because the program lacked its input.
fn is_unmeasured(ending: &Ending) -> bool {
    ending.report().is_some_and(ended_the_run)
}

/// Returns the content of a document. The options apply to text, and the columns to CSV.
fn content(
    run: Run<'_>,
    format: ExportFormat,
    options: &TextOptions,
    columns: &[String],
) -> Result<Vec<u8>, Error> {
    match format {
        ExportFormat::Csv => export_csv(run.ending, columns),
        _ => Ok(export(run, format, options)?.content),
    }
}

fn is_compile_error(ending: &Ending) -> bool {
    matches!(ending, Ending::Error(error) if error.code() == ErrorCode::Compile)
}

/// Refuses a format whose data the job does not request. Requests what completes the document at no
/// cost.
fn require(argument: &str, format: ExportFormat, job: &mut v1::Job) -> Result<(), Failure> {
    let Some(declared) = format.declared() else { return Ok(()) };
    (declared.complete)(job);
    match declared.needed_flag().filter(|_| !(declared.is_requested)(job)) {
        Some(flag) => Err(Failure::argument(argument, format!("this format requires --{flag}"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::{
        InputCheck, InputUse, Outcome, ProfileReport, SandboxError, TestCaseResult,
    };
    use std::fs;
    use std::path::Path;

    fn arguments(folder: &Path, names: &[&str]) -> DocumentArgs {
        DocumentArgs {
            output: names.iter().map(|name| folder.join(name)).collect(),
            format: ExportFormat::Json,
            perun_type: ExportFormat::PerunMixed,
            explain: false,
            full_diagnostics: false,
            wide: false,
            columns: Vec::new(),
        }
    }

    #[test]
    fn file_is_there_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let documents = Documents::open(&arguments(folder.path(), &["a.csv"])).unwrap();
        assert!(!folder.path().join("a.csv").exists());
        documents.write((&Ending::Report(Box::default())).into()).unwrap();
        let written = fs::read_to_string(folder.path().join("a.csv")).unwrap();
        assert!(written.starts_with("task_id,"), "{written}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn unwritable_file_is_refused_before_anything_runs() {
        let folder = tempfile::tempdir().unwrap();
        let refused = Documents::open(&arguments(folder.path(), &["no/such/a.csv"])).err().unwrap();
        assert!(refused.to_string().contains("no/such/a.csv"), "{refused}");
        fs::create_dir(folder.path().join("b.csv")).unwrap();
        let refused = Documents::open(&arguments(folder.path(), &["b.csv"])).err().unwrap();
        assert!(refused.to_string().contains("is a directory"), "{refused}");
    }

    #[test]
    fn columns_are_those_of_csv() {
        let folder = tempfile::tempdir().unwrap();
        let columns = || vec!["size".to_owned(), "headline_ms".to_owned()];
        let args =
            |names: &[&str]| DocumentArgs { columns: columns(), ..arguments(folder.path(), names) };
        let refused = Documents::open(&args(&["a.long.csv"])).err().unwrap().to_string();
        assert!(refused.starts_with("--columns: requires --format csv"), "{refused}");
        let documents = Documents::open(&args(&["a.csv"])).unwrap();
        documents.write((&Ending::Report(Box::default())).into()).unwrap();
        let written = fs::read_to_string(folder.path().join("a.csv")).unwrap();
        assert_eq!(written, "size,headline_ms\n");
    }

    #[test]
    fn objection_unsaid_by_a_format_is_said_beside_it() {
        use ExportFormat::{Csv, Github, Html, Json, Junit, PerunMixed, Sarif, Swiftsolve, Text};
        let check = InputCheck {
            input_use: InputUse::Starved.into(),
            default_input: Some("9\n".into()),
            ..InputCheck::default()
        };
        let report = ProfileReport { input_check: Some(check), ..ProfileReport::default() };
        let mut ending = Ending::Report(Box::new(report));
        let folder = tempfile::tempdir().unwrap();
        let unsaid = |format| {
            let args = DocumentArgs { format, ..arguments(folder.path(), &[]) };
            Documents::open(&args).unwrap().unsaid_objection(&ending)
        };
        for format in [Csv, Swiftsolve, PerunMixed, Junit] {
            let said = unsaid(format).unwrap();
            assert!(said.contains("fed only \"9\\n\"") && said.contains("--input-spec"), "{said}");
        }
        assert!([Text, Json, Html, Sarif, Github].map(unsaid).iter().all(Option::is_none));
        let case = TestCaseResult { outcome: Outcome::NotRun.into(), ..TestCaseResult::default() };
        ending.report_mut().unwrap().test_cases = vec![case];
        let args = DocumentArgs { format: Csv, ..arguments(folder.path(), &[]) };
        let said = Documents::open(&args).unwrap().unsaid_objection(&ending);
        assert_eq!(said.as_deref(), Some("no verdict: 0 of 1 test ran"));
    }

    #[test]
    fn file_without_figures_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let documents = Documents::open(&arguments(folder.path(), &["a.csv"])).unwrap();
        let nothing = SandboxError { code: ErrorCode::Internal.into(), ..SandboxError::default() };
        documents.write((&Ending::Error(Box::new(nothing))).into()).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn formats_need_what_they_show() {
        let folder = tempfile::tempdir().unwrap();
        let documents = Documents::open(&arguments(folder.path(), &["a.svg"])).unwrap();
        let refused = documents.prepare(&mut v1::Job::default()).unwrap_err().to_string();
        assert!(refused.ends_with("a.svg: this format requires --hotspots"), "{refused}");
        documents.prepare(&mut v1::Job { debug: true, ..v1::Job::default() }).unwrap();
    }

    #[test]
    fn perun_needs_raw_samples() {
        let folder = tempfile::tempdir().unwrap();
        let args =
            DocumentArgs { format: ExportFormat::PerunTime, ..arguments(folder.path(), &[]) };
        let mut job = v1::Job::default();
        Documents::open(&args).unwrap().prepare(&mut job).unwrap();
        assert!(job.raw_samples);
    }
}
