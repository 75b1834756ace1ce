use crashback_campaign::Summary;

/// Two configurations side by side, over the crashes that both ran.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// The first configuration.
    pub left: String,
    /// The second configuration.
    pub right: String,
    /// One row for each measure.
    pub rows: Vec<ComparisonRow>,
    /// Crashes that the first reproduces in most runs and the second does not.
    pub only_left: Vec<String>,
    /// Crashes that the second reproduces in most runs and the first does not.
    pub only_right: Vec<String>,
}

/// One measure of two configurations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComparisonRow {
    /// The measure in words.
    pub measure: String,
    /// Its value for the first configuration.
    pub left: String,
    /// Its value for the second configuration.
    pub right: String,
    /// How far apart they are.
    pub effect: Option<Effect>,
    /// The probability of such a difference, or a larger one, by chance alone.
    pub p_value: Option<f64>,
}

/// The size of a difference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effect {
    /// Its name: `odds ratio`, `Â12`.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Its magnitude in a word, where there are words for it.
    pub magnitude: Option<String>,
}

impl Comparison {
    /// All pairs of configurations, by counts alone and without statistics.
    pub fn by_counts(summaries: &[Summary]) -> Vec<Self> {
        let lefts = summaries.iter().enumerate();
        lefts
            .flat_map(|(index, left)| summaries.iter().skip(index + 1).map(move |right| counted(left, right)))
            .collect()
    }
}

fn counted(left: &Summary, right: &Summary) -> Comparison {
    let row = |measure: &str, count: &dyn Fn(&Summary) -> String| ComparisonRow {
        measure: measure.to_owned(),
        left: count(left),
        right: count(right),
        ..ComparisonRow::default()
    };
    let runs = |it: &Summary| it.crashes.iter().map(|it| it.runs).sum::<usize>();
    let reproduced = |it: &Summary| it.crashes.iter().map(|it| it.reproduced).sum::<usize>();
    let rows = vec![
        row("Crashes reproduced in most runs", &|it| it.reproduced_in_most().to_string()),
        row("Crashes reproduced at least once", &|it| it.reproduced_once().to_string()),
        row("Runs that reproduced", &|it| format!("{} of {}", reproduced(it), runs(it))),
        row("Median time", &|it| it.median_seconds().map_or_else(|| "–".to_owned(), crate::words::seconds)),
    ];
    Comparison {
        left: left.configuration.clone(),
        right: right.configuration.clone(),
        rows,
        only_left: only(left, right),
        only_right: only(right, left),
    }
}

/// Crashes of both that only the first reproduces in most runs.
fn only(one: &Summary, other: &Summary) -> Vec<String> {
    let fails = |name: &str| other.crashes.iter().any(|it| it.crash == name && !it.is_reproduced_in_most());
    let mine = one.crashes.iter().filter(|it| it.is_reproduced_in_most() && fails(&it.crash));
    mine.map(|it| it.crash.clone()).collect()
}
