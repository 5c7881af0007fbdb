# SPDX-License-Identifier: MIT
"""Motion Loom in Blender: clips of a library and takes of packed characters as actions of an armature, labels as
markers; and an armature's action as a clip of a library.

Needs the module `loom` (make python) where Blender's Python finds it: PYTHONPATH=build/python blender.
"""

bl_info = {
    "name": "Motion Loom",
    "author": "Motion Loom",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, File > Export",
    "description": "Clips of .loom libraries and packed characters (.loomrt) on armatures, and back",
    "category": "Import-Export",
}

import os

import bpy
import numpy as np
from bpy.props import FloatProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper
from mathutils import Matrix, Quaternion, Vector

# Motion Loom has Y up and looks along +Z; Blender has Z up and looks along -Y.
TO_BLENDER = Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))
TO_LOOM = TO_BLENDER.inverted()
SHORTEST_BONE = 0.01


def vector(v):
    return Vector((v[0], -v[2], v[1]))


def make_armature(context, skeleton, name):
    """An armature whose bones lie where the joints rest; each bone points to its child."""
    data = bpy.data.armatures.new(name)
    body = bpy.data.objects.new(name, data)
    context.collection.objects.link(body)
    context.view_layer.objects.active = body
    bpy.ops.object.mode_set(mode="EDIT")
    parents, offsets, names = skeleton.parents, skeleton.offsets, skeleton.names
    heads = []
    for j, parent in enumerate(parents):
        heads.append(vector(offsets[j]) + (heads[parent] if parent >= 0 else Vector()))
    for j, parent in enumerate(parents):
        children = [heads[c] for c in range(len(parents)) if parents[c] == j]
        tail = sum(children, Vector()) / len(children) if children else heads[j] + Vector((0, 0, 0.05))
        if (tail - heads[j]).length < SHORTEST_BONE:
            tail = heads[j] + Vector((0, 0, SHORTEST_BONE))
        bone = data.edit_bones.new(names[j])
        bone.head, bone.tail = heads[j], tail
        bone.parent = data.edit_bones[names[parent]] if parent >= 0 else None
    bpy.ops.object.mode_set(mode="OBJECT")
    body["loom_names"] = names
    return body


def put_clip(body, clip):
    """The clip as an action of the armature, its labels as markers of the action."""
    action = bpy.data.actions.new(clip.name or "motion")
    body.animation_data_create().action = action
    fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    times = 1 + np.arange(len(clip)) / clip.rate * fps
    for j, name in enumerate(clip.skeleton.names):
        pose, rest = body.pose.bones[name], body.data.bones[name].matrix_local.to_quaternion()
        pose.rotation_mode = "QUATERNION"
        turns = []
        for w, x, y, z in clip.rotations[:, j]:
            turns.append(rest.inverted() @ Quaternion((w, x, -z, y)) @ rest)
        curves = [(f'pose.bones["{name}"].rotation_quaternion', turns, 4)]
        if j == 0:
            head = body.data.bones[name].head_local
            curves.append((f'pose.bones["{name}"].location', [rest.inverted() @ (vector(r) - head) for r in clip.roots], 3))
        for path, values, count in curves:
            for i in range(count):
                curve = action.fcurves.new(path, index=i, action_group=name)
                curve.keyframe_points.add(len(clip))
                flat = np.empty(2 * len(clip))
                flat[0::2], flat[1::2] = times, [v[i] for v in values]
                curve.keyframe_points.foreach_set("co", flat)
                curve.update()
    for label in clip.labels:
        for frame, text in ((label.begin, label.name), (label.end, label.name + " end")):
            action.pose_markers.new(text).frame = round(1 + frame / clip.rate * fps)
    return action


def take_clip(body, action, skeleton_type, clip_type, label_type):
    """The armature's action as a clip: its bones at rest are the skeleton; every frame of the scene is a frame."""
    scene = bpy.context.scene
    bones = list(body.data.bones)
    order = [b for b in bones if b.parent is None][:1]
    for bone in order:
        order.extend(bone.children)
    index = {bone.name: j for j, bone in enumerate(order)}
    heads = [(TO_LOOM @ bone.head_local.to_4d()).to_3d() for bone in order]
    parents = [index[b.parent.name] if b.parent else -1 for b in order]
    offsets = [h - heads[p] if p >= 0 else Vector() for h, p in zip(heads, parents)]
    skeleton = skeleton_type([b.name for b in order], parents, np.array(offsets, np.float32))
    begin, end = (int(round(f)) for f in action.frame_range)
    roots, rotations, before = [], [], scene.frame_current
    body.animation_data_create().action = action
    for frame in range(begin, end + 1):
        scene.frame_set(frame)
        world = {}
        turns = []
        for bone in order:
            pose = body.pose.bones[bone.name]
            turn = (TO_LOOM @ pose.matrix @ bone.matrix_local.inverted() @ TO_BLENDER).to_quaternion()
            world[bone.name] = turn
            local = world[bone.parent.name].inverted() @ turn if bone.parent else turn
            turns.append((local.w, local.x, local.y, local.z))
        rotations.append(turns)
        roots.append(tuple(TO_LOOM @ body.pose.bones[order[0].name].head.to_4d())[:3])
    scene.frame_set(before)
    rate = scene.render.fps / scene.render.fps_base
    markers = {m.name: m.frame - begin for m in action.pose_markers}
    labels = [
        label_type(name, max(frame, 0), min(markers.get(name + " end", len(roots)), len(roots)))
        for name, frame in markers.items()
        if not name.endswith(" end") and frame < len(roots)
    ]
    return clip_type(skeleton, rate, np.array(roots, np.float32), np.array(rotations, np.float32), action.name, labels)


class ImportLoom(bpy.types.Operator, ImportHelper):
    """A clip of a library, or a take of a packed character, on a new armature"""

    bl_idname = "import_anim.loom"
    bl_label = "Motion Loom (.loom, .loomrt)"
    bl_options = {"REGISTER", "UNDO"}
    filter_glob: StringProperty(default="*.loom;*.loomrt", options={"HIDDEN"})
    clip: StringProperty(name="Clip", description="of a library; empty: the first")
    seconds: FloatProperty(name="Seconds", description="of a packed character's take", default=10, min=0.1, max=3600)
    speed: FloatProperty(name="Speed", description="metres a second that it is to go, straight ahead", default=1.2)
    behavior: StringProperty(name="Behavior", description="that it is to do, where it has behaviors")

    def execute(self, context):
        import loom

        try:
            if self.filepath.endswith(".loomrt"):
                hero = loom.open(self.filepath).character()
                hero.control(velocity=(0, self.speed), behavior=self.behavior or None)
                clip = hero.record(self.seconds)
            else:
                library = loom.Library(self.filepath)
                clip = library[self.clip or library.names[0]]
        except (loom.Error, ValueError, IndexError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        put_clip(make_armature(context, clip.skeleton, clip.name or "loom"), clip)
        return {"FINISHED"}


class ExportLoom(bpy.types.Operator, ExportHelper):
    """The action of the active armature as a clip of a library, which is made where there is none"""

    bl_idname = "export_anim.loom"
    bl_label = "Motion Loom library (.loom)"
    filename_ext = ".loom"
    check_existing: bpy.props.BoolProperty(default=False, options={"HIDDEN"})
    filter_glob: StringProperty(default="*.loom", options={"HIDDEN"})
    name: StringProperty(name="Clip", description="its name in the library; empty: the action's")

    def execute(self, context):
        import loom

        body = context.active_object
        if body is None or body.type != "ARMATURE" or not (body.animation_data and body.animation_data.action):
            self.report({"ERROR"}, "choose an armature that has an action")
            return {"CANCELLED"}
        try:
            clip = take_clip(body, body.animation_data.action, loom.Skeleton, loom.Clip, loom.Label)
            if self.name:
                clip.name = self.name
            loom.Library(self.filepath, "create").add([clip])
        except (loom.Error, ValueError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


def menu_import(self, context):
    self.layout.operator(ImportLoom.bl_idname)


def menu_export(self, context):
    self.layout.operator(ExportLoom.bl_idname)


def register():
    bpy.utils.register_class(ImportLoom)
    bpy.utils.register_class(ExportLoom)
    bpy.types.TOPBAR_MT_file_import.append(menu_import)
    bpy.types.TOPBAR_MT_file_export.append(menu_export)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu_import)
    bpy.types.TOPBAR_MT_file_export.remove(menu_export)
    bpy.utils.unregister_class(ExportLoom)
    bpy.utils.unregister_class(ImportLoom)


if __name__ == "__main__":
    register()
