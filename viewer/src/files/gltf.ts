// SPDX-License-Identifier: MIT
import { FileEntry, folderOf } from './entry';

interface Buffers {
  buffers?: { uri?: string }[];
}

/** Returns a .gltf whose buffers lie in files beside it with these buffers inside it; any other file as it is. Buffers
 *  that are not open stay outside, and the library says which are missing. */
export async function withBuffers(path: string, bytes: Uint8Array, files: readonly FileEntry[]): Promise<Uint8Array> {
  if (!/\.gltf$/i.test(path)) return bytes;
  let scene: Buffers;
  try {
    scene = JSON.parse(new TextDecoder().decode(bytes)) as Buffers;
  } catch {
    return bytes; // the library explains what is wrong
  }
  for (const buffer of Array.isArray(scene?.buffers) ? scene.buffers : []) {
    if (typeof buffer?.uri !== 'string' || buffer.uri.startsWith('data:')) continue;
    const beside = folderOf(path) + decoded(buffer.uri);
    const file = files.find((each) => each.path === beside);
    if (file) buffer.uri = await dataUri(await file.read());
  }
  return new TextEncoder().encode(JSON.stringify(scene)) as Uint8Array;
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

function dataUri(bytes: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error('A file that was chosen cannot be read any more.'));
    reader.readAsDataURL(new Blob([bytes], { type: 'application/octet-stream' }));
  });
}
