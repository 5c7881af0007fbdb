// SPDX-License-Identifier: MIT
// A ball in the scene that can be taken with the pointer and dragged in the plane that faces the viewer.
import * as THREE from 'three';
import { Pointers } from '../stage/pointers';
import { View } from '../stage/view';

const kInside = 0.96; // of the picture, from its middle to its edge, in which it can be put
const kGrip = 34; // pixels around the ball in which it can be taken

export class Target {
  readonly ball = new THREE.Mesh(
    new THREE.SphereGeometry(0.045, 32, 16),
    new THREE.MeshStandardMaterial({ color: 0xd6336c, roughness: 0.4 }),
  );
  onmove: ((at: THREE.Vector3) => void) | null = null;
  private readonly pointers: Pointers;
  private readonly stalk = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xd6336c }));

  constructor(private readonly view: View) {
    this.ball.castShadow = true;
    view.scene.add(this.ball, this.stalk);
    this.pointers = new Pointers(view);
    view.element.append(this.pointers.element);
    view.canvas.addEventListener('pointerdown', event => this.take(event), { capture: true });
    view.canvas.addEventListener('pointermove', event => {
      if (!event.buttons) view.canvas.style.cursor = this.near(event) ? 'grab' : '';
    });
  }

  // To be called when a picture was drawn: a ball that is out of it is pointed at.
  drawn(): void {
    this.pointers.show(this.ball.visible ? [this.ball.position] : [], this.view.controls.target);
  }

  set visible(shown: boolean) {
    this.ball.visible = this.stalk.visible = shown;
    this.view.invalidate();
  }

  put(at: THREE.Vector3): void {
    this.ball.position.copy(at);
    this.stalk.geometry.setFromPoints([at, new THREE.Vector3(at.x, 0, at.z)]);
    this.view.invalidate();
  }

  // Moves the ball by metres to the viewer's right, up, and away from the viewer.
  nudge(right: number, up: number, away: number): void {
    const forward = this.view.camera.getWorldDirection(new THREE.Vector3()).setY(0).normalize();
    const side = new THREE.Vector3().crossVectors(forward, new THREE.Vector3(0, 1, 0));
    this.move(
      this.ball.position
        .clone()
        .addScaledVector(side, right)
        .addScaledVector(forward, away)
        .add(new THREE.Vector3(0, up, 0)),
    );
  }

  // Where the ball is in the window, pixels.
  get screen(): { x: number; y: number } {
    const box = this.view.canvas.getBoundingClientRect(),
      p = this.ball.position.clone().project(this.view.camera);
    return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
  }

  private near(event: PointerEvent): boolean {
    const { x, y } = this.screen;
    return this.ball.visible && Math.hypot(event.clientX - x, event.clientY - y) < kGrip;
  }

  private move(at: THREE.Vector3): void {
    at.y = Math.max(0.02, at.y);
    this.put(at);
    this.onmove?.(at);
  }

  private take(event: PointerEvent): void {
    if (event.button !== 0 || !this.near(event)) return;
    event.stopPropagation();
    const { canvas, camera, controls } = this.view,
      caster = new THREE.Raycaster(),
      hit = new THREE.Vector3();
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(camera.getWorldDirection(new THREE.Vector3()), this.ball.position);
    controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    const move = (next: PointerEvent) => {
      const box = canvas.getBoundingClientRect();
      // It stays where it can be taken again, wherever the pointer goes.
      const within = (share: number) => Math.max(-kInside, Math.min(kInside, share));
      caster.setFromCamera(
        new THREE.Vector2(within(((next.clientX - box.left) / box.width) * 2 - 1), within(1 - ((next.clientY - box.top) / box.height) * 2)),
        camera,
      );
      if (caster.ray.intersectPlane(plane, hit)) this.move(hit.clone());
    };
    const end = () => {
      controls.enabled = true;
      canvas.removeEventListener('pointermove', move);
    };
    canvas.addEventListener('pointermove', move);
    canvas.addEventListener('pointerup', end, { once: true });
    canvas.addEventListener('pointercancel', end, { once: true });
  }
}
