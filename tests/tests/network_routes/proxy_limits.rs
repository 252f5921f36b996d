//! What a proxy does not open, and proxies that fail.

use std::net::TcpListener;

use toolgate::{Config, ErrorKind};
use toolgate_tests::net::{
    Authority, DnsServer, HttpProxy, RawServer, ScriptServer, SocksProxy, Step, Upstream, scripts,
};
use toolgate_tests::rig::builder;

use crate::stage::{Stage, echo, owned};

#[tokio::test]
async fn addresses_in_the_url_are_vetted_behind_a_proxy_too() {
    let server = ScriptServer::start(|request| match request.query() {
        Some(location) => scripts::redirect(302, location),
        None => echo(request),
    });
    let http = HttpProxy::start(Upstream::Fixed(server.address()));
    let socks = SocksProxy::start(Upstream::Fixed(server.address()));
    for proxy in [http.url(), socks.url()] {
        let stage = Stage::new(|config| {
            config.url_scope.allow = owned(&["http://*:*", "*:*", "http://10.0.0.7:8080"]);
            config.url_scope.proxy = proxy.clone();
        });
        let targets = || http.targets().len() + socks.targets().len();
        let before = targets();
        for url in [
            "http://169.254.169.254/latest/",
            "http://127.0.0.1:8080/",
            "https://127.0.0.1/",
            "http://[::1]/",
            "http://10.0.0.1/",
            "http://10.0.0.7/",
            "https://10.0.0.7/",
            "http://[::ffff:10.0.0.1]/",
            "http://[64:ff9b::a9fe:a9fe]/",
            "http://0.0.0.0/",
            "http://metadata.google.internal/",
        ] {
            stage.refused(url, ErrorKind::Denied, &["denied"]).await;
            let hop = format!("http://far.test/?{url}");
            stage.refused(&hop, ErrorKind::Denied, &["redirect 1"]).await;
        }
        assert_eq!(targets() - before, 11, "only the pages that redirected");
        assert_eq!(stage.body("http://10.0.0.7:8080/x").await, "/x");
    }
    let literal = socks.targets().pop().unwrap();
    assert!(literal.host == "10.0.0.7" && !literal.by_name, "{literal:?}");
}

#[tokio::test]
async fn r37_internal_names_behind_a_proxy_need_an_entry_of_their_own() {
    let server = ScriptServer::start(echo);
    let dns = DnsServer::table(&[]);
    let http = HttpProxy::start(Upstream::Fixed(server.address()));
    let socks = SocksProxy::start(Upstream::Fixed(server.address()));
    for proxy in [http.url(), socks.url()] {
        let stage = Stage::new(|config| {
            config.url_scope.allow = owned(&["http://*:*", "http://db.internal:8080", "http://plain"]);
            config.url_scope.nameservers = vec![dns.address().to_string()];
            config.url_scope.proxy = proxy.clone();
        });
        for host in [
            "db.internal",
            "db.internal.:81",
            "x.db.internal:8080",
            "printer.local",
            "localhost",
            "x.localhost",
            "wiki.corp",
            "nas.home.arpa",
            "router.lan",
            "intranet",
            "plain:81",
        ] {
            let url = format!("http://{host}/");
            stage
                .refused(&url, ErrorKind::Denied, &["internal network", "exactly this host"])
                .await;
        }
        for url in ["http://db.internal:8080/x", "http://plain/x", "http://far.test/x"] {
            assert_eq!(stage.body(url).await, "/x", "{url}");
        }
    }
    let hosts: Vec<String> = http.targets().into_iter().map(|target| target.host).collect();
    assert_eq!(hosts, ["db.internal", "plain", "far.test"]);
    assert_eq!(socks.targets().len(), 3);
    assert_eq!(dns.names(), [""; 0]);
}

#[tokio::test]
async fn a_proxy_that_refuses_is_named() {
    let authority = Authority::new();
    for status in [407, 502, 403] {
        let proxy = HttpProxy::start(Upstream::Refused(status));
        let stage = Stage::new(|config| {
            config.url_scope.allow = owned(&["http://*.test"]);
            config.url_scope.ca_file = Some(authority.pem_file().to_owned());
            config.url_scope.proxy = proxy.url().replace("http://", "http://user:hunter2@");
        });
        // The answer to a plain request is the proxy's own, as to anybody who asks through it.
        let page = stage.fetch("http://far.test/").await.unwrap();
        assert_eq!(page["status"], status, "{page:?}");
        let shown = proxy.url();
        let words = [shown.as_str(), "https://far.test"];
        let message = stage
            .refused("https://far.test/x?token", ErrorKind::Unavailable, &words)
            .await;
        assert!(!message.contains("hunter2") && !message.contains("token"), "{message}");
        assert!(!stage.log().contains("hunter2"));
        let methods: Vec<String> = proxy
            .recorder()
            .requests()
            .into_iter()
            .map(|asked| asked.method)
            .collect();
        assert_eq!(methods, ["GET", "CONNECT"], "each is tried once");
    }
    let socks = SocksProxy::start(Upstream::Refused(502));
    let stage = Stage::new(|config| {
        config.url_scope.allow = owned(&["http://*.test"]);
        config.url_scope.proxy = socks.url();
    });
    for url in ["http://far.test/", "https://far.test/"] {
        stage.refused(url, ErrorKind::Unavailable, &[&socks.url()]).await;
    }
}

#[tokio::test]
async fn a_proxy_that_is_down_silent_or_none_is_named_and_not_passed_by() {
    let server = ScriptServer::start(echo);
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let silent = RawServer::start(vec![Step::Stall]);
    let other = RawServer::start(vec![Step::Send(b"SSH-2.0-other\r\n".to_vec()), Step::Close]);
    let place = server.address().to_string();
    let cases = [
        (format!("127.0.0.1:{port}"), ErrorKind::Unavailable),
        (silent.address().to_string(), ErrorKind::Deadline),
        (other.address().to_string(), ErrorKind::Unavailable),
    ];
    for (proxy, kind) in &cases {
        for scheme in ["http", "socks5", "https"] {
            let stage = Stage::new(|config| {
                config.url_scope.allow = vec![format!("http://{place}"), place.clone()];
                config.url_scope.proxy = format!("{scheme}://user:hunter2@{proxy}");
                config.url_scope.timeout_seconds = 1;
            });
            for url in [format!("http://{place}/"), format!("https://{place}/")] {
                let error = stage.fetch(&url).await.unwrap_err();
                assert_eq!(error.kind, *kind, "{scheme} {proxy} {url}: {error:?}");
                assert!(!error.message.contains("hunter2"), "{error:?}");
            }
            assert!(!stage.log().contains("hunter2"));
        }
    }
    assert!(server.recorder().connections().is_empty(), "no way around the proxy");
}

#[test]
fn what_is_no_proxy_stops_the_start() {
    let directory = tempfile::tempdir().unwrap();
    for text in [
        "proxy.test:3128",
        "ftp://proxy.test",
        "http://",
        "socks4://proxy.test",
        "proxy",
        "http://a b/",
        "ENV",
    ] {
        let mut config = Config::default();
        config.url_scope.allow = owned(&["far.test"]);
        config.url_scope.proxy = text.to_owned();
        let error = match builder(directory.path()).config(config).build() {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{text:?} was accepted"),
        };
        assert!(error.contains("url_scope.proxy"), "{text:?}: {error}");
    }
}
