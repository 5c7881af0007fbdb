// SPDX-License-Identifier: MIT
// A blow that landed, made plain to see: a ring opens where it did, and the one who was struck lights up.
import * as THREE from 'three';
import { Character } from '../stage/character';

const kSeconds = 0.4;
const kRing = new THREE.RingGeometry(0.82, 1, 40);

interface Impact {
  ring: THREE.Mesh<THREE.RingGeometry, THREE.MeshBasicMaterial>;
  struck: Character | undefined;
  age: number;
}

export class Impacts {
  readonly object = new THREE.Group();
  private impacts: Impact[] = [];

  add(place: THREE.Vector3, struck: Character | undefined): void {
    const ring = new THREE.Mesh(
      kRing,
      new THREE.MeshBasicMaterial({ color: 0xffc21a, transparent: true, depthTest: false, side: THREE.DoubleSide }),
    );
    ring.position.copy(place);
    ring.renderOrder = 10;
    this.object.add(ring);
    this.impacts.push({ ring, struck, age: 0 });
    struck?.material.emissive.set(0xffb000);
    this.step(0, null);
  }

  // Goes on by `seconds`, turned to the camera; says whether anything is to be seen.
  step(seconds: number, camera: THREE.Camera | null): boolean {
    const any = this.impacts.length > 0;
    this.impacts = this.impacts.filter(impact => {
      impact.age += seconds;
      const done = Math.min(1, impact.age / kSeconds),
        { ring, struck } = impact;
      ring.scale.setScalar(0.06 + 0.26 * done);
      ring.material.opacity = 1 - done * done;
      if (camera) ring.quaternion.copy(camera.quaternion);
      if (struck) struck.material.emissiveIntensity = 0.8 * (1 - done);
      if (done < 1) return true;
      struck?.material.emissive.set(0);
      ring.removeFromParent();
      ring.material.dispose();
      return false;
    });
    return any;
  }

  clear(): void {
    this.step(kSeconds, null);
  }
}
