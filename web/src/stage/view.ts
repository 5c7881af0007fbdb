// SPDX-License-Identifier: MIT
// A canvas with a floor, light and a camera that the mouse, a finger or the keys turn. Draws only when something moved.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { el } from '../dom';
import { color, onTheme } from '../theme';
import { worn } from '../worn';
import { Character } from './character';
import { PixelBudget, plain } from './drawing';
import { makeFloor } from './floor';

const kStill = 250; // milliseconds without movement

export interface ViewDirection {
  azimuth: number; // radians about the vertical, 0: from where z grows
  polar: number; // radians from straight above
  distance: number; // metres
}

export class View {
  readonly element = el('div', { class: 'view' });
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(38, 1, 0.05, 200);
  readonly controls: OrbitControls;
  // Called before every picture with the seconds since the last; says whether something moved.
  onbeat: ((seconds: number) => boolean) | null = null;
  // Called when a picture was drawn.
  ondrawn: (() => void) | null = null;
  pictures = 0; // drawn so far

  private readonly renderer: THREE.WebGLRenderer;
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.1);
  private readonly floor = makeFloor();
  private readonly budget = new PixelBudget();
  private readonly raycaster = new THREE.Raycaster();
  private stale = true;
  private last = 0;
  private drawn = 0; // when something moved last
  private moving = false; // the last beat drew, too
  private followed: THREE.Object3D | null = null;
  private wasAt: THREE.Vector3 | null = null; // where what is followed was in the last picture
  private far = 34; // metres: beyond, fog hides everything
  private pixels = 0; // a side, of what the screen has; 0: not known yet

  constructor() {
    this.renderer = new THREE.WebGLRenderer({ antialias: !plain, powerPreference: 'high-performance' });
    this.renderer.shadowMap.enabled = !plain;
    this.element.append(this.renderer.domElement);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.maxPolarAngle = Math.PI * 0.495;
    this.controls.minDistance = 0.8;
    this.controls.maxDistance = 60;
    this.controls.addEventListener('change', () => this.invalidate());

    this.sun.castShadow = !plain;
    this.sun.position.set(1.6, 6, 1.2);
    this.sun.shadow.mapSize.set(1024, 1024);
    Object.assign(this.sun.shadow.camera, { left: -3, right: 3, top: 3, bottom: -3, near: 1, far: 14 });
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8899aa, 1.6), this.sun, this.sun.target, this.floor.object);
    onTheme(() => this.paint());
    worn.watch(() => this.invalidate());
    new ResizeObserver(() => {
      this.pixels = 0;
      this.invalidate();
    }).observe(this.element);
    this.lookAt(new THREE.Vector3(0, 0.9, 0), 4.2);
    requestAnimationFrame(time => this.beat(time));
  }

  invalidate(): void {
    this.stale = true;
  }

  // What the camera goes along with; null: it stays. It goes as far as that goes, so that a view which was moved to one
  // side stays there, and from one clip to the next the same view stays.
  get follow(): THREE.Object3D | null {
    return this.followed;
  }
  set follow(object: THREE.Object3D | null) {
    if (!object || !this.followed) this.wasAt = null;
    this.followed = object;
    this.invalidate();
  }

  // Puts the camera `distance` metres from a point, in front and to one side.
  lookAt(target: THREE.Vector3, distance: number, azimuth = 0.7, height = 0.28): void {
    this.wasAt = null;
    this.controls.target.copy(target);
    this.camera.position.set(Math.sin(azimuth), height, Math.cos(azimuth)).normalize().multiplyScalar(distance).add(target);
    this.controls.update();
    this.invalidate();
  }

  // From where the camera looks: the angles it does so by, and how far it is.
  get direction(): ViewDirection {
    const seen = new THREE.Spherical().setFromVector3(this.camera.position.clone().sub(this.controls.target));
    return { azimuth: seen.theta, polar: seen.phi, distance: seen.radius };
  }

  // Looks at a point from a direction; what is left out stays as it is.
  lookFrom(target: THREE.Vector3, from: Partial<ViewDirection> = {}): void {
    const { azimuth, polar, distance } = { ...this.direction, ...from };
    this.wasAt = null;
    this.controls.target.copy(target);
    this.camera.position.setFromSphericalCoords(distance, Math.max(0.01, polar), azimuth).add(target);
    this.controls.update();
    this.invalidate();
  }

  // How far away something of that size is seen as a whole.
  distanceFor(size: number): number {
    const half = ((this.camera.fov / 2) * Math.PI) / 180;
    return (0.62 * size) / Math.tan(half) / Math.min(1, this.camera.aspect);
  }

  setFloor(height: number): void {
    this.floor.height = height;
    this.invalidate();
  }

  // Fog begins later, for scenes that are looked at from afar.
  seeFar(metres: number): void {
    this.far = metres;
    this.controls.maxDistance = Math.max(this.controls.maxDistance, metres);
    this.paint();
  }

  // Puts the floor's lines and the light around a place, where nothing is gone along with.
  setMiddle(x: number, z: number): void {
    this.floor.goAlong(x, z);
    this.sun.position.set(x + 1.6, this.floor.height + 6, z + 1.2);
    this.sun.target.position.set(x, this.floor.height, z);
    this.invalidate();
  }

  // From the camera through the pointer.
  ray(event: PointerEvent): THREE.Raycaster {
    const box = this.renderer.domElement.getBoundingClientRect();
    const at = new THREE.Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    this.raycaster.setFromCamera(at, this.camera);
    return this.raycaster;
  }

  // The point of the floor under the pointer.
  floorPoint(event: PointerEvent): THREE.Vector3 | null {
    const hit = new THREE.Vector3();
    return this.ray(event).ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 1, 0), -this.floor.height), hit);
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  private paint(): void {
    this.renderer.setClearColor(color('stage') || '#eef1f4');
    this.scene.fog = new THREE.Fog(color('stage') || '#eef1f4', this.far * 0.41, this.far);
    this.floor.paint();
    this.invalidate();
  }

  // Draws so large a share of the pixels from now on.
  private resize(share: number): void {
    if (share === this.pixels) return;
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    this.pixels = share;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, plain ? 1 : 2) * share);
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  private beat(time: number): void {
    requestAnimationFrame(next => this.beat(next));
    const seconds = Math.min(0.1, (time - this.last) / 1000);
    this.last = time;
    if (!this.element.isConnected || !this.element.clientWidth) return;
    if (this.onbeat?.(seconds)) this.stale = true;
    const still = !this.stale;
    if (still) {
      this.moving = false;
      if (!plain || this.pixels === 1 || time - this.drawn < kStill) return;
    }
    this.resize(still ? 1 : this.budget.share); // what stands still is drawn in full
    if (this.follow) this.goAlong(this.follow);
    this.element.dataset.aside = this.aside(); // for whoever looks at the page from outside, as `worn` below
    if (plain) this.floor.shade(this.standing());
    this.stale = false;
    ++this.pictures;
    this.renderer.render(this.scene, this.camera);
    this.element.dataset.worn = String(this.dressed()); // for whoever looks at the page from outside
    this.ondrawn?.();
    if (still) return;
    this.drawn = time;
    if (plain && this.moving) this.budget.drew(seconds);
    this.moving = true;
  }

  private goAlong(object: THREE.Object3D): void {
    const goal = object.getWorldPosition(new THREE.Vector3()),
      from = this.wasAt ?? this.controls.target;
    const shift = new THREE.Vector3(goal.x - from.x, 0, goal.z - from.z);
    this.wasAt = goal;
    this.controls.target.add(shift);
    this.camera.position.add(shift);
    this.sun.position.set(goal.x + 1.6, this.floor.height + 6, goal.z + 1.2);
    this.sun.target.position.set(goal.x, this.floor.height, goal.z);
    this.floor.goAlong(goal.x, goal.z);
  }

  // How far beside what the camera goes along with its middle lies, metres; empty where it goes along with nothing.
  private aside(): string {
    const { target } = this.controls;
    return this.follow && this.wasAt ? Math.hypot(target.x - this.wasAt.x, target.z - this.wasAt.z).toFixed(2) : '';
  }

  // How many are shown as a character of the library.
  private dressed(): number {
    const costume = ({ userData: { character } }: THREE.Object3D) => character instanceof Character && character.costume !== null;
    return this.scene.children.filter(child => child.visible && costume(child)).length;
  }

  // The hips of all solid characters on the stage.
  private standing(): THREE.Object3D[] {
    return this.scene.children.flatMap(child =>
      child.visible && child.userData.character instanceof Character && child.userData.character.solid
        ? [child.userData.character.bones[0]]
        : [],
    );
  }
}
