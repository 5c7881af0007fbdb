# SPDX-License-Identifier: MIT
# First steps in Python: read this from top to bottom, or cell by cell in an editor that knows `# %%`.
#   make python && PYTHONPATH=build/python /usr/bin/python3 docs/python/first_steps.py

# %% A clip is a skeleton and two arrays. These are sample motions that the project makes itself; loom.read("walk.bvh")
# reads yours.
import os
import tempfile

import numpy as np

import loom

walk = loom.sample("walk-normal-1")
print(walk)
print("roots", walk.roots.shape, "rotations", walk.rotations.shape)

# %% In a notebook the last line of a cell shows the clip moving: `walk`. Measured:
told = loom.measure(walk)
print(f"{told['mean_speed_mps']:.2f} m/s, feet slide {100 * told['foot_slide_mean_mps']:.1f} cm/s while planted")

# %% Arrays are the clip's own memory. Where the head is, above the floor:
head = walk.skeleton.find("Head")
print(f"head {walk.positions()[:, head, 1].mean():.2f} m high on average")

# %% A library is one file. A motion graph makes new motion of it.
folder = tempfile.mkdtemp()
library = loom.Library(os.path.join(folder, "moves.loom"), "create")
library.add(loom.samples(["walk", "idle", "start", "stop"]))
graph = library.build_graph("main")
print(graph)
stroll = graph.walk(10, seed=2)
loom.write(os.path.join(folder, "stroll.glb"), stroll)

# %% A character that is steered: motion matching, pose by pose.
hero = loom.pack_matching(library).character()
hero.control(velocity=(0, 1.2))
for _ in zip(range(120), hero):
    pass
hero.control(velocity=(1.2, 0))
clip = hero.record(3)
print("after five seconds at", np.round(hero.place[:2], 1))
