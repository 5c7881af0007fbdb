// SPDX-License-Identifier: MIT
// The world on the stage: its floor, its obstacles as solids, starts and goals as marks, and what is being drawn.
import * as THREE from 'three';
import { Ask, DrawnObstacle, DrawnSpot, Place, WorldDrawing } from '../routes';
import { Chosen, SpotKind, outlineOf } from './drawing';

// As the glb has them (world_mesh.cc).
const kColours: Record<Ask, number> = { nothing: 0x9e998f, duck: 0xbf7333, step: 0x4d8c4d, jump: 0x4059a6 };
const kSpots: Record<SpotKind, number> = { starts: 0x2f855a, goals: 0xd6336c };
const kGround = 0xb9b2a4;
const kChosen = 0x2b6cb0;
const kThin = 0.002; // metres between what lies on the floor

interface Solid {
  object: THREE.Group;
  body: THREE.MeshLambertMaterial;
  edges: THREE.LineBasicMaterial;
}

function solidOf(o: DrawnObstacle, corners: Place[]): Solid {
  // A shape lies in x and y and is drawn upwards along z: turned so that its y becomes the floor's z.
  const shape = new THREE.Shape(corners.map(([x, z]) => new THREE.Vector2(x, z)));
  const height = Math.max(0.01, o.top - o.bottom);
  const geometry = new THREE.ExtrudeGeometry(shape, { depth: height, bevelEnabled: false });
  geometry.rotateX(Math.PI / 2).translate(0, o.bottom + height, 0);
  const body = new THREE.MeshLambertMaterial({ color: kColours[o.ask], side: THREE.DoubleSide, transparent: true, opacity: 0.62 });
  const edges = new THREE.LineBasicMaterial({ color: 0x3c3a36, transparent: true, opacity: 0.55 });
  const mesh = new THREE.Mesh(geometry, body);
  mesh.castShadow = true;
  const object = new THREE.Group();
  object.add(mesh, new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 30), edges));
  return { object, body, edges };
}

function markOf(spot: DrawnSpot, kind: SpotKind): THREE.Group {
  const colour = kSpots[kind],
    mark = new THREE.Group(),
    flat = (geometry: THREE.BufferGeometry, opacity: number) =>
      new THREE.Mesh(
        geometry.rotateX(-Math.PI / 2),
        new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity, side: THREE.DoubleSide }),
      );
  mark.add(flat(new THREE.CircleGeometry(0.3, 40), 0.35), flat(new THREE.RingGeometry(0.26, 0.3, 40), 0.95));
  const pole = new THREE.Mesh(new THREE.CylinderGeometry(0.02, 0.02, 1.2), new THREE.MeshLambertMaterial({ color: colour }));
  pole.position.y = 0.6;
  const flag = new THREE.Mesh(
    kind === 'goals'
      ? new THREE.ConeGeometry(0.13, 0.3, 4).rotateZ(-Math.PI / 2).translate(0.16, 1.06, 0)
      : new THREE.SphereGeometry(0.09).translate(0, 1.2, 0),
    new THREE.MeshLambertMaterial({ color: colour }),
  );
  mark.add(pole, flag);
  if (spot.turn !== null) {
    const arrow = new THREE.Shape([new THREE.Vector2(-0.14, 0.34), new THREE.Vector2(0.14, 0.34), new THREE.Vector2(0, 0.62)]);
    const head = new THREE.Mesh(
      new THREE.ShapeGeometry(arrow).rotateX(Math.PI / 2),
      new THREE.MeshBasicMaterial({ color: colour, side: THREE.DoubleSide }),
    );
    head.rotation.y = (spot.turn * Math.PI) / 180;
    mark.add(head);
  }
  mark.position.set(spot.x, 2 * kThin, spot.z);
  return mark;
}

// Takes everything of an object off the graphics card.
function dispose(object: THREE.Object3D): void {
  object.traverse(part => {
    if (!(part instanceof THREE.Mesh || part instanceof THREE.LineSegments || part instanceof THREE.Line)) return;
    part.geometry.dispose();
    (part.material as THREE.Material).dispose();
  });
  object.removeFromParent();
}

export class WorldModel {
  readonly object = new THREE.Group();
  private readonly preview = new THREE.Group();
  private things: THREE.Object3D[] = [];
  private readonly solids = new Map<string, Solid>(); // by name
  private last: WorldDrawing | null = null;

  constructor() {
    this.object.add(this.preview);
  }

  show(world: WorldDrawing, chosen: Chosen | null): void {
    this.last = world;
    this.things.forEach(dispose);
    this.solids.clear();
    this.things = [
      ...world.ground.map(([x0, z0, x1, z1]) => {
        const floor = new THREE.Mesh(
          new THREE.PlaneGeometry(Math.abs(x1 - x0), Math.abs(z1 - z0)).rotateX(-Math.PI / 2),
          new THREE.MeshBasicMaterial({ color: kGround, transparent: true, opacity: 0.28, depthWrite: false }),
        );
        floor.position.set((x0 + x1) / 2, -2 * kThin, (z0 + z1) / 2);
        floor.renderOrder = -2;
        return floor;
      }),
      ...world.obstacles.map((o, i) => {
        const solid = solidOf(o, outlineOf(o));
        this.solids.set(o.name, solid);
        if (chosen?.kind === 'obstacles' && chosen.index === i) {
          solid.edges.color.set(kChosen);
          solid.edges.opacity = 1;
          solid.body.emissive.set(kChosen);
          solid.body.emissiveIntensity = 0.25;
        }
        return solid.object;
      }),
      ...(['starts', 'goals'] as const).flatMap(kind =>
        world[kind].map((spot, i) => {
          const mark = markOf(spot, kind);
          if (chosen?.kind === kind && chosen.index === i) mark.scale.setScalar(1.25);
          return mark;
        }),
      ),
    ];
    this.object.add(...this.things);
  }

  // The obstacle that is first met by a ray: people press what they see, not the floor behind it. -1: none.
  hit(ray: THREE.Raycaster): number {
    const solids = this.last?.obstacles.map(({ name }) => this.solids.get(name)!.object) ?? [];
    const [first] = ray.intersectObjects(
      solids.map(({ children }) => children[0]),
      false,
    );
    return first ? solids.indexOf(first.object.parent as THREE.Group) : -1;
  }

  // Puts an obstacle where it is just now, seen from where it is drawn: `from` drawn, `to` now (x, z, degrees).
  place(name: string, from: { x: number; z: number; turn: number }, to: { x: number; z: number; turn: number }): void {
    const solid = this.solids.get(name);
    if (!solid) return;
    const turn = ((to.turn - from.turn) * Math.PI) / 180,
      c = Math.cos(turn),
      s = Math.sin(turn);
    solid.object.rotation.y = turn;
    solid.object.position.set(to.x - (c * from.x + s * from.z), 0, to.z - (c * from.z - s * from.x));
  }

  // Everything where it is drawn.
  settle(): void {
    this.solids.forEach(({ object }) => {
      object.position.set(0, 0, 0);
      object.rotation.y = 0;
    });
  }

  // What is being drawn: an obstacle, or the corners of one that is not closed yet.
  draw(o: DrawnObstacle | null, corners: Place[] = []): void {
    this.preview.children.slice().forEach(dispose);
    if (o) this.preview.add(solidOf(o, outlineOf(o)).object);
    if (corners.length) {
      const line = new THREE.BufferGeometry().setFromPoints(corners.map(([x, z]) => new THREE.Vector3(x, 0.02, z)));
      this.preview.add(new THREE.Line(line, new THREE.LineBasicMaterial({ color: kChosen })));
      corners.forEach(([x, z]) => {
        const dot = new THREE.Mesh(new THREE.SphereGeometry(0.07), new THREE.MeshBasicMaterial({ color: kChosen }));
        dot.position.set(x, 0.03, z);
        this.preview.add(dot);
      });
    }
  }

  // The middle of the floor, and how wide it is.
  get extent(): { x: number; z: number; wide: number; deep: number } {
    const ground = this.last?.ground ?? [[-5, -5, 5, 5]];
    const xs = ground.flatMap(([x0, , x1]) => [x0, x1]),
      zs = ground.flatMap(([, z0, , z1]) => [z0, z1]);
    const [lowX, highX, lowZ, highZ] = [Math.min(...xs), Math.max(...xs), Math.min(...zs), Math.max(...zs)];
    return { x: (lowX + highX) / 2, z: (lowZ + highZ) / 2, wide: highX - lowX, deep: highZ - lowZ };
  }
}
