// SPDX-License-Identifier: MIT
// Time on the page: a clip plays, a rig runs, actors are posed.
import { sentenceOf } from '../abi/error';
import type { Session } from './session';

export class Clock {
  /** Seconds that passed and were not simulated yet. */
  private owed = 0;

  constructor(private readonly session: Session) {}

  /** Lets time pass: the clip plays, the rig runs. Poses the actors. */
  tick(seconds: number): void {
    const { subject, rig, world } = this.session.state;
    if (subject?.kind !== 'motion') return;
    if (rig && world.running) {
      // A page that was hidden does not catch up.
      this.owed = Math.min(this.owed + seconds, 0.1);
      while (this.owed >= 1 / world.fps) {
        this.owed -= 1 / world.fps;
        this.step();
      }
    }
    if (this.session.state.playing && subject.clip && !rig) this.play(seconds);
    this.pose();
  }
  private play(seconds: number): void {
    const { subject, comparison, speed, looping, frame, compareHow, isFirstTurn } = this.session.state;
    if (subject?.kind !== 'motion') return;
    const last = Math.max(subject.actor.frameCount, comparison?.actor.frameCount ?? 0) - 1;
    if (last <= 0) return;
    let next = frame + seconds * speed * subject.actor.rate;
    if (next > last || next < 0) {
      if (!looping) this.session.store.set({ playing: false });
      next = looping ? ((next % last) + last) % last : Math.min(Math.max(next, 0), last);
    }
    // Seen in turns, the other clip is next whenever one has ended.
    const isNext = comparison !== null && compareHow === 'turns' && Math.abs(next - frame) > last / 2;
    this.session.store.set({ frame: next, ...(isNext ? { isFirstTurn: !isFirstTurn } : {}) });
  }
  /** Simulates one frame. */
  step(): void {
    const { rig, world, subject, speed } = this.session.state;
    if (!rig || subject?.kind !== 'motion') return;
    const { actor } = subject;
    const frameAt = (step: number) => {
      const frame = actor.frameOf((step / world.fps) * speed);
      return actor.frameCount > 1 ? frame % (actor.frameCount - 1) : 0;
    };
    try {
      rig.step(world, (step) => actor.poseLocal(frameAt(step)));
      this.session.store.set({ world: { ...world, step: world.step + 1 }, ...(subject.clip ? { frame: frameAt(world.step + 1) } : {}) });
    } catch (failure) {
      this.session.store.set({ world: { ...world, running: false } });
      this.session.say(sentenceOf(failure), 'error');
    }
  }
  reset(): void {
    const { rig, subject } = this.session.state;
    rig?.reset();
    if (subject?.kind === 'motion') subject.actor.poseLocal(0);
    this.owed = 0;
    this.session.store.set({ world: { ...this.session.state.world, step: 0 } });
  }
  /** Forgets time that was not simulated. */
  restart(): void {
    this.owed = 0;
  }
  /** Poses what is shown at the current frame. */
  pose(): void {
    const { subject, comparison, rig, frame } = this.session.state;
    if (subject?.kind !== 'motion') return;
    if (!rig) subject.actor.pose(frame);
    comparison?.actor.pose(Math.min(frame, Math.max(comparison.actor.frameCount - 1, 0)));
  }
}
