// SPDX-License-Identifier: MIT
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments } from 'three';
import type { Palette } from './palette';

const kReach = 12, kSpacing = 0.5;

/** A grid on the floor, in metres, every second line stronger. Lines are cut into cells: some drivers lose lines that
 *  reach far beyond the picture. */
export function makeFloor(palette: Palette): LineSegments {
  const points: number[] = [], colours: number[] = [];
  const steps = (2 * kReach) / kSpacing;
  for (let i = 0; i <= steps; ++i) {
    const at = -kReach + i * kSpacing;
    const tint = i % 2 === 0 ? palette.gridStrong : palette.grid;
    for (let k = 0; k < steps; ++k) {
      const from = -kReach + k * kSpacing, to = from + kSpacing;
      points.push(at, from, 0, at, to, 0, from, at, 0, to, at, 0);
      for (let end = 0; end < 4; ++end) colours.push(tint.r, tint.g, tint.b);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
  geometry.setAttribute('color', new BufferAttribute(new Float32Array(colours), 3));
  const floor = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true }));
  floor.position.z = -0.002;
  return floor;
}
