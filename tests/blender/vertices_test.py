# SPDX-License-Identifier: MIT
# Run by Blender (tests/blender/vertices.sh): a written character is opened, and its deformed vertices are where ours are.
import sys

import bpy
import numpy
from mathutils import Vector
from mathutils.kdtree import KDTree

if not hasattr(numpy, "bool"):
    numpy.bool = bool  # Debian 12's importer of glTF is older than its NumPy

glb, told = sys.argv[sys.argv.index("--") + 1 :]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 1000, 1  # keys keep their times to a thousandth
bpy.ops.import_scene.gltf(filepath=glb)
meshes = [o for o in bpy.context.scene.objects if o.type == "MESH" and not o.name.startswith("Icosphere")]
assert meshes, "a mesh was read"


def vertices(seconds):
    whole = round(seconds * 1000)
    bpy.context.scene.frame_set(whole, subframe=0.0)
    graph = bpy.context.evaluated_depsgraph_get()
    places = []
    for o in meshes:
        evaluated = o.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        places += [evaluated.matrix_world @ v.co for v in mesh.vertices]
        evaluated.to_mesh_clear()
    return places


worst = size = 0
for line in open(told):
    seconds, *numbers = map(float, line.split())
    ours = [Vector((numbers[i], -numbers[i + 2], numbers[i + 1])) for i in range(0, len(numbers), 3)]
    theirs = vertices(seconds)
    tree = KDTree(len(theirs))
    for i, place in enumerate(theirs):
        tree.insert(place, i)
    tree.balance()
    size = max(size, max(v.z for v in ours) - min(v.z for v in ours))
    worst = max([worst] + [tree.find(place)[2] for place in ours])
print(f"vertices in Blender: worst {worst / size:.6f} of the body's height from ours")
assert worst < 2e-3 * size, (worst, size)
