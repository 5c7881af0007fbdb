// SPDX-License-Identifier: MIT
// The little game of McCann & Pollard 2007 §4.1: collect spheres, and jump over gaps.
import * as THREE from 'three';

const kSpheres = 6;
const kGaps = 3;
const kCatch = 0.55; // metres
const kField = 9; // metres from the player in which things appear
const kDepth = 0x0b0f13; // of gaps, on a light floor and on a dark one, where their rim is what one sees
const kRim = 0xd0a040;

interface Gap {
  mesh: THREE.Mesh;
  stepped: boolean;
  over: boolean;
}

export class Game {
  readonly object = new THREE.Group();
  score = 0;
  jumped = 0;
  stepped = 0;
  private readonly spheres: THREE.Mesh[] = [];
  private readonly gaps: Gap[] = [];

  constructor(private readonly random: () => number = Math.random) {
    const ball = new THREE.SphereGeometry(0.16, 24, 16),
      gold = new THREE.MeshStandardMaterial({ color: 0xf2b134, roughness: 0.35, metalness: 0.1 });
    for (let i = 0; i < kSpheres; ++i) {
      const sphere = new THREE.Mesh(ball, gold);
      sphere.castShadow = true;
      this.spheres.push(sphere);
      this.put(sphere, 0, 0, 0.9);
    }
    const strip = new THREE.PlaneGeometry(2.4, 0.5).rotateX(-Math.PI / 2),
      rim = new THREE.EdgesGeometry(strip);
    for (let i = 0; i < kGaps; ++i) {
      const mesh = new THREE.Mesh(strip, new THREE.MeshBasicMaterial({ color: kDepth }));
      mesh.add(new THREE.LineSegments(rim, new THREE.LineBasicMaterial({ color: kRim })));
      this.gaps.push({ mesh, stepped: false, over: false });
      this.put(mesh, 0, 0, 0.006);
      mesh.rotation.y = this.random() * Math.PI;
    }
    this.object.add(...this.spheres, ...this.gaps.map(gap => gap.mesh));
  }

  // Where the spheres are.
  get goals(): THREE.Vector3[] {
    return this.spheres.map(sphere => sphere.position);
  }

  // The player is at (x, z), with a foot on the floor or not.
  update(x: number, z: number, grounded: boolean): void {
    for (const sphere of this.spheres) {
      sphere.position.y = 0.9 + 0.06 * Math.sin(performance.now() / 400 + sphere.position.x);
      const away = Math.hypot(sphere.position.x - x, sphere.position.z - z);
      if (away < kCatch) ++this.score;
      if (away < kCatch || away > 2 * kField) this.put(sphere, x, z, 0.9);
    }
    for (const gap of this.gaps) {
      const local = gap.mesh.worldToLocal(new THREE.Vector3(x, 0, z)),
        inside = Math.abs(local.x) < 1.2 && Math.abs(local.z) < 0.25;
      if (inside && grounded && !gap.stepped) {
        gap.stepped = true;
        ++this.stepped;
      }
      if (gap.over && !inside && !gap.stepped) ++this.jumped;
      if (!inside) gap.stepped = false;
      gap.over = inside;
      if (Math.hypot(gap.mesh.position.x - x, gap.mesh.position.z - z) > 2 * kField) this.put(gap.mesh, x, z, 0.006);
    }
  }

  private put(thing: THREE.Object3D, x: number, z: number, height: number): void {
    const angle = 2 * Math.PI * this.random(),
      away = 2 + (kField - 2) * Math.sqrt(this.random());
    thing.position.set(x + away * Math.sin(angle), height, z + away * Math.cos(angle));
  }
}
