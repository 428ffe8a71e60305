// SPDX-License-Identifier: MIT
// Textures of the games: .dds files as the graphics card takes them. What a browser has no format for is left out.
import { CompressedTexture, DataTexture, LinearFilter, LinearMipmapLinearFilter, RepeatWrapping, RGBAFormat, SRGBColorSpace, Texture, UnsignedByteType } from 'three';
import { RGBA_BPTC_Format, RGBA_S3TC_DXT1_Format, RGBA_S3TC_DXT3_Format, RGBA_S3TC_DXT5_Format, RED_GREEN_RGTC2_Format, RED_RGTC1_Format, RGB_BPTC_SIGNED_Format, RGB_BPTC_UNSIGNED_Format, SIGNED_RED_GREEN_RGTC2_Format, SIGNED_RED_RGTC1_Format, CompressedPixelFormat } from 'three';

const kMagic = 0x20534444, kHeader = 128, kDx10Header = 20;
const kMostMips = 16, kMostSide = 8192;

/** A block format: the bytes of a block of 4 by 4 pixels, and the extension that a browser needs. */
interface BlockFormat {
  format: CompressedPixelFormat;
  bytes: number;
  needs: 'WEBGL_compressed_texture_s3tc' | 'EXT_texture_compression_bptc' | 'EXT_texture_compression_rgtc';
}
const s3tc = (format: CompressedPixelFormat, bytes: number): BlockFormat => ({ format, bytes, needs: 'WEBGL_compressed_texture_s3tc' });
const kFourCc: Readonly<Record<string, BlockFormat>> = {
  DXT1: s3tc(RGBA_S3TC_DXT1_Format, 8), DXT2: s3tc(RGBA_S3TC_DXT3_Format, 16), DXT3: s3tc(RGBA_S3TC_DXT3_Format, 16), DXT4: s3tc(RGBA_S3TC_DXT5_Format, 16), DXT5: s3tc(RGBA_S3TC_DXT5_Format, 16),
  ATI1: { format: RED_RGTC1_Format, bytes: 8, needs: 'EXT_texture_compression_rgtc' }, BC4U: { format: RED_RGTC1_Format, bytes: 8, needs: 'EXT_texture_compression_rgtc' },
  ATI2: { format: RED_GREEN_RGTC2_Format, bytes: 16, needs: 'EXT_texture_compression_rgtc' }, BC5U: { format: RED_GREEN_RGTC2_Format, bytes: 16, needs: 'EXT_texture_compression_rgtc' },
};
/** Numbers of DXGI_FORMAT. */
const kDxgi: Readonly<Record<number, BlockFormat>> = {
  71: kFourCc.DXT1!, 72: kFourCc.DXT1!, 74: kFourCc.DXT3!, 75: kFourCc.DXT3!, 77: kFourCc.DXT5!, 78: kFourCc.DXT5!, 80: kFourCc.ATI1!, 83: kFourCc.ATI2!,
  81: { format: SIGNED_RED_RGTC1_Format, bytes: 8, needs: 'EXT_texture_compression_rgtc' }, 84: { format: SIGNED_RED_GREEN_RGTC2_Format, bytes: 16, needs: 'EXT_texture_compression_rgtc' },
  95: { format: RGB_BPTC_UNSIGNED_Format, bytes: 16, needs: 'EXT_texture_compression_bptc' }, 96: { format: RGB_BPTC_SIGNED_Format, bytes: 16, needs: 'EXT_texture_compression_bptc' },
  98: { format: RGBA_BPTC_Format, bytes: 16, needs: 'EXT_texture_compression_bptc' }, 99: { format: RGBA_BPTC_Format, bytes: 16, needs: 'EXT_texture_compression_bptc' },
};
const kDxgiRgba = [28, 29], kDxgiBgra = [87, 91];

/** Returns the picture of a .dds file as a texture; null if it is not one, or if this browser cannot show its format. */
export function textureOfDds(bytes: Uint8Array, gl: WebGLRenderingContext | WebGL2RenderingContext): Texture | null {
  if (bytes.length < kHeader) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u32 = (at: number) => view.getUint32(at, true);
  if (u32(0) !== kMagic) return null;
  const height = u32(12), width = u32(16), mips = Math.min(Math.max(u32(28), 1), kMostMips);
  if (width === 0 || height === 0 || width > kMostSide || height > kMostSide) return null;
  const fourCc = String.fromCharCode(...bytes.subarray(84, 88));
  const isDx10 = fourCc === 'DX10';
  if (isDx10 && bytes.length < kHeader + kDx10Header) return null;
  const from = kHeader + (isDx10 ? kDx10Header : 0);
  const block = isDx10 ? kDxgi[u32(128)] : kFourCc[fourCc];
  if (block) return gl.getExtension(block.needs) ? ofBlocks(bytes, from, width, height, mips, block) : null;
  const isPlain = isDx10 ? [...kDxgiRgba, ...kDxgiBgra].includes(u32(128)) : u32(88) === 32 && fourCc === '\0\0\0\0';
  if (!isPlain) return null;
  const isBgra = isDx10 ? kDxgiBgra.includes(u32(128)) : u32(92) === 0x00ff0000;
  return ofPixels(bytes, from, width, height, isBgra);
}

function finished<T extends Texture>(texture: T): T {
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.needsUpdate = true;
  return texture;
}

function ofBlocks(bytes: Uint8Array, from: number, width: number, height: number, mips: number, { format, bytes: size }: BlockFormat): Texture | null {
  const levels: { data: Uint8Array; width: number; height: number }[] = [];
  let at = from;
  for (let i = 0; i < mips; ++i) {
    const [w, h] = [Math.max(width >> i, 1), Math.max(height >> i, 1)];
    const length = Math.ceil(w / 4) * Math.ceil(h / 4) * size;
    if (at + length > bytes.length) break;
    levels.push({ data: bytes.slice(at, at + length), width: w, height: h });
    at += length;
  }
  if (levels.length === 0) return null;
  const texture = new CompressedTexture(levels as unknown as ImageData[], width, height, format);
  // Half a chain of smaller pictures is none for the graphics card.
  const isWhole = levels.length > 1 && Math.max(width, height) >> (levels.length - 1) <= 1;
  if (!isWhole) texture.mipmaps = levels.slice(0, 1) as unknown as ImageData[];
  texture.minFilter = isWhole ? LinearMipmapLinearFilter : LinearFilter;
  return finished(texture);
}

function ofPixels(bytes: Uint8Array, from: number, width: number, height: number, isBgra: boolean): Texture | null {
  const size = width * height * 4;
  if (from + size > bytes.length) return null;
  const pixels = bytes.slice(from, from + size);
  if (isBgra) for (let i = 0; i < size; i += 4) [pixels[i], pixels[i + 2]] = [pixels[i + 2]!, pixels[i]!];
  const texture = new DataTexture(pixels, width, height, RGBAFormat, UnsignedByteType);
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  return finished(texture);
}
