// SPDX-License-Identifier: MIT
// The workspace of a family as cubes (Huang 2012 §5.3.4.1): large and blue where a blend comes out, small and red where
// none does.
import * as THREE from 'three';
import { CoverageHeader } from '../routes';
import { reachColour } from './colours';

export function coverageCubes({ samples, spacing, tolerance }: CoverageHeader, targets: Float32Array, errors: Float32Array) {
  const cubes = new THREE.InstancedMesh(
    new THREE.BoxGeometry(1, 1, 1),
    new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.3, depthWrite: false }),
    samples,
  );
  const matrix = new THREE.Matrix4(),
    tint = new THREE.Color();
  for (let i = 0; i < samples; ++i) {
    const size = (errors[i] < tolerance ? 0.5 : 0.16) * spacing;
    matrix.makeScale(size, size, size).setPosition(targets[3 * i], targets[3 * i + 1], targets[3 * i + 2]);
    cubes.setMatrixAt(i, matrix);
    cubes.setColorAt(i, tint.set(reachColour(errors[i] / tolerance)));
  }
  return cubes;
}
