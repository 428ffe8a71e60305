// SPDX-License-Identifier: MIT
import type { LiveRig } from './live_rig';

/** Which modifier it is, in words that hold for the file too: the bone, the class, and which of that class. */
export interface ModifierOwner {
  bone: string;
  type: string;
  nth: number;
}

/** Returns the owner of each modifier of a rig. */
export function modifierOwners(rig: LiveRig): ModifierOwner[] {
  const seen = new Map<string, number>();
  return rig.modifiers.map(({ bone, type }) => {
    const name = rig.actor.bones[bone]?.name ?? '';
    const key = `${name}\n${type}`;
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    return { bone: name, type, nth };
  });
}
