//! Numbers, times and names as people read them.

/// A count with a comma between thousands.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count of things.
pub(crate) fn things(number: usize, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{} {noun}", count(number as u64))
}

/// A time: `0.42 s`, `12.3 s`, `3 min 20 s`.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        it if !it.is_finite() => "–".to_owned(),
        it if it < 1.0 => format!("{it:.2} s"),
        it if it < 120.0 => format!("{it:.1} s"),
        it => {
            let (minutes, rest) = ((it / 60.0).floor(), it.rem_euclid(60.0).floor());
            format!("{minutes:.0} min {rest:.0} s")
        }
    }
}

/// A round time on an axis: `0.5 s`, `20 s`, `5 min`.
pub(crate) fn seconds_short(seconds: f64) -> String {
    if seconds < 120.0 {
        format!("{} s", distance(seconds))
    } else {
        format!("{} min", distance(seconds / 60.0))
    }
}

/// A share in percent.
pub(crate) fn percent(part: usize, whole: usize) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.0} %", 100.0 * part as f64 / whole as f64) }
}

/// A distance with three digits.
pub(crate) fn distance(distance: f64) -> String {
    let text = format!("{distance:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A p-value, as papers print it.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// The part of a name behind its package.
pub(crate) fn simple_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The day of a number of seconds since 1970, UTC: `2026-11-18`. By the algorithm of Howard Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms", with years that begin in March.
pub(crate) fn day(seconds_since_1970: u64) -> String {
    let days = seconds_since_1970 / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Where a test sees the exception, behind "the exception".
pub(crate) fn degree(name: &str) -> &str {
    match name {
        "escapes" => "leaves the test",
        "cause" => "is the cause of the one that leaves",
        "caught" => "is caught by the program",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_times_in_words() {
        let counts: Vec<String> = [0, 999, 1_000, 1_234_567].into_iter().map(count).collect();
        assert_eq!(counts, ["0", "999", "1,000", "1,234,567"]);
        let times: Vec<String> = [0.421, 12.34, 200.5, f64::NAN].into_iter().map(seconds).collect();
        assert_eq!(times, ["0.42 s", "12.3 s", "3 min 20 s", "–"]);
        assert_eq!(
            (distance(2.0), distance(0.5), distance(1.0 / 3.0)),
            ("2".into(), "0.5".into(), "0.333".into())
        );
    }

    #[test]
    fn days_of_the_calendar() {
        let days: Vec<String> = [0, 951_782_400, 951_868_800, 1_795_000_000].into_iter().map(day).collect();
        assert_eq!(days, ["1970-01-01", "2000-02-29", "2000-03-01", "2026-11-18"]);
    }
}
