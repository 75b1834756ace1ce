//! Java sources with highlighted tokens. A lexer is enough: text that is no Java stays as it is.

use crashback_program::names::is_reserved;
use maud::{Markup, html};

/// Words that are reserved where tests use them, besides those that are always.
const KEYWORDS: [&str; 2] = ["record", "var"];

/// Kinds of tokens, by the names of their colours in the style sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Plain,
    Keyword,
    Text,
    Number,
    Comment,
    Annotation,
}

/// A source with its tokens in colour.
pub(crate) fn highlighted(source: &str) -> Markup {
    html! {
        @for (token, text) in tokens(source) {
            @match token {
                Token::Plain => (text),
                Token::Keyword => b.tk { (text) },
                Token::Text => span.ts { (text) },
                Token::Number => span.tn { (text) },
                Token::Comment => i.tc { (text) },
                Token::Annotation => span.ta { (text) },
            }
        }
    }
}

/// Cuts a source into tokens; together they are the source. Neighbours without colour are one.
fn tokens(source: &str) -> Vec<(Token, &str)> {
    let mut tokens = Vec::new();
    let (mut rest, mut plain) = (source, 0);
    while let Some(first) = rest.chars().next() {
        let (token, length) = next_token(rest, first);
        let done = source.len() - rest.len();
        if token != Token::Plain {
            push(&mut tokens, Token::Plain, source.get(plain..done));
            push(&mut tokens, token, source.get(done..done + length));
            plain = done + length;
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    push(&mut tokens, Token::Plain, source.get(plain..));
    tokens
}

fn push<'s>(tokens: &mut Vec<(Token, &'s str)>, token: Token, text: Option<&'s str>) {
    tokens.extend(text.filter(|it| !it.is_empty()).map(|it| (token, it)));
}

/// The kind and the length of the token that a text begins with.
fn next_token(rest: &str, first: char) -> (Token, usize) {
    let until = |end: &str, from: usize| {
        rest.get(from..).and_then(|it| it.find(end)).map_or(rest.len(), |it| from + it + end.len())
    };
    match first {
        '/' if rest.starts_with("//") => (Token::Comment, rest.find('\n').unwrap_or(rest.len())),
        '/' if rest.starts_with("/*") => (Token::Comment, until("*/", 2)),
        '"' if rest.starts_with("\"\"\"") => (Token::Text, until("\"\"\"", 3)),
        '"' | '\'' => (Token::Text, literal(rest, first)),
        '@' => {
            let name = word(rest.get(1..).unwrap_or_default());
            (if name > 0 { Token::Annotation } else { Token::Plain }, 1 + name)
        }
        '0'..='9' => (Token::Number, number(rest)),
        it if is_part_of_name(it) => {
            let length = word(rest);
            let name = rest.get(..length).unwrap_or_default();
            let is_keyword = KEYWORDS.contains(&name) || is_reserved(name);
            (if is_keyword { Token::Keyword } else { Token::Plain }, length)
        }
        it => (Token::Plain, it.len_utf8()),
    }
}

/// The length of a literal between quotes, which ends with its line at the latest.
fn literal(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (index, it) in rest.char_indices().skip(1) {
        match it {
            '\n' => return index,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if it == quote => return index + 1,
            _ => {}
        }
    }
    rest.len()
}

fn number(rest: &str) -> usize {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '.';
    rest.find(|it| !is_part(it)).unwrap_or(rest.len())
}

fn word(rest: &str) -> usize {
    rest.find(|it| !is_part_of_name(it)).unwrap_or(rest.len())
}

fn is_part_of_name(it: char) -> bool {
    it.is_alphanumeric() || it == '_' || it == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[(Token, &str)]) {
        let tokens = tokens(source);
        let together: String = tokens.iter().map(|(_, text)| *text).collect();
        assert_eq!(together, source);
        let coloured: Vec<(Token, &str)> = tokens.into_iter().filter(|it| it.0 != Token::Plain).collect();
        assert_eq!(coloured, expected, "{source}");
    }

    #[test]
    fn tokens_of_a_test() {
        use Token::{Annotation, Comment, Keyword, Number, Text};
        check(
            "@Test void x() { new Depot(\"a\\\"//b\", 'c', 0x1FL); } // end",
            &[
                (Annotation, "@Test"),
                (Keyword, "void"),
                (Keyword, "new"),
                (Text, "\"a\\\"//b\""),
                (Text, "'c'"),
                (Number, "0x1FL"),
                (Comment, "// end"),
            ],
        );
        check("\"\"\"\n text \"x\" \"\"\";", &[(Text, "\"\"\"\n text \"x\" \"\"\"")]);
    }

    #[test]
    fn text_that_is_no_java_stays_whole() {
        use Token::{Comment, Text};
        check("\"open\nnext", &[(Text, "\"open")]);
        check("/* open", &[(Comment, "/* open")]);
        check("'", &[(Text, "'")]);
        check("@", &[]);
        check("ünï \u{1f980} §", &[]);
    }
}
