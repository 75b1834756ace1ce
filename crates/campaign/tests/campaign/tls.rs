//! Encrypted connections to a server with a certificate that it signed itself.

use std::path::Path;
use std::sync::Arc;

use crashback_campaign::{Error, Store};

use crate::server::Server;
use crate::support::{Checkout, work};

#[test]
fn connections_are_encrypted_and_certificates_checked_as_asked_for() {
    let Some((server, certificate)) = Server::start_encrypted() else { return };
    server.database("runs");
    let address = |host: &str, query: &str| server.network_address(host, "runs", query);
    let roots = format!("sslrootcert={}", certificate.display());
    let checkout = Checkout::with(&["A"]);
    let mut stored = 0;
    for (host, query) in [
        ("localhost", String::new()),
        ("127.0.0.1", "sslmode=prefer".to_owned()),
        ("127.0.0.1", "sslmode=require".to_owned()),
        ("127.0.0.1", format!("sslmode=verify-ca&{roots}")),
        ("localhost", format!("sslmode=verify-full&{roots}")),
    ] {
        let mut store = Store::open(&address(host, &query)).unwrap_or_else(|it| panic!("{query}: {it}"));
        stored += 1;
        work(&mut store, &checkout.jobs(stored), false, &Arc::default(), |it| it);
        assert_eq!(store.records().expect("records").len(), stored as usize);
    }
    let other = checkout.path("other.pem");
    make_certificate(&other);
    let others = format!("sslrootcert={}", other.display());
    for (host, query, words) in [
        // The server refuses connections without encryption.
        ("localhost", "sslmode=disable".to_owned(), "no encryption"),
        // The certificate is for localhost.
        ("127.0.0.1", format!("sslmode=verify-full&{roots}"), "certificate not valid for name"),
        ("localhost", format!("sslmode=verify-full&{others}"), "invalid peer certificate"),
        ("localhost", format!("sslmode=verify-ca&{others}"), "invalid peer certificate"),
        ("localhost", format!("sslmode=require&{others}"), "invalid peer certificate"),
        ("localhost", "sslmode=perhaps".to_owned(), "sslmode=perhaps is not known"),
    ] {
        let error = Store::open(&address(host, &query)).expect_err("refused");
        assert!(error.to_string().contains(words), "{query}: {error}");
        // Asking again would not help.
        assert!(matches!(error, Error::Store { .. } | Error::Address { .. }), "{query}: {error:?}");
    }
    let plain = Server::start().expect("a server");
    let unencrypted = format!("{}&sslmode=require", plain.database("runs").display());
    let error = Store::open(Path::new(&unencrypted)).expect_err("sockets of this machine are not encrypted");
    assert!(error.to_string().contains("TLS"), "{error}");
}

#[expect(clippy::disallowed_methods, reason = "certificates are made by another program")]
fn make_certificate(path: &Path) {
    let mut openssl = std::process::Command::new("openssl");
    openssl.args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2"]);
    let made = openssl.args(["-keyout", "/dev/null", "-out"]).arg(path).output().expect("openssl runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}
