//! `toolgate serve`: the tools for MCP clients.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::builder::styling::Style;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use toolgate::Host;
use toolgate::config::{Effective, Watcher};
use toolgate::mcp::{HttpOptions, HttpServer, ServeError, serve_http, serve_stdio};
use toolgate::prompters::Media;

use super::options::{Options, host, session_name};
use super::signals::Signal;
use super::{approvals, output, prompt, reload, remarks};

/// Where the server listens unless told otherwise.
const DEFAULT_ADDRESS: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 7420);

const STRONG: Style = Style::new().bold();

/// Longest wait for the last records of the audit log.
const LAST_RECORDS: Duration = Duration::from_secs(3);

const EXAMPLES: &str = "Examples:
  toolgate serve                                  # HTTP on 127.0.0.1:7420, for this directory
  toolgate serve --root ~/project --mode acceptEdits
  toolgate serve --http 127.0.0.1:0               # any free port
  toolgate serve --stdio --root ~/project         # for clients that start their servers

A call that needs an approval is asked for in the client, if it can ask its user, on this
terminal (HTTP only), and by `toolgate approvals` from any other: the first answer counts.
With nobody to ask it is denied, unless --approvals lets it wait. Ctrl-C stops the server
and its calls. Changes of the configuration count from the next call on; SIGHUP loads it again
at once.";

/// Serve the tools to MCP clients, over HTTP or stdin and stdout
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Serve one client over standard input and output
    #[arg(long, conflicts_with_all = ["http", "allow_remote", "allow_host"])]
    stdio: bool,

    /// With --stdio: continue the session of this name, with its to-do list and kept results
    #[arg(long, value_name = "NAME", requires = "stdio", value_parser = session_name)]
    session: Option<String>,

    /// Let questions that nobody else can be asked wait for `toolgate approvals`
    #[arg(long)]
    approvals: bool,

    /// Listen on this address; port 0 takes a free one [default: 127.0.0.1:7420, or a free port]
    #[arg(long, value_name = "ADDR")]
    http: Option<SocketAddr>,

    /// Accept an address that other machines can reach; there is no authentication
    #[arg(long)]
    allow_remote: bool,

    /// Accept this Host header, NAME or NAME:PORT, besides the loopback names; repeatable
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
}

pub(super) fn run(options: &Options, args: Args) -> Result<ExitCode> {
    let watcher = Watcher::new(options.layers())?;
    let effective = watcher.current().get();
    remarks::at_start(&effective);
    let host = host(Effective::clone(&effective))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    warm(&host);
    let shutdown = CancellationToken::new();
    let logged = host.clone();
    let served = runtime.block_on(async {
        let signal = Signal::next()?;
        let on_signal = shutdown.clone();
        tokio::spawn(async move {
            signal.await;
            on_signal.cancel();
        });
        reload::follow(host.clone(), watcher, shutdown.clone())?;
        let (socket, _listener) = approvals::open(args.approvals)?.unzip();
        if args.stdio {
            // The terminal belongs to whoever started the client; only that one asks there.
            let media = Media { terminal: None, socket };
            Ok(serve_stdio(host, media, args.session, shutdown).await?)
        } else {
            let terminal = prompt::Terminal::prompter(false);
            over_http(host, options, args, Media { terminal, socket }, shutdown).await
        }
    });
    // A thread may still wait for standard input; it must not delay the end.
    runtime.shutdown_background();
    // Something may still hold the host, which would otherwise do this at its end.
    if let Err(error) = logged.flush_audit(LAST_RECORDS) {
        output::complain(&format!("the last records of calls are lost: {error}"));
    }
    served.map(|()| ExitCode::SUCCESS)
}

/// Compiles what is not in the cache yet while the first client connects.
fn warm(host: &Host) {
    let host = host.clone();
    std::thread::spawn(move || {
        if let Err(error) = host.warm() {
            tracing::warn!("{error}");
        }
    });
}

async fn over_http(host: Host, options: &Options, args: Args, media: Media, shutdown: CancellationToken) -> Result<()> {
    let server = bind(&host, &args, media, shutdown).await?;
    if !server.address().ip().is_loopback() {
        output::notice("other machines can reach this address, and whoever does may call the tools");
    }
    output::remark(&greeting(&host, options, &server)?);
    Ok(server.run().await?)
}

async fn bind(host: &Host, args: &Args, media: Media, shutdown: CancellationToken) -> Result<HttpServer, ServeError> {
    let http = HttpOptions {
        allow_remote: args.allow_remote,
        allowed_hosts: args.allow_host.clone(),
        media,
        shutdown,
    };
    if let Some(address) = args.http {
        return serve_http(host.clone(), address, http).await;
    }
    match serve_http(host.clone(), DEFAULT_ADDRESS, http.clone()).await {
        Err(ServeError::Bind { reason, .. }) if reason.kind() == std::io::ErrorKind::AddrInUse => {
            output::notice(&format!(
                "{DEFAULT_ADDRESS} is taken; using a free port (--http sets one)"
            ));
            serve_http(host.clone(), SocketAddr::new(DEFAULT_ADDRESS.ip(), 0), http).await
        }
        bound => bound,
    }
}

/// What the operator needs next, ready to paste.
fn greeting(host: &Host, options: &Options, server: &HttpServer) -> Result<String> {
    let url = server.url();
    let program = std::env::current_exe().context("the path of this program")?;
    let program = program.display().to_string();
    let arguments = options.to_arguments(&host.root());
    let over_http = json!({"mcpServers": {"toolgate": {"type": "http", "url": url}}});
    let stdio_arguments: Vec<&str> = ["serve", "--stdio"]
        .into_iter()
        .chain(arguments.iter().map(String::as_str))
        .collect();
    let over_stdio = json!({"mcpServers": {"toolgate": {"command": program, "args": stdio_arguments}}});
    let call: Vec<String> = [program.clone(), "call".to_owned()]
        .into_iter()
        .chain(arguments)
        .map(|argument| shell_word(&argument))
        .collect();
    let names = host.tool_names();
    Ok(format!(
        "{STRONG}Toolgate {version} serves {url}{STRONG:#}\n  \
         root   {root}\n  \
         mode   {mode}\n  \
         tools  {tools}\n\n\
         {STRONG}For an MCP client{STRONG:#}, its URL:      {url}\n  \
         or in its configuration:      {over_http}\n  \
         or let it start the server:   {over_stdio}\n\n\
         {STRONG}In a second terminal{STRONG:#}:\n  \
         {call} list_dir '{{\"path\": \".\"}}'\n  \
         {program} approvals watch     # to answer questions there\n\n\
         Ctrl-C stops the server.\n",
        version = env!("CARGO_PKG_VERSION"),
        root = host.root().display(),
        mode = host.mode(),
        tools = names.join(", "),
        call = call.join(" "),
        program = shell_word(&program),
    ))
}

/// Quotes a word for a POSIX shell, if it needs that.
fn shell_word(word: &str) -> String {
    let harmless = |character: char| character.is_ascii_alphanumeric() || "-_./:=@%+,".contains(character);
    if !word.is_empty() && word.chars().all(harmless) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(shell_word("/a/b-c.d"), "/a/b-c.d");
        assert_eq!(shell_word("a b"), "'a b'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
