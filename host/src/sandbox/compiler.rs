//! Compiling plugins in a process of its own, so that a component made to
//! exhaust the compiler exhausts that process and nothing else.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Resource, Rlimit};

use super::engine::Sandbox;

/// Memory the compiler may take beyond what it starts with. CPython as a
/// component takes about a quarter of it.
const MEMORY: u64 = 4 << 30;
/// Seconds of processor time, all threads together.
const PROCESSOR_SECONDS: u64 = 120;
/// Starts the answer of a worker that succeeded.
const DONE: &[u8] = b"TGCODE1\n";
/// Longest error text taken from a worker.
const MAX_ERROR: usize = 4 << 10;

/// Where to find the worker: a program that calls [`compile_worker`] when it
/// is given the argument [`Compiler::ARGUMENT`].
#[derive(Debug, Clone)]
pub struct Compiler {
    program: PathBuf,
}

impl Compiler {
    /// The argument that makes the program a worker.
    pub const ARGUMENT: &'static str = "compile-worker";

    /// A compiler that starts this program.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
        }
    }

    /// Compiles a component for an engine with the settings of this host.
    ///
    /// # Errors
    /// The worker cannot be started, refuses the component, or ran out of
    /// memory or time.
    pub(super) fn compile(&self, component: &[u8]) -> Result<Vec<u8>, String> {
        let mut child = Command::new(&self.program)
            .arg(Self::ARGUMENT)
            .env_clear()
            .current_dir(Path::new("/"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: cannot start: {error}", self.program.display()))?;
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // All three pipes at once: none may fill up while another is waited for.
        let (code, error) = std::thread::scope(|scope| {
            scope.spawn(move || input.map(|mut input| input.write_all(component)));
            let errors = scope.spawn(move || {
                let mut text = Vec::new();
                let _ = errors.map(|errors| errors.take(MAX_ERROR as u64).read_to_end(&mut text));
                text
            });
            let mut code = Vec::new();
            let _ = output.map(|mut output| output.read_to_end(&mut code));
            (code, errors.join().unwrap_or_default())
        });
        let status = child.wait().map_err(|error| error.to_string())?;
        if status.success()
            && let Some(code) = code.strip_prefix(DONE)
        {
            return Ok(code.to_vec());
        }
        let error = String::from_utf8_lossy(&error);
        let error = error.trim();
        Err(if error.is_empty() {
            format!(
                "compiling it took more than {} GiB of memory or {PROCESSOR_SECONDS} s of processor time ({status})",
                MEMORY >> 30
            )
        } else {
            error.to_owned()
        })
    }
}

/// The worker: reads a component from standard input, writes compiled code to
/// standard output. Bounds itself before it reads.
///
/// # Errors
/// Text for the host: the component is refused, or a limit cannot be set.
pub fn compile_worker() -> Result<(), String> {
    let sandbox = Sandbox::new(1).map_err(|error| format!("{error:#}"))?;
    // The engine has reserved its address space; the bound is on what comes on top.
    let pages = std::fs::read_to_string("/proc/self/statm").map_err(|error| error.to_string())?;
    let pages: u64 = pages
        .split(' ')
        .next()
        .and_then(|pages| pages.parse().ok())
        .ok_or("cannot read the size of this process")?;
    limit(Resource::As, pages * rustix::param::page_size() as u64 + MEMORY)?;
    limit(Resource::Cpu, PROCESSOR_SECONDS)?;
    limit(Resource::Core, 0)?;
    let mut component = Vec::new();
    std::io::stdin()
        .lock()
        .read_to_end(&mut component)
        .map_err(|error| error.to_string())?;
    super::precheck::outline(&component)?;
    let code = sandbox
        .engine
        .precompile_component(&component)
        .map_err(|error| format!("{error:#}"))?;
    let mut output = std::io::stdout().lock();
    output
        .write_all(DONE)
        .and_then(|()| output.write_all(&code))
        .and_then(|()| output.flush())
        .map_err(|error| error.to_string())
}

fn limit(resource: Resource, most: u64) -> Result<(), String> {
    let bound = Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    rustix::process::setrlimit(resource, bound).map_err(|error| error.to_string())
}
