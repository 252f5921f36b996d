//! Requests through a proxy of the configuration: HTTP in both forms, HTTP over TLS, SOCKS.

use toolgate_tests::net::{Authority, DnsServer, HttpProxy, ScriptServer, SocksProxy, Target, Upstream, scripts};

use crate::stage::{Stage, echo, owned};

fn target(host: &str, port: u16) -> Target {
    Target {
        host: host.to_owned(),
        port,
        by_name: host.parse::<std::net::IpAddr>().is_err(),
    }
}

#[tokio::test]
async fn plain_requests_name_the_whole_url_to_the_proxy() {
    let server = ScriptServer::start(echo);
    let dns = DnsServer::table(&[]);
    let proxy = HttpProxy::start(Upstream::Fixed(server.address()));
    // The proxy has a private address and needs no entry.
    let stage = Stage::new(|config| {
        config.url_scope.allow = owned(&["http://*.test:*"]);
        config.url_scope.nameservers = vec![dns.address().to_string()];
        config.url_scope.proxy = proxy.url();
    });
    let cases = [
        ("http://far.test/p?q#f", "http://far.test/p?q", "far.test"),
        ("http://far.test:80/", "http://far.test/", "far.test"),
        ("http://far.test:8080/p", "http://far.test:8080/p", "far.test:8080"),
        ("http://FAR.test./?x", "http://far.test/?x", "far.test"),
    ];
    for (url, form, host) in cases {
        stage.body(url).await;
        let asked = proxy.recorder().requests().pop().unwrap();
        assert_eq!((asked.method.as_str(), asked.target.as_str()), ("GET", form));
        assert_eq!(asked.headers_named("host").collect::<Vec<_>>(), [host]);
        for name in [
            "proxy-authorization",
            "proxy-connection",
            "referer",
            "x-forwarded-for",
            "via",
        ] {
            assert_eq!(asked.header(name), None, "{asked:?}");
        }
    }
    assert_eq!(server.recorder().targets(), ["/p?q", "/", "/p", "/?x"]);
    assert_eq!(dns.names(), [""; 0], "names are the proxy's to resolve");
    assert_eq!(
        stage.records()[0]["requests"][0]["address"],
        proxy.address().to_string()
    );
}

#[tokio::test]
async fn https_goes_through_a_tunnel_that_the_proxy_cannot_look_into() {
    let authority = Authority::new();
    let server = ScriptServer::tls(&authority.certificate(&["far.test"]), echo);
    let plain = HttpProxy::start(Upstream::Fixed(server.address()));
    let secure = HttpProxy::tls(
        &authority.certificate(&["127.0.0.1"]),
        Upstream::Fixed(server.address()),
    );
    let socks = SocksProxy::start(Upstream::Fixed(server.address()));
    for url in [plain.url(), secure.url(), socks.url()] {
        let stage = Stage::new(|config| {
            config.url_scope.allow = owned(&["*.test"]);
            config.url_scope.ca_file = Some(authority.pem_file().to_owned());
            config.url_scope.proxy = url.clone();
        });
        assert_eq!(
            stage.body("https://far.test/secret?token").await,
            "/secret?token",
            "{url}"
        );
    }
    for proxy in [&plain, &secure] {
        assert_eq!(proxy.targets(), [target("far.test", 443)]);
        let asked = &proxy.recorder().requests()[0];
        assert_eq!(
            (asked.method.as_str(), asked.target.as_str()),
            ("CONNECT", "far.test:443")
        );
        assert!(asked.header("authorization").is_none(), "{asked:?}");
        let seen = String::from_utf8_lossy(&proxy.recorder().connections()[0].received).into_owned();
        assert!(!seen.contains("token"), "{seen}");
    }
    assert_eq!(socks.targets(), [target("far.test", 443)]);
    for connection in server.recorder().connections() {
        assert_eq!(connection.sni.as_deref(), Some("far.test"));
    }
    assert_eq!(server.recorder().requests().len(), 3);
}

#[tokio::test]
async fn the_certificate_of_an_https_proxy_is_checked() {
    let (authority, other) = (Authority::new(), Authority::new());
    let server = ScriptServer::start(echo);
    let good = HttpProxy::tls(
        &authority.certificate(&["127.0.0.1"]),
        Upstream::Fixed(server.address()),
    );
    let foreign = HttpProxy::tls(&other.certificate(&["127.0.0.1"]), Upstream::Fixed(server.address()));
    let misnamed = HttpProxy::tls(&authority.certificate(&["far.test"]), Upstream::Fixed(server.address()));
    let stage = |proxy: &HttpProxy| {
        Stage::new(|config| {
            config.url_scope.allow = owned(&["http://far.test"]);
            config.url_scope.ca_file = Some(authority.pem_file().to_owned());
            config.url_scope.proxy = proxy.url();
        })
    };
    assert_eq!(stage(&good).body("http://far.test/x").await, "/x");
    for proxy in [&foreign, &misnamed] {
        let shown = proxy.url();
        let words = [shown.as_str(), "TLS"];
        stage(proxy)
            .refused("http://far.test/x", toolgate::ErrorKind::Unavailable, &words)
            .await;
        assert!(proxy.targets().is_empty());
    }
    assert_eq!(server.recorder().requests().len(), 1);
}

#[tokio::test]
async fn socks_gets_names_as_names_and_a_login_if_there_is_one() {
    let server = ScriptServer::start(echo);
    let open = SocksProxy::start(Upstream::Fixed(server.address()));
    let closed = SocksProxy::with_login(Upstream::Fixed(server.address()));
    let stage = |proxy: String| {
        Stage::new(|config| {
            config.url_scope.allow = owned(&["http://*.test:*"]);
            config.url_scope.proxy = proxy;
        })
    };
    assert_eq!(stage(open.url()).body("http://far.test:8080/x").await, "/x");
    assert_eq!(open.targets(), [target("far.test", 8080)]);
    let login = closed.url().replace("socks5://", "socks5://us%65r:hunt%65r2@");
    assert_eq!(stage(login).body("http://far.test/y").await, "/y");
    assert_eq!(closed.logins(), [("user".to_owned(), "hunter2".to_owned())]);
    assert_eq!(closed.targets(), [target("far.test", 80)]);
    let requests = server.recorder().requests();
    assert_eq!(requests[0].header("host"), Some("far.test:8080"));
    assert_eq!(requests[1].header("host"), Some("far.test"));
}

#[tokio::test]
async fn credentials_of_the_proxy_are_for_the_proxy() {
    let authority = Authority::new();
    let plain = ScriptServer::start(|request| match request.path() {
        "/on" => scripts::redirect(302, "http://other.test/end"),
        _ => echo(request),
    });
    let secure = ScriptServer::tls(&authority.certificate(&["far.test"]), echo);
    for (server, url) in [(&plain, "http://far.test/on"), (&secure, "https://far.test/x")] {
        let proxy = HttpProxy::start(Upstream::Fixed(server.address()));
        let stage = Stage::new(|config| {
            config.url_scope.allow = owned(&["http://*.test"]);
            config.url_scope.ca_file = Some(authority.pem_file().to_owned());
            config.url_scope.proxy = proxy.url().replace("http://", "http://user:hunter2@");
        });
        let page = stage.fetch(url).await.unwrap();
        for asked in proxy.recorder().requests() {
            assert_eq!(
                asked.header("proxy-authorization"),
                Some("Basic dXNlcjpodW50ZXIy"),
                "{asked:?}"
            );
        }
        for request in server.recorder().requests() {
            assert_eq!(request.header("proxy-authorization"), None, "{request:?}");
        }
        let shown = format!("{page:?}{}", stage.log());
        assert!(
            !shown.contains("hunter2") && !shown.contains("dXNlcjpodW50ZXIy"),
            "{shown}"
        );
    }
    assert_eq!(plain.recorder().targets(), ["/on", "/end"]);
}

#[tokio::test]
async fn the_name_of_a_proxy_is_looked_up_and_no_other() {
    let server = ScriptServer::start(echo);
    let proxy = HttpProxy::start(Upstream::Fixed(server.address()));
    let dns = DnsServer::table(&[("proxy.test", &["127.0.0.1".parse().unwrap()])]);
    let stage = Stage::new(|config| {
        config.url_scope.allow = owned(&["http://far.test"]);
        config.url_scope.nameservers = vec![dns.address().to_string()];
        config.url_scope.proxy = format!("http://proxy.test:{}", proxy.address().port());
    });
    assert_eq!(stage.body("http://far.test/x").await, "/x");
    assert_eq!(dns.names(), ["proxy.test", "proxy.test"]);
}
