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


@pytest.fixture(scope="module")
def fragments(library):
    return library.cut_fragments("moves", labels=["walk", "idle"])


def test_fragments_are_arrays_of_what_motion_does(library, fragments):
    assert len(fragments["clip"]) == len(fragments["frame"]) == len(fragments["evident"]) == len(fragments["flags"])
    assert fragments["evident"][:, 1].max() > 0.8  # some walk ahead
    again = library.fragments("moves")
    assert (again["evident"] == fragments["evident"]).all() and again["clips"] == fragments["clips"]
    # What a fragment evidently does is how the body moves, here reckoned from the hips of an even walk.
    f = np.argmax(fragments["evident"][:, 1])
    clip = library[fragments["clips"][fragments["clip"][f]]].resample(fragments["rate"])
    frame, frames = fragments["frame"][f], int(round(fragments["seconds"] * fragments["rate"]))
    step = clip.roots[frame + frames] - clip.roots[frame]
    assert abs(np.hypot(step[0], step[2]) / fragments["seconds"] - np.hypot(*fragments["evident"][f, :2])) < 0.4


def test_a_policy_is_trained_and_played(library, fragments, tmp_path):
    traces = loom.simulate_players(2, 30)
    shares = []
    told = library.train_policy("moves", "moves", traces, bins=12, progress=lambda share, what: shares.append(share))
    assert told["converged"] and shares
    assert told["next"].shape == (len(told["bins"]), len(fragments["clip"]))
    assert told["next"].max() < len(fragments["clip"])
    assert (library.policy("moves")["next"] == told["next"]).all()
    hero = loom.pack_policy(library, "moves").character()
    hero.control(velocity=(0, 1.3))
    for _ in zip(range(240), hero):
        pass
    assert hero.place[1] > 2
    # The best answer for standing stands: following the table by hand for a while comes to a fragment that does.
    still = int(np.argmin(np.abs(told["bins"]).sum(1) + 10 * told["bin_flags"]))
    at = int(np.argmax(fragments["evident"][:, 1]))
    for _ in range(60):
        at = told["next"][still, at]
    assert np.hypot(*fragments["evident"][at, :2]) < 0.4


def test_training_that_was_stopped_goes_on(library, fragments):
    traces = loom.simulate_players(1, 20)
    decided = []

    def until_it_decides(share, what):
        decided.extend([what] * (what == "deciding"))
        return len(decided) < 3

    stopped = library.train_policy("half", "moves", traces, bins=12, progress=until_it_decides)
    assert not stopped["converged"] and not stopped["started_from_earlier"]
    resumed = library.train_policy("half", "moves", traces, bins=12)
    assert resumed["converged"] and resumed["started_from_earlier"]

    class Mine(Exception):
        pass

    def fail(share, what):
        raise Mine()

    with pytest.raises(Mine):
        library.train_policy("never", "moves", traces, bins=12, progress=fail)
    with pytest.raises(Mine):
        library.cut_fragments("never", progress=fail)
    assert ("fragments", "never") not in library.artefacts()


def test_traces_are_checked(library):
    one = loom.Trace([0, 0.5, 1], np.zeros((3, 3)), flags=[0, 1, 0], name="mine")
    library.put_trace("mine", one)
    back = library.trace("mine")
    assert (back.times == one.times).all() and (back.flags == [0, 1, 0]).all()
    for times, signals, flags in [
        ([0, 0], np.zeros((2, 3)), None),
        ([1, 2], np.zeros((2, 3)), None),
        ([0, 1], np.zeros((2, 2)), None),
        ([0, 1], np.full((2, 3), np.nan), None),
        ([0, 1], np.full((2, 3), 1e9), None),
        ([0, 1], np.zeros((2, 3)), [0, 2]),
        ([0, 1], np.zeros((2, 3)), [0]),
        ([], np.zeros((0, 3)), None),
    ]:
        with pytest.raises(ValueError):
            loom.Trace(times, signals, flags)
    with pytest.raises(TypeError):
        loom.Trace("now", np.zeros((2, 3)))
    with pytest.raises(ValueError):
        library.train_policy("p", "moves", controller="psychic")
    with pytest.raises(loom.Error) as raised:
        library.train_policy("p", "none of that name")
    assert raised.value.kind == "not_found"


def test_a_graph_is_steered(library, graph):
    told = library.train_graph_policy("main", headings=8)
    assert told["choice"].shape == (1 + len(told["behaviors"]), 8, graph.node_count)
    packed = loom.pack_graph(library, "main")
    assert packed.kind == "steered graph"
    hero = packed.character()

    def goes(behavior):
        hero.control(velocity=(0, 1.2), behavior=behavior)
        before = hero.place
        for _ in zip(range(300), hero):
            pass
        return np.hypot(hero.place[0] - before[0], hero.place[1] - before[1])

    walking = goes("walk")
    goes("idle")  # takes a while to come to a stand
    assert walking > 2 and goes("idle") < walking / 3


DRAWN = """machine drawn
state walk: walk
state idle: idle
default idle
transition walk -> walk self
transition idle -> idle self
transition idle -> walk
transition walk -> idle
"""


def test_a_machine_is_mined(library, graph):
    told = library.mine_machine("mined", "main", hand=DRAWN)
    assert told["states"] == ["walk", "idle"]
    sums = told["probabilities"].sum(1)
    assert np.allclose(sums[sums > 0], 1)
    assert library.machine("mined")["text"] == told["text"]
    by_label = library.mine_machine("by label", "main")
    assert "walk" in by_label["states"]
    with pytest.raises(loom.Error) as raised:
        library.mine_machine("bad", "main", hand="machine m\nstate a: walk\ntransition a -> b\n")
    assert raised.value.line == 3


def test_a_machine_is_built_played_and_planned_with(library):
    library.put_machine("drawn", DRAWN)
    shares = []
    told = library.build_machine("drawn", progress=lambda share, what: shares.append(share))
    assert [state["name"] for state in told["built"]] == ["walk", "idle"] and shares
    assert all(state["cyclic"] for state in told["built"])
    for before, after, knots, distance in told["transitions"]:
        assert before in told["states"] and after in told["states"] and distance >= 0
        assert knots.shape[1] == 2 and (np.diff(knots, axis=0) >= 0).all()
    hero = loom.pack_machine(library, "drawn").character()
    assert hero.behaviors == ["walk", "idle"]
    hero.control(behavior="walk")
    events = []
    for _ in zip(range(240), hero):
        events += hero.events()
    assert np.hypot(*hero.place[:2]) > 1
    assert ("behavior", "walk") in [event[:2] for event in events]
    clip = library.plan_with_machine("drawn", "world w\nground -10 -10 10 10\n", (0, 0), (0, 3), seconds=60, bound=5)
    assert np.allclose(clip.roots[-1, [0, 2]], (0, 3), atol=0.4)


def test_a_reach_goes_round_what_is_in_the_way(tmp_path):
    library = loom.Library(str(tmp_path / "reach.loom"), "create")
    library.add(loom.samples(["reach"]))
    family = library.build_family("reach", "reach")
    target, empty = family["examples"][0], "world w\nground -5 -5 5 5\n"
    free = library.plan_reach("reach", empty, {"RightHand": target})
    assert free["error"] < 0.01 and free["straight_touches"] == 0
    joint = free["clip"].skeleton.find("RightHand")
    hand = free["clip"].positions()[:, joint]
    assert np.linalg.norm(hand[free["strokes"][0]] - target) < 0.02
    x, y, z = hand[free["strokes"][0] // 2]  # a box where the hand would go
    box = f"box b at {x:.3f} {z:.3f} size 0.06 0.06 from {y - 0.03:.3f} to {y + 0.03:.3f}\n"
    round_it = library.plan_reach("reach", empty + box, {"RightHand": target})
    assert round_it["straight_touches"] > 0 and round_it["error"] < 0.01
    assert np.abs(round_it["clip"].positions()[:, joint] - (x, y, z)).max(1).min() > 0.03
    told = []
    library.plan_reach("reach", empty, {"RightHand": target}, progress=lambda share, what: told.append(share))
    assert told
    with pytest.raises(loom.Error) as stopped:
        library.plan_reach("reach", empty, {"RightHand": target}, progress=lambda share, what: False)
    assert stopped.value.kind == "stopped"
    shown = library.plan_show("reach", empty, {"RightHand": (0, 1.1, 0)}, [(0, 2), (1, 2)])
    assert shown["error"] < 0.01 and shown["steps"] == 0
    assert any(c["rejected"] == "" for c in shown["candidates"])
    with pytest.raises(ValueError):
        library.plan_reach("reach", "world w\nground -5 -5 5 5\n", {"Tail": (0, 0, 0)})
    with pytest.raises(loom.Error):
        library.plan_reach("reach", "world w\nground -5 -5 5 5\n", {"RightHand": (9, 9, 9)})


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


def test_a_stream_is_the_walk_before_its_feet_are_planted(graph):
    walk = graph.walk(2, seed=4)
    poses = [pose for pose, _ in zip(graph.stream(seed=4), range(len(walk)))]
    roots = np.array([root for root, _ in poses])
    assert np.abs(roots[:, [0, 2]] - walk.roots[:, [0, 2]]).max() < 0.05
    assert poses[0][1].shape == (len(walk.skeleton), 4)


def test_what_is_in_use_is_refused_to_others(library):
    seen = []

    def look(share, what):  # a second user of the same handle, while the first is at work
        with pytest.raises(RuntimeError, match="in use"):
            library.names
        seen.append(share)

    library.build_graph("busy", progress=look)
    assert seen and "idle-1" in library.names

    hero = loom.pack_matching(library).character()
    refused = []

    def disturb(share, what):
        try:
            hero.advance(0.1)
        except RuntimeError as error:
            refused.append(str(error))

    others = []
    thread = threading.Thread(target=lambda: others.extend(hero.record(20, progress=disturb).roots[:1]))
    thread.start()
    thread.join()
    assert refused and len(others) == 1
    hero.advance(0.1)


def test_control_c_stops_long_work(graph):
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        graph.walk(80000)
    timer.join()


def test_control_c_stops_training(library):
    library.cut_fragments("all", mirror=True)
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        for seed in range(100):  # one may be done before
            library.train_policy("all", "all", loom.simulate_players(1, 20, seed=seed + 1), restart=True)
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
        for method, own in vars(one).items() if inspect.isclass(one) else ():
            if inspect.isroutine(own) and own.__doc__ and ">>>" in own.__doc__:
                yield f"{name}.{method}"


@pytest.mark.parametrize("name", documented())
def test_examples_in_docstrings(name):
    import doctest

    import operator

    text = operator.attrgetter(name)(loom._loom).__doc__
    example = doctest.DocTestParser().get_doctest(text, {"loom": loom}, name, None, 0)
    assert example.examples
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(example)
    assert runner.failures == 0


@pytest.mark.parametrize("name", ["first_steps", "distances_of_walks", "own_metric"])
def test_the_notebooks_run(name, capsys):
    runpy.run_path(os.path.join(os.environ["LOOM_DOCS"], "python", name + ".py"), run_name="__main__")
    assert capsys.readouterr().out
