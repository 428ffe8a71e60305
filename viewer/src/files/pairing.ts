// SPDX-License-Identifier: MIT
import { FileEntry, folderOf, nameOf } from './entry';

const kMostCandidates = 40;

/** Returns the files that may hold the skeleton of a clip, the likeliest first: as the games keep them, `skeleton.hkx`
 *  beside the clip or in `character assets` of a folder above; then what came together; then the newest. */
export function orderSkeletons(clip: FileEntry, files: readonly FileEntry[]): FileEntry[] {
  return ordered(clip, files.filter((file) => !/\.(nif|obj|txt|csv|png|zip)$/i.test(file.path)));
}
/** The same for a body, which finds its bones by name: a skeleton.nif has them, too. */
export function orderSkeletonsOfBody(body: FileEntry, files: readonly FileEntry[]): FileEntry[] {
  return [...orderSkeletons(body, files), ...ordered(body, files.filter((file) => /skeleton[^/]*\.nif$/i.test(file.path)))];
}
function ordered(clip: FileEntry, files: readonly FileEntry[]): FileEntry[] {
  const score = (file: FileEntry): number => {
    const name = nameOf(file.path).toLowerCase();
    const folder = folderOf(file.path).toLowerCase();
    const above = folder.replace(/character ?assets\/$/, '');
    let points = 0;
    if (/skeleton/.test(name)) points += 8;
    if (name === 'skeleton.hkx') points += 1;
    if (folderOf(clip.path).toLowerCase().startsWith(above)) points += 4 + Math.min(above.length / 1000, 0.9);
    if (file.batch === clip.batch) points += 2;
    return points + file.batch / 1e6;
  };
  return files
    .filter((file) => file.id !== clip.id)
    .sort((a, b) => score(b) - score(a))
    .slice(0, kMostCandidates);
}
