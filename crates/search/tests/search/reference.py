"""Prints the hypervolumes of another implementation, pymoo, for `fronts_of_problems.rs`.

Run once with pymoo 0.6.2 (`pip install pymoo==0.6.2`). Operators, parameters and budgets are those of the
test: simulated binary crossover (index 15, each variable with probability 0.5), polynomial mutation (index 20,
each variable with probability 1/n), 20,000 individuals. A figure is the median over 5 seeds.
"""

import statistics

from pymoo.algorithms.moo.moead import MOEAD
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.algorithms.moo.spea2 import SPEA2
from pymoo.decomposition.pbi import PBI
from pymoo.decomposition.tchebicheff import Tchebicheff
from pymoo.decomposition.weighted_sum import WeightedSum
from pymoo.indicators.hv import HV
from pymoo.operators.crossover.sbx import SBX
from pymoo.operators.mutation.pm import PM
from pymoo.optimize import minimize
from pymoo.problems import get_problem
from pymoo.util.ref_dirs import get_reference_directions

BUDGET = 20_000
SEEDS = range(1, 6)

PROBLEMS = {
    "zdt1": (get_problem("zdt1"), 99),
    "zdt2": (get_problem("zdt2"), 99),
    "zdt3": (get_problem("zdt3"), 99),
    "dtlz2": (get_problem("dtlz2", n_var=12, n_obj=3), 12),
}


def operators(crossover):
    return {
        "crossover": SBX(prob=crossover, eta=15, prob_var=0.5),
        "mutation": PM(prob=1.0, eta=20),
    }


def decomposed(decomposition):
    def make(objectives, divisions):
        directions = get_reference_directions("uniform", objectives, n_partitions=divisions)
        return MOEAD(
            directions,
            n_neighbors=20,
            decomposition=decomposition,
            prob_neighbor_mating=1.0,
            **operators(1.0),
        )

    return make


EVERY = ["zdt1", "zdt2", "zdt3", "dtlz2"]

# A sum of weighted objectives finds nothing in hollows; boundary intersection is made for three objectives.
ALGORITHMS = {
    "nsga-ii": (lambda *_: NSGA2(pop_size=100, **operators(0.9)), EVERY),
    "spea2": (lambda *_: SPEA2(pop_size=100, **operators(0.9)), EVERY),
    "moead, tchebycheff": (decomposed(Tchebicheff()), EVERY),
    "moead, boundary intersection": (decomposed(PBI(theta=5)), ["dtlz2"]),
    "moead, weighted sum": (decomposed(WeightedSum()), ["zdt1"]),
}


def hypervolume(problem, algorithm, seed):
    result = minimize(problem, algorithm, ("n_eval", BUDGET), seed=seed)
    # The whole population: some of its members may be dominated.
    return HV(ref_point=[1.1] * problem.n_obj)(result.pop.get("F"))


if __name__ == "__main__":
    for name, (make, titles) in ALGORITHMS.items():
        for title in titles:
            problem, divisions = PROBLEMS[title]
            found = [hypervolume(problem, make(problem.n_obj, divisions), seed) for seed in SEEDS]
            median, least, most = statistics.median(found), min(found), max(found)
            print(f"{name}, {title}: {median:.4f} (from {least:.4f} to {most:.4f})", flush=True)
