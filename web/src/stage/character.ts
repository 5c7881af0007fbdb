// SPDX-License-Identifier: MIT
// A body in the scene: a skinned mesh on a chain of bones, put into poses.
import * as THREE from 'three';
import { Body, Motion } from '../motion';

const kSides = [0x9aa5b1, 0xe8743b, 0x3f7fc4]; // middle, left (warm), right (cool)

const geometries = new WeakMap<Body, THREE.BufferGeometry>();

// The surface of a body, coloured by side; made once for all characters that have it.
function geometryOf(body: Body): THREE.BufferGeometry {
  const known = geometries.get(body);
  if (known) return known;
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(body.positions, 3));
  geometry.setAttribute('normal', new THREE.BufferAttribute(body.normals, 3));
  geometry.setAttribute('skinIndex', new THREE.BufferAttribute(body.carriers, 4));
  geometry.setAttribute('skinWeight', new THREE.BufferAttribute(body.weights, 4));
  geometry.setIndex(new THREE.BufferAttribute(body.triangles, 1));
  const sides = kSides.map(hex => new THREE.Color(hex));
  const colors = new Float32Array(body.positions.length);
  const mixed = new THREE.Color();
  for (let v = 0; v < colors.length / 3; ++v) {
    mixed.setRGB(0, 0, 0);
    for (let k = 0; k < 4; ++k) {
      const side = sides[body.sides[body.carriers[4 * v + k]]],
        w = body.weights[4 * v + k];
      mixed.r += side.r * w;
      mixed.g += side.g * w;
      mixed.b += side.b * w;
    }
    mixed.toArray(colors, 3 * v);
  }
  geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
  geometries.set(body, geometry);
  return geometry;
}

export type Look = 'body' | 'skeleton' | 'both';

const kBone = 0x1f6feb; // seen on light and dark stages, and through the body

// The bones of a character as lines from joint to joint and to the ends, put where they are before every picture.
class SkeletonLines extends THREE.LineSegments {
  constructor(private readonly character: Character) {
    const { joints, endSites } = character.body;
    const count = joints.filter(joint => joint.parent >= 0).length + endSites.length;
    super(
      new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(6 * count), 3)),
      new THREE.LineBasicMaterial({ color: kBone, depthTest: false }),
    );
    this.frustumCulled = false;
    this.renderOrder = 2;
  }

  // When the places of all are found, before the picture: what is put in while drawing is seen one picture late.
  override updateMatrixWorld(force?: boolean): void {
    super.updateMatrixWorld(force);
    this.place();
  }

  private place(): void {
    const { bones, body } = this.character,
      places = this.geometry.getAttribute('position') as THREE.BufferAttribute,
      at = new THREE.Vector3();
    let i = 0;
    const put = (point: number) => {
      this.character.point(point, at);
      this.worldToLocal(at);
      places.setXYZ(i++, at.x, at.y, at.z);
    };
    body.joints.forEach((joint, j) => {
      if (joint.parent < 0) return;
      put(joint.parent);
      put(j);
    });
    body.endSites.forEach((end, e) => {
      put(end.joint);
      put(bones.length + e);
    });
    places.needsUpdate = true;
  }
}

// What is seen in place of the plain surface: a model of its own, moved by its own nodes.
export interface Costume {
  readonly object: THREE.Object3D;
  mark(hue: number | null): void;
  dispose(): void;
}

// Sees to it that bodies are shown as the character that was chosen.
export interface Wardrobe {
  take(character: Character): void;
  leave(character: Character): void;
  poseAt(character: Character, motion: Motion, frame: number): void;
}

export class Character {
  // Where there is none, as in the page of clips that stands alone, bodies are plain.
  static wardrobe: Wardrobe | null = null;

  readonly object = new THREE.Group();
  costume: Costume | null = null;
  readonly bones: THREE.Bone[];
  readonly material: THREE.MeshLambertMaterial;
  readonly solid: boolean;
  private lines: SkeletonLines | null = null;
  private readonly mesh: THREE.SkinnedMesh;

  // `plain`: never shown as anything else.
  constructor(
    readonly body: Body,
    readonly options: { opacity?: number; tint?: number; plain?: boolean } = {},
  ) {
    this.bones = body.joints.map(joint => {
      const bone = new THREE.Bone();
      bone.position.fromArray(joint.offset);
      return bone;
    });
    body.joints.forEach((joint, j) => {
      if (joint.parent >= 0) this.bones[joint.parent].add(this.bones[j]);
    });
    this.material = new THREE.MeshLambertMaterial({ vertexColors: options.tint === undefined });
    if (options.tint !== undefined) this.material.color.set(options.tint);
    if (options.opacity !== undefined) {
      this.material.transparent = true;
      this.material.opacity = options.opacity;
      this.material.depthWrite = false;
    }
    const mesh = (this.mesh = new THREE.SkinnedMesh(geometryOf(body), this.material));
    mesh.frustumCulled = false;
    mesh.castShadow = this.solid = options.opacity === undefined;
    this.object.userData.character = this;
    mesh.add(this.bones[0]);
    mesh.bind(new THREE.Skeleton(this.bones));
    this.object.add(mesh);
    if (!options.plain) Character.wardrobe?.take(this);
  }

  // Shows it as something else, or as it is.
  wear(costume: Costume | null): void {
    if (costume === this.costume) return;
    this.costume?.object.removeFromParent();
    this.costume?.dispose();
    this.costume = costume;
    if (costume) this.object.add(costume.object);
    this.mesh.visible = !costume;
  }

  // Shines in a colour of its own, so that it is told from other moments; null: as it is.
  mark(hue: number | null): void {
    this.material.emissive.set(hue ?? 0);
    this.material.emissiveIntensity = 0.75;
    this.costume?.mark(hue);
  }

  pose(root: ArrayLike<number>, rotations: ArrayLike<number>, rootAt = 0, rotationsAt = 0): void {
    this.bones[0].position.set(root[rootAt], root[rootAt + 1], root[rootAt + 2]);
    for (let j = 0; j < this.bones.length; ++j) {
      const at = rotationsAt + 4 * j;
      this.bones[j].quaternion.set(rotations[at + 1], rotations[at + 2], rotations[at + 3], rotations[at]);
    }
  }

  // A moment of a motion, between frames where need be.
  poseAt(motion: Motion, frame: number): void {
    const before = Math.max(0, Math.min(motion.frames - 1, Math.floor(frame)));
    const share = Math.max(0, Math.min(1, frame - before));
    if (!this.options.plain) Character.wardrobe?.poseAt(this, motion, frame);
    this.pose(motion.roots, motion.rotations, 3 * before, 4 * motion.joints * before);
    if (share < 1e-3 || before + 1 >= motion.frames) return;
    const next = 3 * (before + 1),
      turned = 4 * motion.joints * (before + 1);
    this.bones[0].position.lerp(scratch.fromArray(motion.roots, next), share);
    for (let j = 0; j < this.bones.length; ++j) {
      const at = turned + 4 * j,
        r = motion.rotations;
      this.bones[j].quaternion.slerp(turn.set(r[at + 1], r[at + 2], r[at + 3], r[at]), share);
    }
  }

  // Where a point of the body (a joint, or after the joints an end site) is now.
  point(index: number, out: THREE.Vector3): THREE.Vector3 {
    const joints = this.bones.length;
    if (index < joints) return this.bones[index].getWorldPosition(out);
    const end = this.body.endSites[index - joints];
    return this.bones[end.joint].localToWorld(out.fromArray(end.offset));
  }

  // Whether the surface, the bones, or both are seen.
  show(look: Look): void {
    this.material.visible = look !== 'skeleton';
    if (look === 'body') {
      this.lines?.removeFromParent();
      return;
    }
    this.lines ??= new SkeletonLines(this);
    this.object.add(this.lines);
  }

  dispose(): void {
    Character.wardrobe?.leave(this);
    this.wear(null);
    this.object.removeFromParent();
    this.lines?.geometry.dispose();
    this.material.dispose();
  }
}

const scratch = new THREE.Vector3(),
  turn = new THREE.Quaternion();
