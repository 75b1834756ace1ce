//! Figures of SciPy and R for a thousand random data sets; `generate.py` made them.

use crashback_campaign::statistics::{
    Method, Proportion, a12, basic_interval, fisher_exact, friedman, odds_ratio, rank_sum,
};

/// The order of the figures in a line.
const NAMES: [&str; 9] = [
    "odds ratio",
    "Fisher's p",
    "U",
    "Wilcoxon's p",
    "A12",
    "Friedman's statistic",
    "Friedman's p",
    "Nemenyi's p of the first two",
    "Nemenyi's p of the first and the last",
];
/// The figures have twelve digits.
const TOLERANCE: f64 = 1e-9;

fn numbers<T: std::str::FromStr>(text: &str) -> Vec<T> {
    text.split_whitespace().map(|it| it.parse().ok().expect("a number")).collect()
}

fn lines(file: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(file.as_bytes());
    reader.records().map(|it| it.expect("a line").iter().map(str::to_owned).collect()).collect()
}

/// Our figures for a data set, and whether the rank-sum test was exact.
fn ours(line: &[String]) -> ([f64; 9], Method) {
    let table: Vec<usize> = numbers(&line[0]);
    let (left, right) = (Proportion::new(table[0], table[1]), Proportion::new(table[2], table[3]));
    let (a, b): (Vec<f64>, Vec<f64>) = (numbers(&line[1]), numbers(&line[2]));
    let test = rank_sum(&a, &b).expect("values");
    let blocks: Vec<Vec<f64>> = line[3].split('/').map(numbers).collect();
    let ranking = friedman(&blocks).expect("blocks");
    let last = ranking.mean_ranks.len() - 1;
    let figures = [
        odds_ratio(left, right),
        fisher_exact(left, right),
        test.u,
        test.p,
        a12(&a, &b).expect("values"),
        ranking.statistic,
        ranking.p,
        ranking.nemenyi(0, 1).expect("a pair"),
        ranking.nemenyi(0, last).expect("a pair"),
    ];
    (figures, test.method)
}

#[test]
fn a_thousand_data_sets_give_the_figures_of_scipy_and_r() {
    let cases = lines(include_str!("cases.csv"));
    assert_eq!(cases.len(), 1000);
    let mut exact = 0;
    for (number, line) in (2..).zip(&cases) {
        let (ours, method) = ours(line);
        exact += usize::from(method == Method::Exact);
        for (system, theirs) in [("SciPy", &line[4]), ("R", &line[5])] {
            let theirs: Vec<f64> = numbers(theirs);
            assert_eq!(theirs.len(), NAMES.len());
            for ((name, ours), theirs) in NAMES.iter().zip(ours).zip(theirs) {
                // Of the figure's size, where that is above 1; absolute below.
                let difference = (ours - theirs).abs() / theirs.abs().max(1.0);
                assert!(difference <= TOLERANCE, "line {number}, {name}: {ours} is not {theirs} of {system}");
            }
        }
    }
    assert!((100..900).contains(&exact), "both kinds of rank-sum tests are looked at: {exact}");
}

#[test]
fn small_p_values_agree_in_their_digits() {
    let mut small = 0;
    for (number, line) in (2..).zip(lines(include_str!("cases.csv"))) {
        let (ours, _) = ours(&line);
        let theirs: Vec<f64> = numbers(&line[4]);
        // Nemenyi's are left out: SciPy and R integrate them to an absolute precision.
        for (position, name) in [(1, NAMES[1]), (3, NAMES[3]), (6, NAMES[6])] {
            let (ours, theirs) = (ours[position], theirs[position]);
            small += usize::from(theirs < 1e-6);
            assert!(
                (ours - theirs).abs() <= TOLERANCE * theirs.abs(),
                "line {number}, {name}: {ours:e} is not {theirs:e}"
            );
        }
    }
    assert!(small > 20, "{small}");
}

#[test]
fn basic_intervals_are_those_of_r() {
    let cases = lines(include_str!("intervals.csv"));
    assert_eq!(cases.len(), 60);
    for (number, line) in (2..).zip(cases) {
        let estimate: f64 = line[0].parse().expect("a number");
        let interval = basic_interval(estimate, numbers(&line[1]), 0.95).expect("resamples");
        let theirs: Vec<f64> = numbers(&line[2]);
        for (ours, theirs) in [interval.low, interval.high].into_iter().zip(theirs) {
            assert!(
                (ours - theirs).abs() <= TOLERANCE * theirs.abs().max(1.0),
                "line {number}: {ours} is not {theirs}"
            );
        }
    }
}
