// SPDX-License-Identifier: MIT
// The state of the page. Panels and the scene show it; only the files of store/ change it, which the types see to: panels
// are given a store that has no `set`.
import type { Annotation, ClipInfo, DocumentInfo } from '../abi/marrow';
import type { CollisionSystem, DiffReport, Finding, PlanReport } from '../abi/reports';
import type { FileEntry } from '../files/entry';
import type { Actor } from './actor';
import type { BoneDifference } from './compare';
import type { BodyMesh, VisibleMesh } from './collision';
import type { FileEdits } from './edits';
import type { Graph } from './graphs';
import type { LiveRig } from './live_rig';
import type { PlaysOn, SkeletonChoice } from './plays_on';
import type { Side } from './roles';
import type { Worn } from './worn';

/** A clip on a skeleton, or a skeleton alone. */
export interface Motion {
  kind: 'motion';
  file: number;
  info: DocumentInfo;
  /** Null if a skeleton is shown. */
  clip: ClipInfo | null;
  skeletonFile: number;
  actor: Actor;
  /** Names of the clips of the file if there are several, and which of them is shown. */
  clips: readonly string[];
  clipIndex: number;
  /** What a clip plays on; null without a clip. */
  plays: PlaysOn | null;
  annotations: readonly Annotation[];
  /** Bodies that the bones move. */
  worn: readonly Worn[];
}
/** Collision of a NIF or a bare packfile, with the visible meshes. */
export interface Collision {
  kind: 'collision';
  file: number;
  info: DocumentInfo;
  systems: CollisionSystem[];
  bodies: BodyMesh[];
  meshes: VisibleMesh[];
}
/** A file that cannot be shown. */
export interface Unshown {
  kind: 'unshown';
  file: number;
  title: string;
  why: string;
  cure: string;
  /** Skeletons that a clip could be shown on all the same. */
  choices?: readonly SkeletonChoice[];
}
export type Subject = Motion | Collision | Unshown;

/** The second clip of a comparison, and what differs. */
export interface Comparison {
  file: number;
  actor: Actor;
  clip: ClipInfo | null;
  /** Names of the clips of the file if there are several, and which of them it is. */
  clips: readonly string[];
  clipIndex: number;
  /** Largest difference of each bone over all frames, sorted: degrees first. */
  bones: BoneDifference[];
  report: DiffReport;
}

export interface Stack {
  /** Files of the stack, the base first. */
  files: number[];
  plan: PlanReport | null;
  /** For each bone of the rig, the file that it comes from. */
  origins: number[];
}

export interface World {
  running: boolean;
  fps: number;
  /** Steps since the start. */
  step: number;
  shakeMetres: number;
  shakeHertz: number;
  wind: [number, number, number];
  gusts: number;
  gravity: [number, number, number];
}

/** A foot that stands: where, in metres, and from which frame to which. */
export interface Contact {
  bone: string;
  side: Side;
  place: [number, number, number];
  from: number;
  to: number;
}
/** How far a joint is bent: its twist, and two swings; in radians. */
export type Bend = readonly [twist: number, swing: number, lean: number];
/** Joints that are bent by hand, by the body that they carry. */
export type Bends = ReadonlyMap<number, Bend>;
export type CompareHow = 'overlay' | 'side' | 'turns';

export type RightPanel = 'inspect' | 'rig' | 'collision' | 'compare' | 'check' | 'run';
export type LeftPanel = 'files' | 'bones' | 'edits';
export type ColourBy = 'material' | 'layer' | 'shape' | 'motion';

/** Edits of an earlier session, of files that are not open. */
export interface Waiting {
  key: string;
  files: readonly FileEntry[];
  edited: readonly FileEntry[];
}

export interface State {
  files: readonly FileEntry[];
  active: number | null;
  loading: boolean;
  subject: Subject | null;
  comparison: Comparison | null;
  stack: Stack | null;
  /** The behaviour whose graph stands beside the figure. */
  graph: Graph | null;
  rig: LiveRig | null;
  world: World;
  findings: readonly Finding[] | null;

  playing: boolean;
  frame: number;
  speed: number;
  looping: boolean;
  /** The frames that trimming would keep; null is all. */
  range: { from: number; to: number } | null;

  bone: number | null;
  hovered: number | null;
  body: number | null;
  modifier: number | null;
  /** The game whose limits hold; empty for any. */
  game: string;

  left: LeftPanel;
  /** Panels that are open; on narrow pages they lie over the picture. */
  leftOpen: boolean;
  rightOpen: boolean;
  /** The page is too narrow for panels beside the picture. */
  narrow: boolean;
  right: RightPanel;
  curves: boolean;
  /** Rotations are plotted in degrees, not as quaternions. */
  degrees: boolean;
  /** Bones whose curves stay beside those of the selected one. */
  pinned: readonly number[];
  /** How two clips are seen together: over each other, beside each other, or one after the other. */
  compareHow: CompareHow;
  /** In turns: the first clip is seen. */
  isFirstTurn: boolean;
  /** Frames before and after that are drawn faintly, each way. */
  ghosts: number;
  /** Bones whose way through the clip is drawn. */
  trails: readonly number[];
  /** Two bones whose distance is measured; fewer while they are being chosen. */
  ruler: readonly number[];
  isMeasuring: boolean;
  /** The selected bone has rings that turn it; and for how many seconds a pose fades in and out. */
  isPosing: boolean;
  fade: number;
  /** Feet that stand, as the library finds them; null if they are not asked for. */
  contacts: readonly Contact[] | null;
  /** Bones that are not of the body: helpers, weapons, cameras, cloth, magic. */
  helpers: boolean;
  parallel: boolean;
  follow: boolean;
  /** The bone that the camera sits in. */
  eyeBone: number | null;
  rootMotion: boolean;
  trail: boolean;
  names: boolean;
  axes: boolean;
  limits: boolean;
  boxes: boolean;
  meshes: boolean;
  joints: boolean;
  bends: Bends;
  bodies: boolean;
  bones: boolean;
  /** Shapes of bodies that are switched off, as `shapeKey` names them. */
  hidden: ReadonlySet<string>;
  colourBy: ColourBy;
  crowd: number;

  /** The dialog that asks for a film is open. */
  recording: boolean;
  theme: 'light' | 'dark';
  remember: boolean;
  sample: boolean;
  message: { text: string; level: 'info' | 'error' } | null;
  undo: string | null;
  redo: string | null;
  edited: ReadonlySet<number>;
  edits: readonly FileEdits[];
  waiting: readonly Waiting[];
}

export function initialState(): State {
  return {
    files: [],
    active: null,
    loading: false,
    subject: null,
    comparison: null,
    stack: null,
    graph: null,
    rig: null,
    world: { running: true, fps: 60, step: 0, shakeMetres: 0, shakeHertz: 1, wind: [0, 0, 0], gusts: 0, gravity: [0, 0, -9.81] },
    findings: null,
    playing: true,
    frame: 0,
    speed: 1,
    looping: true,
    range: null,
    bone: null,
    hovered: null,
    body: null,
    modifier: null,
    game: '',
    left: 'files',
    leftOpen: true,
    rightOpen: true,
    narrow: false,
    right: 'inspect',
    curves: false,
    degrees: true,
    pinned: [],
    compareHow: 'overlay',
    isFirstTurn: true,
    ghosts: 0,
    trails: [],
    ruler: [],
    isMeasuring: false,
    isPosing: false,
    fade: 0.2,
    contacts: null,
    helpers: false,
    parallel: false,
    follow: true,
    eyeBone: null,
    rootMotion: true,
    trail: true,
    names: false,
    axes: false,
    limits: true,
    boxes: false,
    meshes: true,
    joints: true,
    bends: new Map(),
    bodies: true,
    bones: true,
    hidden: new Set(),
    colourBy: 'material',
    crowd: 1,
    recording: false,
    theme: 'light',
    remember: true,
    sample: false,
    message: null,
    undo: null,
    redo: null,
    edited: new Set(),
    edits: [],
    waiting: [],
  };
}
