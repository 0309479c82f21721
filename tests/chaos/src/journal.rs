//! The journal of a worker process, of what it was told, or of a gateway process, of what it was
//! asked, answered and given: line by line in a file of its own. A line is one `write`, so a
//! process that is killed leaves whole lines, but for the last.

use crate::failure::Failure;
use crate::model::history::{Act, Answer, EndedBy, Entry, History, Signature, Told};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Stands for an empty word.
const NOTHING: &str = "-";

/// A file that is only appended to.
pub(crate) struct Journal(Option<Mutex<File>>);

impl Journal {
    /// Goes on in this file; without one, nothing is written.
    pub(crate) fn open(file: Option<&Path>) -> Result<Self, Failure> {
        let resume = |file| Self::resume(file).map(|(journal, _)| journal);
        file.map_or(Ok(Self(None)), resume)
    }

    /// Goes on in this file, and takes off the line that a process before had begun to write.
    /// Returns the position of the last event that it was given.
    pub(crate) fn resume(file: &Path) -> Result<(Self, u64), Failure> {
        let open = OpenOptions::new().create(true).append(true).open(file)?;
        let text = fs::read_to_string(file)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        open.set_len(whole as u64)?;
        let last = text[..whole].lines().rev().find_map(|line| line.strip_prefix("given "));
        let position = last.and_then(|line| line.split(' ').next()).map(str::parse);
        Ok((Self(Some(Mutex::new(open))), position.transpose()?.unwrap_or(0)))
    }

    /// An append was answered.
    pub(crate) fn told(&self, told: &Told) {
        let Told { run, number, position, signed } = told;
        let claim = word(&signed.claim);
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

    /// A gateway begins a submission.
    pub(crate) fn asked(&self, asked: &Answer) {
        self.write(&format!("asked {} {}\n", asked.run, word(&asked.request)));
    }

    /// A gateway is about to answer a submission.
    pub(crate) fn answered(&self, answer: &Answer) {
        self.write(&format!("answered {} {}\n", answer.run, word(&answer.request)));
    }

    /// A gateway begins to cancel a run.
    pub(crate) fn stops(&self, run: &str) {
        self.write(&format!("stops {run}\n"));
    }

    /// A gateway is about to answer that it ended a run by this claim.
    pub(crate) fn ended(&self, run: &str, claim: &str) {
        self.write(&format!("ended {run} {claim}\n"));
    }

    /// A gateway was given an event.
    pub(crate) fn given(&self, entry: &Entry) {
        let Entry { position, run, number, act, worker, signed, request, hash } = entry;
        let (act, attempt) = match act {
            Act::Accepted => ("accepted", 0),
            Act::Started(attempt) => ("started", *attempt),
            Act::Restarted(attempt) => ("restarted", *attempt),
            Act::Step => ("step", 0),
            Act::Ended => ("ended", 0),
        };
        let [worker, claim, request] = [worker, &signed.claim, request].map(|text| word(text));
        self.write(&format!(
            "given {position} {run} {number} {act} {attempt} {worker} {claim} {} {request} {hash}\n",
            signed.step
        ));
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

/// A text as a word of a line.
pub(crate) fn word(text: &str) -> &str {
    if text.is_empty() { NOTHING } else { text }
}

/// The text of a word.
pub(crate) fn unword(word: &str) -> String {
    if word == NOTHING { String::new() } else { word.to_owned() }
}

/// Adds what a journal says. Returns the events that its process was given.
pub(crate) fn read(
    text: &str,
    history: &mut History,
    lost: &mut Lost,
) -> Result<Vec<Entry>, Failure> {
    let mut given = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["told", run, number, position, claim, step] => history.told.push(Told {
                run: (*run).into(),
                number: number.parse()?,
                position: position.parse()?,
                signed: Signature { claim: unword(claim), step: step.parse()? },
            }),
            ["begun", run] => history.begun.push((*run).into()),
            ["fenced", _] => lost.fenced += 1,
            ["lease", _] => lost.leases += 1,
            ["asked", run, request] => history.asked.push(answer(run, request)),
            ["answered", run, request] => history.answers.push(answer(run, request)),
            ["stops", run] => history.stops.push((*run).into()),
            ["ended", run, claim] => {
                history.ended.push(EndedBy { run: (*run).into(), claim: (*claim).into() });
            }
            ["given", words @ ..] => given.push(entry(words, line)?),
            _ => return Err(says(line)),
        }
    }
    Ok(given)
}

fn says(line: &str) -> Failure {
    format!("a journal says {line:?}").into()
}

fn answer(run: &str, request: &str) -> Answer {
    Answer { request: unword(request), run: run.into() }
}

fn entry(words: &[&str], line: &str) -> Result<Entry, Failure> {
    let [position, run, number, act, attempt, worker, claim, step, request, hash] = words else {
        return Err(says(line));
    };
    let act = match *act {
        "accepted" => Act::Accepted,
        "started" => Act::Started(attempt.parse()?),
        "restarted" => Act::Restarted(attempt.parse()?),
        "step" => Act::Step,
        "ended" => Act::Ended,
        _ => return Err(says(line)),
    };
    Ok(Entry {
        position: position.parse()?,
        run: (*run).into(),
        number: number.parse()?,
        act,
        worker: unword(worker),
        signed: Signature { claim: unword(claim), step: step.parse()? },
        request: unword(request),
        hash: hash.parse()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn journal_of_a_worker_is_read() {
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
        read(&fs::read_to_string(file).unwrap(), &mut history, &mut lost).unwrap();
        assert_eq!(history.told, [told(""), told("claim")]);
        assert_eq!((history.begun.len(), lost.fenced, lost.leases), (1, 1, 1));
        assert!(read("told run", &mut history, &mut lost).is_err());
    }

    #[test]
    fn journal_of_a_gateway_is_read_and_continued() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal");
        let acts = [Act::Accepted, Act::Started(1), Act::Restarted(2), Act::Step, Act::Ended];
        let events = (1..).zip(acts).map(|(number, act)| Entry {
            position: 10 * number,
            run: "run".into(),
            number,
            act,
            worker: if number > 1 { "worker".into() } else { String::new() },
            signed: Signature {
                claim: if number > 3 { "a".into() } else { String::new() },
                step: number,
            },
            request: if number == 1 { "request".into() } else { String::new() },
            hash: u64::MAX,
        });
        let events: Vec<Entry> = events.collect();
        let (journal, position) = Journal::resume(&file).unwrap();
        assert_eq!(position, 0);
        let answers = ["", "request"].map(|request| answer("run", word(request)));
        for answer in &answers {
            journal.asked(answer);
            journal.answered(answer);
        }
        for event in &events[..4] {
            journal.given(event);
        }
        journal.stops("run");
        journal.ended("run", "claim");
        drop(journal);
        let torn = OpenOptions::new().append(true).open(&file).unwrap().write_all(b"given 5");
        torn.unwrap();
        let (journal, position) = Journal::resume(&file).unwrap();
        assert_eq!(position, events[3].position);
        journal.given(&events[4]);
        let (mut history, mut lost) = (History::default(), Lost::default());
        let given = read(&fs::read_to_string(file).unwrap(), &mut history, &mut lost).unwrap();
        assert_eq!(given, events);
        assert_eq!((&history.asked[..], &history.answers[..]), (&answers[..], &answers[..]));
        let ended = EndedBy { run: "run".into(), claim: "claim".into() };
        assert_eq!((history.stops.len(), &history.ended[..]), (1, &[ended][..]));
        for line in ["given 5", "given 1 run 1 sits 0 - - 0 - 1", "asked run"] {
            assert!(read(line, &mut history, &mut lost).is_err());
        }
    }
}
