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

/** Writes a pose relative to the model, of one relative to each parent. Parents come before their children. */
export function localToModel(parents: ArrayLike<number>, local: Float32Array, model: Float32Array): void {
  for (let i = 0; i < parents.length; ++i) {
    const at = i * kFloats;
    const parent = parents[i]!;
    if (parent < 0) {
      for (let k = 0; k < kFloats; ++k) model[at + k] = local[at + k]!;
      continue;
    }
    const p = parent * kFloats;
    const x = local[at]! * model[p + 7]!, y = local[at + 1]! * model[p + 8]!, z = local[at + 2]! * model[p + 9]!;
    rotate(model, p + 3, x, y, z, model, at);
    for (let k = 0; k < 3; ++k) model[at + k]! += model[p + k]!;
    const a = model[p + 3]!, b = model[p + 4]!, c = model[p + 5]!, d = model[p + 6]!;
    const e = local[at + 3]!, f = local[at + 4]!, g = local[at + 5]!, h = local[at + 6]!;
    model[at + 3] = d * e + a * h + b * g - c * f;
    model[at + 4] = d * f - a * g + b * h + c * e;
    model[at + 5] = d * g + a * f - b * e + c * h;
    model[at + 6] = d * h - a * e - b * f - c * g;
    for (let k = 7; k < 10; ++k) model[at + k] = local[at + k]! * model[p + k]!;
  }
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

export function distance(one: Float32Array, a: number, two: Float32Array, b: number): number {
  return Math.hypot(one[a]! - two[b]!, one[a + 1]! - two[b + 1]!, one[a + 2]! - two[b + 2]!);
}
