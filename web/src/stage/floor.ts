// SPDX-License-Identifier: MIT
// The floor of a stage: lines a metre apart, and shadows. It goes along with what is watched, in whole metres.
import * as THREE from 'three';
import { el } from '../dom';
import { color } from '../theme';
import { plain } from './drawing';

const kAcross = 240; // metres; fog hides the edge
const kPlainAcross = 56; // metres
const kPiece = 4; // metres of a line; some renderers lose lines that end behind the camera
const kMostShades = 24; // characters that have a shade

// A square metre of floor: a line on two of its sides, nothing in between.
function metreTexture(): THREE.CanvasTexture {
  const canvas = el('canvas', { width: 256, height: 256 }),
    paint = canvas.getContext('2d')!;
  paint.fillStyle = '#fff';
  paint.fillRect(0, 0, 256, 3);
  paint.fillRect(0, 0, 3, 256);
  const texture = new THREE.CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.repeat.set(kAcross, kAcross);
  texture.anisotropy = 8;
  return texture;
}

function shadeTexture(): THREE.CanvasTexture {
  const canvas = el('canvas', { width: 64, height: 64 }),
    paint = canvas.getContext('2d')!;
  const soft = paint.createRadialGradient(32, 32, 4, 32, 32, 32);
  soft.addColorStop(0, 'rgba(0,0,0,0.45)');
  soft.addColorStop(1, 'rgba(0,0,0,0)');
  paint.fillStyle = soft;
  paint.fillRect(0, 0, 64, 64);
  return new THREE.CanvasTexture(canvas);
}

export interface Floor {
  readonly object: THREE.Object3D;
  height: number;
  paint(): void;
  goAlong(x: number, z: number): void;
  // Puts shades under whoever stands on the floor; only needed where no light casts shadows.
  shade(hips: THREE.Object3D[]): void;
}

// What every floor of lines has.
abstract class LinedFloor {
  readonly object = new THREE.Group();
  protected abstract readonly lines: THREE.Object3D & { material: THREE.MeshBasicMaterial | THREE.LineBasicMaterial };

  get height(): number {
    return this.object.position.y;
  }
  set height(height: number) {
    this.object.position.y = height;
  }
  paint(): void {
    this.lines.material.color.set(color('grid') || '#c8d0d8');
  }
  goAlong(x: number, z: number): void {
    this.lines.position.x = Math.round(x); // whole metres, so that the lines stay where they are
    this.lines.position.z = Math.round(z);
  }
}

// Two large planes: one shows the lines, one the shadows that a light casts.
class RichFloor extends LinedFloor implements Floor {
  private readonly shadows: THREE.Mesh;
  protected readonly lines: THREE.Mesh<THREE.PlaneGeometry, THREE.MeshBasicMaterial>;

  constructor() {
    super();
    const plane = new THREE.PlaneGeometry(kAcross, kAcross).rotateX(-Math.PI / 2);
    this.shadows = new THREE.Mesh(plane, new THREE.ShadowMaterial({ opacity: 0.22, depthWrite: false }));
    this.shadows.receiveShadow = true;
    this.lines = new THREE.Mesh(plane, new THREE.MeshBasicMaterial({ map: metreTexture(), transparent: true, depthWrite: false }));
    this.lines.position.y = -0.003;
    this.lines.renderOrder = -1;
    this.object.add(this.shadows, this.lines);
  }

  shade(): void {
    /* the sun does */
  }
  override goAlong(x: number, z: number): void {
    super.goAlong(x, z);
    this.shadows.position.x = x;
    this.shadows.position.z = z;
  }
}

// Lines drawn as lines, and a soft disc under each character: a thousandth of the pixels.
class PlainFloor extends LinedFloor implements Floor {
  protected readonly lines: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private readonly shades: THREE.InstancedMesh;

  constructor() {
    super();
    const half = kPlainAcross / 2,
      ends: number[] = [];
    for (let i = -half; i <= half; ++i) {
      for (let k = -half; k < half; k += kPiece) ends.push(i, 0, k, i, 0, k + kPiece, k, 0, i, k + kPiece, 0, i);
    }
    const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(ends, 3));
    this.lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial());
    this.lines.frustumCulled = false;
    this.shades = new THREE.InstancedMesh(
      new THREE.PlaneGeometry(0.9, 0.9).rotateX(-Math.PI / 2),
      new THREE.MeshBasicMaterial({ map: shadeTexture(), transparent: true, depthWrite: false }),
      kMostShades,
    );
    this.shades.frustumCulled = false;
    this.shades.count = 0;
    this.shades.position.y = 0.002;
    this.object.add(this.lines, this.shades);
  }

  shade(hips: THREE.Object3D[]): void {
    this.shades.count = Math.min(kMostShades, hips.length);
    for (let i = 0; i < this.shades.count; ++i) {
      at.setFromMatrixPosition(hips[i].matrixWorld);
      this.shades.setMatrixAt(i, place.makeTranslation(at.x, 0, at.z));
    }
    this.shades.instanceMatrix.needsUpdate = true;
  }
}

const at = new THREE.Vector3(),
  place = new THREE.Matrix4();

export function makeFloor(): Floor {
  return plain ? new PlainFloor() : new RichFloor();
}
