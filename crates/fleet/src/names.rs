//! Names of the streams, subjects and consumers in the engine. The number in the prefix of the
//! subjects is the version of this layout.

use sha2::{Digest, Sha256};

/// The stream of all logs, and of the claims of request IDs.
pub(crate) const LOGS: &str = "SP_LOGS";
/// The queue of the jobs.
pub(crate) const JOBS: &str = "SP_JOBS";
/// The stream of the pieces of bytes that are too large for a message.
pub(crate) const BLOBS: &str = "SP_BLOBS";
/// The subjects of [`LOGS`].
pub(crate) const LOG_SUBJECTS: [&str; 2] = ["sp1.ev.*", "sp1.req.*"];
/// The subjects of the logs alone.
pub(crate) const EVERY_LOG: &str = "sp1.ev.*";
/// The subjects of [`JOBS`].
pub(crate) const EVERY_JOB: &str = "sp1.job.*.*";
/// The subjects of [`BLOBS`].
pub(crate) const EVERY_PIECE: &str = "sp1.blob.*.*";
/// Subject on which workers report their state.
pub(crate) const WORKERS: &str = "sp1.worker";
/// Subject of requests to all workers to report at once.
pub(crate) const ROLL_CALL: &str = "sp1.rollcall";
/// Subject on which gateways report the runs that their callers hold.
pub(crate) const HOLDS: &str = "sp1.hold";
/// Queue group of the workers: each message wakes one of them.
pub(crate) const QUEUE_GROUP: &str = "workers";
/// Number of hexadecimal digits that stand for a caller in a subject. The caller's name itself can
/// contain dots and blanks.
const LANE_DIGITS: usize = 16;

/// The subject of a run's log.
pub(crate) fn log(run_id: &str) -> String {
    format!("sp1.ev.{run_id}")
}

/// ID of the run whose log has this subject.
pub(crate) fn run_of(log: &str) -> String {
    log.rsplit('.').next().unwrap_or_default().into()
}

/// The subject of the claim of a request ID. Each owner has separate request IDs.
pub(crate) fn claim(owner: &str, request_id: &str) -> String {
    format!("sp1.req.{}", digest(&[owner, request_id]))
}

/// The subject on which a gateway tries whether the engine can store a message. It looks like a
/// claim, because the engine lets gateways write claims.
pub(crate) fn probe(gateway: &str) -> String {
    format!("sp1.req.probe-{gateway}")
}

/// The subject of a piece of bytes that are too large for a message.
pub(crate) fn piece(blob: &str, number: u32) -> String {
    format!("sp1.blob.{blob}.{number}")
}

/// The subject of requests to stop a run.
pub(crate) fn control(run_id: &str) -> String {
    format!("sp1.ctl.{run_id}")
}

/// The subject of an operator's orders to workers. No run has this ID.
pub(crate) fn orders() -> String {
    control("fleet")
}

/// The subject on which gateways tell the workers of a pool its digest. No run has this ID.
pub(crate) fn digests(pool: &str) -> String {
    control(&format!("pool-{pool}"))
}

/// The subject that wakes one worker of a pool, whose workers listen as a [`QUEUE_GROUP`]. The
/// message is the lane of the job.
pub(crate) fn bell(pool: &str) -> String {
    format!("sp1.bell.{pool}")
}

/// The lane of a caller: a hash that stands for the caller in subjects.
pub(crate) fn lane(caller: &str) -> String {
    let mut lane = digest(&[caller]);
    lane.truncate(LANE_DIGITS);
    lane
}

/// Whether a text is a lane.
pub(crate) fn is_lane(text: &str) -> bool {
    text.len() == LANE_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The subject of the jobs in a lane of a pool. The lane `*` stands for all lanes.
pub(crate) fn jobs(pool: &str, lane: &str) -> String {
    format!("sp1.job.{pool}.{lane}")
}

/// The pool and the lane in the subject of a job.
pub(crate) fn pool_and_lane(subject: &str) -> Option<(&str, &str)> {
    subject.strip_prefix("sp1.job.")?.split_once('.')
}

/// The name of the consumer of the jobs in a lane of a pool.
pub(crate) fn consumer(pool: &str, lane: &str) -> String {
    format!("{pool}_{lane}")
}

/// SHA-256 of a list of texts, in hexadecimal. The length of each text is hashed too, so two
/// different lists never hash the same bytes.
pub(crate) fn digest(texts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    format!("{:x}", hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caller_is_one_word() {
        let lane = lane("uid 1000 of *.example.com >");
        assert!(is_lane(&lane) && !is_lane("a.b") && !is_lane(""));
        assert_eq!(pool_and_lane(&jobs("pool", &lane)), Some(("pool", lane.as_str())));
    }

    #[test]
    fn request_id_belongs_to_its_owner() {
        assert_ne!(claim("ab", "c"), claim("a", "bc"));
        assert_eq!(claim("a", "b"), claim("a", "b"));
    }
}
