//! Texts that certain classes of the JDK are made from: most others are refused.

use crate::workshop::builder::Builder;
use crate::{Literal, Text, TypeId, TypeRef};

/// A text in the format that a class of the JDK takes, by chance; none for other classes and
/// parameters.
pub(crate) fn choose(
    builder: &mut Builder<'_, '_>,
    class: TypeId,
    parameter: TypeId,
    place: usize,
) -> Option<Literal> {
    let vocabulary = &builder.catalogue.vocabulary;
    let is_text = vocabulary.type_of(parameter)?.view() == TypeRef::STRING;
    let class = vocabulary.type_of(class)?.class_name()?;
    let texts = if class == ACCESSED_FILE && place == 0 { &[] } else { texts_for(class) };
    let is_possible = is_text && !texts.is_empty() && builder.tuning.source_formats;
    if !is_possible || !builder.random.chance(builder.tuning.format_text) {
        return None;
    }
    builder.random.pick(texts).map(|it| Literal::Text(Text::from(*it)))
}

/// Texts that a method or constructor of a class takes; none where any will do.
fn texts_for(class: &str) -> &'static [&'static str] {
    FORMATS.iter().find(|(name, _)| *name == class).map_or(&[], |(_, texts)| *texts)
}

/// Its second parameter is a mode; the first may be the path of a file.
const ACCESSED_FILE: &str = "java/io/RandomAccessFile";

const FORMATS: [(&str, &[&str]); 19] = [
    (ACCESSED_FILE, &["r", "rw"]),
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
