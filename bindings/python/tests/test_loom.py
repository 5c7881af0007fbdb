# SPDX-License-Identifier: MIT
"""What the Python module does, and what it does with what is wrong."""

import os
import runpy
import signal
import threading

import numpy as np
import pytest

import loom


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    made = loom.Library(str(tmp_path_factory.mktemp("loom") / "moves.loom"), "create")
    made.add(loom.samples(["walk", "idle", "start", "stop"]))
    return made


@pytest.fixture(scope="module")
def graph(library):
    return library.build_graph("main")


def test_arrays_are_the_clips_own_memory():
    clip = loom.sample("walk-normal-1")
    roots = clip.roots
    assert roots.dtype == np.float32 and roots.shape == (len(clip), 3)
    before = clip.positions()
    roots[:, 0] += 1
    assert np.allclose(clip.positions()[..., 0], before[..., 0] + 1, atol=1e-5)
    assert np.shares_memory(clip.roots, roots)
    kept = clip.rotations
    del clip
    assert abs(np.linalg.norm(kept[3, 4]) - 1) < 1e-4  # the memory lives as long as the array


def test_positions_are_those_of_a_slow_version():
    clip = loom.sample("walk-normal-1")
    parents, offsets = clip.skeleton.parents, clip.skeleton.offsets

    def turn(q, v):
        u, t = q[1:], 2 * np.cross(q[1:], v)
        return v + q[0] * t + np.cross(u, t)

    def product(a, b):
        return np.concatenate([[a[0] * b[0] - a[1:] @ b[1:]], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])

    frame = 17
    at, world = [clip.roots[frame]], [clip.rotations[frame, 0]]
    for j in range(1, len(clip.skeleton)):
        p = parents[j]
        at.append(at[p] + turn(world[p], offsets[j]))
        world.append(product(world[p], clip.rotations[frame, j]))
    assert np.allclose(clip.positions()[frame, : len(at)], at, atol=1e-5)


def test_a_clip_made_of_arrays_comes_back_from_a_file(tmp_path):
    clip = loom.sample("walk-normal-1")
    made = loom.Clip(clip.skeleton, 60, clip.roots, clip.rotations, name="mine", labels=[loom.Label("walk", 0, 10)])
    for ending in ("bvh", "glb"):
        path = str(tmp_path / f"mine.{ending}")
        loom.write(path, made)
        (back,) = loom.read(path)
        assert len(back) == len(made)
        assert np.allclose(back.positions()[:, :20], made.positions()[:, :20], atol=2e-3)


@pytest.mark.parametrize(
    "roots, rotations",
    [((5, 2), (5, 2, 4)), ((5, 3), (4, 2, 4)), ((5, 3), (5, 3, 4)), ((5, 3), (5, 2, 3)), ((15,), (5, 2, 4))],
)
def test_arrays_of_another_shape_are_refused(roots, rotations):
    arm = loom.Skeleton(["a", "b"], [-1, 0], np.zeros((2, 3)))
    with pytest.raises(ValueError, match="shape"):
        loom.Clip(arm, 30, np.zeros(roots), np.ones(rotations))


def test_numbers_that_are_no_motion_are_refused():
    arm = loom.Skeleton(["a", "b"], [-1, 0], np.zeros((2, 3)))
    with pytest.raises(loom.Error) as raised:
        loom.Clip(arm, 30, np.zeros((5, 3)), np.zeros((5, 2, 4)))
    assert raised.value.kind == "bad_input"
    with pytest.raises(TypeError):
        loom.Clip(arm, 30, "words", np.ones((5, 2, 4)))
    clip = loom.sample("idle-1")
    clip.rotations[3] = np.nan  # after it was checked
    with pytest.raises(loom.Error):
        loom.measure(clip)
    with pytest.raises(loom.Error):
        loom.Skeleton(["a", "b"], [-1, 7], np.zeros((2, 3)))


def test_errors_have_kind_file_and_line(tmp_path):
    path = tmp_path / "bad.bvh"
    path.write_text("HIERARCHY\nROOT Hips\n{\n  OFFSET 0 zero 0\n")
    with pytest.raises(loom.Error) as raised:
        loom.read(str(path))
    assert raised.value.kind == "bad_input"
    assert raised.value.file == str(path) and raised.value.line == 4
    with pytest.raises(loom.Error) as raised:
        loom.Library(str(tmp_path / "none.loom"))
    assert raised.value.kind == "not_found" and raised.value.line is None


def test_distances_and_warps():
    a, b = loom.sample("walk-normal-1"), loom.sample("walk-normal-1").resample(30)
    for metric in ("pointcloud", "joints"):
        matrix = loom.distances(b, b, metric)
        assert matrix.shape == (len(b), len(b))
        assert np.allclose(matrix, matrix.T, atol=1e-4)
    cells, cost = loom.warp(loom.distances(b, b))
    assert (cells[:, 0] == cells[:, 1]).all() and cost < 1e-6
    with pytest.raises(ValueError):
        loom.distances(a, a, "other")
    with pytest.raises(ValueError):
        loom.warp(np.zeros(4))


def test_a_library_keeps_clips_and_labels(library):
    assert "idle-1" in library and len(library) == len(library.names)
    clip = library["idle-1"].copy()
    clip.name = "mine"
    library.add([clip])
    library.label("mine", "rest", 2, 9)
    assert loom.Label("rest", 2, 9) in library["mine"].labels
    assert "rest" in library.labels()
    assert library.unlabel("mine", "rest") == 1
    library.remove("mine")
    with pytest.raises(loom.Error) as raised:
        library["mine"]
    assert raised.value.kind == "not_found"


def test_a_graph_as_arrays_and_back(library, graph):
    edges, nodes = graph.edges(), graph.nodes()
    assert len(nodes["clip"]) == graph.node_count
    assert len(edges["from"]) == len(edges["to"]) == len(edges["cost"])
    assert (~edges["recorded"]).sum() == graph.transition_count
    networkx = pytest.importorskip("networkx")
    made = loom.to_networkx(graph)
    assert networkx.is_strongly_connected(made)
    again = loom.from_networkx(made, library.gather())
    there = loom.to_networkx(again)
    key = lambda g: {
        ((g.nodes[a]["clip"], g.nodes[a]["frame"]), (g.nodes[b]["clip"], g.nodes[b]["frame"])) for a, b in g.edges()
    }
    assert key(made) <= key(there)  # every way is still there


def test_a_walk_is_a_clip(graph):
    a, b = graph.walk(5, seed=3), graph.walk(5, seed=3)
    assert abs(a.duration - 5) < 0.1 and (a.roots == b.roots).all()
    assert loom.measure(a)["foot_slide_mean_mps"] < 0.2


def test_your_own_metric(library):
    motion = library.gather(["walk"])
    at = np.concatenate([c.positions()[:, :10].reshape(len(c), -1) for c in motion.clips])
    rng = np.random.default_rng(1)
    pairs = rng.integers(0, len(at), (4000, 2))
    pairs = pairs[np.abs(pairs[:, 0] - pairs[:, 1]) > 12]
    far = np.linalg.norm(at[pairs[:, 0]] - at[pairs[:, 1]], axis=1)
    made = loom.graph_of_pairs(motion, pairs, far, connect=0.5)
    assert made.node_count > 0.4 * motion.frames
    with pytest.raises(ValueError):
        loom.graph_of_pairs(motion, pairs, far[:-1])
    with pytest.raises(ValueError):
        loom.graph_of_pairs(motion, np.array([[0, 10**9]]), np.zeros(1))


def test_blends(tmp_path):
    library = loom.Library(str(tmp_path / "reach.loom"), "create")
    library.add(loom.samples(["reach"]))
    family = library.build_family("reach", "reach")
    middle = family["examples"][3]
    made = library.blend("reach", middle)
    assert abs(made["weights"].sum() - 1) < 1e-3
    assert np.allclose(made["reached"], middle, atol=0.05)
    assert len(made["clip"]) > 10


def test_a_character_is_a_stream(library, tmp_path):
    packed = loom.pack_matching(library)
    hero = packed.character()
    hero.control(velocity=(0, 1.2))
    for _, (root, rotations) in zip(range(240), hero):
        assert rotations.shape == (len(hero.skeleton), 4)
    assert np.hypot(hero.place[0], hero.place[1]) > 1
    assert any(kind == "foot_down" for kind, _, _ in hero.events())
    path = str(tmp_path / "hero.loomrt")
    packed.save(path)
    again = loom.open(path).character()
    again.control(velocity=(0, 1.2))
    clip = again.record(4)
    assert np.allclose(clip.roots[-1], root, atol=1e-4)
    with pytest.raises(ValueError):
        hero.control(behavior="fly")
    with pytest.raises(ValueError):
        hero.advance(-1)
    with pytest.raises(loom.Error) as raised:
        loom.load(packed.to_bytes()[:-100])
    assert raised.value.kind == "damaged"
    with pytest.raises(loom.Error) as raised:
        loom.load(b"no package")
    assert raised.value.kind == "bad_input"


def test_a_plan_goes_where_it_should(graph):
    world = "world w\nground -10 -10 10 10\n"
    clip = graph.plan(world, (0, 0), (0, 3), seconds=120, bound=5)
    assert np.allclose(clip.roots[-1, [0, 2]], (0, 3), atol=0.3)
    with pytest.raises(loom.Error) as raised:
        graph.plan("world w\nrubbish\n", (0, 0), (1, 1))
    assert raised.value.line == 2


def test_progress_is_told_and_what_it_raises_comes_out(library):
    shares = []
    library.build_graph("told", progress=lambda share, what: shares.append(share))
    assert shares and all(0 <= s <= 1 for s in shares)
    before = set(library.artefacts())

    class Mine(Exception):
        pass

    def fail(share, what):
        raise Mine()

    with pytest.raises(Mine):
        library.build_graph("never", progress=fail)
    with pytest.raises(loom.Error) as raised:
        library.build_graph("never", progress=lambda share, what: False)
    assert raised.value.kind == "stopped"
    assert set(library.artefacts()) == before


def test_control_c_stops_long_work(graph):
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        graph.walk(80000)
    timer.join()


def test_a_clip_shows_itself():
    page = loom.sample("idle-1")._repr_html_()
    assert page.startswith("<iframe") and len(page) > 100000


def test_the_stubs_say_what_there_is():
    import ast

    tree = ast.parse(open(os.path.join(os.path.dirname(loom.__file__), "__init__.pyi")).read())
    told = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert told == set(loom.__all__)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            own = getattr(loom, node.name)
            for one in node.body:
                name = one.name if isinstance(one, ast.FunctionDef) else one.target.id if isinstance(one, ast.AnnAssign) else None
                if name and node.name != "Error":
                    assert hasattr(own, name), f"{node.name}.{name}"


def documented():
    import inspect

    for name, one in vars(loom._loom).items():
        if one.__doc__ and ">>>" in one.__doc__ and (inspect.isclass(one) or inspect.isroutine(one)):
            yield name


@pytest.mark.parametrize("name", documented())
def test_examples_in_docstrings(name):
    import doctest

    text = getattr(loom._loom, name).__doc__
    example = doctest.DocTestParser().get_doctest(text, {"loom": loom}, name, None, 0)
    assert example.examples
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(example)
    assert runner.failures == 0


@pytest.mark.parametrize("name", ["first_steps", "distances_of_walks", "own_metric"])
def test_the_notebooks_run(name, capsys):
    runpy.run_path(os.path.join(os.environ["LOOM_DOCS"], "python", name + ".py"), run_name="__main__")
    assert capsys.readouterr().out
