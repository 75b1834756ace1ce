#!/usr/bin/env python3
"""Random data sets and the figures that SciPy and R give for them: cases.csv and intervals.csv.

Needs SciPy, scikit-posthocs and R with its package boot:
    python3 generate.py && cargo test -p crashback-campaign --test statistics

A line of cases.csv is one data set: a table of successes and runs, two samples, and blocks of values.
Lists are separated by blanks, blocks by slashes. A line of intervals.csv is an estimate with its resampled
estimates.
"""

import csv
import random
import subprocess
import tempfile
import warnings
from pathlib import Path

import numpy
import scikit_posthocs
from scipy import stats

CASES = 1000
INTERVALS = 60
HERE = Path(__file__).parent
EXACT_BELOW = 50


def table(rng):
    """Successes and runs of two configurations."""
    most = rng.choice([5, 10, 30, 30, 200, 5000])
    runs = [rng.randint(1, most), rng.randint(1, most)]
    rate = rng.random()

    def succeeds():
        return rng.random() < min(1, max(0, rate + rng.gauss(0, 0.2)))

    successes = [sum(succeeds() for _ in range(it)) for it in runs]
    return successes[0], runs[0], successes[1], runs[1]


def samples(rng):
    """Two samples: small or large, with and without ties."""
    sizes = [rng.randint(1, 14), rng.randint(1, 14)]
    if rng.random() < 0.04:
        sizes = [rng.randint(50, 70), rng.randint(3, 70)]
    highest = rng.choice([3, 20, 9999])
    shift = rng.choice([0, 0, highest // 4, highest])
    if highest == 9999 and rng.random() < 0.7:
        values = rng.sample(range(highest), sum(sizes))
        return sorted_pair(values[: sizes[0]], [it + shift * 10000 for it in values[sizes[0] :]])
    return sorted_pair(
        [rng.randint(0, highest) for _ in range(sizes[0])],
        [rng.randint(0, highest) + shift for _ in range(sizes[1])],
    )


def sorted_pair(a, b):
    """Order says nothing here, and neighbours that look alike are small when they are compressed."""
    return sorted(a), sorted(b)


def blocks(rng):
    """Values of several configurations in several blocks. SciPy wants three configurations at least."""
    groups, count = rng.randint(3, 6), rng.randint(2, 9)
    highest = rng.choice([2, 9, 99])
    better = [rng.choice([0, 0, 0, highest // 2]) for _ in range(groups)]
    rows = [[rng.randint(0, highest) + it for it in better] for _ in range(count)]
    return rows if any(len(set(row)) > 1 for row in rows) else blocks(rng)


def odds_ratio(a, n, b, m):
    """SciPy's sample odds ratio of the table with 0.5 added to each cell."""
    cells = 2 * numpy.array([[a, n - a], [b, m - b]]) + 1
    return stats.contingency.odds_ratio(cells, kind="sample").statistic


def rank_sum(a, b):
    if len(set(a + b)) == 1:
        return len(a) * len(b) / 2, 1.0
    exact = len(set(a + b)) == len(a + b) and max(len(a), len(b)) < EXACT_BELOW
    result = stats.mannwhitneyu(a, b, method="exact" if exact else "asymptotic")
    return result.statistic, result.pvalue


def by_scipy(case):
    a, n, b, m = case["table"]
    fisher = stats.fisher_exact([[a, n - a], [b, m - b]]).pvalue
    u, p = rank_sum(*case["samples"])
    friedman = stats.friedmanchisquare(*zip(*case["blocks"]))
    nemenyi = scikit_posthocs.posthoc_nemenyi_friedman(numpy.array(case["blocks"])).to_numpy()
    a12 = u / len(case["samples"][0]) / len(case["samples"][1])
    figures = [odds_ratio(a, n, b, m), fisher, u, p, a12, friedman.statistic, friedman.pvalue]
    return figures + [nemenyi[0][1], nemenyi[0][-1]]


def words(values):
    return " ".join(str(it) for it in values)


def fields(case):
    return [words(case["table"]), *map(words, case["samples"]), "/".join(map(words, case["blocks"]))]


def by_r(script, rows):
    """Runs an R script on lines of fields and reads lines of figures."""
    with tempfile.TemporaryDirectory() as folder:
        asked, answered = Path(folder, "asked"), Path(folder, "answered")
        asked.write_text("".join(";".join(row) + "\n" for row in rows))
        subprocess.run(["Rscript", "--vanilla", HERE / script, asked, answered], check=True)
        return [line.split() for line in answered.read_text().splitlines()]


def short(number):
    """Twelve digits: a thousand times finer than the tests look."""
    return f"{float(number):.12g}"


def write(name, header, rows):
    with open(HERE / name, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def main():
    warnings.simplefilter("ignore")
    rng = random.Random(15)
    cases = [{"table": table(rng), "samples": samples(rng), "blocks": blocks(rng)} for _ in range(CASES)]
    rows = [fields(case) for case in cases]
    scipy = [words(map(short, by_scipy(case))) for case in cases]
    r = [words(map(short, it)) for it in by_r("cases.R", rows)]
    assert len(r) == CASES, "R answered all"
    lines = [[*row, *figures] for row, *figures in zip(rows, scipy, r)]
    write("cases.csv", ["table", "a", "b", "blocks", "scipy", "r"], lines)

    rows = []
    for _ in range(INTERVALS):
        count = rng.choice([1, 7, 39, 99, 150])
        values = [rng.choice([rng.randint(0, 99), rng.randint(0, 9) / 2]) for _ in range(count)]
        rows.append([str(rng.randint(0, 60)), words(values)])
    r = [words(map(short, it)) for it in by_r("intervals.R", rows)]
    write("intervals.csv", ["estimate", "resampled", "r"], [[*row, it] for row, it in zip(rows, r)])


if __name__ == "__main__":
    main()
