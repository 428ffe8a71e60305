// SPDX-License-Identifier: MIT
import { degreesApart, distance, kFloats } from './pose';
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

const kDegrees = 180 / Math.PI;

/** Rotations as turns about X, then Y, then Z, in degrees, without jumps by a whole turn. */
function degreesOf(data: Float32Array, frameCount: number, at: (frame: number) => number): Float32Array[] {
  const out = [0, 1, 2].map(() => new Float32Array(frameCount));
  for (let f = 0; f < frameCount; ++f) {
    const [x, y, z, w] = [0, 1, 2, 3].map((k) => data[at(f) + k]!) as [number, number, number, number];
    const turns = [
      Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), Math.asin(Math.min(Math.max(2 * (w * y - z * x), -1), 1)), Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
    ];
    turns.forEach((turn, k) => {
      const before = f > 0 ? out[k]![f - 1]! : 0;
      out[k]![f] = turn * kDegrees + (f > 0 ? 360 * Math.round((before - turn * kDegrees) / 360) : 0);
    });
  }
  return out;
}

/** How far a bone is from where the other clip of a comparison has it, frame by frame. */
export function differenceOf(session: Session, bone: number): CurveGroup | null {
  const { subject, comparison, frame } = session.state;
  if (subject?.kind !== 'motion' || !comparison) return null;
  const one = subject.actor, two = comparison.actor;
  const twin = two.bones.findIndex((each) => each.name === one.bones[bone]?.name);
  if (twin < 0) return null;
  const count = Math.max(one.frameCount, 1);
  const turns = new Float32Array(count), places = new Float32Array(count);
  for (let f = 0; f < count; ++f) {
    one.poseLocal(f);
    two.poseLocal(Math.min(f, Math.max(two.frameCount - 1, 0)));
    turns[f] = degreesApart(one.local, bone * kFloats + 3, two.local, twin * kFloats + 3);
    places[f] = distance(one.model, bone * kFloats, two.model, twin * kFloats, two.metresPerUnit / one.metresPerUnit);
  }
  one.poseLocal(frame);
  two.poseLocal(Math.min(frame, Math.max(two.frameCount - 1, 0)));
  return { title: 'To the other clip', unit: '', curves: [{ name: 'degrees', values: turns, knots: null }, { name: 'units', values: places, knots: null }] };
}

/** Returns the curves of a bone and of the float tracks of the clip that is shown; rotations as quaternions or in degrees. */
export async function curvesOf(session: Session, bone: number | null, isInDegrees = false, hasFloats = true): Promise<CurveGroup[]> {
  const { subject } = session.state;
  if (subject?.kind !== 'motion' || !subject.clip) return [];
  const document = await session.document(subject.file);
  const { data, floats, frameCount, trackCount, floatTrackCount } = document.frames(subject.clipIndex);
  const { bones, slots } = document.tracks(subject.clipIndex);
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
  if (track >= 0 && isInDegrees) {
    const turns = degreesOf(data, frameCount, (f) => (f * trackCount + track) * 10 + 3);
    const knots = groups[1]!.curves[0]!.knots;
    groups[1] = { title: 'Rotation', unit: '°', curves: turns.map((values, k) => ({ name: 'XYZ'[k]!, values, knots })) };
  }
  if (floatTrackCount > 0 && hasFloats) {
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
