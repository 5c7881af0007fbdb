# SPDX-License-Identifier: MIT
"""Runs inside Blender 3.4: the second opinion on our motion files.

blender -b --factory-startup --python blender_motion.py -- positions IN OUT.json FPS FRAME...
    opens IN (.bvh, .glb, .gltf, .fbx) and writes where each bone's head is in the given frames (counted from 0), with
    Blender's axes turned back to Y up
blender -b --factory-startup --python blender_motion.py -- export IN.bvh OUT FPS mesh|none
    opens IN and saves it as OUT (.fbx, .dae, .glb), with a mesh bound to the bones or without
"""
import builtins
import json
import sys

import bpy
import numpy

plain_open = builtins.open
numpy.bool = bool  # Blender 3.4's glTF importer names it so; numpy 1.24 has dropped the name
BVH_START = 1  # the first frame of a motion in Blender; lower values are not taken


def open_as_before_3_11(file, mode="r", *rest, **named):
    """Blender 3.4 opens BVH files with the mode 'rU', which Python 3.11 has dropped."""
    return plain_open(file, mode.replace("U", ""), *rest, **named)


def import_file(path, fps):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = fps
    ending = path.rsplit(".", 1)[1].lower()
    if ending == "bvh":
        builtins.open = open_as_before_3_11
        bpy.ops.import_anim.bvh(filepath=path, frame_start=BVH_START, axis_forward="-Z", axis_up="Y", rotate_mode="NATIVE")
        builtins.open = plain_open
    elif ending in ("glb", "gltf"):
        bpy.ops.import_scene.gltf(filepath=path)
    elif ending == "fbx":
        bpy.ops.import_scene.fbx(filepath=path)
    else:
        raise ValueError(f"no importer for {path}")


def armature():
    return next(thing for thing in bpy.context.scene.objects if thing.type == "ARMATURE")


def write_positions(path, out, fps, frames):
    import_file(path, fps)
    body = armature()
    start = BVH_START if path.lower().endswith(".bvh") else 0
    result = []
    for frame in frames:
        bpy.context.scene.frame_set(start + frame)
        heads = {}
        for bone in body.pose.bones:
            head = body.matrix_world @ bone.head
            heads[bone.name] = [head.x, head.z, -head.y]
        result.append({"frame": frame, "heads": heads})
    with plain_open(out, "w") as file:
        json.dump(result, file)


def add_mesh(body):
    """A triangle a bone, bound to it: without a mesh some formats lose the skeleton."""
    vertices, faces = [], []
    for bone in body.data.bones:
        first = len(vertices)
        side = bone.matrix_local.to_3x3().col[0] * 0.1
        vertices += [bone.head_local, bone.tail_local, bone.head_local + side]
        faces.append((first, first + 1, first + 2))
    mesh = bpy.data.meshes.new("body")
    mesh.from_pydata(vertices, [], faces)
    thing = bpy.data.objects.new("body", mesh)
    bpy.context.scene.collection.objects.link(thing)
    for index, bone in enumerate(body.data.bones):
        group = thing.vertex_groups.new(name=bone.name)
        group.add(range(3 * index, 3 * index + 3), 1.0, "REPLACE")
    thing.parent = body
    modifier = thing.modifiers.new("armature", "ARMATURE")
    modifier.object = body


def export(path, out, fps, with_mesh):
    import_file(path, fps)
    scene = bpy.context.scene
    body = armature()
    scene.frame_start, scene.frame_end = (int(edge) for edge in body.animation_data.action.frame_range)
    if with_mesh:
        add_mesh(body)
    ending = out.rsplit(".", 1)[1].lower()
    if ending == "fbx":
        bpy.ops.export_scene.fbx(filepath=out, bake_anim_simplify_factor=0, bake_anim_use_nla_strips=False,
                                 bake_anim_use_all_actions=False)
    elif ending == "dae":
        bpy.ops.wm.collada_export(filepath=out, include_animations=True, export_animation_type_selection="sample")
    elif ending in ("glb", "gltf"):
        bpy.ops.export_scene.gltf(filepath=out)
    else:
        raise ValueError(f"no exporter for {out}")


def main():
    words = sys.argv[sys.argv.index("--") + 1:]
    if words[0] == "positions":
        write_positions(words[1], words[2], int(words[3]), [int(word) for word in words[4:]])
    elif words[0] == "export":
        export(words[1], words[2], int(words[3]), words[4] == "mesh")
    else:
        raise ValueError(f"unknown task {words[0]}")


try:
    main()
except Exception as error:  # Blender itself would go on and exit with 0
    print(f"blender_motion: {error!r}", file=sys.stderr)
    sys.exit(1)
