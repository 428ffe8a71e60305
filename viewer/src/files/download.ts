// SPDX-License-Identifier: MIT

/** Hands a file to the browser's downloads. */
export function download(name: string, data: BlobPart | Blob, type = 'application/octet-stream'): void {
  const url = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
