"""The life of a run is what `runs/states.py` draws, and nothing else."""

import ast
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import pytest

import bailiwick.runs
from bailiwick.runs import states

SOURCES = Path(bailiwick.runs.__file__).parent


@pytest.mark.req("RUN-02")
@pytest.mark.parametrize(("before", "after"), [*product(get_args(states.RunStatus), repeat=2)])
def test_a_run_goes_only_where_an_arrow_leads(before: Any, after: Any):
    run: Any = SimpleNamespace(id="run-1", status=before)
    if after in states.TRANSITIONS[before]:
        states.move(run, after)
        assert run.status == after
    else:
        with pytest.raises(states.ImpossibleTransition, match=f"{before} .* {after}"):
            states.move(run, after)
        assert run.status == before


def test_what_is_over_is_not_alive_and_what_was_cancelled_stays_so():
    assert {*states.LIVE, *states.OVER} == {*get_args(states.RunStatus)}
    assert states.TRANSITIONS["cancelled"] == ()


def test_nothing_else_assigns_the_status_of_a_run():
    assigned = [
        f"{path.name}:{node.lineno}"
        for path in SOURCES.rglob("*.py")
        if path.name != "states.py"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr == "status"
        and isinstance(node.ctx, ast.Store)
        and (ast.unparse(node.value).endswith("run") or ast.unparse(node.value) == "held")
    ]
    assert assigned == []
