//! The files that the JVM with the tests writes. Tests could write to them, too: nothing in them is trusted.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// The most bytes that are read of a file.
const LARGEST: u64 = 64 << 20;

/// A step of the JVM. Tests have the numbers that they were given in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The JVM has started.
    Ready,
    /// A test begins.
    Begin(usize),
    /// A test has ended: how many tests ran, of these failed, of these were forbidden.
    End(usize, [u64; 3]),
    /// A test could not be run, and why.
    Unusable(usize, String),
}

/// The steps so far. A line that is being written does not count.
pub(super) fn steps(file: &Path) -> Vec<Step> {
    let text = read(file);
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().filter_map(step).collect()
}

fn step(line: &str) -> Option<Step> {
    let parts: Vec<&str> = line.split('\t').collect();
    match parts.as_slice() {
        ["ready"] => Some(Step::Ready),
        ["begin", number] => Some(Step::Begin(number.parse().ok()?)),
        ["end", number, run, failed, forbidden] => {
            let counts = [run.parse().ok()?, failed.parse().ok()?, forbidden.parse().ok()?];
            Some(Step::End(number.parse().ok()?, counts))
        }
        ["unusable", number, words @ ..] => Some(Step::Unusable(number.parse().ok()?, words.join(" "))),
        _ => None,
    }
}

/// Sequences of calls: how often each was seen, the class of the object, the numbers of the methods.
pub(super) fn sequences(file: &Path) -> Vec<(u64, String, Vec<u32>)> {
    read(file).lines().filter_map(sequence).collect()
}

fn sequence(line: &str) -> Option<(u64, String, Vec<u32>)> {
    let mut parts = line.split('\t');
    let (count, class) = (parts.next()?.parse().ok()?, parts.next()?.to_owned());
    let numbers: Result<Vec<u32>, _> = parts.map(str::parse).collect();
    Some((count, class, numbers.ok()?))
}

fn read(file: &Path) -> String {
    let mut bytes = Vec::new();
    // A file that cannot be read to its end counts as far as it was read.
    let _ = File::open(file).map(|it| it.take(LARGEST).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_count() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("progress");
        let text = "ready\nbegin\t0\nend\t0\t3\t2\t1\nnonsense\nbegin\tx\nunusable\t1\tno\tclass\nbegin\t12";
        std::fs::write(&file, text).unwrap();
        let expected =
            [Step::Ready, Step::Begin(0), Step::End(0, [3, 2, 1]), Step::Unusable(1, "no class".to_owned())];
        assert_eq!(steps(&file), expected);
        assert_eq!(steps(&folder.path().join("none")), []);
    }

    #[test]
    fn sequences_with_other_things_in_them_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("calls");
        std::fs::write(&file, "2\ta.B\t1\t4\n\n-1\ta.B\t1\n1\ta.B\tx\n1\ta.C\n").unwrap();
        let expected = [(2, "a.B".to_owned(), vec![1, 4]), (1, "a.C".to_owned(), vec![])];
        assert_eq!(sequences(&file), expected);
    }
}
