//! Checkers, validators and generators in C++, and the `testlib.h` that they include.

use super::source::{read, source_text};
use crate::args::{CheckerChoice, JobArgs};
use crate::exit::Failure;
use profiler_core::job::includes_testlib;
use profiler_core::limits::{MAX_CANDIDATES, MAX_SOURCE_BYTES};
use profiler_proto::file::regular_file_below;
use profiler_proto::v1::{CheckerProgram, InputSpec, Job};
use std::path::{Path, PathBuf};

/// Argument that names the checker.
pub(super) const CHECKER_ARGUMENT: &str = "--checker";
/// Argument that names the header.
const TESTLIB_ARGUMENT: &str = "--testlib";
/// Problem of a program that includes the header.
const NOT_BESIDE: &str = "includes testlib.h, which is not next to it; name it with --testlib PATH";
/// Name of the header.
const HEADER: &str = "testlib.h";

/// Sets the checker.
pub(crate) fn set_checker(
    job: &mut Job,
    choice: &CheckerChoice,
    testlib: Option<&Path>,
) -> Result<(), Failure> {
    match choice {
        CheckerChoice::Program(file) => job.checker_program = Some(program(file, testlib)?),
        CheckerChoice::Word(number) => job.checker = *number,
    }
    Ok(())
}

/// Sets the checker and the validator that the arguments ask for, and the header of generators.
pub(super) fn set_judges(job: &mut Job, args: &JobArgs) -> Result<(), Failure> {
    let testlib = args.testlib.as_deref();
    set_checker(job, &args.checker, testlib)?;
    let validator = args.validator.as_ref().map(|file| program(file, testlib));
    job.validator_program = validator.transpose()?;
    set_headers(&mut job.input_specs, testlib)?;
    let has_judge = job.checker_program.is_some() || job.validator_program.is_some();
    let has_generator = job.input_specs.iter().any(|spec| !spec.generator.is_empty());
    if testlib.is_some() && !has_judge && !has_generator {
        let problem = "requires a checker, a validator or a generator in C++";
        return Err(Failure::argument(TESTLIB_ARGUMENT, problem));
    }
    Ok(())
}

/// Sets the header of each generator that includes it. One that is not named is next to the
/// generator, where the spec was read.
pub(crate) fn set_headers(specs: &mut [InputSpec], testlib: Option<&Path>) -> Result<(), Failure> {
    for spec in specs.iter_mut().filter(|it| it.generator.lines().any(includes_testlib)) {
        if let Some(named) = testlib {
            spec.testlib_h = header_text(&header(named, testlib)?)?;
        } else if spec.testlib_h.is_empty() {
            return Err(Failure::argument("generator", NOT_BESIDE));
        }
    }
    Ok(())
}

/// Refuses more candidates from the file at `path` than there are sandboxes for generators.
pub(crate) fn limit_generators(
    candidates: &[(usize, InputSpec)],
    path: &Path,
) -> Result<(), Failure> {
    let has_generator = candidates.iter().any(|(_, spec)| !spec.generator.is_empty());
    if has_generator && candidates.len() > MAX_CANDIDATES {
        let problem = format!("can have a generator among at most {MAX_CANDIDATES} specs");
        return Err(Failure::argument(path.display().to_string(), problem));
    }
    Ok(())
}

/// Reads a checker or a validator, and the header if the program includes it.
fn program(file: &Path, testlib: Option<&Path>) -> Result<CheckerProgram, Failure> {
    if file.exists() {
        regular_below_its_folder(file)?;
    }
    let code_cpp = source_text(file)?;
    let testlib_h = if code_cpp.lines().any(includes_testlib) {
        header_text(&header(file, testlib)?)?
    } else {
        String::new()
    };
    Ok(CheckerProgram { code_cpp, testlib_h, ..CheckerProgram::default() })
}

/// Checks that the file is a regular one, and no link to another folder.
fn regular_below_its_folder(file: &Path) -> Result<PathBuf, Failure> {
    let folder = file.parent().unwrap_or(file);
    regular_file_below(file, folder, "must not be a link to a file in another folder")
        .map_err(|problem| Failure::argument(file.display().to_string(), problem))
}

/// Reads the header, whose comments may have any encoding.
fn header_text(path: &Path) -> Result<String, Failure> {
    Ok(String::from_utf8_lossy(&read(path, MAX_SOURCE_BYTES)?).into_owned())
}

/// The path of the header: the named one, or else the one next to the program.
fn header(program: &Path, testlib: Option<&Path>) -> Result<PathBuf, Failure> {
    match testlib {
        Some(folder) if folder.is_dir() => return Ok(folder.join(HEADER)),
        Some(named) => return Ok(named.into()),
        None => {}
    }
    regular_below_its_folder(&program.with_file_name(HEADER))
        .map_err(|_| Failure::argument(program.display().to_string(), NOT_BESIDE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn header_is_next_to_the_program_or_named() {
        let folder = tempfile::tempdir().unwrap();
        let [checker, beside] = ["a.cpp", HEADER].map(|name| folder.path().join(name));
        let code_cpp = "#include \"testlib.h\"\nint main() {}\n";
        fs::write(&checker, code_cpp).unwrap();
        let refusal = program(&checker, None).unwrap_err().to_string();
        assert!(refusal.ends_with("name it with --testlib PATH"), "{refusal}");
        let other = tempfile::tempdir().unwrap();
        let named = other.path().join(HEADER);
        fs::write(&named, "int named();").unwrap();
        for path in [&*named, other.path()] {
            assert_eq!(program(&checker, Some(path)).unwrap().testlib_h, "int named();");
        }
        fs::write(&beside, b"int beside(); // \xff").unwrap();
        let read = program(&checker, None).unwrap();
        assert_eq!((read.code_cpp.as_str(), &read.testlib_h[..13]), (code_cpp, "int beside();"));
        fs::write(&checker, "int main() {}").unwrap();
        assert_eq!(program(&checker, None).unwrap().testlib_h, "");
    }

    #[test]
    fn links_to_other_folders_are_not_read() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let [checker, beside] = ["a.cpp", HEADER].map(|name| folder.path().join(name));
        let secret = other.path().join("secret");
        fs::write(&secret, "secret").unwrap();
        symlink(&secret, &checker).unwrap();
        let refusal = program(&checker, None).unwrap_err().to_string();
        assert!(refusal.ends_with("must not be a link to a file in another folder"), "{refusal}");
        fs::remove_file(&checker).unwrap();
        fs::write(&checker, "#include \"testlib.h\"\nint main() {}\n").unwrap();
        symlink(&secret, &beside).unwrap();
        let refusal = program(&checker, None).unwrap_err().to_string();
        assert!(refusal.ends_with("name it with --testlib PATH"), "{refusal}");
    }

    #[test]
    fn checker_may_have_any_encoding_but_is_text() {
        let folder = tempfile::tempdir().unwrap();
        let checker = folder.path().join("a.cpp");
        fs::write(&checker, b"int main() {} // \xcf\xf0").unwrap();
        assert_eq!(program(&checker, None).unwrap().code_cpp, "int main() {} // \u{fffd}\u{fffd}");
        fs::write(&checker, b"\x7fELF\0").unwrap();
        let refusal = program(&checker, None).unwrap_err().to_string();
        assert!(refusal.contains("a.cpp: is not text"), "{refusal}");
    }
}
