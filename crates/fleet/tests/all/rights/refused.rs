//! Acts forbidden to each role: publishing on a subject, listening to it, and having an answer sent
//! there.

/// An act.
#[derive(Debug)]
pub(crate) enum Act {
    Publish(String),
    Listen(String),
    /// Asks for an answer on this subject.
    Ask(String),
}

impl Act {
    /// Whether this line of a server's log says that the act was refused.
    pub(crate) fn is_refused_in(&self, line: &str) -> bool {
        let says = |kind: &str, subject: &str| line.contains(&format!("{kind} \"{subject}\""));
        match self {
            Self::Publish(subject) => {
                // The mappings in `accounts.conf` can change the subject before it is checked.
                let unheard = subject.replacen("sp1.", "sp1.unheard.", 1);
                let heard = subject.replacen("$JS.ACK.sp1.", "sp1.", 1);
                let gone = [subject, &unheard, &heard];
                gone.iter().any(|subject| says("Publish Violation - Subject", subject))
            }
            Self::Listen(subject) => says("Subscription Violation - Subject", subject),
            Self::Ask(reply) => says("Publish Violation - Reply", reply),
        }
    }
}

fn acts(publish: Vec<String>, listen: &[&str]) -> Vec<Act> {
    let listen = listen.iter().map(|subject| Act::Listen((*subject).into()));
    // The subjects of messages from gateways to workers, and of the workers' answers.
    let reserved = ["$JS.ACK.sp1.ctl.one", "$JS.ACK.sp1.rollcall", "_R_.some"];
    let ask = reserved.into_iter().map(|subject| Act::Ask(subject.into()));
    publish.into_iter().map(Act::Publish).chain(listen).chain(ask).collect()
}

/// Requests that change streams, or their consumers.
fn changes() -> impl Iterator<Item = String> {
    let streams = ["SP_LOGS", "SP_JOBS", "SP_BLOBS"];
    let of_stream = [
        "STREAM.CREATE",
        "STREAM.UPDATE",
        "STREAM.DELETE",
        "STREAM.PURGE",
        "STREAM.MSG.DELETE",
        "STREAM.SNAPSHOT",
        "STREAM.RESTORE",
        "STREAM.LEADER.STEPDOWN",
        "CONSUMER.CREATE",
    ];
    let of_consumer = ["CONSUMER.DURABLE.CREATE", "CONSUMER.DELETE", "CONSUMER.PAUSE"];
    streams.into_iter().flat_map(move |stream| {
        let of_stream = of_stream.map(|call| format!("$JS.API.{call}.{stream}"));
        let of_consumer = of_consumer.map(|call| format!("$JS.API.{call}.{stream}.some"));
        of_stream.into_iter().chain(of_consumer)
    })
}

/// Returns the acts forbidden to a worker.
pub(crate) fn of_a_worker(pool: &str) -> Vec<Act> {
    let mut publish: Vec<_> = changes().collect();
    publish.extend(
        ["sp1.req.some", "sp1.ctl.one", "sp1.hold", "sp1.rollcall", "sp1.other"].map(String::from),
    );
    publish.extend([
        format!("sp1.job.{pool}.some"),
        "$JS.ACK.sp1.ctl.two".into(),
        "$JS.API.INFO".into(),
        "$JS.API.STREAM.CREATE.OTHER".into(),
        "$JS.API.STREAM.MSG.GET.SP_JOBS".into(),
        format!("$JS.API.CONSUMER.CREATE.SP_JOBS.some.sp1.job.{pool}.*"),
        "$JS.API.CONSUMER.CREATE.SP_LOGS.some.sp1.ev.*".into(),
        "$JS.API.CONSUMER.MSG.NEXT.SP_LOGS.some".into(),
        "$JS.ACK.SP_LOGS.some.1.1.1.1.0".into(),
        "_INBOX.gateway.some".into(),
    ]);
    let listen =
        ["_INBOX.gateway.>", "sp1.ev.*", "sp1.req.*", "sp1.job.*.*", "sp1.hold", "sp1.blob.*.*"];
    acts(publish, &listen)
}

/// Returns the acts forbidden to a viewer.
pub(crate) fn of_a_viewer(pool: &str) -> Vec<Act> {
    let mut publish: Vec<_> = changes().collect();
    publish.extend(
        ["sp1.ev.one", "sp1.req.some", "sp1.ctl.one", "sp1.hold", "sp1.worker"].map(String::from),
    );
    publish.extend([
        format!("sp1.job.{pool}.some"),
        format!("sp1.bell.{pool}"),
        "sp1.blob.some.0".into(),
        "$JS.ACK.sp1.ctl.two".into(),
        "$JS.API.INFO".into(),
        "$JS.API.STREAM.MSG.GET.SP_BLOBS".into(),
        "$JS.API.STREAM.MSG.GET.SP_LOGS".into(),
        "$JS.API.DIRECT.GET.SP_LOGS".into(),
        format!("$JS.API.CONSUMER.MSG.NEXT.SP_JOBS.{pool}_some"),
        "$JS.API.CONSUMER.CREATE.SP_BLOBS.some.sp1.blob.some.0".into(),
    ]);
    let listen = ["_INBOX.gateway.>", "_INBOX.worker.>", "sp1.ev.*", "sp1.job.*.*", "sp1.ctl.*"];
    acts(publish, &listen)
}
