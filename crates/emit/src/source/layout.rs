//! The test class around the statements.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crashback_classfile::internal_name;
use crashback_testcase::{Literal, Statement, TestCase};
use crashback_trace::compare::is_dropped;

use super::mock::{self, Injection};
use super::received;
use super::writer::{Line, Writer};
use super::{Expectation, Mode, Received, Request};
use crate::junit::JUnit;

/// Lines longer than this are broken.
const WIDTH: usize = 110;
/// Chains of at least so many links have a line for each.
const LONG_CHAIN: usize = 4;
const BODY: &str = "        ";

/// The text of the whole source file; none if a statement names a member that does not exist.
pub(crate) fn lay_out(writer: &Writer<'_>, request: &Request<'_>) -> Option<String> {
    // Claimed first, so that a class of the program with that name does not take it.
    let test = writer.imports.class_name(request.junit.test_annotation());
    let statements = writer.plan.order().iter().map(|it| writer.line(*it));
    let mut lines: Vec<Line> = statements.collect::<Option<_>>()?;
    let mut helpers = injections(writer);
    helpers.extend(last_given(writer));
    if let Some(received) = request.received {
        helpers.extend(received::rethrow(writer, received, &mut lines)?);
    }
    let body = match &request.mode {
        Mode::Fails => failing(writer, &lines, act(request, lines.len())),
        Mode::Expects(expectation) => Expecting { writer, expectation, junit: request.junit }.body(&lines),
    };
    let mut text = String::new();
    let public = if request.junit.needs_public() { "public " } else { "" };
    text += &format!("{public}class {} {{\n\n", request.class);
    if uses_folder(writer.test) {
        text += &folder(writer, request.junit);
    }
    for line in request.comment {
        let line = comment(line);
        text += format!("    // {line}").trim_end();
        text.push('\n');
    }
    text += &format!("    @{test}\n    {public}void {}(){} {{\n", request.method, body.throws);
    for line in &body.lines {
        text += line;
        text.push('\n');
    }
    text += "    }\n";
    for helper in body.helper.iter().chain(&helpers) {
        text += &format!("\n{helper}");
    }
    for nested in writer.nested_classes() {
        text += &format!("\n{nested}");
    }
    text += "}\n";
    let package = match request.package {
        "" => String::new(),
        package => format!("package {};\n\n", package.replace('/', ".")),
    };
    Some(package + &imports(writer, &body, &text) + &text)
}

/// Name of the field with the folder of the test.
pub(crate) const FOLDER: &str = "folder";

/// Whether a test has files.
pub(crate) fn uses_folder(test: &TestCase) -> bool {
    test.statements().iter().any(|it| matches!(it, Statement::Literal(Literal::Folder)))
}

/// The field with a folder that JUnit makes and removes.
fn folder(writer: &Writer<'_>, junit: JUnit) -> String {
    let name = |of: &str| writer.imports.class_name(of);
    if junit.is_jupiter() {
        let (annotation, file) = (name("org/junit/jupiter/api/io/TempDir"), name("java/io/File"));
        return format!("    @{annotation}\n    {file} {FOLDER};\n\n");
    }
    let (rule, of) = (name("org/junit/Rule"), name("org/junit/rules/TemporaryFolder"));
    format!("    @{rule}\n    public final {of} {FOLDER} = new {of}();\n\n")
}

/// The content of the test method, with the imports and clauses that it needs.
#[derive(Default)]
struct Body {
    lines: Vec<String>,
    /// The clause, with a space before it.
    throws: String,
    static_imports: BTreeSet<String>,
    helper: Option<String>,
}

/// The imports that the text of a class needs. The writer may have given short names to types that
/// the text does not use in the end.
fn imports(writer: &Writer<'_>, body: &Body, class: &str) -> String {
    let mut statics = writer.imports.statics_to_import();
    statics.extend(body.static_imports.iter().cloned());
    let words: BTreeSet<&str> =
        class.split(|it: char| !it.is_alphanumeric() && it != '_' && it != '$').collect();
    let mut classes = writer.imports.to_import();
    classes.retain(|it| it.rsplit('.').next().is_some_and(|simple| words.contains(simple)));
    let (jdk, others): (BTreeSet<&String>, BTreeSet<&String>) =
        classes.iter().partition(|it| writer.classes.is_jdk(&internal_name(it)));
    let mut text = String::new();
    let groups = [statics.iter().collect::<BTreeSet<_>>(), jdk, others];
    for (group, keyword) in groups.iter().zip(["import static", "import", "import"]) {
        for name in group {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{keyword} {name};");
        }
        if !group.is_empty() {
            text.push('\n');
        }
    }
    text
}

/// The fewest statements before the call into the crash for which that call stands apart.
const FEWEST_PREPARATIONS: usize = 2;

/// The place of the statement that calls into the crash: the last, before the one that throws an exception
/// which was received.
fn act(request: &Request<'_>, lines: usize) -> usize {
    match request.received {
        Some(Received::ByMocks(_) | Received::ByLogger(..)) => lines.saturating_sub(2),
        Some(Received::ByTest) | None => lines.saturating_sub(1),
    }
}

/// A test that makes the calls of its lines. The one at a place, if there is one, is the call into the crash.
fn failing(writer: &Writer<'_>, lines: &[Line], act: usize) -> Body {
    let throws = throws_clause(writer, lines);
    let mut texts = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        if place == act && place >= FEWEST_PREPARATIONS {
            texts.push(String::new());
        }
        texts.extend(broken(&line.text, BODY));
    }
    Body { lines: texts, throws, ..Body::default() }
}

/// The method that checks the arguments of a mock, if it is used.
fn last_given(writer: &Writer<'_>) -> Option<String> {
    let is_used = |it: &usize| matches!(writer.test.statements().get(*it), Some(Statement::Kept { .. }));
    writer.plan.order().iter().any(is_used).then(|| mock::last_given(writer))
}

/// The methods that fill fields, as far as they are used.
fn injections(writer: &Writer<'_>) -> Vec<String> {
    let used = writer.plan.order().iter().filter_map(|it| match writer.test.statements().get(*it)? {
        Statement::Inject { field, receiver, .. } => writer.injection(*field, *receiver),
        _ => None,
    });
    used.collect::<BTreeSet<Injection>>().into_iter().map(|it| injection(writer, it)).collect()
}

fn injection(writer: &Writer<'_>, how: Injection) -> String {
    let name = |of: &str| writer.imports.class_name(of);
    let (class, field) = (name("java/lang/Class"), name("java/lang/reflect/Field"));
    let (object, string) = (name("java/lang/Object"), name("java/lang/String"));
    let thrown = name("java/lang/ReflectiveOperationException");
    match how {
        Injection::ByName => format!(
            "    /** Sets a field of an object as a container would. */
    private static void inject({object} target, {string} name, {object} value) throws {thrown} {{
        for ({class}<?> owner = target.getClass(); owner != null; owner = owner.getSuperclass()) {{
            for ({field} field : owner.getDeclaredFields()) {{
                if (field.getName().equals(name)) {{
                    field.setAccessible(true);
                    field.set(target, value);
                    return;
                }}
            }}
        }}
        throw new {missing}(name);
    }}
",
            missing = name("java/lang/NoSuchFieldException")
        ),
        Injection::ByClass => format!(
            "    /** Sets a field of an object as a container would; the owner is the class that \
             declares the field. */
    private static void inject({object} target, {class}<?> owner, {string} name, {object} value)
            throws {thrown} {{
        {field} field = owner.getDeclaredField(name);
        field.setAccessible(true);
        field.set(target, value);
    }}
"
        ),
    }
}

/// The `throws` clause of the lines: the exception if it is a single one, else a type that covers
/// all.
fn throws_clause(writer: &Writer<'_>, lines: &[Line]) -> String {
    let hierarchy = writer.context.hierarchy();
    let is_below = |sub: &str, sup: &str| hierarchy.is_subtype(sub, sup) == Some(true);
    let all: BTreeSet<&String> = lines.iter().flat_map(|it| &it.throws).collect();
    let widest: Vec<&&String> =
        all.iter().filter(|it| !all.iter().any(|other| other != *it && is_below(it, other))).collect();
    let class = match widest.as_slice() {
        [] => return String::new(),
        [only] if writer.context.class(only).is_ok() => only.as_str(),
        all if all.iter().all(|it| is_below(it, "java/lang/Exception")) => "java/lang/Exception",
        _ => "java/lang/Throwable",
    };
    format!(" throws {}", writer.imports.class_name(class))
}

/// A test that passes as long as the last statement crashes.
struct Expecting<'a> {
    writer: &'a Writer<'a>,
    expectation: &'a Expectation<'a>,
    junit: JUnit,
}

impl Expecting<'_> {
    fn body(&self, lines: &[Line]) -> Body {
        let Some((last, before)) = lines.split_last() else { return Body::default() };
        let mut body = failing(self.writer, before, before.len());
        if before.len() >= FEWEST_PREPARATIONS {
            body.lines.push(String::new());
        }
        let mut thrown = self.nameable(self.expectation.thrown);
        if self.junit.has_assert_throws() {
            let class = self.writer.imports.class_name(&thrown);
            body.static_imports.insert(format!("{}.assertThrows", self.junit.assertions()));
            let call = match &last.expression {
                Some(expression) => format!("() -> {expression}"),
                None => format!("() -> {{ {} }}", last.text),
            };
            let text = format!("{class} thrown = assertThrows({class}.class, {call});");
            body.lines.extend(broken(&text, BODY));
        } else {
            if !self.can_catch(&thrown, last) {
                thrown = "java/lang/Throwable".to_owned();
            }
            body.throws = throws_clause(self.writer, lines);
            self.catch(&mut body, last, &self.writer.imports.class_name(&thrown));
        }
        self.check_class(&mut body, self.expectation.thrown, &thrown, "thrown");
        let mut subject = "thrown";
        if self.expectation.cause > 0 {
            let causes = ".getCause()".repeat(self.expectation.cause);
            let throwable = self.writer.imports.class_name("java/lang/Throwable");
            body.lines.push(format!("{BODY}{throwable} cause = thrown{causes};"));
            self.check_class(&mut body, self.expectation.exception, "", "cause");
            subject = "cause";
        }
        self.check_frames(&mut body, subject);
        body
    }

    /// JUnit before 4.13 has no `assertThrows`.
    fn catch(&self, body: &mut Body, last: &Line, class: &str) {
        body.static_imports.insert(format!("{}.fail", self.junit.assertions()));
        let inner = format!("{BODY}    ");
        body.lines.push(format!("{BODY}{class} thrown = null;"));
        body.lines.push(format!("{BODY}try {{"));
        body.lines.extend(broken(&last.text, &inner));
        body.lines.push(format!("{inner}fail(\"{class} was expected\");"));
        body.lines.push(format!("{BODY}}} catch ({class} expected) {{"));
        body.lines.push(format!("{inner}thrown = expected;"));
        body.lines.push(format!("{BODY}}}"));
    }

    /// Whether a compiler believes that a statement can throw an exception: checked ones have to be
    /// declared (JLS 11.2.3).
    fn can_catch(&self, class: &str, last: &Line) -> bool {
        let is_below =
            |sub: &str, sup: &str| self.writer.context.hierarchy().is_subtype(sub, sup) == Some(true);
        let is_unchecked =
            |it: &str| is_below(it, "java/lang/RuntimeException") || is_below(it, "java/lang/Error");
        is_unchecked(class)
            || ["java/lang/Exception", "java/lang/Throwable"].contains(&class)
            || last.throws.iter().any(|it| is_below(it, class) || is_below(class, it))
    }

    /// The class itself, or the nearest above it that the source can name.
    fn nameable(&self, binary: &str) -> String {
        let mut class = internal_name(binary).into_owned();
        while self.writer.context.class(&class).is_err() {
            let above = self.writer.context.index().get(&class).and_then(|it| it.super_name());
            class = above.unwrap_or("java/lang/Throwable").to_owned();
            if class == "java/lang/Throwable" {
                break;
            }
        }
        class
    }

    /// Checks the exact class by its name where the source names another one.
    fn check_class(&self, body: &mut Body, binary: &str, named: &str, variable: &str) {
        if internal_name(binary) != named {
            body.static_imports.insert(format!("{}.assertEquals", self.junit.assertions()));
            body.lines.push(format!("{BODY}assertEquals(\"{binary}\", {variable}.getClass().getName());"));
        }
    }

    fn check_frames(&self, body: &mut Body, subject: &str) {
        // Frames of the JDK and of reflection differ from one JDK to the next.
        let is_jdk = |class: &str| self.writer.classes.is_jdk(&internal_name(class));
        let kept = self.expectation.frames.iter().filter(|it| !is_dropped(it, is_jdk));
        let frames: Vec<String> = kept.map(|it| format!("\"{}.{}\"", it.class, it.method)).collect();
        if frames.is_empty() {
            return;
        }
        let name = |of: &str| self.writer.imports.class_name(of);
        body.lines.push(format!("{BODY}assertFrames({subject},"));
        let last = frames.len().saturating_sub(1);
        for (at, frame) in frames.iter().enumerate() {
            let end = if at == last { ");" } else { "," };
            body.lines.push(format!("{BODY}        {frame}{end}"));
        }
        body.static_imports.insert(format!("{}.assertTrue", self.junit.assertions()));
        let message = "method + \" is missing in the stack trace of \" + thrown";
        let assertion = match self.junit.is_jupiter() {
            true => format!("assertTrue(found, {message})"),
            false => format!("assertTrue({message}, found)"),
        };
        let (iterator, arrays) = (name("java/util/Iterator"), name("java/util/Arrays"));
        let (element, string) = (name("java/lang/StackTraceElement"), name("java/lang/String"));
        let throwable = name("java/lang/Throwable");
        body.helper = Some(format!(
            "    /** Checks that the stack trace goes through these methods, the innermost first. */
    private static void assertFrames({throwable} thrown, {string}... methods) {{
        {iterator}<{element}> frames = {arrays}.asList(thrown.getStackTrace()).iterator();
        for ({string} method : methods) {{
            boolean found = false;
            while (!found && frames.hasNext()) {{
                {element} frame = frames.next();
                found = method.equals(frame.getClassName() + \".\" + frame.getMethodName());
            }}
            {assertion};
        }}
    }}
"
        ));
    }
}

/// A line of a comment. A backslash before a `u` would begin an escape even there (JLS 3.3).
fn comment(line: &str) -> String {
    let mut text = String::new();
    for letter in line.chars() {
        if letter == 'u' && text.ends_with('\\') {
            text.push('\\');
        }
        text.push(if letter.is_control() { ' ' } else { letter });
    }
    text
}

/// A statement in lines of bearable length: chains of calls before each link, other texts behind commas and
/// before operators, or behind the sign of an assignment if that is not enough, never inside of a literal.
fn broken(statement: &str, indent: &str) -> Vec<String> {
    statement.split('\n').flat_map(|it| broken_line(it, indent)).collect()
}

fn broken_line(statement: &str, indent: &str) -> Vec<String> {
    let text = statement.trim_start();
    let indent = format!("{indent}{}", " ".repeat(statement.len() - text.len()));
    let links = links(text);
    let is_long = indent.len() + text.chars().count() > WIDTH;
    if links.len() >= LONG_CHAIN || is_long && links.len() > 1 {
        let further = format!("{indent}        ");
        let starts = std::iter::once(0).chain(links.iter().copied());
        let ends = links.iter().copied().chain([text.len()]);
        return starts
            .zip(ends)
            .filter_map(|(start, end)| Some((start, text.get(start..end)?)))
            .flat_map(|(start, link)| broken_text(link, if start == 0 { &indent } else { &further }))
            .collect();
    }
    broken_text(text, &indent)
}

fn broken_text(text: &str, indent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut current = indent.to_owned();
    let mut pieces = pieces(text);
    if let Some(first) = pieces.first().copied()
        && indent.len() + first.trim_end().chars().count() > WIDTH
        && let Some((declared, _)) = first.split_once(" = ").filter(|(it, _)| !it.contains(['"', '\'']))
    {
        let (declared, value) = first.split_at(declared.len() + " = ".len());
        pieces.splice(0..1, [declared, value]);
    }
    for piece in pieces {
        let is_begun = !current.trim().is_empty();
        if is_begun && current.chars().count() + piece.trim_end().chars().count() > WIDTH {
            lines.push(current.trim_end().to_owned());
            current = format!("{indent}        ");
        }
        current += piece;
    }
    lines.push(current.trim_end().to_owned());
    lines
}

/// The places where the links of a chain of calls begin: points behind calls, outside of all brackets.
fn links(text: &str) -> Vec<usize> {
    let mut links = Vec::new();
    let (mut depth, mut previous, mut is_call) = (0usize, ' ', false);
    for (at, letter) in code(text) {
        match letter {
            '(' | '{' | '[' => {
                // Brackets around a cast follow no name.
                is_call = if depth == 0 { is_name(previous) || previous == '>' } else { is_call };
                depth += 1;
            }
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            '.' if depth == 0 && previous == ')' && is_call => links.push(at),
            _ => {}
        }
        previous = letter;
    }
    links
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$')
}

/// The text cut where a line may be broken.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut previous) = (0, ' ');
    for (at, letter) in code(text) {
        if previous == ',' && letter == ' ' || letter == '+' && previous == ' ' {
            let cut = if letter == '+' { at } else { at + 1 };
            pieces.extend(text.get(start..cut));
            start = cut;
        }
        previous = letter;
    }
    pieces.extend(text.get(start..));
    pieces
}

/// The letters of a text outside of its literals, with their places. The quotes around literals are among
/// them.
fn code(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut quote, mut is_escaped) = (None, false);
    text.char_indices().filter(move |(_, letter)| {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if *letter == '\\' => is_escaped = true,
            Some(open) if *letter == open => {
                quote = None;
                return true;
            }
            Some(_) => {}
            None => {
                if matches!(letter, '"' | '\'') {
                    quote = Some(*letter);
                }
                return true;
            }
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::broken;

    #[track_caller]
    fn check(statement: &str, expected: &[&str]) {
        assert_eq!(broken(statement, "  "), expected);
    }

    #[test]
    fn long_chains_have_a_line_for_each_link() {
        check("Map m = a.b(c.d().e().f().g()).h().i();", &["  Map m = a.b(c.d().e().f().g()).h().i();"]);
        let lines = ["  Cup c = Cup.of()", "          .a(\").b().\")", "          .b(1)", "          .c()"];
        let mut expected = lines.to_vec();
        expected.push("          .d();");
        check("Cup c = Cup.of().a(\").b().\").b(1).c().d();", &expected);
    }

    #[test]
    fn chains_that_are_too_wide_are_broken_before_their_links() {
        let wide = "x".repeat(50);
        let (first, second) = (format!("  {wide}.of(1)"), format!("          .with(\"{wide}\")"));
        check(
            &format!("{wide}.of(1).with(\"{wide}\").get();"),
            &[first.as_str(), &second, "          .get();"],
        );
        // One link is not worth it, nor are brackets around a cast.
        let one = format!("((Cup) {wide}).of(1, \"{wide}\").get();");
        let lines = [format!("  ((Cup) {wide}).of(1,"), format!("          \"{wide}\").get();")];
        check(&one, &lines.each_ref().map(String::as_str));
    }
}
