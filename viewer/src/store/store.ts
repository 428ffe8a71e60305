// SPDX-License-Identifier: MIT

/** A state to look at. */
export interface Watched<State extends object> {
  readonly state: Readonly<State>;
  watch(keys: readonly (keyof State)[], view: (state: State) => void): void;
  tell(): void;
}

/** One state, replaced by parts. Views watch the parts that they show and are called once per turn of the event loop. */
export class Store<State extends object> implements Watched<State> {
  private readonly watchers: { keys: readonly (keyof State)[]; view: (state: State) => void }[] = [];
  private changed = new Set<keyof State>();

  constructor(private current: State) {}

  get state(): Readonly<State> {
    return this.current;
  }

  set(patch: Partial<State>): void {
    for (const key in patch) {
      if (Object.is(this.current[key], patch[key])) continue;
      if (this.changed.size === 0) queueMicrotask(() => this.tell());
      this.changed.add(key);
    }
    this.current = { ...this.current, ...patch };
  }

  /** Calls `view` now, and whenever one of the parts has changed. */
  watch(keys: readonly (keyof State)[], view: (state: State) => void): void {
    this.watchers.push({ keys, view });
    view(this.current);
  }

  /** Calls all views that are due at once, for whoever has to see the result. */
  tell(): void {
    const changed = this.changed;
    this.changed = new Set();
    for (const { keys, view } of this.watchers) if (keys.some((key) => changed.has(key))) view(this.current);
  }
}
