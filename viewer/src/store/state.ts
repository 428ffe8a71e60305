// SPDX-License-Identifier: MIT
// The state of the page. Panels and the scene show it; only the files of store/ change it, which the types see to: panels
// are given a store that has no `set`.
import type { Annotation, ClipInfo, DocumentInfo } from '../abi/marrow';
import type { CollisionSystem, DiffReport, Finding, PlanReport } from '../abi/reports';
import type { FileEntry } from '../files/entry';
import type { Actor } from './actor';
import type { BodyMesh, VisibleMesh } from './collision';
import type { LiveRig } from './live_rig';
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
}
export type Subject = Motion | Collision | Unshown;

/** The second clip of a comparison, and what differs. */
export interface Comparison {
  file: number;
  actor: Actor;
  clip: ClipInfo | null;
  /** Largest difference of each bone over all frames, sorted: degrees first. */
  bones: { bone: number; degrees: number; units: number }[];
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

export type RightPanel = 'inspect' | 'rig' | 'collision' | 'compare' | 'check' | 'run';
export type ColourBy = 'material' | 'layer' | 'shape' | 'motion';

export interface State {
  files: readonly FileEntry[];
  active: number | null;
  loading: boolean;
  subject: Subject | null;
  comparison: Comparison | null;
  stack: Stack | null;
  rig: LiveRig | null;
  world: World;
  findings: readonly Finding[] | null;

  playing: boolean;
  frame: number;
  speed: number;
  looping: boolean;

  bone: number | null;
  hovered: number | null;
  body: number | null;
  modifier: number | null;
  /** The game whose limits hold; empty for any. */
  game: string;

  left: 'files' | 'bones';
  right: RightPanel;
  curves: boolean;
  sideBySide: boolean;
  rootMotion: boolean;
  trail: boolean;
  names: boolean;
  axes: boolean;
  limits: boolean;
  boxes: boolean;
  meshes: boolean;
  joints: boolean;
  bodies: boolean;
  bones: boolean;
  /** Shapes of bodies that are switched off, as `shapeKey` names them. */
  hidden: ReadonlySet<string>;
  colourBy: ColourBy;
  crowd: number;

  theme: 'light' | 'dark';
  remember: boolean;
  sample: boolean;
  message: { text: string; level: 'info' | 'error' } | null;
  undo: string | null;
  redo: string | null;
  edited: ReadonlySet<number>;
}

export function initialState(): State {
  return {
    files: [],
    active: null,
    loading: false,
    subject: null,
    comparison: null,
    stack: null,
    rig: null,
    world: { running: true, fps: 60, step: 0, shakeMetres: 0, shakeHertz: 1, wind: [0, 0, 0], gusts: 0, gravity: [0, 0, -9.81] },
    findings: null,
    playing: true,
    frame: 0,
    speed: 1,
    looping: true,
    bone: null,
    hovered: null,
    body: null,
    modifier: null,
    game: '',
    left: 'files',
    right: 'inspect',
    curves: false,
    sideBySide: false,
    rootMotion: true,
    trail: true,
    names: false,
    axes: false,
    limits: true,
    boxes: false,
    meshes: true,
    joints: true,
    bodies: true,
    bones: true,
    hidden: new Set(),
    colourBy: 'material',
    crowd: 1,
    theme: 'light',
    remember: true,
    sample: false,
    message: null,
    undo: null,
    redo: null,
    edited: new Set(),
  };
}
