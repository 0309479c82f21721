//! Frames between host and runner: what was written can be read, and anything else is an error.

use crate::properties::config;
use proptest::collection::vec;
use proptest::prelude::*;
use runner_protocol::{
    BatchResult, Binary, Breach, Budget, Check, Checked, Clock, Compile, Compiled, Continue,
    CountSeries, Ending, Enter, Execution, Fetch, File, FileName, FrameError, Hello, Input,
    InteractorRun, Limits, MAX_FRAME_BYTES, Made, Make, NamedFiles, Piece, Profile, Profiled,
    Request, Response, Run, Sample, SeriesLines, SourceLine, Stop, Subject, Variant, Written,
    decode, read_frame, write_frame,
};
use serde::Serialize;
use std::io::{self, Read};

fn variant() -> impl Strategy<Value = Variant> {
    prop::sample::select(
        &[
            Variant::Plain,
            Variant::Gprof,
            Variant::Allocations,
            Variant::Empty,
            Variant::Interactor,
            Variant::Sanitized,
        ][..],
    )
}

fn limits() -> impl Strategy<Value = Limits> {
    (any::<[u64; 9]>(), prop::sample::select(&[Clock::Unloaded, Clock::Wall, Clock::Cpu][..]))
        .prop_map(
            |(
                [
                    time_ns,
                    wall_ns,
                    cpu_s,
                    resident_bytes,
                    address_space_bytes,
                    stack_bytes,
                    file_bytes,
                    processes,
                    open_files,
                ],
                clock,
            )| {
                Limits {
                    time_ns,
                    clock,
                    wall_ns,
                    cpu_s,
                    resident_bytes,
                    address_space_bytes,
                    stack_bytes,
                    file_bytes,
                    processes,
                    open_files,
                }
            },
        )
}

fn input() -> impl Strategy<Value = Input> {
    prop_oneof![Just(Input::Put), any::<u64>().prop_map(Input::Size), Just(Input::Continued)]
}

fn run() -> impl Strategy<Value = Run> {
    let what = (variant().prop_map(Subject::Build), any::<(bool, Option<u32>)>());
    let limits = (limits(), prop::option::of(limits()));
    (what, input(), limits, any::<(u32, u32, u64, u32)>()).prop_map(
        |((subject, (warm_up, core)), input, (limits, interactor), stop)| {
            let (least, most, budget, stdout_head) = stop;
            let stop = Stop { least, most, precision_ppm: most, budget: Budget::Whole(budget) };
            let input_file = FileName::new("input.txt").filter(|_| warm_up);
            let files = NamedFiles { input: input_file, output: None };
            let counts_lines = warm_up;
            Run {
                subject,
                warm_up,
                core,
                input,
                files,
                limits,
                stop,
                stdout_head,
                interactor,
                counts_lines,
            }
        },
    )
}

fn request() -> impl Strategy<Value = Request> {
    let file =
        prop::sample::select(&[File::Source, File::Files, File::Input, File::Interactor][..]);
    let file = prop_oneof![file, variant().prop_map(File::Binary)];
    let piece = (file, any::<(bool, Vec<u8>)>());
    prop_oneof![
        vec(any::<u32>(), 0..9).prop_map(Request::KeepTo),
        piece.prop_map(|(file, (first, bytes))| Request::Put(Piece { file, first, bytes })),
        (variant(), vec("\\PC*", 0..4), limits(), any::<bool>()).prop_map(
            |(variant, flags, limits, may_use_header)| {
                Request::Compile(Compile { variant, flags, limits, may_use_header })
            }
        ),
        (variant(), any::<u64>())
            .prop_map(|(variant, offset)| Request::Fetch(Fetch { variant, offset })),
        (input(), vec(("\\PC*", any::<u32>()), 0..4))
            .prop_map(|(from, parts)| Request::Continue(Continue { from, parts })),
        run().prop_map(Request::Run),
        run().prop_map(Request::Count),
        run().prop_map(Request::CountForked),
        (run(), any::<([u64; 2], Option<Option<(Option<String>, u32)>>)>()).prop_map(
            |(run, asked)| {
                let ([each_ms, all_ms], line) = asked;
                let lines = match line {
                    Some(None) => SeriesLines::Reached,
                    Some(Some((file, line))) => SeriesLines::Cost(SourceLine { file, line }),
                    None => SeriesLines::None,
                };
                Request::CountSeries(CountSeries { run, each_ms, all_ms, lines })
            }
        ),
        run().prop_map(Request::Trace),
        limits().prop_map(|limits| Request::Check(Check { limits })),
        (any::<(u64, u32)>(), limits()).prop_map(|((n, seed), limits)| Request::Make(Make {
            n,
            seed,
            limits
        })),
    ]
}

fn execution() -> impl Strategy<Value = Execution> {
    let ending = prop_oneof![
        any::<i32>().prop_map(Ending::Exited),
        any::<i32>().prop_map(Ending::Signaled),
        any::<u64>().prop_map(|bytes| Ending::Stopped(Breach::Resident(bytes))),
        any::<u64>().prop_map(|ns| Ending::Stopped(Breach::Wall(ns))),
        any::<u64>().prop_map(|ns| Ending::Stopped(Breach::Time(ns))),
    ];
    let sample = any::<([u64; 6], [Option<u64>; 2], bool)>();
    (ending, sample, any::<(u64, bool)>()).prop_map(
        |(
            ending,
            (
                [wall_ns, user_ns, sys_ns, peak_rss_bytes, held_bytes, stdin_position],
                [cpu_ns, run_delay_ns],
                concurrent,
            ),
            (oom_kills, output_full),
        )| {
            let sample = Sample {
                wall_ns,
                cpu_ns,
                user_ns,
                sys_ns,
                run_delay_ns,
                peak_rss_bytes,
                held_bytes,
                stdin_position,
                concurrent,
            };
            Execution { ending, sample, oom_kills, output_full }
        },
    )
}

fn response() -> impl Strategy<Value = Response> {
    let said = any::<(String, String, Vec<u8>, bool, Option<(u64, u64)>, Vec<u8>)>();
    let compiled = (said, execution()).prop_map(
        |((command, compiler, output, truncated, binary, dependencies), execution)| {
            let binary = binary.map(|(bytes, segment_bytes)| Binary { bytes, segment_bytes });
            Response::Compiled(Compiled {
                command,
                compiler,
                execution,
                output,
                truncated,
                binary,
                dependencies,
            })
        },
    );
    let written = any::<(u64, [u8; 32], [u8; 32], Vec<u8>, Vec<u8>)>().prop_map(
        |(stdout_bytes, stdout_sha256, stdout_words_sha256, stdout_head, stderr_tail)| Written {
            stdout_bytes,
            stdout_sha256,
            stdout_words_sha256,
            stdout_head,
            stderr_tail,
        },
    );
    let all =
        (prop::option::of(execution()), any::<Option<Vec<u8>>>(), vec(execution(), 0..9), written);
    let talk = (execution(), any::<(bool, bool, u64, Option<u64>)>()).prop_map(
        |(execution, (left_first, silent, wall_ns, lines))| InteractorRun {
            execution,
            left_first,
            silent,
            wall_ns,
            lines,
        },
    );
    let ran = (all, vec(talk, 0..9), any::<(u32, u32, Vec<u8>)>()).prop_map(
        |((warm_up, gnu_time, repetitions, written), interactor_runs, others)| {
            let (other_outputs, other_words, interactor_stderr_tail) = others;
            Response::Batch(BatchResult {
                warm_up,
                gnu_time,
                repetitions,
                written,
                other_outputs,
                other_words,
                interactor_runs,
                interactor_stderr_tail,
            })
        },
    );
    let addresses = (execution(), any::<(Vec<(u64, u16)>, Vec<u8>)>()).prop_map(
        |(execution, (samples, lines))| {
            Response::Profiled(Profiled {
                execution,
                profile: Profile::Addresses { samples, lines },
            })
        },
    );
    let fetched = any::<Vec<u8>>().prop_map(Response::Fetched);
    let checked = (execution(), any::<Vec<u8>>())
        .prop_map(|(execution, message)| Response::Checked(Checked { execution, message }));
    let made = (execution(), any::<(u64, [u8; 32])>()).prop_map(
        |(execution, (stdout_bytes, stdout_sha256))| {
            let written = Written { stdout_bytes, stdout_sha256, ..Written::default() };
            Response::Made(Made { execution, written })
        },
    );
    let broken = any::<String>().prop_map(Response::Broken);
    prop_oneof![compiled, ran, addresses, fetched, checked, made, broken]
}

fn frame(message: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_frame(&mut bytes, message).expect("it is short");
    bytes
}

/// Delivers a limited number of bytes, and counts the requested ones.
struct Counting<R> {
    from: R,
    read: usize,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(to)?;
        self.read += read;
        Ok(read)
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn asked_requests_are_heard_in_order(requests in vec(request(), 0..5)) {
        let channel: Vec<u8> = requests.iter().flat_map(frame).collect();
        let mut channel = &channel[..];
        for request in requests {
            prop_assert_eq!(read_frame(&mut channel).expect("a frame"), Some(request));
        }
        prop_assert!(read_frame::<Request>(&mut channel).expect("the end").is_none());
    }

    #[test]
    fn answered_response_is_heard(response in response()) {
        prop_assert_eq!(read_frame(&mut &frame(&response)[..]).expect("a frame"), Some(response));
    }

    #[test]
    fn frame_that_is_cut_is_an_error(response in response(), at: prop::sample::Index) {
        let whole = frame(&response);
        let cut = at.index(whole.len() - 1) + 1;
        prop_assert!(matches!(read_frame::<Response>(&mut &whole[..cut]), Err(FrameError::Io(_))));
    }

    /// The frame is refused before anything is allocated or awaited.
    #[test]
    fn frame_that_is_too_long_is_refused_by_its_length(length in u32::try_from(MAX_FRAME_BYTES).unwrap() + 1..) {
        let prefix = length.to_le_bytes();
        let mut channel = Counting { from: prefix.chain(io::repeat(0)), read: 0 };
        let refused = read_frame::<Response>(&mut channel);
        prop_assert!(matches!(refused, Err(FrameError::TooLong(bytes)) if bytes == length as usize));
        prop_assert_eq!(channel.read, prefix.len());
    }

    #[test]
    fn any_bytes_are_a_message_or_an_error(bytes in vec(any::<u8>(), 0..200)) {
        // Anything that was read can be encoded again. An error names no bytes of the frame.
        if let Ok(request) = decode::<Request>(&bytes) {
            prop_assert_eq!(read_frame(&mut &frame(&request)[..]).expect("a frame"), Some(request));
        }
        if let Ok(response) = decode::<Response>(&bytes) {
            prop_assert_eq!(read_frame(&mut &frame(&response)[..]).expect("a frame"), Some(response));
        }
        for ending in [decode::<Hello>(&bytes).err(), decode::<Enter>(&bytes).err()] {
            prop_assert!(ending.is_none_or(|error| matches!(error, FrameError::Encoding(_))));
        }
    }
}

/// A list that claims to be longer than any frame is refused before memory is allocated for it.
#[test]
fn length_inside_a_frame_is_not_believed() {
    let longest = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    for kind in 0..8 {
        let bytes = [&[kind][..], &longest, &[0; 64]].concat();
        assert!(decode::<Response>(&bytes).is_err() || kind == 3, "{kind}");
        let _: Result<Request, _> = decode(&bytes);
    }
}
