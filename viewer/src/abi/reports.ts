// SPDX-License-Identifier: MIT
// The shapes of the JSON that the viewer reads: descriptions of operations, and the reports that it shows.

export interface FieldDescription {
  name: string;
  type: 'flag' | 'integer' | 'number' | 'text' | 'choice' | 'vector' | 'record' | 'input';
  help: string;
  list?: boolean;
  optional?: boolean;
  required?: boolean;
  unit?: string;
  min?: number;
  max?: number;
  above_min?: boolean;
  count?: number;
  choices?: string[];
  default?: unknown;
  default_text?: string;
}
export interface InputDescription {
  name: string;
  kind: 'document' | 'skeleton' | 'text';
  help: string;
  required: boolean;
  list: boolean;
  main: boolean;
  /** True if it is given twice for the actors of a pair: a skeleton. */
  pair?: boolean;
  /** Names of texts that come with Marrow, to be given instead of a file. */
  presets?: string[];
}
export interface OperationDescription {
  name: string;
  summary: string;
  details: string;
  inputs: InputDescription[];
  options: FieldDescription[];
  report: FieldDescription[];
  output: 'none' | 'document' | 'text';
  formats: string[];
  /** Of a document that is written only if asked for: `fix`. */
  output_flag?: string;
}
export type Description = OperationDescription[];

/** Any report. */
export type Report = Record<string, unknown>;

/** The operation that repairs something, with the options that are known. */
export interface Cure {
  operation: string;
  options: Record<string, unknown>;
}
export interface Finding {
  code: string;
  level: 'error' | 'warning' | 'info';
  message: string;
  where: string;
  cure: Cure | null;
}
export interface CheckReport {
  findings: Finding[];
}

export interface Difference {
  kind: string;
  object: string;
  field: string;
  left: string | null;
  right: string | null;
  size: number | null;
  unit: string;
}
export interface DiffReport {
  differences: Difference[];
}

export interface ModifierField {
  name: string;
  unit: string;
  help: string;
  default: unknown;
  min?: number;
  max?: number;
  words?: string[];
  choices?: string[];
  /** Of a list of parts: the fields of each. */
  fields?: ModifierField[];
}
export interface ModifierType {
  type: string;
  class_name: string;
  summary: string;
  games: string[];
  fields: ModifierField[];
}

export interface PlanPart {
  path: string;
  root: string;
  bones: number;
  matched: number;
  new: number;
  total: number;
  merged: boolean;
}
export interface PlanReport {
  game: string | null;
  limit: number;
  bones: number;
  base: PlanPart;
  addons: PlanPart[];
  provenance: { bone: string; from: string; modifiers: string[] }[];
}

export interface ListedBone {
  index: number;
  name: string;
  parent: string | null;
  origin: string;
  modifiers: { type: string; fields: Record<string, unknown> }[];
}

export interface CollisionBody {
  id: number;
  node: string | null;
  motion: string;
  mass: number;
  friction: number;
  restitution: number;
  layer: string;
  material: string;
  shape: { type: string; vertices: number; triangles: number; children: number };
  [property: string]: unknown;
}
export interface CollisionSystem {
  block: number | null;
  kind: string;
  bodies: CollisionBody[];
  constraints: Record<string, unknown>[];
}

/** A box of a bounding tree, in the space of the body's node. */
export interface TreeBox {
  system: number;
  body: number;
  depth: number;
  centre: [number, number, number];
  size: [number, number, number];
  rotation: [number, number, number, number];
}
