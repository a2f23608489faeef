"""Vectors of meaning: what is alike, what is not, and texts that are hardly texts."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bailiwick.llm.vectors import DIMENSIONS, embed, likeness


@pytest.mark.req("MEM-01")
def test_texts_that_say_alike_things_are_more_alike_than_others():
    texts = ["A physician gave the patient a drug", "The train to Vienna leaves at noon"]

    drug, train = likeness("The doctor prescribed some medicine", texts)

    assert drug > train + 0.3
    assert likeness(texts[0], [texts[0]])[0] == pytest.approx(1, abs=1e-5)


def test_every_vector_has_length_one_and_the_same_width():
    vectors = embed(["one", "two words", "a somewhat longer sentence with a comma, and an end."])

    assert vectors.shape == (3, DIMENSIONS)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)


def test_no_texts_make_no_vectors_and_an_empty_text_is_like_nothing():
    assert embed([]).shape == (0, DIMENSIONS)
    assert likeness("anything", []) == []
    assert not embed([""]).any()
    assert likeness("", ["anything"]) == [0]


@given(st.lists(st.text(alphabet=st.characters(codec=None)), max_size=4))
@settings(max_examples=40)
def test_any_text_has_a_vector_of_finite_numbers(texts: list[str]):
    vectors = embed(texts)

    assert vectors.shape == (len(texts), DIMENSIONS)
    assert np.isfinite(vectors).all()


def test_the_neighbours_in_a_batch_do_not_change_a_vector():
    alone = embed(["The boat leaves at nine"])[0]

    among = embed(["x", "The boat leaves at nine", "A much longer neighbour, " * 40])[1]

    assert among == pytest.approx(alone, abs=1e-5)


def test_many_threads_may_ask_at_once():
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: embed(["the same words"]), range(32)))

    assert all((each == made[0]).all() for each in made)


def test_importing_it_reads_no_weights():
    code = (
        "import sys, bailiwick.llm.vectors;"
        "sys.exit(any(name in sys.modules for name in ('numpy', 'wordllama')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_using_it_leaves_the_logging_of_the_process_alone():
    code = (
        "import logging, sys; from bailiwick.llm.vectors import embed; embed(['a']);"
        "root = logging.getLogger(); sys.exit(bool(root.handlers) or root.level != logging.WARNING)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
