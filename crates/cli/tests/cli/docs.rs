//! The documentation: links lead somewhere, the book has every page, and messages that pages explain are
//! messages that the sources have.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use regex::Regex;

use crate::support::files_below;

/// Pages outside the book.
const LOOSE: [&str; 3] = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"];

const SUMMARY: &str = "docs/SUMMARY.md";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the checkout")
}

/// Paths of the Markdown files below a folder of the checkout, relative to the checkout.
fn pages_below(folder: &str) -> BTreeSet<String> {
    let is_page = |it: &PathBuf| it.extension().is_some_and(|it| it == "md");
    let relative = |it: PathBuf| it.strip_prefix(root()).expect("inside").to_str().expect("text").to_owned();
    files_below(&root().join(folder)).into_iter().filter(is_page).map(relative).collect()
}

/// A page without its code: blocks and spans hold brackets that are no links.
struct Page {
    path: String,
    prose: String,
    headings: Vec<String>,
}

impl Page {
    fn read(path: &str) -> Self {
        let text = fs::read_to_string(root().join(path)).expect("a page");
        let mut is_code = false;
        let mut lines = Vec::new();
        for line in text.lines() {
            let is_fence = line.trim_start().starts_with("```");
            is_code ^= is_fence;
            if !is_code && !is_fence {
                lines.push(line);
            }
        }
        let headings = lines.iter().filter(|it| it.starts_with('#'));
        let headings = headings.map(|it| it.trim_start_matches('#').trim().to_owned()).collect();
        let spans = Regex::new("`[^`]*`").expect("a pattern");
        let prose = spans.replace_all(&lines.join("\n"), "").into_owned();
        Self { path: path.to_owned(), prose, headings }
    }

    /// The targets of links and pictures inside the checkout.
    fn links(&self) -> Vec<String> {
        let link = Regex::new(r"\]\(([^)\s]+)\)").expect("a pattern");
        let targets = link.captures_iter(&self.prose).map(|it| it[1].to_owned());
        targets.filter(|it| !it.contains("://") && !it.starts_with("mailto:")).collect()
    }

    /// The names by which GitHub and mdBook link to headings.
    fn anchors(&self) -> BTreeSet<String> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let anchor = |heading: &String| {
            let name = anchor(heading);
            let count = counts.entry(name.clone()).or_default();
            *count += 1;
            if *count == 1 { name } else { format!("{name}-{}", *count - 1) }
        };
        self.headings.iter().map(anchor).collect()
    }
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it));
    kept.map(|it| if it == ' ' { '-' } else { it }).collect::<String>().to_lowercase()
}

/// The path that a link of a page means, relative to the checkout; none if it leads out of it.
fn resolved(page: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for component in Path::new(target).components() {
        match component {
            Component::ParentDir => _ = parts.pop()?,
            Component::Normal(part) => parts.push(part.to_str()?),
            _ => {}
        }
    }
    Some(parts.join("/"))
}

fn fault(page: &Page, link: &str) -> Option<String> {
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let path = if file.is_empty() { Some(page.path.clone()) } else { resolved(&page.path, file) };
    let Some(path) = path.filter(|it| root().join(it).exists()) else {
        return Some("there is no such file".to_owned());
    };
    let is_of_book = page.path.starts_with("docs/");
    if is_of_book && !(path.starts_with("docs/") && root().join(&path).is_file()) {
        return Some("the book does not have it; name the path as code instead".to_owned());
    }
    if heading.is_empty() || Page::read(&path).anchors().contains(heading) {
        return None;
    }
    Some("there is no such heading".to_owned())
}

#[test]
fn links_lead_somewhere() {
    let paths = LOOSE.map(str::to_owned).into_iter().chain(pages_below("docs"));
    let mut faults = Vec::new();
    for page in paths.map(|it| Page::read(&it)) {
        let links = page.links();
        let wrong = links.iter().filter_map(|it| Some((it, fault(&page, it)?)));
        faults.extend(wrong.map(|(link, fault)| format!("{}: {link}: {fault}", page.path)));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// mdBook leaves out pages that its summary does not name, and links to them break.
#[test]
fn the_summary_names_every_page_once() {
    let mut pages = pages_below("docs");
    assert!(pages.remove(SUMMARY));
    let links = Page::read(SUMMARY).links();
    let named: BTreeSet<String> = links.iter().filter_map(|it| resolved(SUMMARY, it)).collect();
    assert_eq!(named, pages, "left: {SUMMARY}, right: docs; give each page of docs a line in the summary");
    assert_eq!(named.len(), links.len(), "a page is named twice");
}

#[test]
fn a_broken_link_would_be_noticed() {
    let page = Page::read(SUMMARY);
    assert!(fault(&page, "no-such-page.md").is_some());
    assert!(fault(&page, "glossary.md#no-such-heading").is_some());
    assert!(fault(&page, "../README.md").is_some(), "the book has no README");
    assert!(fault(&page, "glossary.md#glossary").is_none());
}

/// Headings of the troubleshooting page are messages, with `…` for the parts that vary.
#[test]
fn explained_messages_occur_in_the_sources() {
    let sources: Vec<PathBuf> = files_below(&root().join("crates"));
    let is_product = |it: &&PathBuf| {
        let inner = it.strip_prefix(root()).expect("inside").to_string_lossy();
        inner.contains("/src/") && inner.ends_with(".rs") && !inner.ends_with("tests.rs")
    };
    let text = |it: &PathBuf| fs::read_to_string(it).expect("a source");
    let sources: String = sources.iter().filter(is_product).map(text).collect();
    // Texts that go on in the next line.
    let continued = Regex::new(r"\\\n\s*").expect("a pattern");
    let sources = continued.replace_all(&sources, "");
    let page = fs::read_to_string(root().join("docs/troubleshooting.md")).expect("a page");
    let messages = page.lines().filter_map(|it| it.strip_prefix("### `")?.strip_suffix('`'));
    let messages: Vec<&str> = messages.collect();
    assert!(messages.len() > 20, "{} messages", messages.len());
    let parts = |message: &&str| message.split('…').map(str::trim).map(str::to_owned).collect::<Vec<_>>();
    for message in messages {
        let unknown = parts(&message).into_iter().find(|it| !sources.contains(it.as_str()));
        assert_eq!(unknown, None, "no source says `{message}`; renew docs/troubleshooting.md");
    }
}

/// Examples of the cookbook are programs that the test suite reproduces.
#[test]
fn examples_of_the_cookbook_exist() {
    let page = fs::read_to_string(root().join("docs/cookbook.md")).expect("a page");
    let example = Regex::new("(?m)^Example: `([a-z-]+)`").expect("a pattern");
    let names: Vec<String> = example.captures_iter(&page).map(|it| it[1].to_owned()).collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        assert!(root().join("tests/crashes").join(&name).is_dir(), "{name}");
    }
}
