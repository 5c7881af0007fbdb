# SPDX-License-Identifier: MIT
# Run by Blender (tests/blender/run.sh): clips go onto armatures and come back, labels become markers, what is wrong is told.
import os
import sys
import tempfile

import bpy
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bindings", "blender"))
import loom
import motion_loom

motion_loom.register()
folder = tempfile.mkdtemp()
path = os.path.join(folder, "moves.loom")
library = loom.Library(path, "create")
library.add(loom.samples(["walk", "idle"]))
library.label("walk-normal-1", "marked", 10, 40)
clip = library["walk-normal-1"]

bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 60, 1
assert abs(clip.rate - 60) < 1e-6, clip.rate
assert bpy.ops.import_anim.loom(filepath=path, clip="walk-normal-1") == {"FINISHED"}
body = bpy.context.active_object
action = body.animation_data.action
assert len(body.data.bones) == len(clip.skeleton)
markers = {m.name: m.frame for m in action.pose_markers}
assert markers["marked"] == 11 and markers["marked end"] == 41, markers

# Every joint is where the clip has it: Blender's own kinematics against ours.
positions = clip.positions()
worst = 0
for frame in (0, 7, 33, len(clip) - 1):
    bpy.context.scene.frame_set(frame + 1)
    for j, name in enumerate(clip.skeleton.names):
        x, y, z = body.pose.bones[name].head
        worst = max(worst, np.abs(np.array([x, z, -y]) - positions[frame, j]).max())
assert worst < 1e-4, worst

# And back: the same motion in another library.
back_path = os.path.join(folder, "back.loom")
assert bpy.ops.export_anim.loom(filepath=back_path, name="again") == {"FINISHED"}
back = loom.Library(back_path)["again"]
assert len(back) == len(clip) and back.skeleton.names[0] == clip.skeleton.names[0]
order = [back.skeleton.names.index(n) for n in clip.skeleton.names]
difference = np.abs(back.positions()[:, order] - positions[:, : len(order)]).max()
assert difference < 1e-3, difference
assert [(l.name, l.begin, l.end) for l in back.labels if l.name == "marked"] == [("marked", 10, 40)], back.labels

# A take of a packed character.
hero = os.path.join(folder, "hero.loomrt")
loom.pack_matching(library).save(hero)
assert bpy.ops.import_anim.loom(filepath=hero, seconds=2, speed=1.0) == {"FINISHED"}
assert bpy.context.active_object.animation_data.action.frame_range[1] > 100

# What is wrong is told, and nothing is made.
count = len(bpy.data.objects)
for wrong in ({"filepath": path, "clip": "nobody"}, {"filepath": os.path.join(folder, "none.loom")}):
    try:
        result = bpy.ops.import_anim.loom(**wrong)
    except RuntimeError as error:  # Blender raises what an operator reports as an error
        result = {"CANCELLED"}
        assert str(error).strip(), error
    assert result == {"CANCELLED"}, result
assert len(bpy.data.objects) == count
motion_loom.unregister()
print(f"add-on: joints within {worst:.1e} m, back within {difference:.1e} m")
