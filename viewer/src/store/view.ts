// SPDX-License-Identifier: MIT
// What the user chooses to see: selections, switches, playback. Panels call these; none changes the state itself.
import type { Bend, ColourBy, CompareHow, RightPanel, State, World } from './state';
import type { Store } from './store';

/** Where the camera looks from; `free` is between them. */
export type Side = 'free' | 'front' | 'back' | 'left' | 'right' | 'top';

/** Switches that are on or off. */
export type Switch = 'helpers' | 'parallel' | 'follow' | 'isMeasuring' | 'looping' | 'curves' | 'degrees' | 'rootMotion' | 'trail' | 'names' | 'axes' | 'limits' | 'boxes' | 'meshes' | 'joints' | 'bodies' | 'bones' | 'remember';

/** Speeds that are offered. */
export const kSpeeds = [0.1, 0.25, 0.5, 1, 2, 4];

export class View {
  constructor(private readonly store: Store<State>) {}

  /** Turns a switch on or off; the other way round if neither is said. */
  flip(key: Switch, on = !this.store.state[key]): void {
    this.store.set({ [key]: on });
  }
  /** Shows or hides one shape of a body. */
  showShape(key: string, on: boolean): void {
    const hidden = new Set(this.store.state.hidden);
    if (on) hidden.delete(key);
    else hidden.add(key);
    this.store.set({ hidden });
  }
  toggleTheme(): void {
    this.store.set({ theme: this.store.state.theme === 'dark' ? 'light' : 'dark' });
  }
  openLeft(left: State['left']): void {
    this.store.set({ left });
    this.openSide('left', true);
  }
  openRight(right: RightPanel): void {
    this.store.set({ right });
    this.openSide('right', true);
  }
  /** Opens or closes the panels of a side. Without room for both, one closes the other. */
  openSide(side: 'left' | 'right', isOpen: boolean): void {
    const { narrow } = this.store.state;
    const other = narrow && isOpen ? { [side === 'left' ? 'rightOpen' : 'leftOpen']: false } : {};
    this.store.set({ [side === 'left' ? 'leftOpen' : 'rightOpen']: isOpen, ...other });
  }
  /** Notes whether there is room for panels beside the picture. */
  setNarrow(narrow: boolean): void {
    if (narrow !== this.store.state.narrow) this.store.set({ narrow, leftOpen: !narrow, rightOpen: !narrow });
  }
  colourBy(colourBy: ColourBy): void {
    this.store.set({ colourBy });
  }
  compareHow(compareHow: CompareHow): void {
    this.store.set({ compareHow, isFirstTurn: true });
  }
  /** Draws so many frames before and after. */
  setGhosts(ghosts: number): void {
    this.store.set({ ghosts });
  }
  /** Draws the way of a bone, or stops that. */
  toggleTrail(bone: number): void {
    const { trails } = this.store.state;
    this.store.set({ trails: trails.includes(bone) ? trails.filter((each) => each !== bone) : [...trails, bone] });
  }
  /** Keeps the curves of the selected bone beside others, or stops that. */
  pinBone(): void {
    const { bone, pinned } = this.store.state;
    if (bone !== null) this.store.set({ pinned: pinned.includes(bone) ? pinned.filter((each) => each !== bone) : [...pinned, bone] });
  }
  /** Takes the next end of the ruler. */
  measure(bone: number): void {
    const { ruler } = this.store.state;
    this.store.set({ ruler: ruler.length >= 2 ? [bone] : [...ruler, bone] });
  }
  toggleRuler(): void {
    const isMeasuring = !this.store.state.isMeasuring;
    this.store.set({ isMeasuring, ruler: [] });
  }
  /** Puts rings around the selected bone that turn it, or takes them away. The clip stops for it. */
  togglePosing(): void {
    const { isPosing, playing } = this.store.state;
    this.store.set({ isPosing: !isPosing, playing: playing && isPosing });
    if (!isPosing) this.goTo(Math.round(this.store.state.frame));
  }
  /** Sets for how many seconds a pose fades in and out. */
  setFade(fade: number): void {
    this.store.set({ fade: Math.max(0, fade) });
  }
  /** Puts the camera into a bone, or back. */
  lookFrom(eyeBone: number | null): void {
    this.store.set({ eyeBone });
  }
  /** Bends the joint that carries a body; null brings all back to rest. */
  bend(body: number | null, bend?: Bend): void {
    this.store.set({ bends: body === null || !bend ? new Map() : new Map(this.store.state.bends).set(body, bend) });
  }
  setCrowd(crowd: number): void {
    this.store.set({ crowd });
  }
  /** Sets the game whose limits hold; empty for any. */
  setGame(game: string): void {
    this.store.set({ game });
  }
  forgetMessage(): void {
    this.store.set({ message: null });
  }

  // ------------------------------------------------------------ selecting

  selectBone(bone: number | null): void {
    this.store.set({ bone });
  }
  /** Selects a bone and the first modifier on it, if there is one. */
  pickBone(bone: number | null): void {
    const { rig } = this.store.state;
    const modifier = rig && bone !== null ? rig.modifiers.findIndex((each) => each.bone === bone) : -1;
    this.store.set({ bone, ...(modifier >= 0 ? { modifier } : {}) });
  }
  /** Selects a bone and shows it in the tree. */
  revealBone(bone: number): void {
    this.store.set({ bone, left: 'bones', ...(this.store.state.narrow ? {} : { leftOpen: true }) });
  }
  hover(hovered: number | null): void {
    this.store.set({ hovered });
  }
  selectBody(body: number | null): void {
    this.store.set({ body });
  }
  /** Selects the next or the previous body. */
  browseBodies(by: number): void {
    const { subject, body } = this.store.state;
    if (subject?.kind === 'collision') this.store.set({ body: Math.min(Math.max((body ?? -1) + by, 0), subject.bodies.length - 1) });
  }
  /** Selects a modifier and its bone. */
  selectModifier(modifier: number): void {
    const bone = this.store.state.rig?.modifiers[modifier]?.bone;
    this.store.set({ modifier, ...(bone === undefined ? {} : { bone }) });
  }
  selectNothing(): void {
    this.store.set({ bone: null, body: null });
  }
  /** Draws what is shown anew, for parts of it that are not in the state. */
  refreshSubject(): void {
    const { subject } = this.store.state;
    if (subject) this.store.set({ subject: { ...subject } });
  }

  // ------------------------------------------------------------ time

  /** The last frame of the clip that is shown. */
  get lastFrame(): number {
    const { subject } = this.store.state;
    return subject?.kind === 'motion' ? (subject.clip?.frameCount ?? 1) - 1 : 0;
  }
  /** Stops at a frame, or at the end of the clip that is nearer. */
  goTo(frame: number): void {
    this.store.set({ frame: Math.min(Math.max(frame, 0), this.lastFrame), playing: false });
  }
  setPlaying(playing: boolean): void {
    this.store.set({ playing });
  }
  /** Opens or closes the dialog that asks for a film. */
  setRecording(recording: boolean): void {
    this.store.set({ recording });
  }
  /** Starts or stops the clip, or the world of a rig. */
  togglePlay(): void {
    const { rig, world, playing } = this.store.state;
    if (rig) this.setWorld({ running: !world.running });
    else this.store.set({ playing: !playing });
  }
  setSpeed(speed: number): void {
    this.store.set({ speed });
  }
  /** Takes the next faster or slower speed. */
  changeSpeed(by: number): void {
    const at = kSpeeds.findIndex((speed) => speed >= this.store.state.speed);
    this.setSpeed(kSpeeds[Math.min(Math.max(at + by, 0), kSpeeds.length - 1)]!);
  }
  setWorld(patch: Partial<World>): void {
    this.store.set({ world: { ...this.store.state.world, ...patch } });
  }
}
