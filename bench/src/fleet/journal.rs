//! What a worker process was told, line by line in a file of its own. A line is one `write`, so a
//! process that is killed leaves whole lines.

use crate::failure::Failure;
use crate::fleet::model::history::{History, Signature, Told};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// What stands for an empty word.
const NOTHING: &str = "-";

/// A file that is only appended to.
pub(crate) struct Journal(Option<Mutex<File>>);

impl Journal {
    /// Goes on in this file; without one, nothing is written.
    pub(crate) fn open(file: Option<&Path>) -> Result<Self, Failure> {
        let open = |file| OpenOptions::new().create(true).append(true).open(file);
        Ok(Self(file.map(open).transpose()?.map(Mutex::new)))
    }

    /// An append was answered.
    pub(crate) fn told(&self, told: &Told) {
        let Told { run, number, position, signed } = told;
        let claim = if signed.claim.is_empty() { NOTHING } else { &signed.claim };
        self.write(&format!("told {run} {number} {position} {claim} {}\n", signed.step));
    }

    /// A run began here.
    pub(crate) fn begun(&self, run: &str) {
        self.write(&format!("begun {run}\n"));
    }

    /// Another had taken the run over.
    pub(crate) fn fenced(&self, run: &str) {
        self.write(&format!("fenced {run}\n"));
    }

    /// The lease of a run was lost.
    pub(crate) fn lease_lost(&self, run: &str) {
        self.write(&format!("lease {run}\n"));
    }

    fn write(&self, line: &str) {
        let Some(file) = &self.0 else { return };
        let written =
            file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
        // What is not in the journal cannot be missed in the log: the check would mean nothing.
        if let Err(error) = written {
            eprintln!("the journal: {error}");
            std::process::exit(1);
        }
    }
}

/// Counts of what is no rule's.
#[derive(Debug, Default)]
pub(crate) struct Lost {
    /// Appends that were refused because another had taken the run over.
    pub(crate) fenced: usize,
    /// Leases that were lost.
    pub(crate) leases: usize,
}

/// Adds what a journal says.
pub(crate) fn read(text: &str, history: &mut History, lost: &mut Lost) -> Result<(), Failure> {
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["told", run, number, position, claim, step] => history.told.push(Told {
                run: (*run).into(),
                number: number.parse()?,
                position: position.parse()?,
                signed: Signature {
                    claim: if *claim == NOTHING { String::new() } else { (*claim).into() },
                    step: step.parse()?,
                },
            }),
            ["begun", run] => history.begun.push((*run).into()),
            ["fenced", _] => lost.fenced += 1,
            ["lease", _] => lost.leases += 1,
            _ => return Err(format!("a journal says {line:?}").into()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal");
        let told = |claim: &str| Told {
            run: "run".into(),
            number: 3,
            position: 17,
            signed: Signature { claim: claim.into(), step: 2 },
        };
        let journal = Journal::open(Some(&file)).unwrap();
        journal.begun("run");
        journal.told(&told(""));
        journal.told(&told("claim"));
        journal.fenced("run");
        journal.lease_lost("run");
        let (mut history, mut lost) = (History::default(), Lost::default());
        read(&std::fs::read_to_string(file).unwrap(), &mut history, &mut lost).unwrap();
        assert_eq!(history.told, [told(""), told("claim")]);
        assert_eq!((history.begun.len(), lost.fenced, lost.leases), (1, 1, 1));
        assert!(read("told run", &mut history, &mut lost).is_err());
    }
}
