// SPDX-License-Identifier: MIT
// Poses as ten floats per bone: translation x y z, rotation x y z w, scale x y z.

export const kFloats = 10;

/** Turns the vector (x, y, z) by the rotation at `q` and writes it to `out`. */
export function rotate(pose: ArrayLike<number>, q: number, x: number, y: number, z: number, out: Float32Array | number[], at: number): void {
  const a = pose[q]!, b = pose[q + 1]!, c = pose[q + 2]!, w = pose[q + 3]!;
  const tx = 2 * (b * z - c * y), ty = 2 * (c * x - a * z), tz = 2 * (a * y - b * x);
  out[at] = x + w * tx + (b * tz - c * ty);
  out[at + 1] = y + w * ty + (c * tx - a * tz);
  out[at + 2] = z + w * tz + (a * ty - b * tx);
}

/** The angle between the rotations at `a` and `b` of two poses, in degrees. */
export function degreesApart(one: Float32Array, a: number, two: Float32Array, b: number): number {
  // Of the difference's length, not of the dot product, which is flat near 0.
  let minus = 0, plus = 0;
  for (let k = 0; k < 4; ++k) {
    minus += (one[a + k]! - two[b + k]!) ** 2;
    plus += (one[a + k]! + two[b + k]!) ** 2;
  }
  return (4 * Math.asin(Math.min(1, Math.sqrt(Math.min(minus, plus)) / 2)) * 180) / Math.PI;
}

/** The distance between the places at `a` and `b` of two poses, in units of the first; one of the second has `scale` of them. */
export function distance(one: Float32Array, a: number, two: Float32Array, b: number, scale = 1): number {
  return Math.hypot(one[a]! - scale * two[b]!, one[a + 1]! - scale * two[b + 1]!, one[a + 2]! - scale * two[b + 2]!);
}

/** Turns the rotation at `q` of a pose further, in the space that it is in. */
export function turnBone(pose: Float32Array, q: number, [a, b, c, w]: readonly [number, number, number, number]): void {
  const x = pose[q]!, y = pose[q + 1]!, z = pose[q + 2]!, v = pose[q + 3]!;
  pose.set([w * x + a * v + b * z - c * y, w * y + b * v + c * x - a * z, w * z + c * v + a * y - b * x, w * v - a * x - b * y - c * z], q);
}
