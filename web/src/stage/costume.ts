// SPDX-License-Identifier: MIT
// A character's own file on the stage: its mesh, skin and textures as they are in the library, moved by its nodes.
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { clone } from 'three/examples/jsm/utils/SkeletonUtils.js';
import { Packed, callFile, callPacked } from '../api';
import { Motion } from '../motion';
import { CarriedHeader } from '../routes';
import { Costume } from './character';

const kFloats = 7; // a node of a live pose: translation, then rotation (w, x, y, z)

// A model as it was read; what is shown are copies of it, which share its surface.
export interface Model {
  name: string;
  scene: THREE.Object3D;
}

// Surfaces are lit as plain bodies are: a metal without anything to mirror would be black.
function lit(material: THREE.Material): THREE.Material {
  const from = material as THREE.MeshStandardMaterial;
  const made = new THREE.MeshLambertMaterial({
    map: from.map ?? null,
    alphaTest: from.alphaTest,
    transparent: from.transparent,
    opacity: from.opacity,
    side: from.side,
    vertexColors: from.vertexColors,
    depthWrite: from.depthWrite,
  });
  if (from.color) made.color.copy(from.color);
  return made;
}

const eachMesh = (object: THREE.Object3D, visit: (mesh: THREE.Mesh) => void) =>
  object.traverse(part => {
    if (part instanceof THREE.Mesh) visit(part);
  });

export async function readModel(name: string, stamp: string): Promise<Model> {
  const gltf = await new GLTFLoader().parseAsync(await callFile('GET /api/characters/*/model', { names: [name], query: { t: stamp } }), '');
  gltf.parser.associations.forEach((from, object) => {
    if (object instanceof THREE.Object3D && from?.nodes !== undefined) object.userData = { node: from.nodes };
  });
  const known = new Map<THREE.Material, THREE.Material>();
  const change = (material: THREE.Material) => {
    if (!known.has(material)) known.set(material, lit(material));
    return known.get(material)!;
  };
  eachMesh(gltf.scene, mesh => {
    mesh.material = Array.isArray(mesh.material) ? mesh.material.map(change) : change(mesh.material);
    mesh.frustumCulled = false;
    if (!mesh.geometry.attributes.normal) mesh.geometry.computeVertexNormals();
  });
  return { name, scene: gltf.scene };
}

// A motion as the nodes of a character do it.
export class Carried {
  readonly header: CarriedHeader;
  readonly tracks: { node: number; rotations: Float32Array; translations: Float32Array }[];
  readonly sourceEnds: Float32Array; // left hand, right hand, left foot, right foot: 12 floats a frame
  readonly ends: Float32Array;

  constructor(packed: Packed<CarriedHeader>) {
    this.header = packed.header;
    this.tracks = packed.header.tracks.map(track => ({
      node: track.node,
      rotations: packed.floats(4 * track.rotations),
      translations: packed.floats(3 * track.translations),
    }));
    this.sourceEnds = packed.floats(12 * packed.header.frames);
    this.ends = packed.floats(12 * packed.header.frames);
  }

  // Metres a unit of the file, where legs are as long as those of the source.
  get size(): number {
    return this.header.metres_per_unit / this.header.scale;
  }
}

export async function carry(motion: Motion, character: string): Promise<Carried> {
  return new Carried(
    motion.made === null
      ? await callPacked('GET /api/clips/*/on/*', { names: [motion.name, character] })
      : await callPacked('GET /api/made/*/on/*', { names: [motion.made, character] }),
  );
}

export class ModelCostume implements Costume {
  readonly object = new THREE.Group();
  private readonly nodes = new Map<number, THREE.Object3D>();
  private readonly materials: THREE.MeshLambertMaterial[] = []; // of its own

  constructor(
    readonly model: Model,
    options: { opacity?: number; tint?: number } = {},
  ) {
    const scene = clone(model.scene);
    scene.traverse(part => {
      if (typeof part.userData.node === 'number') this.nodes.set(part.userData.node, part);
    });
    const own = new Map<THREE.Material, THREE.MeshLambertMaterial>();
    const dye = (material: THREE.Material) => {
      if (!own.has(material)) own.set(material, this.dyed(material as THREE.MeshLambertMaterial, options));
      return own.get(material)!;
    };
    eachMesh(scene, mesh => {
      mesh.material = Array.isArray(mesh.material) ? mesh.material.map(dye) : dye(mesh.material);
      mesh.castShadow = options.opacity === undefined;
      mesh.frustumCulled = false;
    });
    this.object.add(scene);
  }

  // Where a node of the file is.
  node(index: number): THREE.Object3D | undefined {
    return this.nodes.get(index);
  }

  // How large it is drawn, metres a unit of its file, and on which height its soles stand.
  place(size: number, floor: number): void {
    this.object.scale.setScalar(size);
    this.object.position.y = floor;
  }

  // A live pose: seven numbers a node.
  pose(nodes: readonly number[], values: Float32Array, at: number): void {
    nodes.forEach((index, n) => {
      const node = this.nodes.get(index),
        v = at + kFloats * n;
      if (!node) return;
      node.position.set(values[v], values[v + 1], values[v + 2]);
      node.quaternion.set(values[v + 4], values[v + 5], values[v + 6], values[v + 3]);
    });
  }

  // A moment of a motion, between frames where need be.
  poseAt(carried: Carried, frame: number): void {
    const last = carried.header.frames - 1,
      before = Math.max(0, Math.min(last, Math.floor(frame))),
      after = Math.min(last, before + 1),
      share = Math.max(0, Math.min(1, frame - before));
    for (const { node: index, rotations, translations } of carried.tracks) {
      const node = this.nodes.get(index);
      if (!node) continue;
      const key = (values: Float32Array, size: number, at: number) => size * Math.min(at, values.length / size - 1);
      if (rotations.length) {
        turnTo(node.quaternion, rotations, key(rotations, 4, before));
        if (rotations.length > 4) node.quaternion.slerp(turnTo(turn, rotations, key(rotations, 4, after)), share);
      }
      if (translations.length) {
        node.position.fromArray(translations, key(translations, 3, before));
        if (translations.length > 3) node.position.lerp(place.fromArray(translations, key(translations, 3, after)), share);
      }
    }
  }

  mark(hue: number | null): void {
    for (const material of this.materials) {
      material.emissive.set(hue ?? 0);
      material.emissiveIntensity = 0.6;
    }
  }

  dispose(): void {
    this.materials.forEach(material => material.dispose());
    eachMesh(this.object, mesh => {
      if (mesh instanceof THREE.SkinnedMesh) mesh.skeleton.dispose();
    });
  }

  private dyed(material: THREE.MeshLambertMaterial, options: { opacity?: number; tint?: number }): THREE.MeshLambertMaterial {
    const made = material.clone();
    if (options.tint !== undefined) made.color.lerp(new THREE.Color(options.tint), 0.6);
    if (options.opacity !== undefined) Object.assign(made, { transparent: true, opacity: options.opacity, depthWrite: false });
    this.materials.push(made);
    return made;
  }
}

const turn = new THREE.Quaternion(),
  place = new THREE.Vector3();
const turnTo = (q: THREE.Quaternion, values: Float32Array, at: number) => q.set(values[at + 1], values[at + 2], values[at + 3], values[at]);
