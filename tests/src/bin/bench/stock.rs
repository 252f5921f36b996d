//! The same component on the descriptors that wasmtime-wasi ships, with its defaults.

use std::path::Path;
use std::time::{Duration, Instant};

use wasmtime::component::{Component, HasSelf, Linker, ResourceTable};
use wasmtime::{Config, Engine, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig, Store};
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use crate::calls::Caller;
use crate::grep::{MAX_BYTES, PATTERN, searched};
use crate::report::{Row, Target};
use crate::timing::{Samples, ratio};
use crate::{Outcome, Shared, places};

#[allow(missing_docs, unreachable_pub)]
mod bindings {
    wasmtime::component::bindgen!({
        path: "../wit",
        world: "toolgate:plugin/grep",
        exports: { default: async },
        with: {
            "wasi:io": wasmtime_wasi::p2::bindings::io,
            "wasi:clocks": wasmtime_wasi::p2::bindings::clocks,
            "wasi:filesystem": wasmtime_wasi::p2::bindings::filesystem,
        },
    });
}

use bindings::exports::toolgate::plugin::tool::{Caps, Grant, GrantedPath};
use bindings::toolgate::plugin::walks::{Host as Walks, Part};

const ROUNDS: usize = 3;

struct State {
    table: ResourceTable,
    wasi: WasiCtx,
    /// The tree, until the guest has taken it: all of it in one part.
    tree: Option<Part>,
}

impl Walks for State {
    fn next(&mut self, _visited: u64) -> Option<Part> {
        self.tree.take()
    }

    fn entry_budget(&mut self) -> u64 {
        u64::MAX
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

pub(crate) fn measure(shared: &Shared) -> Outcome<Vec<Row>> {
    let tree = shared.tree()?;
    let caller = Caller::new(tree.path(), "grep", MAX_BYTES)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let stock = Stock::new()?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (expected, took) = searched(&caller)?;
        let (found, stock_took) = runtime.block_on(stock.search(tree.path()))?;
        if found != expected {
            return Err(format!("{found} matches on stock descriptors, {expected} on ours").into());
        }
        ours.push(took);
        theirs.push(stock_took);
    }
    let (ours, theirs) = (Samples::new(ours), Samples::new(theirs));
    // What waking a thread costs, and stock descriptors do it for each operation, depends on whether a
    // processor sleeps; the best round is the one in which some other program kept it awake.
    let figure = ratio(theirs.median(), ours.median());
    Ok(vec![
        Row::new(
            "grep, all cores; peer: same component, one instance, on wasmtime-wasi's preopens",
            ours.best_and_median(),
        )
        .peer(theirs.best_and_median(), ratio(ours.median(), theirs.median()))
        .target(figure, Target::AtLeast(8.0, "× slower")),
    ])
}

struct Stock {
    engine: Engine,
    grep: bindings::GrepPre<State>,
}

impl Stock {
    fn new() -> Outcome<Self> {
        let mut pool = PoolingAllocationConfig::new();
        pool.total_component_instances(4)
            .total_core_instances(64)
            .total_memories(16)
            .total_tables(32)
            .max_memory_size(512 << 20)
            .linear_memory_keep_resident(16 << 20);
        let mut config = Config::new();
        config
            .allocation_strategy(InstanceAllocationStrategy::Pooling(pool))
            .cranelift_opt_level(OptLevel::Speed)
            .epoch_interruption(true)
            .concurrency_support(false);
        let engine = Engine::new(&config)?;
        let component = Component::from_file(&engine, places::component("grep")?)?;
        let mut linker = Linker::<State>::new(&engine);
        wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
        bindings::toolgate::plugin::walks::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
        let grep = bindings::GrepPre::new(linker.instantiate_pre(&component)?)?;
        Ok(Self { engine, grep })
    }

    async fn search(&self, tree: &Path) -> Outcome<(usize, Duration)> {
        let root = tree.to_str().ok_or("the temporary directory is not UTF-8")?;
        let started = Instant::now();
        let wasi = WasiCtxBuilder::new()
            .preopened_dir(tree, root, FsPerms::ReadOnly)?
            .build();
        let state = State {
            table: ResourceTable::new(),
            wasi,
            tree: Some(Part {
                path: String::new(),
                recursive: true,
            }),
        };
        let mut store = Store::new(&self.engine, state);
        store.set_epoch_deadline(u64::MAX / 2);
        let instance = self.grep.instantiate_async(&mut store).await?;
        let limit = u64::try_from(MAX_BYTES)?;
        let grant = Grant {
            paths: vec![GrantedPath {
                argument: "path".to_owned(),
                position: 0,
                path: root.to_owned(),
                preopen: root.to_owned(),
                relative: String::new(),
                link: None,
            }],
            refused: Vec::new(),
            urls: Vec::new(),
            channels: Vec::new(),
            caps: Caps {
                max_bytes: limit,
                max_lines: limit,
            },
        };
        let arguments = serde_json::json!({"pattern": PATTERN, "path": root}).to_string();
        let tool = instance.toolgate_plugin_tool();
        let result = tool.call_call(&mut store, "grep", &arguments, &grant).await?;
        let text = result.map_err(|error| error.message)?;
        let took = started.elapsed();
        let value: serde_json::Value = serde_json::from_str(&text)?;
        Ok((value["matches"].as_array().map_or(0, Vec::len), took))
    }
}
