// SPDX-License-Identifier: MIT
// three.js plays the clip and its joints stand where ours do.   node three_loads.mjs CLIP.glb EXPECTED.json
import { readFileSync } from 'node:fs';

let THREE, GLTFLoader;
try {
  THREE = await import('three');
  ({ GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js'));
} catch {
  console.log('SKIPPED: no three; run scripts/setup test');
  process.exit(77);
}
globalThis.self ??= globalThis;

const [clipPath, expectedPath] = process.argv.slice(2);
const bytes = readFileSync(clipPath);
const gltf = await new GLTFLoader().parseAsync(
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
const expected = JSON.parse(readFileSync(expectedPath));
const mixer = new THREE.AnimationMixer(gltf.scene);
mixer.clipAction(gltf.animations[0]).play();

const named = new Map();
gltf.scene.traverse((node) => named.set(node.userData.name ?? node.name, node));
let worstPlace = 0, worstTurn = 0, joints = 0;
for (const { frame, bones } of expected.frames) {
  if (frame < 0) continue;
  // The last frame, asked for exactly, would be the first of the next loop.
  mixer.setTime(Math.min(frame / 30, gltf.animations[0].duration - 1e-7));
  gltf.scene.updateMatrixWorld(true);
  for (const [name, [x, y, z, qx, qy, qz, qw]] of Object.entries(bones)) {
    const node = named.get(name);
    if (!node) throw new Error(`three.js has no node "${name}"`);
    const position = new THREE.Vector3(), rotation = new THREE.Quaternion(), scale = new THREE.Vector3();
    node.matrixWorld.decompose(position, rotation, scale);
    worstPlace = Math.max(worstPlace, position.distanceTo(new THREE.Vector3(x, y, z)));
    // The chord keeps its precision where the cosine of a small angle has none.
    const want = [qx, qy, qz, qw], got = rotation.toArray();
    const chord = Math.min(Math.hypot(...want.map((v, i) => v - got[i])), Math.hypot(...want.map((v, i) => v + got[i])));
    worstTurn = Math.max(worstTurn, 4 * Math.asin(chord / 2) * 180 / Math.PI);
    joints += 1;
  }
}
console.log(`three.js: ${joints} joints, worst ${worstPlace.toExponential(2)} of a size of ` +
  `${expected.size.toFixed(3)}, ${worstTurn.toFixed(4)} degrees`);
process.exit(joints > 0 && worstPlace <= 1e-4 * expected.size && worstTurn < 0.05 ? 0 : 1);
