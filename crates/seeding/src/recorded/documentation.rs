//! Examples in the documentation of classes on the trace: literals in code that comments show, and code
//! that is a value itself.

use super::{Collected, Files, simple_name, source_path};

/// A larger source is generated rather than documented.
const LARGEST_SOURCE: usize = 2 << 20;
/// Endings of sources whose comments have this form.
const ENDINGS: [&str; 2] = ["java", "kt"];
/// How many bytes behind a comment are looked at for its declaration.
const LONGEST_DECLARATION: usize = 400;
/// Longer examples without literals are code rather than a value.
const LONGEST_VALUE: usize = 80;

/// How examples begin and end. Between tags entities are decoded.
const MARKS: [(&str, &str); 8] = [
    ("{@code", "}"),
    ("{@literal", "}"),
    ("{@snippet", "}"),
    ("<pre", "</pre>"),
    ("<code", "</code>"),
    ("<tt", "</tt>"),
    ("```", "```"),
    ("`", "`"),
];

/// Adds the examples of sources of classes on the trace: those of methods on the trace first, then those of
/// classes, then all others.
pub(super) fn add(traced: &[(String, String)], sources: &[Box<dyn Files>], found: &mut Collected) {
    let mut ranked: [Vec<String>; 3] = Default::default();
    let mut paths: Vec<&str> = Vec::new();
    for (class, _) in traced {
        let path = source_path(class);
        if paths.contains(&path) {
            continue;
        }
        paths.push(path);
        let read = |files: &dyn Files| {
            let of = |ending: &&str| files.read(&format!("{path}.{ending}"), LARGEST_SOURCE);
            ENDINGS.iter().find_map(of)
        };
        let Some(source) = sources.iter().find_map(|it| read(&**it)) else { continue };
        let methods = traced.iter().filter(|(class, _)| source_path(class) == path);
        let methods: Vec<&str> = methods.map(|(class, method)| name_in_source(class, method)).collect();
        for comment in comments(&String::from_utf8_lossy(&source)) {
            if let Some(comments) = ranked.get_mut(comment.rank(&methods)) {
                comments.push(comment.text);
            }
        }
    }
    ranked.iter().flatten().for_each(|it| add_examples(it, found));
}

fn name_in_source<'n>(class: &'n str, method: &'n str) -> &'n str {
    if method == "<init>" { simple_name(class) } else { method }
}

/// A comment that documents a declaration.
struct Comment {
    text: String,
    /// The code behind it, up to the body.
    declaration: String,
}

impl Comment {
    /// Less for comments that are nearer to the trace.
    fn rank(&self, methods: &[&str]) -> usize {
        let words = || self.declaration.split(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '$')));
        let head = self.declaration.split('(').next().unwrap_or_default();
        let declared = head.trim_end().rsplit(|it: char| it.is_whitespace() || it == '.').next();
        if self.declaration.contains('(') && declared.is_some_and(|it| methods.contains(&it)) {
            0
        } else if words().any(|it| matches!(it, "class" | "interface" | "enum" | "record" | "object")) {
            1
        } else {
            2
        }
    }
}

/// The documentation comments of a source: `/** … */`, and lines with `///`.
fn comments(source: &str) -> Vec<Comment> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(start) = [rest.find("/**"), rest.find("///")].into_iter().flatten().min() {
        let comment = rest.get(start..).unwrap_or_default();
        let (text, length) = match comment.strip_prefix("/**") {
            Some(inside) => {
                let end = inside.find("*/").unwrap_or(inside.len());
                let text = inside.get(..end).unwrap_or_default().lines().map(|line| {
                    let line = line.trim_start();
                    line.strip_prefix('*').unwrap_or(line)
                });
                (text.collect::<Vec<_>>().join("\n"), (end + 5).min(comment.len()))
            }
            None => in_lines(comment),
        };
        rest = comment.get(length..).unwrap_or_default();
        let near = rest.get(..rest.floor_char_boundary(LONGEST_DECLARATION)).unwrap_or(rest);
        let declaration = near.split(['{', ';']).next().unwrap_or_default();
        found.push(Comment { text, declaration: without_annotations(declaration) });
    }
    found
}

/// A comment of lines that begin with `///`, and its length in the source.
fn in_lines(source: &str) -> (String, usize) {
    let (mut text, mut length) = (String::new(), 0);
    for line in source.split_inclusive('\n') {
        let Some(line_text) = line.trim_start().strip_prefix("///") else { break };
        text.push_str(line_text);
        length += line.len();
    }
    (text, length.max(3))
}

/// A declaration without annotations before it, whose arguments look like parameters.
fn without_annotations(declaration: &str) -> String {
    let is_annotation = |line: &&str| line.trim_start().starts_with('@');
    declaration
        .lines()
        .skip_while(|it| it.trim().is_empty() || is_annotation(it))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Adds the examples of a comment.
fn add_examples(comment: &str, found: &mut Collected) {
    let mut rest = comment;
    loop {
        let starts = MARKS.iter().filter_map(|mark| Some((rest.find(mark.0)?, mark)));
        // The first mark counts, the longest of those in one place.
        let Some((start, (open, close))) = starts.min_by_key(|(at, mark)| (*at, usize::MAX - mark.0.len()))
        else {
            return;
        };
        let inside = rest.get(start + open.len()..).unwrap_or_default();
        let end = if *close == "}" { closing_brace(inside) } else { inside.find(close) };
        let Some(end) = end else {
            rest = inside;
            continue;
        };
        let content = inside.get(..end).unwrap_or_default();
        match open.starts_with('<') {
            true => {
                let content = content.split_once('>').map_or("", |(_, content)| content);
                add_example(&decoded(content), found);
            }
            false => add_example(content, found),
        }
        rest = inside.get(end + close.len()..).unwrap_or_default();
    }
}

/// Where the brace is closed inside which a text stands.
fn closing_brace(inside: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (position, character) in inside.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(position),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The literals of an example or, where it has no text among them and is no plain name, itself.
fn add_example(code: &str, found: &mut Collected) {
    let mut has_texts = false;
    let mut rest = code;
    let mut before = None;
    while let Some(first) = rest.chars().next() {
        let is_inside_word = before.is_some_and(|it: char| it.is_alphanumeric() || matches!(it, '_' | '.'));
        let mut length = first.len_utf8();
        if matches!(first, '"' | '\'')
            && let Some((text, end)) = text_literal(rest, first)
        {
            has_texts |= first == '"';
            found.add_word(&text);
            length = end;
        } else if !is_inside_word && (first.is_ascii_digit() || first == '-') {
            let end = rest
                .get(1..)
                .unwrap_or_default()
                .find(|it: char| !(it.is_alphanumeric() || it == '.' || it == '_'));
            let word = rest.get(..end.map_or(rest.len(), |it| it + 1)).unwrap_or_default();
            add_number(word, found);
            length = word.len().max(1);
        }
        before = rest.get(..length).and_then(|it| it.chars().next_back());
        rest = rest.get(length..).unwrap_or_default();
    }
    let whole = code.trim();
    let is_name = |it: char| it.is_alphabetic() || "_$.#@(),<>[]? ".contains(it);
    if !has_texts && !whole.is_empty() && whole.len() <= LONGEST_VALUE && !whole.chars().all(is_name) {
        found.add_text(whole);
    }
}

/// A text or character in quotes, on one line, and the place behind it.
fn text_literal(code: &str, quote: char) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut characters = code.char_indices().skip(1);
    while let Some((position, character)) = characters.next() {
        match character {
            '\n' => return None,
            '\\' => {
                let (_, escaped) = characters.next()?;
                match escaped {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    'r' => text.push('\r'),
                    'b' => text.push('\u{8}'),
                    'f' => text.push('\u{c}'),
                    's' => text.push(' '),
                    '0' => text.push('\0'),
                    'u' => {
                        let digits: String = characters.by_ref().take(4).map(|(_, it)| it).collect();
                        text.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
                    }
                    other => text.push(other),
                }
            }
            _ if character == quote => return Some((text, position + quote.len_utf8())),
            _ => text.push(character),
        }
    }
    None
}

/// A number as Java writes it.
fn add_number(word: &str, found: &mut Collected) {
    let plain = word.replace('_', "");
    let plain = plain.trim_end_matches('.');
    if let Some(digits) = plain.strip_prefix("0x").or_else(|| plain.strip_prefix("0X")) {
        if let Ok(number) = i64::from_str_radix(digits.trim_end_matches(['L', 'l']), 16) {
            found.add_integer(number);
        }
        return;
    }
    found.add_number(plain.trim_end_matches(['L', 'l', 'F', 'f', 'D', 'd']));
}

/// A text without the entities of HTML that code in comments needs.
fn decoded(text: &str) -> String {
    let text = text.replace("{@code", "").replace("{@literal", "");
    const ENTITIES: [(&str, &str); 9] = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#42;", "*"),
        ("&#64;", "@"),
        ("&nbsp;", " "),
        // The last, so that nothing is decoded twice.
        ("&amp;", "&"),
    ];
    ENTITIES.iter().fold(text, |text, (entity, character)| text.replace(entity, character))
}
