//! The listener of a test to what the program logs: a handler of `java.util.logging`, or an appender
//! of the logging library that the program uses. It is attached to the root logger, which sees
//! all logs; levels stay as they are.

use std::collections::BTreeSet;

use crashback_testcase::Logging;

use super::received::{RECEIVED, RECORDER, declaration};
use super::writer::{Line, Writer};

/// How a test listens to a logging library. Classes are internal names.
struct Listening {
    /// The type of the listener.
    listener: &'static str,
    /// The class that has the root logger, and how it is asked for.
    root: (&'static str, &'static str),
    /// What the root logger must be cast to.
    cast: Option<&'static str>,
    attach: &'static str,
    detach: &'static str,
}

fn listening(logging: Logging) -> Listening {
    match logging {
        Logging::Jdk => Listening {
            listener: "java/util/logging/Handler",
            root: ("java/util/logging/Logger", "getLogger(\"\")"),
            cast: None,
            attach: "addHandler",
            detach: "removeHandler",
        },
        Logging::Logback => Listening {
            listener: "ch/qos/logback/core/Appender",
            root: ("org/slf4j/LoggerFactory", "getLogger(\"ROOT\")"),
            cast: Some("ch/qos/logback/classic/Logger"),
            attach: "addAppender",
            detach: "detachAppender",
        },
        Logging::Log4j2 => Listening {
            listener: "org/apache/logging/log4j/core/Appender",
            root: ("org/apache/logging/log4j/LogManager", "getRootLogger()"),
            cast: Some("org/apache/logging/log4j/core/Logger"),
            attach: "addAppender",
            detach: "removeAppender",
        },
        Logging::Log4j1 => Listening {
            listener: "org/apache/log4j/Appender",
            root: ("org/apache/log4j/Logger", "getRootLogger()"),
            cast: None,
            attach: "addAppender",
            detach: "removeAppender",
        },
    }
}

/// Listens while the lines run.
pub(super) fn listen(writer: &Writer<'_>, logging: Logging, lines: &mut Vec<Line>) {
    let plain = |text: String| Line { text, expression: None, throws: BTreeSet::new() };
    let name = |of: &str| writer.imports.class_name(of);
    let Listening { root: (holder, asked), cast, attach, detach, .. } = listening(logging);
    let root = format!("{}.{asked}", name(holder));
    let root = cast.map_or_else(|| root.clone(), |it| format!("(({}) {root})", name(it)));
    let within = lines
        .drain(..)
        .map(|it| Line { text: format!("    {}", it.text.replace('\n', "\n    ")), ..it })
        .collect::<Vec<_>>();
    lines.push(declaration(writer));
    lines.push(plain(format!("{} {RECORDER} = recording({RECEIVED});", listener(writer, logging))));
    lines.push(plain(format!("{root}.{attach}({RECORDER});")));
    lines.push(plain("try {".to_owned()));
    lines.extend(within);
    lines.push(plain("} finally {".to_owned()));
    lines.push(plain(format!("    {root}.{detach}({RECORDER});")));
    lines.push(plain("}".to_owned()));
}

/// The type of the listener as a source names it.
fn listener(writer: &Writer<'_>, logging: Logging) -> String {
    let name = |of: &str| writer.imports.class_name(of);
    let class = name(listening(logging).listener);
    match logging {
        Logging::Logback => format!("{class}<{}>", name("ch/qos/logback/classic/spi/ILoggingEvent")),
        _ => class,
    }
}

/// The method that makes the listener.
pub(super) fn recording(writer: &Writer<'_>, logging: Logging) -> String {
    let name = |of: &str| writer.imports.class_name(of);
    let (list, throwable) = (name("java/util/List"), name("java/lang/Throwable"));
    let listener = listener(writer, logging);
    let body = match logging {
        Logging::Jdk => handler(writer),
        Logging::Logback => logback(writer),
        Logging::Log4j2 => log4j2(writer),
        Logging::Log4j1 => log4j1(writer),
    };
    format!(
        "    /** Keeps the exceptions that are logged. */
    private static {listener} recording({list}<{throwable}> {RECEIVED}) {{
{body}    }}
"
    )
}

fn handler(writer: &Writer<'_>) -> String {
    let name = |of: &str| writer.imports.class_name(of);
    let over = name("java/lang/Override");
    format!(
        "        return new {handler}() {{
            @{over}
            public void publish({record} record) {{
                if (record.getThrown() != null) {{
                    {RECEIVED}.add(record.getThrown());
                }}
            }}

            @{over}
            public void flush() {{
            }}

            @{over}
            public void close() {{
            }}
        }};
",
        handler = name("java/util/logging/Handler"),
        record = name("java/util/logging/LogRecord"),
    )
}

/// Logback keeps the exception in a proxy, which other events than its own may lack.
fn logback(writer: &Writer<'_>) -> String {
    let name = |of: &str| writer.imports.class_name(of);
    let base = name("ch/qos/logback/core/AppenderBase");
    let event = name("ch/qos/logback/classic/spi/ILoggingEvent");
    let proxy = name("ch/qos/logback/classic/spi/ThrowableProxy");
    let over = name("java/lang/Override");
    format!(
        "        {base}<{event}> appender = new {base}<{event}>() {{
            @{over}
            protected void append({event} event) {{
                if (event.getThrowableProxy() instanceof {proxy}) {{
                    {RECEIVED}.add((({proxy}) event.getThrowableProxy()).getThrowable());
                }}
            }}
        }};
        appender.start();
        return appender;
"
    )
}

fn log4j2(writer: &Writer<'_>) -> String {
    let name = |of: &str| writer.imports.class_name(of);
    let base = name("org/apache/logging/log4j/core/appender/AbstractAppender");
    let event = name("org/apache/logging/log4j/core/LogEvent");
    let over = name("java/lang/Override");
    format!(
        "        {base} appender = new {base}(\"{RECORDER}\", null, null) {{
            @{over}
            public void append({event} event) {{
                if (event.getThrown() != null) {{
                    {RECEIVED}.add(event.getThrown());
                }}
            }}
        }};
        appender.start();
        return appender;
"
    )
}

fn log4j1(writer: &Writer<'_>) -> String {
    let name = |of: &str| writer.imports.class_name(of);
    let base = name("org/apache/log4j/AppenderSkeleton");
    let event = name("org/apache/log4j/spi/LoggingEvent");
    let over = name("java/lang/Override");
    format!(
        "        return new {base}() {{
            @{over}
            protected void append({event} event) {{
                if (event.getThrowableInformation() != null) {{
                    {RECEIVED}.add(event.getThrowableInformation().getThrowable());
                }}
            }}

            @{over}
            public void close() {{
            }}

            @{over}
            public boolean requiresLayout() {{
                return false;
            }}
        }};
"
    )
}
