//! Texts that certain classes of the JDK are made from: most others are refused.

/// Texts that a method or constructor of a class takes; none where any will do.
pub(super) fn texts_for(class: &str) -> &'static [&'static str] {
    FORMATS.iter().find(|(name, _)| *name == class).map_or(&[], |(_, texts)| *texts)
}

const FORMATS: [(&str, &[&str]); 18] = [
    ("java/net/URL", &["http://localhost/", "file:a.txt", "http://localhost/a?b=c"]),
    ("java/net/URI", &["http://localhost/", "a", "file:///a.txt"]),
    ("java/util/UUID", &["00000000-0000-0000-0000-000000000001"]),
    ("java/util/Currency", &["EUR", "USD"]),
    ("java/util/Locale", &["en", "fr", "US", ""]),
    ("java/util/TimeZone", &["UTC", "GMT+1"]),
    ("java/util/regex/Pattern", &["a", "(a)|b", ".*", "[a-z]+"]),
    ("java/math/BigDecimal", &["0", "1", "-1", "1.5"]),
    ("java/math/BigInteger", &["0", "1", "-1"]),
    ("java/text/SimpleDateFormat", &["yyyy-MM-dd", "HH:mm"]),
    ("java/text/DecimalFormat", &["0.00", "#"]),
    ("java/nio/charset/Charset", &["UTF-8", "US-ASCII"]),
    ("java/time/LocalDate", &["2020-02-29"]),
    ("java/time/LocalDateTime", &["2020-02-29T12:00:00"]),
    ("java/time/LocalTime", &["12:00"]),
    ("java/time/Instant", &["2020-02-29T12:00:00Z"]),
    ("java/time/Duration", &["PT1H"]),
    ("java/time/ZoneId", &["UTC", "Europe/Paris"]),
];
