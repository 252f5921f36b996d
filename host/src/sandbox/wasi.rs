//! What every language runtime imports, made harmless: no arguments, no environment, a closed
//! standard input, bounded output, coarse clocks, little randomness at a time.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use wasmtime::component::Linker;
use wasmtime_wasi::p2::bindings::{cli, clocks, random};
use wasmtime_wasi::p2::pipe::{ClosedInputStream, MemoryOutputPipe};
use wasmtime_wasi::{HostMonotonicClock, HostWallClock, WasiCtx, WasiCtxView, WasiView};

use super::state::CallState;

/// Bytes of standard output and error each; writing more ends the call.
const OUTPUT: usize = 64 << 10;
/// Most random bytes at a time.
const RANDOM: u64 = 64 << 10;
/// Clock resolution: fine enough for tools, too coarse to time other tenants' cache lines.
const RESOLUTION: Duration = Duration::from_micros(100);

struct HasIo;

impl wasmtime::component::HasData for HasIo {
    type Data<'a> = &'a mut wasmtime::component::ResourceTable;
}

/// Links interface by interface; sockets and the stock file system are never linked.
pub(super) fn link(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    use wasmtime_wasi::cli::{WasiCli, WasiCliView as _};
    use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView as _};
    use wasmtime_wasi::random::WasiRandom;
    type State = CallState;
    wasmtime_wasi_io::bindings::wasi::io::error::add_to_linker::<State, HasIo>(linker, |state| &mut state.table)?;
    wasmtime_wasi_io::bindings::wasi::io::poll::add_to_linker::<State, HasIo>(linker, |state| &mut state.table)?;
    wasmtime_wasi_io::bindings::wasi::io::streams::add_to_linker::<State, HasIo>(linker, |state| &mut state.table)?;
    clocks::wall_clock::add_to_linker::<State, WasiClocks>(linker, State::clocks)?;
    clocks::monotonic_clock::add_to_linker::<State, WasiClocks>(linker, State::clocks)?;
    random::random::add_to_linker::<State, WasiRandom>(linker, |state| state.ctx().ctx.random())?;
    random::insecure::add_to_linker::<State, WasiRandom>(linker, |state| state.ctx().ctx.random())?;
    random::insecure_seed::add_to_linker::<State, WasiRandom>(linker, |state| state.ctx().ctx.random())?;
    cli::exit::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::environment::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::stdin::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::stdout::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::stderr::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_input::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_output::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_stdin::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_stdout::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_stderr::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    Ok(())
}

/// The context of one call, and where its output goes.
pub(super) struct Runtime {
    pub(super) context: WasiCtx,
    pub(super) stderr: MemoryOutputPipe,
}

impl Runtime {
    pub(super) fn new() -> Self {
        let stderr = MemoryOutputPipe::new(OUTPUT);
        let context = WasiCtx::builder()
            .stdin(ClosedInputStream)
            .stdout(MemoryOutputPipe::new(OUTPUT))
            .stderr(stderr.clone())
            .max_random_size(RANDOM)
            .wall_clock(Coarse(Instant::now()))
            .monotonic_clock(Coarse(Instant::now()))
            .allow_tcp(false)
            .allow_udp(false)
            .allow_ip_name_lookup(false)
            .build();
        Self { context, stderr }
    }
}

impl WasiView for CallState {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        // Most tools never ask for any of it, so it is made on first use.
        let runtime = self.wasi.get_or_insert_with(|| Box::new(Runtime::new()));
        WasiCtxView {
            ctx: &mut runtime.context,
            table: &mut self.table,
        }
    }
}

struct Coarse(Instant);

impl HostMonotonicClock for Coarse {
    fn resolution(&self) -> u64 {
        RESOLUTION.as_nanos() as u64
    }

    fn now(&self) -> u64 {
        let step = RESOLUTION.as_nanos() as u64;
        let now = u64::try_from(self.0.elapsed().as_nanos()).unwrap_or(u64::MAX);
        now / step * step
    }
}

impl HostWallClock for Coarse {
    fn resolution(&self) -> Duration {
        RESOLUTION
    }

    fn now(&self) -> Duration {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let coarse = now.as_micros() / RESOLUTION.as_micros() * RESOLUTION.as_micros();
        Duration::from_micros(u64::try_from(coarse).unwrap_or(u64::MAX))
    }
}
