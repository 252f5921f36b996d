//! The engine, its settings, and the threads that belong to it.

use std::sync::Arc;

use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig, WasmFeatures};

use super::share::Share;
use super::watchdog::Watchdog;

/// Core instances one component may have. CPython, linked dynamically, has 38;
/// what they use together is summed up by the limiter.
const CORE_INSTANCES: u32 = 64;
/// Linear memories one component may have.
const MEMORIES: u32 = 4;
/// Tables one component may have.
const TABLES: u32 = 8;
/// Size of a linear memory slot. Interpreters that declare large initial
/// memories load; what a call may really use is summed up by the limiter.
const MEMORY_SLOT: usize = 512 << 20;
/// Bytes of a returned slot that stay mapped, so that the next call that
/// needs them pays no page faults.
const KEEP_RESIDENT: usize = 16 << 20;
/// Stack of one guest, for its own frames.
const WASM_STACK: usize = 512 << 10;
/// Stack of one guest with room for the host functions it calls.
const ASYNC_STACK: usize = 2 << 20;
/// Bytes of a used stack that are cleared and stay mapped. A call that used no
/// more gives no page back to the kernel, which would interrupt every
/// processor that runs this host, and so cost more than the whole call.
const STACK_KEEP_RESIDENT: usize = 32 << 10;
/// Elements of a table; enough for the function tables of language runtimes.
const TABLE_ELEMENTS: usize = 20_000;

/// The engine with its epoch ticker, the runtime for guest code, and the
/// number of calls that may run at once.
pub struct Sandbox {
    pub(super) engine: Engine,
    pub(super) watchdog: Watchdog,
    pub(super) slots: Arc<tokio::sync::Semaphore>,
    /// Places for calls that wait for other machines. There are fewer of them, so that such calls
    /// cannot take all: however slow the network is, calls that do not need it go on.
    pub(super) outward: Arc<tokio::sync::Semaphore>,
    /// Handles that one call may hold at the same time.
    pub(super) handles: usize,
    /// Processors that guests run on.
    pub(super) processors: usize,
    runtime: Option<tokio::runtime::Runtime>,
}

impl Sandbox {
    /// Starts an engine for `concurrency` calls at the same time.
    ///
    /// # Errors
    /// The kernel refuses the memory reservation or the threads.
    pub fn new(concurrency: u32) -> wasmtime::Result<Self> {
        let share = Share::take(concurrency);
        let engine = Engine::new(&config(share.calls))?;
        let watchdog = Watchdog::start(&engine)?;
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(processors.max(2))
            // For compiling only, which uses all cores itself: one at a time.
            .max_blocking_threads(1)
            .thread_name("toolgate-guest")
            .enable_time()
            .build()?;
        Ok(Self {
            engine,
            watchdog,
            slots: Arc::new(tokio::sync::Semaphore::new(share.calls as usize)),
            outward: Arc::new(tokio::sync::Semaphore::new(outward(share.calls))),
            handles: share.handles,
            processors,
            runtime: Some(runtime),
        })
    }

    /// The runtime that guest code runs on, apart from those that serve clients.
    pub(super) fn runtime(&self) -> &tokio::runtime::Handle {
        match &self.runtime {
            Some(runtime) => runtime.handle(),
            // Only `drop` takes it.
            None => unreachable!("the runtime lives as long as the sandbox"),
        }
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // A sandbox may be dropped inside another runtime, where waiting is not allowed.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// How many of so many places calls may have that wait for other machines: three in four.
fn outward(calls: u32) -> usize {
    (calls - calls / 4).max(1) as usize
}

/// The settings; each line is there for a row of the threat model.
fn config(concurrency: u32) -> Config {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(concurrency.saturating_mul(2))
        .total_core_instances(concurrency.saturating_mul(CORE_INSTANCES))
        .total_memories(concurrency.saturating_mul(MEMORIES))
        .total_tables(concurrency.saturating_mul(TABLES))
        .total_stacks(concurrency.saturating_mul(2))
        .max_core_instances_per_component(CORE_INSTANCES)
        .max_memories_per_component(MEMORIES)
        .max_tables_per_component(TABLES)
        .max_memories_per_module(1)
        .max_tables_per_module(TABLES)
        .table_elements(TABLE_ELEMENTS)
        .max_memory_size(MEMORY_SLOT)
        .linear_memory_keep_resident(KEEP_RESIDENT)
        .table_keep_resident(64 << 10)
        .async_stack_keep_resident(STACK_KEEP_RESIDENT)
        .pagemap_scan(Enabled::Auto);
    let mut config = Config::new();
    config
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool))
        .cranelift_opt_level(OptLevel::Speed)
        .epoch_interruption(true)
        .consume_fuel(false)
        .max_wasm_stack(WASM_STACK)
        .async_stack_size(ASYNC_STACK)
        // Stacks are reused between tenants.
        .async_stack_zeroing(true)
        .native_unwind_info(false)
        .concurrency_support(false)
        .wasm_simd(true)
        .wasm_bulk_memory(true)
        .wasm_multi_value(true)
        .wasm_multi_memory(false)
        .wasm_memory64(false)
        .wasm_relaxed_simd(false)
        .wasm_gc(false)
        // On by default even where garbage collection is not compiled in.
        .wasm_features(WasmFeatures::FUNCTION_REFERENCES, false)
        .wasm_tail_call(false)
        .wasm_custom_page_sizes(false)
        .wasm_wide_arithmetic(false)
        .wasm_shared_everything_threads(false)
        .wasm_stack_switching(false)
        .wasm_component_model(true)
        .wasm_component_model_error_context(false)
        .wasm_component_model_gc(false)
        .wasm_component_model_map(false)
        .wasm_component_model_memory64(false)
        .wasm_component_model_fixed_length_lists(false)
        .wasm_component_model_implements(false);
    config
}
