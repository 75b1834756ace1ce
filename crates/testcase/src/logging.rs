//! What programs log with, where a test can listen.

/// A logging library to which a test can attach a listener of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Logging {
    /// `java.util.logging` of the JDK.
    Jdk,
    /// Logback, behind SLF4J.
    Logback,
    /// Log4j 2 with its own core.
    Log4j2,
    /// Log4j 1 and what continues it.
    Log4j1,
}

impl Logging {
    /// All of them. The place of each is its number in the runtime (`Logs.java`).
    pub const ALL: [Self; 4] = [Self::Jdk, Self::Logback, Self::Log4j2, Self::Log4j1];

    /// The method through which every event goes that is not filtered out by its level, just before
    /// appenders get it: the internal name of its class, and its name and descriptor in one. The
    /// event is its first argument. None for the JDK, whose classes are not changed.
    pub fn outlet(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Jdk => None,
            Self::Logback => Some((
                "ch/qos/logback/classic/Logger",
                "callAppenders(Lch/qos/logback/classic/spi/ILoggingEvent;)V",
            )),
            Self::Log4j2 => Some((
                "org/apache/logging/log4j/core/config/LoggerConfig",
                "callAppenders(Lorg/apache/logging/log4j/core/LogEvent;)V",
            )),
            Self::Log4j1 => {
                Some(("org/apache/log4j/Category", "callAppenders(Lorg/apache/log4j/spi/LoggingEvent;)V"))
            }
        }
    }
}
