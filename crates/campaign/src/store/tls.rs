//! Encrypted connections to servers: the parts `sslmode` and `sslrootcert` of an address, which mean the same
//! as for PostgreSQL's own programs.

use std::path::Path;
use std::sync::Arc;

use postgres::config::SslMode;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, ring, verify_tls12_signature, verify_tls13_signature,
};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How a connection is encrypted.
pub(super) struct Encryption {
    /// Whether it is encrypted at all.
    pub(super) mode: SslMode,
    pub(super) connector: MakeRustlsConnect,
}

/// What is asked of the server's certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trust {
    Any,
    /// A trusted authority signed it.
    Signed,
    /// The same, and it names the host.
    SignedForHost,
}

/// Takes the parts about encryption out of an address: the rest of it, and the encryption. In words why they
/// make no sense.
pub(super) fn take(address: &str) -> Result<(String, Encryption), String> {
    let (base, query) = address.split_once('?').unwrap_or((address, ""));
    let (mut mode, mut roots, mut rest) = (None, None, Vec::new());
    for part in query.split('&').filter(|it| !it.is_empty()) {
        match part.split_once('=') {
            Some(("sslmode", value)) => mode = Some(value),
            Some(("sslrootcert", value)) => roots = Some(decoded(value)),
            _ => rest.push(part),
        }
    }
    let (mode, trust) = read_mode(mode, roots.as_deref())?;
    let connector = connector(trust, roots.as_deref())?;
    let mark = if rest.is_empty() { "" } else { "?" };
    Ok((format!("{base}{mark}{}", rest.join("&")), Encryption { mode, connector }))
}

fn read_mode(mode: Option<&str>, roots: Option<&str>) -> Result<(SslMode, Trust), String> {
    Ok(match mode {
        Some("disable") => (SslMode::Disable, Trust::Any),
        None | Some("prefer") => (SslMode::Prefer, Trust::Any),
        // With certificates of authorities at hand, PostgreSQL's programs check them, too.
        Some("require") if roots.is_some() => (SslMode::Require, Trust::Signed),
        Some("require") => (SslMode::Require, Trust::Any),
        Some("verify-ca") => (SslMode::Require, Trust::Signed),
        Some("verify-full") => (SslMode::Require, Trust::SignedForHost),
        Some(other) => {
            let known = "disable, prefer, require, verify-ca and verify-full";
            return Err(format!("sslmode={other} is not known; there are {known}"));
        }
    })
}

fn connector(trust: Trust, roots: Option<&str>) -> Result<MakeRustlsConnect, String> {
    let provider = Arc::new(ring::default_provider());
    let verifier = Arc::new(Verifier::new(trust, roots, &provider)?);
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|it| it.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

/// Checks the server's certificate as far as was asked for, and its signature in any case.
#[derive(Debug)]
struct Verifier {
    trust: Trust,
    /// Checks certificates; none where any will do.
    chain: Option<Arc<WebPkiServerVerifier>>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl Verifier {
    fn new(trust: Trust, roots: Option<&str>, provider: &Arc<CryptoProvider>) -> Result<Self, String> {
        let algorithms = provider.signature_verification_algorithms;
        if trust == Trust::Any {
            return Ok(Self { trust, chain: None, algorithms });
        }
        let roots = Arc::new(read_roots(roots)?);
        let chain = WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(provider)).build();
        Ok(Self { trust, chain: Some(chain.map_err(|it| it.to_string())?), algorithms })
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Some(chain) = &self.chain else { return Ok(ServerCertVerified::assertion()) };
        let verified = chain.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        match verified {
            // The name is looked at last, when all else is well.
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.trust == Trust::Signed => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

/// The certificates of authorities: those of a file, else those that this machine trusts.
fn read_roots(file: Option<&str>) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    let Some(file) = file.filter(|it| *it != "system") else {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        return match roots.is_empty() {
            true => {
                Err("this machine has no certificates of authorities; name a file: sslrootcert=FILE".into())
            }
            false => Ok(roots),
        };
    };
    let wrong = |it: &dyn std::fmt::Display| format!("sslrootcert={file}: {it}");
    let certificates = CertificateDer::pem_file_iter(Path::new(file)).map_err(|it| wrong(&it))?;
    for certificate in certificates {
        roots.add(certificate.map_err(|it| wrong(&it))?).map_err(|it| wrong(&it))?;
    }
    if roots.is_empty() { Err(wrong(&"there is no certificate in it")) } else { Ok(roots) }
}

/// Whether an error is about the certificate of a server, which asking again does not change.
pub(super) fn is_of_certificate(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let inner = error.downcast_ref::<std::io::Error>().and_then(|it| it.get_ref());
        if inner.is_some_and(|it| it.is::<rustls::Error>()) {
            return true;
        }
        cause = error.source();
    }
    false
}

/// A value of an address without its escapes: `%20` is a blank.
fn decoded(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.bytes());
        let code = after.get(..2).and_then(|it| u8::from_str_radix(it, 16).ok());
        bytes.push(code.unwrap_or(b'%'));
        rest = if code.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    bytes.extend(rest.bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_an_address_stays() {
        for (address, rest, mode) in [
            ("postgres://db/runs", "postgres://db/runs", SslMode::Prefer),
            ("postgres://db/runs?sslmode=disable", "postgres://db/runs", SslMode::Disable),
            (
                "postgres://db/runs?a=1&sslmode=require&b=%20",
                "postgres://db/runs?a=1&b=%20",
                SslMode::Require,
            ),
        ] {
            let (left, encryption) = take(address).expect("an address");
            assert_eq!((left.as_str(), encryption.mode), (rest, mode));
        }
    }

    #[test]
    fn modes_that_are_none_and_files_without_certificates() {
        for (query, words) in [
            ("sslmode=allow", "sslmode=allow is not known; there are disable"),
            ("sslmode=verify-full&sslrootcert=/no/such%20file", "sslrootcert=/no/such file: "),
            ("sslmode=require&sslrootcert=/dev/null", "there is no certificate in it"),
        ] {
            let refused = take(&format!("postgres://db/runs?{query}")).err().expect("refused");
            assert!(refused.contains(words), "{refused}");
        }
    }

    #[test]
    fn escapes_are_characters() {
        for (value, text) in [("a%20b", "a b"), ("%C3%BC", "ü"), ("50%", "50%"), ("%zz%2", "%zz%2"), ("", "")]
        {
            assert_eq!(decoded(value), text);
        }
    }
}
