# SPDX-License-Identifier: MIT
# A metric of your own in NumPy, plugged into the building of a graph.
#   make python && PYTHONPATH=build/python /usr/bin/python3 docs/python/own_metric.py

# %% Motion ready to be compared: at one rate, on the floor.
import os
import tempfile

import numpy as np

import loom

library = loom.Library(os.path.join(tempfile.mkdtemp(), "moves.loom"), "create")
library.add(loom.samples(["walk", "idle", "start", "stop"]))
motion = library.gather()


# %% The metric: where joints are, seen from the hips and turned to face the same way, and how fast they go.
def features(clip):
    at = clip.positions()
    left = at[:, clip.skeleton.find("LeftUpLeg")] - at[:, clip.skeleton.find("RightUpLeg")]
    angle = np.arctan2(left[:, 2], left[:, 0])
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    local = at - at[:, :1] * (1, 0, 1)
    x, z = local[..., 0] * c + local[..., 2] * s, -local[..., 0] * s + local[..., 2] * c
    body = np.stack([x, local[..., 1], z], -1).reshape(len(at), -1)
    speed = np.gradient(body, axis=0) * clip.rate
    return np.hstack([body, 0.1 * speed]).astype(np.float32)


rows = np.concatenate([features(clip) for clip in motion.clips])
clip_of = np.concatenate([np.full(len(clip), c) for c, clip in enumerate(motion.clips)])

# %% All pairs; of frames of one clip only those a third of a second apart; local minima as Zhao 2009 §3.2 keeps them.
squares = (rows**2).sum(1)
distance = np.sqrt(np.maximum(squares[:, None] + squares[None] - 2 * rows @ rows.T, 0))
near = np.abs(np.arange(len(rows))[:, None] - np.arange(len(rows))) < 11
distance[near & (clip_of[:, None] == clip_of)] = np.inf
inner = distance[1:-1, 1:-1]
least = np.ones_like(inner, bool)
for i in (-1, 0, 1):
    for j in (-1, 0, 1):
        least &= inner <= distance[1 + i : len(rows) - 1 + i, 1 + j : len(rows) - 1 + j]
a, b = np.nonzero(least & np.isfinite(inner))
keep = a < b
pairs = np.stack([a[keep], b[keep]], 1) + 1

# %% The graph, and a walk through it beside one through the usual graph.
mine = loom.graph_of_pairs(motion, pairs, distance[pairs[:, 0], pairs[:, 1]], connect=0.8)
usual = library.build_graph("usual", connect=0.8)
for name, graph in (("mine", mine), ("usual", usual)):
    told = loom.measure(graph.walk(20, seed=1))
    print(f"{name:6} {graph.node_count} frames, {graph.transition_count} transitions; in a walk feet slide "
          f"{100 * told['foot_slide_mean_mps']:.1f} cm/s, largest jump {100 * told['largest_jump_m']:.1f} cm")
