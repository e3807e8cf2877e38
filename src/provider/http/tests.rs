use super::*;

#[test]
fn proxies_are_read_in_either_case_and_never_shown() {
    let lookup = |name: &str| match name {
        "https_proxy" => Some("http://user:secret@lower:1".to_owned()),
        "HTTPS_PROXY" => Some("http://upper:1".to_owned()),
        "ALL_PROXY" => Some("http://all:1".to_owned()),
        "NO_PROXY" => Some("internal.example".to_owned()),
        _ => None,
    };
    let settings = ProxySettings::from_lookup(&lookup);
    assert_eq!(
        (settings.https.as_str(), settings.http.as_str()),
        ("http://user:secret@lower:1", "http://all:1")
    );
    assert!(!format!("{settings:?}").contains("secret"));
}

#[test]
fn the_way_depends_on_scheme_proxy_and_exemptions() {
    let settings = |proxy: &str| ProxySettings {
        http: proxy.to_owned(),
        https: proxy.to_owned(),
        no: "internal.example".to_owned(),
    };
    for (target, proxy, way) in [
        ("http://h.example/", "", "plain"),
        ("http://h.example/", "http://proxy:1", "forward"),
        ("http://sub.internal.example/", "http://proxy:1", "plain"),
        ("http://127.0.0.1:9/", "http://proxy:1", "plain"),
        ("http://[::1]:9/", "http://proxy:1", "plain"),
        ("http://localhost:9/", "http://proxy:1", "plain"),
        ("https://h.example/", "", "tls"),
        ("https://h.example/", "http://proxy:1", "tunnel"),
        (
            "https://h.example/",
            "socks5://proxy:1",
            "a proxy of kind `socks5`",
        ),
    ] {
        let connector = Connector::new(
            &target.parse().unwrap(),
            &settings(proxy),
            Duration::from_secs(1),
        );
        let got = match connector {
            Ok(Connector {
                way: Way::Plain(_), ..
            }) => "plain".to_owned(),
            Ok(Connector {
                way: Way::Forward(..),
                ..
            }) => "forward".to_owned(),
            Ok(Connector {
                way: Way::Tls(_), ..
            }) => "tls".to_owned(),
            Ok(Connector {
                way: Way::Tunnel(_),
                ..
            }) => "tunnel".to_owned(),
            // This machine has no certificates; nothing more can be said.
            Err(SetupError::NoCertificates) => continue,
            Err(error) => error.to_string(),
        };
        assert!(got.starts_with(way), "{target} {proxy}: {got}");
    }
}
