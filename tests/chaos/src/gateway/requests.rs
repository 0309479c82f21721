//! Requests to a gateway process and its answers: a line for each, with the number of the call in
//! front.

use crate::failure::Failure;
use crate::journal::{unword, word};
use std::fmt;
use std::time::Duration;

/// A request to a gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Asked {
    /// To accept a run. The request is empty if the caller gives none.
    Submit { run: String, caller: String, request: String },
    /// To end a run. If no worker has it, the last event has this claim.
    Cancel { run: String, job_sequence: u64, claim: String },
    /// For the position of the last event that it was given.
    Where,
    /// To kill itself so long after its next submission begins. It has no answer.
    Die { after: Duration },
}

/// An answer of a gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reply {
    /// The run of the submission.
    Run {
        run: String,
        job_sequence: u64,
    },
    /// The queue is full.
    Full,
    /// The gateway cannot tell what became of the request.
    Failed,
    /// A worker ends the run.
    Stopping,
    /// The gateway has ended the run.
    Ended,
    /// The run had ended.
    TooLate,
    At(u64),
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Submit { run, caller, request } => {
                write!(f, "submit {run} {caller} {}", word(request))
            }
            Self::Cancel { run, job_sequence, claim } => {
                write!(f, "cancel {run} {job_sequence} {claim}")
            }
            Self::Where => write!(f, "where"),
            Self::Die { after } => write!(f, "die {}", after.as_micros()),
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run { run, job_sequence } => write!(f, "run {run} {job_sequence}"),
            Self::Full => write!(f, "full"),
            Self::Failed => write!(f, "failed"),
            Self::Stopping => write!(f, "stopping"),
            Self::Ended => write!(f, "ended"),
            Self::TooLate => write!(f, "late"),
            Self::At(position) => write!(f, "at {position}"),
        }
    }
}

/// The number of the call in a line, and the rest.
pub(crate) fn call(line: &str) -> Result<(u64, &str), Failure> {
    let (call, rest) = line.split_once(' ').ok_or("a call without words")?;
    Ok((call.parse()?, rest))
}

impl Asked {
    pub(crate) fn parse(line: &str) -> Result<Self, Failure> {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["submit", run, caller, request] => Ok(Self::Submit {
                run: (*run).into(),
                caller: (*caller).into(),
                request: unword(request),
            }),
            ["cancel", run, job_sequence, claim] => Ok(Self::Cancel {
                run: (*run).into(),
                job_sequence: job_sequence.parse()?,
                claim: (*claim).into(),
            }),
            ["where"] => Ok(Self::Where),
            ["die", micros] => Ok(Self::Die { after: Duration::from_micros(micros.parse()?) }),
            _ => Err(format!("a gateway is asked {line:?}").into()),
        }
    }
}

impl Reply {
    pub(crate) fn parse(line: &str) -> Result<Self, Failure> {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["run", run, job_sequence] => {
                Ok(Self::Run { run: (*run).into(), job_sequence: job_sequence.parse()? })
            }
            ["full"] => Ok(Self::Full),
            ["failed"] => Ok(Self::Failed),
            ["stopping"] => Ok(Self::Stopping),
            ["ended"] => Ok(Self::Ended),
            ["late"] => Ok(Self::TooLate),
            ["at", position] => Ok(Self::At(position.parse()?)),
            _ => Err(format!("a gateway answers {line:?}").into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asked_words_are_read() {
        let submit = |request: &str| Asked::Submit {
            run: "run".into(),
            caller: "caller-1".into(),
            request: request.into(),
        };
        let cancel = Asked::Cancel { run: "run".into(), job_sequence: 7, claim: "claim".into() };
        let die = Asked::Die { after: Duration::from_micros(1_500) };
        for asked in [submit(""), submit("request"), cancel, Asked::Where, die] {
            assert_eq!(Asked::parse(&asked.to_string()).unwrap(), asked);
        }
        assert!(Asked::parse("submit run").is_err());
    }

    #[test]
    fn answered_words_are_read() {
        let run = Reply::Run { run: "run".into(), job_sequence: 7 };
        let words = [Reply::Full, Reply::Failed, Reply::Stopping, Reply::Ended, Reply::TooLate];
        for reply in words.into_iter().chain([run, Reply::At(3)]) {
            let line = format!("12 {reply}");
            let (number, rest) = call(&line).unwrap();
            assert_eq!((number, Reply::parse(rest).unwrap()), (12, reply));
        }
        assert!(Reply::parse("run run").is_err());
        assert!(call("word").is_err());
    }
}
