// SPDX-License-Identifier: MIT
// The textures of bodies: files whose path ends as the shape states it.
import { MeshStandardMaterial, SRGBColorSpace, RepeatWrapping, Texture } from 'three';
import type { Shape } from '../abi/marrow';
import { textureOfDds } from '../files/dds';
import type { FileEntry } from '../files/entry';
import type { Session } from '../store/session';

const plain = (path: string) => path.toLowerCase().replaceAll('\\', '/').replace(/^.*?(?=textures\/)/, '');

/** Finds an open file by the path that a shape states: with its folders, else by its name. */
function fileOf(files: readonly FileEntry[], path: string): FileEntry | null {
  const wanted = plain(path), name = wanted.slice(wanted.lastIndexOf('/') + 1);
  if (!name) return null;
  return files.find((file) => plain(file.path) === wanted || plain(file.path).endsWith(`/${wanted}`)) ?? files.find((file) => plain(file.path).split('/').at(-1) === name) ?? null;
}

async function textureOf(file: FileEntry, gl: WebGLRenderingContext | WebGL2RenderingContext): Promise<Texture | null> {
  const bytes = await file.read();
  if (/\.dds$/i.test(file.path)) return textureOfDds(bytes, gl);
  if (!/\.(png|jpe?g|webp)$/i.test(file.path)) return null;
  const texture = new Texture(await createImageBitmap(new Blob([bytes as BlobPart])));
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.needsUpdate = true;
  return texture;
}

/** Gives a material the texture of its shape, if its file is open. Returns what has to be freed. */
export async function dress(session: Session, shape: Shape, material: MeshStandardMaterial, gl: WebGLRenderingContext | WebGL2RenderingContext): Promise<Texture | null> {
  const path = shape.textures[0];
  const file = path ? fileOf(session.state.files, path) : null;
  if (!file || !shape.uvs) return null;
  try {
    const texture = await textureOf(file, gl);
    if (!texture) return null;
    material.map = texture;
    material.color.set(0xffffff);
    material.needsUpdate = true;
    return texture;
  } catch {
    return null; // a picture that the browser cannot read
  }
}
