//! A small client of a browser's driver: HTTP with JSON over a socket of this machine (W3C WebDriver).
#![expect(clippy::disallowed_methods, reason = "the tests start a browser and look for CI")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

/// Browsers take much memory: one at a time.
static TURN: Mutex<()> = Mutex::new(());

/// Codes of keys (WebDriver, section 17.4.2).
pub(crate) const TAB: char = '\u{e004}';
pub(crate) const ENTER: char = '\u{e007}';
pub(crate) const SPACE: char = '\u{e00d}';
pub(crate) const RIGHT: char = '\u{e014}';
pub(crate) const DOWN: char = '\u{e015}';

/// A browser with one page.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _turn: MutexGuard<'static, ()>,
}

impl Browser {
    /// Starts a browser. None where there is none; continuous integration must have one.
    pub(crate) fn start() -> Option<Self> {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let started = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn();
        let Ok(mut driver) = started else {
            let advice = "there is no chromedriver; install Debian's chromium and chromium-driver";
            assert!(std::env::var("CI").as_deref() != Ok("true"), "{advice}");
            eprintln!("not tested in a browser: {advice}");
            return None;
        };
        let mut lines = BufReader::new(driver.stdout.take().expect("its output")).lines();
        let told =
            lines.find_map(|line| line.ok()?.split_once("successfully on port ").map(|it| it.1.to_owned()));
        let port =
            told.and_then(|it| it.trim_end_matches('.').parse().ok()).expect("the driver tells its port");
        let mut browser = Self { driver, port, session: String::new(), _turn: turn };
        let arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"];
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let answer = browser.send("POST", "/session", &wanted);
        browser.session = answer["sessionId"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        Some(browser)
    }

    /// Opens a file and waits until it is loaded.
    pub(crate) fn open(&self, file: &Path) {
        self.post("url", &json!({ "url": format!("file://{}", file.display()) }));
    }

    /// The value of an expression of JavaScript.
    pub(crate) fn value(&self, expression: &str) -> Value {
        self.post("execute/sync", &json!({ "script": format!("return {expression}"), "args": [] }))
    }

    /// A command of Chromium's own protocol.
    pub(crate) fn chromium(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Gives the page another width.
    pub(crate) fn resize(&self, width: u32) {
        let metrics = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.chromium("Emulation.setDeviceMetricsOverride", &metrics);
    }

    /// Pretends that the user prefers `light` or `dark`.
    pub(crate) fn prefer(&self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.chromium("Emulation.setEmulatedMedia", &json!({ "media": "", "features": features }));
    }

    /// Presses keys one after the other, wherever the focus is.
    pub(crate) fn press(&self, keys: impl IntoIterator<Item = char>) {
        let strokes = keys.into_iter().flat_map(|key| {
            let key = key.to_string();
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        });
        let strokes: Vec<Value> = strokes.collect();
        let actions = json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": strokes }] });
        self.post("actions", &actions);
    }

    /// Errors of the console since the last call.
    pub(crate) fn errors(&self) -> Vec<String> {
        let entries = self.post("se/log", &json!({ "type": "browser" }));
        let entries = entries.as_array().cloned().unwrap_or_default();
        let severe = entries.into_iter().filter(|it| it["level"] == "SEVERE" || it["level"] == "WARNING");
        severe.map(|it| it["message"].to_string()).collect()
    }

    fn post(&self, command: &str, body: &Value) -> Value {
        let answer = self.send("POST", &format!("/session/{}/{command}", self.session), body);
        assert!(answer.get("error").is_none(), "{command}: {answer}");
        answer
    }

    /// Sends a request and gives the `value` of its answer.
    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = body.to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the driver listens");
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a limit");
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(body.as_bytes()))
            .expect("it is sent");
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        let mut line = String::new();
        while reader.read_line(&mut line).expect("an answer") > 2 {
            let header = line.to_ascii_lowercase();
            if let Some(value) = header.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            line.clear();
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer).expect("the whole answer");
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        answer["value"].clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The session's end closes the browser; without it the browser would outlive its driver.
        if !self.session.is_empty() && !std::thread::panicking() {
            self.send("DELETE", &format!("/session/{}", self.session), &json!({}));
        } else if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let request = format!("DELETE /session/{} HTTP/1.1\r\nHost: localhost\r\n\r\n", self.session);
            drop(stream.write_all(request.as_bytes()));
            drop(stream.read(&mut [0; 64]));
        }
        drop(self.driver.kill());
        drop(self.driver.wait());
    }
}
