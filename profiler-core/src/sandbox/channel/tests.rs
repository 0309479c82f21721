use super::*;
use runner_protocol::ask::Repeat;
use runner_protocol::{BatchResult, Budget, NamedFiles, Run, Stop, Subject, Variant};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio_util::codec::Framed;

/// Number of bytes that can be sent to a runner that reads nothing.
const PIPE_BYTES: usize = 4 << 20;

/// A channel, and the runner's end of it as bytes.
fn channel() -> (Channel, DuplexStream) {
    let (host, runner) = tokio::io::duplex(PIPE_BYTES);
    let (from, to) = tokio::io::split(host);
    (Channel::new(from, to), runner)
}

fn frame(response: &Response) -> Vec<u8> {
    let mut bytes = Vec::new();
    runner_protocol::write_frame(&mut bytes, response).unwrap();
    bytes
}

fn hello(sources: &str) -> Response {
    Response::Hello(Hello {
        sources: sources.into(),
        own_user: true,
        cgroup: None,
        no_run_cgroup: None,
        schedstat: true,
        landlock: true,
        missing_tools: Vec::new(),
        kernel: String::new(),
        cpu_model: String::new(),
        cpu_flags: String::new(),
        cpus: 1,
    })
}

/// Greets a runner that sends these bytes and then falls silent.
async fn greeted_with(bytes: &[u8]) -> Result<Hello, SandboxFault> {
    let (mut channel, mut runner) = channel();
    runner.write_all(bytes).await.unwrap();
    channel.greet("here", "build it again").await
}

#[tokio::test]
async fn runner_of_the_same_sources_is_greeted() {
    assert!(greeted_with(&frame(&hello(SOURCES))).await.is_ok());
}

#[tokio::test]
async fn other_sources_are_refused_with_the_remedy() {
    let other = SandboxFault::OtherRunner { place: "here".into(), mend: "build it again".into() };
    assert_eq!(greeted_with(&frame(&hello("other"))).await, Err(other));
}

#[tokio::test]
async fn runner_whose_first_frame_is_wrong_is_refused() {
    let ran = Response::Batch(BatchResult::default());
    let unexpected = SandboxFault::Lost("unexpected Batch from the runner".into());
    assert_eq!(greeted_with(&frame(&ran)).await, Err(unexpected));
}

#[tokio::test]
async fn broken_runner_says_why() {
    let broken = SandboxFault::Failed { stage: "use the runner", cause: "no proc".into() };
    let said = frame(&Response::Broken("no proc".into()));
    assert_eq!(greeted_with(&said).await, Err(broken));
}

#[tokio::test]
async fn frame_that_is_too_long_is_refused_by_its_length() {
    let length = u32::try_from(MAX_FRAME_BYTES + 1).unwrap().to_le_bytes();
    let fault = greeted_with(&length).await.unwrap_err();
    assert_eq!(fault.to_string(), "lost the sandbox: frame size too big");
}

#[tokio::test]
async fn bytes_that_are_no_response_are_refused() {
    let fault = greeted_with(&[1, 0, 0, 0, 0xff]).await.unwrap_err();
    assert!(fault.to_string().starts_with("lost the sandbox: frame: "));
}

#[tokio::test(start_paused = true)]
async fn silent_runner_is_not_waited_for() {
    let silent = SandboxFault::Silent(START_TIMEOUT.as_millis());
    assert_eq!(greeted_with(&[]).await, Err(silent));
}

#[tokio::test(start_paused = true)]
async fn half_a_frame_is_not_waited_for() {
    let half = &frame(&hello(SOURCES))[..9];
    let silent = SandboxFault::Silent(START_TIMEOUT.as_millis());
    assert_eq!(greeted_with(half).await, Err(silent));
}

#[tokio::test]
async fn runner_that_is_gone_is_lost() {
    let (mut channel, runner) = channel();
    drop(runner);
    let lost = SandboxFault::Lost("the channel to the runner ended".into());
    assert_eq!(channel.greet("here", "build it again").await, Err(lost));
}

#[tokio::test]
async fn request_to_a_runner_that_is_gone_is_lost() {
    let (mut channel, runner) = channel();
    drop(runner);
    let fault = channel.put(File::Source, b"x").await.unwrap_err();
    assert!(matches!(fault, SandboxFault::Lost(_)));
}

#[tokio::test]
async fn end_of_a_runner_is_seen() {
    let (mut channel, runner) = channel();
    drop(runner);
    channel.ended().await;
}

#[tokio::test]
async fn runner_that_waits_has_not_ended() {
    let (mut channel, runner) = channel();
    assert!(!channel.has_ended());
    drop(runner);
    assert!(channel.has_ended());
}

/// A channel to a runner that was stopped.
fn stopped() -> (Channel, DuplexStream) {
    let (channel, runner) = channel();
    (channel.unless_stopped(std::future::ready("it was paused".into())), runner)
}

#[tokio::test(start_paused = true)]
async fn runner_that_was_stopped_is_not_waited_for() {
    let (mut channel, _runner) = stopped();
    let lost = SandboxFault::Lost("it was paused".into());
    assert_eq!(channel.greet("here", "build it again").await, Err(lost));
}

#[tokio::test(start_paused = true)]
async fn runner_that_was_stopped_gets_no_file_that_fills_its_pipe() {
    let (mut channel, _runner) = stopped();
    let lost = SandboxFault::Lost("it was paused".into());
    let large = vec![b'x'; PIPE_BYTES + MAX_PIECE_BYTES];
    let put = channel.put(File::Input, &large);
    assert_eq!(tokio::time::timeout(Duration::from_secs(3600), put).await, Ok(Err(lost)));
}

#[tokio::test(start_paused = true)]
async fn answers_before_a_stop_are_received() {
    let (mut channel, mut runner) = stopped();
    runner.write_all(&frame(&hello(SOURCES))).await.unwrap();
    assert!(channel.greet("here", "build it again").await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn stopped_runner_counts_as_ended() {
    let (mut channel, _runner) = stopped();
    channel.ended().await;
}

/// Sends content of `length` bytes; returns for each piece whether it was the first, and its
/// length.
async fn pieces(length: usize) -> Vec<(bool, usize)> {
    let (mut channel, runner) = channel();
    channel.put(File::Input, &vec![b'x'; length]).await.unwrap();
    drop(channel);
    let codec = LengthDelimitedCodec::builder().little_endian().new_codec();
    let mut frames = FramedRead::new(runner, codec);
    let mut pieces = Vec::new();
    while let Some(Ok(frame)) = frames.next().await {
        match runner_protocol::decode(&frame).unwrap() {
            Request::Put(piece) => pieces.push((piece.first, piece.bytes.len())),
            other => panic!("{other:?}"),
        }
    }
    pieces
}

#[tokio::test]
async fn file_goes_out_in_pieces() {
    assert_eq!(
        pieces(2 * MAX_PIECE_BYTES + 1).await,
        [(true, MAX_PIECE_BYTES), (false, MAX_PIECE_BYTES), (false, 1)]
    );
}

#[tokio::test]
async fn file_for_the_next_request_goes_out_with_it() {
    let (mut channel, mut runner) = channel();
    channel.put_ahead(File::Input, b"7").await.unwrap();
    let mut length = [0; 4];
    assert!(runner.read_exact(&mut length).now_or_never().is_none());
    channel.keep_to(&[0]).await.unwrap();
    assert!(runner.read_exact(&mut length).now_or_never().is_some());
}

#[tokio::test]
async fn empty_file_is_one_empty_piece() {
    assert_eq!(pieces(0).await, [(true, 0)]);
}

/// Reads a file of 16 MiB from a runner that takes this long for each piece.
async fn fetched(pause: Duration) -> Result<usize, SandboxFault> {
    let (mut channel, runner) = channel();
    let mut runner = Framed::new(runner, codec());
    let piece = runner_protocol::encode(&Response::Fetched(vec![b'x'; MAX_PIECE_BYTES])).unwrap();
    let answers = async {
        while let Some(Ok(_)) = runner.next().await {
            tokio::time::sleep(pause).await;
            runner.send(Bytes::from(piece.clone())).await.unwrap();
        }
    };
    tokio::select! {
        file = channel.fetch_stdout(16 << 20) => file.map(|file| file.len()),
        () = answers => panic!("the channel ended"),
    }
}

#[tokio::test(start_paused = true)]
async fn long_file_has_time_in_proportion() {
    assert_eq!(fetched(ANSWER_MARGIN / 40).await, Ok(16 << 20));
    let silent = SandboxFault::Silent((ANSWER_MARGIN + seconds(16)).as_millis());
    assert_eq!(fetched(ANSWER_MARGIN / 5).await, Err(silent));
}

#[tokio::test]
async fn request_that_is_too_long_is_not_sent() {
    let (mut channel, _runner) = channel();
    let long = runner_protocol::Compile {
        variant: Variant::Plain,
        flags: vec!["x".repeat(MAX_FRAME_BYTES)],
        limits: crate::build::CompileLimits::default().for_runner(),
        may_use_header: true,
    };
    let fault = channel.ask(long, Duration::ZERO).await.unwrap_err();
    assert!(fault.to_string().starts_with("lost the sandbox: frame of "));
}

#[tokio::test(start_paused = true)]
async fn answer_has_a_time_limit() {
    let (mut channel, _runner) = channel();
    let run = Repeat(Run {
        subject: Subject::Build(Variant::Plain),
        warm_up: true,
        gnu_time: true,
        core: None,
        files: NamedFiles::default(),
        input: runner_protocol::Input::Size(1),
        limits: crate::build::CompileLimits::default().for_runner(),
        stop: Stop { least: 1, most: 1, precision_ppm: 0, budget: Budget::Whole(1) },
        stdout_head: 0,
        interactor: None,
        counts_lines: false,
    });
    let answer = channel.ask(run, Duration::from_secs(3)).await;
    assert_eq!(answer, Err(SandboxFault::Silent(3_000)));
}
