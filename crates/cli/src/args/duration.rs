use std::time::Duration;

/// Reads a span of time: numbers with units (`500ms`, `20s`, `2m`, `1h`), several in a row
/// (`1m30s`), or a plain number of seconds.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no span of time; write `20s`, `2m`, `1m30s` or `500ms`");
    let mut total = Duration::ZERO;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let digits = rest.find(|it: char| !it.is_ascii_digit() && it != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at_checked(digits).ok_or_else(wrong)?;
        let letters = after.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, next) = after.split_at_checked(letters).ok_or_else(wrong)?;
        let scale = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "" if number.len() == text.trim().len() => 1.0,
            _ => return Err(wrong()),
        };
        let number: f64 = number.parse().map_err(|_| wrong())?;
        let part = Duration::try_from_secs_f64(number * scale).map_err(|_| wrong())?;
        total = total.checked_add(part).ok_or_else(wrong)?;
        rest = next;
    }
    let a_year = Duration::from_secs(365 * 24 * 3600);
    match total {
        Duration::ZERO => Err(wrong()),
        total if total > a_year => Err(format!("`{text}` is more than a year")),
        total => Ok(total),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, milliseconds: u64) {
        assert_eq!(parse(text), Ok(Duration::from_millis(milliseconds)), "{text}");
    }

    #[test]
    fn numbers_with_units_add_up() {
        check("20s", 20_000);
        check("20", 20_000);
        check("500ms", 500);
        check("1.5s", 1_500);
        check("2m", 120_000);
        check("1m30s", 90_000);
        check(" 1h ", 3_600_000);
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in
            ["", "0", "0s", "s", "-1s", "20 s", "20x", "1m30", "9e9s", "1..2s", "99999999h", "∞", "20s é"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
