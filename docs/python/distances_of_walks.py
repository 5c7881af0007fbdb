# SPDX-License-Identifier: MIT
# A table of one of the works: how the share of motion that a graph keeps grows with its threshold (Zhao 2009 §3.2, the
# trade between smooth transitions and connected graphs), on the sample motions.
#   make python && PYTHONPATH=build/python /usr/bin/python3 docs/python/distances_of_walks.py

# %% Motion of a library, ready to be compared.
import os
import tempfile

import numpy as np

import loom

library = loom.Library(os.path.join(tempfile.mkdtemp(), "moves.loom"), "create")
library.add(loom.samples(["walk", "idle", "start", "stop"]))
motion = library.gather()

# %% Distances of two walks: nearest where both are in the same phase of a step.
a, b = motion.clips[0], motion.clips[1]
matrix = loom.distances(a, b)
cells, cost = loom.warp(matrix[: min(matrix.shape), : min(matrix.shape)])
print(f"{a.name} and {b.name}: {100 * np.sqrt(np.median(matrix)):.1f} cm apart at the median, "
      f"{100 * np.sqrt(cost):.1f} cm along the best warp")

# %% The table: threshold in centimetres (how far apart markers may be), share of frames kept, transitions a second.
print("threshold  kept  transitions/s")
for centimetres in (3, 4, 6, 8):
    try:
        graph = library.build_graph("table", threshold=(centimetres / 100) ** 2)
    except loom.Error as error:  # nothing is connected yet
        print(f"{centimetres:6.0f} cm   none  ({error.kind})")
        continue
    share = graph.node_count / motion.frames
    print(f"{centimetres:6.0f} cm  {100 * share:4.0f} %  {graph.transition_count / (graph.node_count / graph.rate):8.1f}")
