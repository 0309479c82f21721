//! A sandbox under test.

use profiler_core::build::CompileLimits;
use profiler_core::error::SandboxFault;
use profiler_core::job::DEFAULT_FLAGS;
use profiler_core::job::RunLimits;
use profiler_core::limits::{DEFAULT_MEMORY_MB, MIB};
use profiler_core::sandbox::native::Native;
use profiler_core::sandbox::{Backend, Choice, Cores, Instance, Sandbox};
use profiler_tests::harness::IMAGE;
use runner_protocol::{
    Ask, Budget, Compile, File, Input, NamedFiles, Run, Stop, Subject as What, Variant,
};
use std::env;
use std::path::Path;
use std::time::Duration;

/// The conventional id of the user nobody.
const ORDINARY_USER: u32 = 65_534;
/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The backends; the native one works in two ways.
#[derive(Clone, Copy)]
pub(crate) enum Flavour {
    Docker,
    Native,
    /// Native backend as an ordinary user.
    NativeUser,
}

pub(crate) const FLAVOURS: [Flavour; 3] = [Flavour::Docker, Flavour::Native, Flavour::NativeUser];

impl Flavour {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Docker => "docker",
            Self::Native => "native",
            Self::NativeUser => "native_user",
        }
    }

    /// Returns the requirement on the host, by its name in
    /// [`profiler_test_support::require::VARIABLE`].
    pub(crate) fn tool(self) -> &'static str {
        match self {
            Self::Docker => "docker",
            Self::Native | Self::NativeUser => "native",
        }
    }
}

/// A sandbox, and the last program that was compiled in it.
pub(crate) struct Subject {
    sandbox: Sandbox,
    program: Option<&'static str>,
    /// The program's length, in bytes.
    bytes: u64,
}

impl Subject {
    /// Starts a sandbox, which keeps to `core`.
    pub(crate) async fn start(
        flavour: Flavour,
        core: Option<&Cores>,
    ) -> Result<Self, SandboxFault> {
        let image = env::var(IMAGE).unwrap_or_else(|_| sandbox_image::DEFAULT_TAG.into());
        let mut sandbox = match flavour {
            Flavour::Docker => {
                Choice::Docker
                    .select(&image, Instance::fresh(), |_| {})
                    .await?
                    .backend
                    .start()
                    .await?
            }
            Flavour::Native => {
                Choice::Native
                    .select(&image, Instance::fresh(), |_| {})
                    .await?
                    .backend
                    .start()
                    .await?
            }
            Flavour::NativeUser => {
                Native::as_ordinary_user(ORDINARY_USER, Instance::fresh()).await?.start().await?
            }
        };
        if let Some(core) = core {
            sandbox.channel.keep_to(core.rest()).await?;
        }
        Ok(Self { sandbox, program: None, bytes: 0 })
    }

    /// Starts another sandbox, with this one's program.
    pub(crate) async fn another(&mut self, flavour: Flavour) -> Self {
        let mut other = Self::start(flavour, None).await.expect("another sandbox starts");
        let sent = self.sandbox.channel.fetch(Variant::Plain, self.bytes).await;
        other.put(File::Binary(Variant::Plain), &sent.expect("the runner sends a binary")).await;
        other
    }

    /// Destroys the sandbox.
    pub(crate) async fn end(self) {
        self.sandbox.end().await;
    }

    /// The version of the memory cgroup that the runner sees.
    pub(crate) fn cgroup_version(&self) -> Option<u8> {
        self.sandbox.hello.cgroup
    }

    /// Limits the sandbox's memory.
    pub(crate) async fn limit_memory(&mut self, bytes: u64) {
        self.sandbox.lease.limit_memory(bytes).await.expect("memory can be limited");
    }

    /// Puts a file into the sandbox.
    pub(crate) async fn put(&mut self, file: File, content: &[u8]) {
        self.sandbox.channel.put(file, content).await.expect("the runner takes a file");
    }

    /// Compiles `probe/{program}.cpp`, the program to run.
    pub(crate) async fn compile(&mut self, program: &'static str) {
        if self.program == Some(program) {
            return;
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("probe/{program}.cpp"));
        let source = std::fs::read(&path).expect("the program is there");
        self.put(File::Source, &source).await;
        let flags = DEFAULT_FLAGS.map(String::from).into();
        let limits = CompileLimits::default().for_runner();
        let (variant, may_use_header) = (Variant::Plain, true);
        let compiled = self.ask(Compile { variant, flags, limits, may_use_header }).await;
        self.bytes = compiled.binary.unwrap_or_else(|| panic!("{program}: {compiled:?}")).bytes;
        self.program = Some(program);
    }

    /// Whether a second message from the host ends the request under way, and the runner too.
    pub(crate) async fn is_stopped(&mut self, request: impl Ask + Clone, after: Duration) -> bool {
        let channel = &mut self.sandbox.channel;
        let silent = channel.ask(request.clone(), after).await;
        let stopped = channel.ask(request, PATIENCE).await;
        matches!((silent, stopped), (Err(SandboxFault::Silent(_)), Err(SandboxFault::Lost(_))))
    }

    pub(crate) async fn ask<R: Ask>(&mut self, request: R) -> R::Answer {
        self.sandbox.channel.ask(request, PATIENCE).await.expect("the runner answers")
    }

    /// A run with `input` on stdin.
    pub(crate) async fn run(&mut self, input: &str, timeout: Duration) -> Run {
        self.put(File::Input, format!("{input}\n").as_bytes()).await;
        let memory_bytes = u64::from(DEFAULT_MEMORY_MB) * MIB;
        let limits = RunLimits {
            timeout,
            grace: Duration::ZERO,
            memory_bytes,
            address_space_bytes: None,
            clock: None,
        };
        Run {
            subject: What::Build(Variant::Plain),
            warm_up: false,
            gnu_time: false,
            core: None,
            input: Input::Put,
            files: NamedFiles::default(),
            limits: limits.for_runner(),
            stop: Stop { least: 0, most: 0, precision_ppm: 0, budget: Budget::Whole(0) },
            stdout_head: 100,
            interactor: None,
            counts_lines: false,
        }
    }
}
