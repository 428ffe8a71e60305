// SPDX-License-Identifier: MIT
import type { Session } from './session';

export interface Curve {
  name: string;
  /** One value per frame. */
  values: Float32Array;
  /** Frames at which the file stores a knot of a spline; null if it stores every frame, empty if the value is constant. */
  knots: readonly number[] | null;
}
export interface CurveGroup {
  title: string;
  unit: string;
  curves: Curve[];
}

interface StoredChannel {
  name: string;
  knots: number[];
}
interface KnotsReport {
  tracks: { track: number; channels: StoredChannel[] }[];
  floats: { slot: number; knots: number[] }[];
}

const kParts = [
  { title: 'Position', unit: 'units', from: 0, axes: 'XYZ', channel: 'translation' },
  { title: 'Rotation', unit: '', from: 3, axes: 'XYZW', channel: 'rotation' },
  { title: 'Scale', unit: '', from: 7, axes: 'XYZ', channel: 'scale' },
];

/** Returns the curves of a bone and of the float tracks of the clip that is shown. */
export async function curvesOf(session: Session, bone: number | null): Promise<CurveGroup[]> {
  const { subject } = session.state;
  if (subject?.kind !== 'motion' || !subject.clip) return [];
  const document = await session.document(subject.file);
  const { data, floats, frameCount, trackCount, floatTrackCount } = document.frames(0);
  const { bones, slots } = document.tracks(0);
  const groups: CurveGroup[] = [];
  const track = bone === null ? -1 : bones.length > 0 ? bones.indexOf(bone) : bone < trackCount ? bone : -1;
  const stored = session.operations.has('knots') && subject.clip.isCompressed
    ? session.marrow.run<KnotsReport>('knots', { ...(track >= 0 ? { track } : {}) }, [{ role: 'clip', name: 'clip', document }]).report
    : null;
  if (track >= 0) {
    const channels = stored?.tracks.find((each) => each.track === track)?.channels ?? [];
    for (const { title, unit, from, axes, channel } of kParts)
      groups.push({
        title, unit,
        curves: [...axes].map((axis, k) => {
          const values = Float32Array.from({ length: frameCount }, (_, f) => data[(f * trackCount + track) * 10 + from + k]!);
          const found = channels.find((each) => each.name === channel || each.name === `${channel}.${axis.toLowerCase()}`);
          return { name: axis, values, knots: stored ? (found?.knots ?? []) : null };
        }),
      });
  }
  if (floatTrackCount > 0) {
    const skeleton = await session.document(subject.skeletonFile);
    const names = skeleton.info().skeletonCount > 0 ? skeleton.floatSlots(0).map((slot) => slot.name) : [];
    groups.push({
      title: 'Float tracks', unit: '',
      curves: Array.from({ length: floatTrackCount }, (_, s) => ({
        name: names[slots[s] ?? s] ?? `slot ${slots[s] ?? s}`,
        values: Float32Array.from({ length: frameCount }, (_, f) => floats[f * floatTrackCount + s]!),
        knots: stored ? (stored.floats.find((each) => each.slot === s)?.knots ?? []) : null,
      })),
    });
  }
  return groups;
}

/** Returns curves as CSV: a frame per row. */
export function curvesCsv(groups: readonly CurveGroup[]): string {
  const curves = groups.flatMap((group) => group.curves.map((curve) => ({ name: `${group.title} ${curve.name}`, values: curve.values })));
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [['frame', ...curves.map((curve) => quoted(curve.name))].join(',')];
  for (let frame = 0; frame < (curves[0]?.values.length ?? 0); ++frame)
    lines.push([frame, ...curves.map((curve) => String(curve.values[frame]))].join(','));
  return lines.join('\n') + '\n';
}
