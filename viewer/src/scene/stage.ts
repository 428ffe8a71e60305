// SPDX-License-Identifier: MIT
// The picture: camera, floor, actors, collision, limits. It is drawn when something has changed or moves.
import {
  Box3, BufferAttribute, BufferGeometry, Color, DirectionalLight, Fog, Group, HemisphereLight, Line, LineBasicMaterial, LineSegments, Matrix4, PerspectiveCamera,
  Raycaster, Scene, Vector2, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Actor } from '../store/actor';
import { degreesApart, distance, kFloats } from '../store/pose';
import type { Session } from '../store/session';
import type { Motion, State } from '../store/state';
import { shapeKey } from '../store/worn';
import { BodyView } from './body';
import { BoneMesh, Link, linksOf } from './bones';
import { CollisionView, axesLines, clear } from './collision';
import { makeFloor } from './floor';
import { RigLimits } from './limits';
import { hue, palettes, heat, Palette } from './palette';

const kPickPixels = 12;
/** Differences that are drawn in the hottest colour. */
const kHotDegrees = 10, kHotMetres = 0.05;

interface Placed {
  actor: Actor;
  links: Link[];
  offset: [number, number, number];
  turn: number;
  tint: (bone: number) => Color;
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly camera = new PerspectiveCamera(35, 1, 0.01, 500);
  readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly controls: OrbitControls;
  private readonly bones = new BoneMesh();
  private readonly extras = new Group();
  private readonly trail = new Line(new BufferGeometry(), new LineBasicMaterial());
  private readonly limits = new RigLimits();
  private readonly axes = axesLines(0.12);
  private grid: LineSegments | null = null;
  private collision: CollisionView | null = null;
  private bodies: BodyView[] = [];
  private placed: Placed[] = [];
  private links = new WeakMap<Actor, Link[]>();
  private palette: Palette = palettes.light;
  private isDue = true;
  private last = 0;
  private framed: unknown = null;
  /** Milliseconds of the script per frame, averaged; for the curious and the benchmark. */
  cost = 0;
  /** Frames that were drawn. */
  drawn = 0;

  constructor(
    private readonly session: Session,
    private readonly host: HTMLElement,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.canvas = this.renderer.domElement;
    host.prepend(this.canvas);
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(2.4, -3.2, 1.7);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => this.invalidate());
    const sun = new DirectionalLight(0xffffff, 1.6);
    sun.position.set(2, -3, 4);
    this.scene.add(new HemisphereLight(0xffffff, 0x8a8f99, 1.5), sun, this.bones.mesh, this.trail, this.extras, this.limits.group, this.axes);
    this.axes.visible = false;
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    session.store.watch(['theme'], (state) => this.setTheme(state));
    session.store.watch(['subject'], (state) => this.setSubject(state));
    session.store.watch(
      ['colourBy', 'body', 'meshes', 'joints', 'boxes'],
      (state) => (this.collision?.show(state), this.invalidate()),
    );
    session.store.watch(['bodies', 'hidden'], (state) => this.showShapes(state));
    session.store.watch(
      ['frame', 'bones', 'bone', 'hovered', 'rootMotion', 'trail', 'axes', 'limits', 'crowd', 'comparison', 'sideBySide', 'rig', 'modifier', 'world', 'stack'],
      () => this.invalidate(),
    );
  }

  invalidate(): void {
    this.isDue = true;
  }
  /** Starts drawing. */
  start(): void {
    const turn = (now: number) => {
      requestAnimationFrame(turn);
      const seconds = Math.min((now - this.last) / 1000, 0.1);
      this.last = now;
      this.advance(seconds);
    };
    requestAnimationFrame((now) => {
      this.last = now;
      turn(now);
    });
  }
  /** Lets time pass, and draws if something moved. */
  advance(seconds: number): void {
    const before = performance.now();
    const { subject, playing, rig, world } = this.session.state;
    if (subject?.kind === 'motion' && ((playing && subject.clip) || (rig && world.running))) {
      this.session.clock.tick(seconds);
      this.isDue = true;
    }
    if (!this.isDue) return;
    this.isDue = false;
    this.draw();
    this.cost = this.cost * 0.9 + (performance.now() - before) * 0.1;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.shift();
    this.invalidate();
  }

  private setTheme(state: State): void {
    this.palette = palettes[state.theme];
    this.scene.background = this.palette.background;
    if (this.grid) {
      this.scene.remove(this.grid);
      clear(this.grid);
    }
    this.grid = makeFloor(this.palette);
    this.scene.add(this.grid);
    (this.trail.material as LineBasicMaterial).color = this.palette.trail;
    if (this.scene.fog) this.scene.fog.color.copy(this.palette.background);
    if (state.subject?.kind === 'collision') this.setSubject(state);
    this.invalidate();
  }

  private setSubject(state: State): void {
    const { subject } = state;
    if (this.collision && this.collision.subject !== subject) this.framed = null;
    if (this.collision) {
      this.scene.remove(this.collision.group);
      this.collision.release();
      this.collision = null;
    }
    if (subject?.kind === 'collision') {
      this.collision = new CollisionView(this.session.marrow, subject, this.palette, () => this.session.treeBoxes());
      this.collision.show(state);
      this.scene.add(this.collision.group);
    }
    this.setBodies(state);
    const what = subject?.kind === 'motion' ? subject.actor : subject;
    if (what !== this.framed) {
      this.framed = what;
      this.frame();
    }
    this.invalidate();
  }

  private setBodies(state: State): void {
    const { subject } = state;
    const worn = subject?.kind === 'motion' ? subject.worn : [];
    if (worn.length === this.bodies.length && worn.every((each, i) => each === this.bodies[i]!.worn)) return;
    for (const body of this.bodies) {
      this.scene.remove(body.group);
      body.release();
    }
    this.bodies = subject?.kind === 'motion' ? worn.map((each) => new BodyView(this.session.marrow, subject.actor, each)) : [];
    for (const body of this.bodies) this.scene.add(body.group);
    this.showShapes(state);
  }
  private showShapes({ bodies, hidden }: State): void {
    for (const body of this.bodies) {
      body.group.visible = bodies;
      body.worn.shapes.forEach((_, i) => body.show(i, !hidden.has(shapeKey(body.worn.file, i))));
    }
    this.invalidate();
  }

  /** Turns the camera to what is shown, or to the bone or body that is selected. */
  frame(): void {
    const { subject, bone, body } = this.session.state;
    const box = new Box3();
    if (this.collision) {
      this.session.store.tell();
      box.copy(this.collision.bounds());
      if (body !== null) {
        const picked = new Box3();
        for (const target of this.collision.targets) if (target.userData.body === body) picked.expandByObject(target);
        if (!picked.isEmpty()) box.copy(picked);
      }
    } else if (subject?.kind === 'motion') {
      const { actor } = subject;
      this.session.clock.pose();
      const point = new Vector3();
      const scale = actor.metresPerUnit;
      // The whole way that root motion goes is part of the picture.
      const ends = this.session.state.rootMotion && actor.rootMotion ? [actor.travelled(0), actor.travelled(actor.frameCount - 1)] : [[0, 0, 0]];
      for (const end of ends)
        actor.bones.forEach((_, i) => {
          const at = i * kFloats;
          box.expandByPoint(point.set(actor.model[at]! + end[0]!, actor.model[at + 1]! + end[1]!, actor.model[at + 2]! + end[2]!).multiplyScalar(scale));
        });
      if (bone !== null) {
        const at = bone * kFloats;
        point.set(actor.model[at]!, actor.model[at + 1]!, actor.model[at + 2]!).multiplyScalar(actor.metresPerUnit);
        box.makeEmpty().expandByPoint(point).expandByScalar(0.3);
      }
    }
    if (box.isEmpty()) return;
    const centre = box.getCenter(new Vector3());
    const radius = Math.max(box.getSize(new Vector3()).length() / 2, 0.05);
    // The narrower side of the picture decides.
    const upright = (this.camera.fov * Math.PI) / 360;
    const across = Math.atan(Math.tan(upright) * this.camera.aspect);
    const far = (radius / Math.sin(Math.min(upright, across))) * 1.05;
    const from = new Vector3(0.62, -0.72, 0.32).normalize();
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(from, far);
    this.camera.near = far / 200;
    this.camera.far = far * 40 + 60;
    this.scene.fog = new Fog(this.palette.background, far * 1.4, far * 4);
    this.shift();
    this.controls.update();
    this.invalidate();
  }
  /** Leaves room for the switches, and for the card of the first screen. */
  private shift(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (this.session.state.sample) this.camera.setViewOffset(width, height, -0.16 * width, 0.02 * height, width, height);
    else this.camera.setViewOffset(width, height, 0, -14, width, height);
    this.camera.updateProjectionMatrix();
  }
  /** Turns the camera by degrees, for the keyboard. */
  orbit(across: number, up: number, closer: number): void {
    const arm = this.camera.position.clone().sub(this.controls.target);
    const radius = arm.length() * closer;
    const azimuth = Math.atan2(arm.y, arm.x) + (across * Math.PI) / 180;
    const height = Math.min(Math.max(Math.asin(arm.z / arm.length()) + (up * Math.PI) / 180, -1.5), 1.5);
    arm.set(Math.cos(azimuth) * Math.cos(height), Math.sin(azimuth) * Math.cos(height), Math.sin(height)).multiplyScalar(radius);
    this.camera.position.copy(this.controls.target).add(arm);
    this.controls.update();
    this.invalidate();
  }

  private linksOf(actor: Actor): Link[] {
    let links = this.links.get(actor);
    if (!links) this.links.set(actor, (links = linksOf(actor)));
    return links;
  }

  /** Where everybody stands, and in which colours. */
  private arrange(state: State, subject: Motion): Placed[] {
    const { palette } = this;
    const { comparison, rig, stack } = state;
    const marked = (bone: number, plain: Color) =>
      bone === state.bone ? palette.selected : bone === state.hovered ? palette.hovered : plain;
    const { actor } = subject;
    const second = actor.isPaired ? actor.bones.map((bone) => bone.name.startsWith('2_')) : null;
    let tint = (bone: number): Color => marked(bone, second?.[bone] ? palette.second : palette.bone);
    if (stack && stack.files.length > 1) {
      const order = new Map(stack.files.map((file, i) => [file, i]));
      tint = (bone) => marked(bone, stack.origins[bone] === stack.files[0] ? palette.bone : hue((order.get(stack.origins[bone]!) ?? 1) - 1));
    }
    const drag = rig?.drag ?? [0, 0, 0];
    const moved = (who: Actor, frame: number): [[number, number, number], number] => {
      const [x, y, z, turn] = state.rootMotion && !rig ? who.travelled(frame) : [0, 0, 0, 0];
      const scale = who.metresPerUnit;
      return [[x * scale + drag[0]!, y * scale + drag[1]!, z * scale + drag[2]!], turn];
    };
    const [offset, turn] = moved(actor, state.frame);
    const placed: Placed[] = [];
    if (comparison) {
      const other = comparison.actor;
      const byName = new Map(other.bones.map((bone, i) => [bone.name, i]));
      const differing = (bone: number) => {
        const twin = byName.get(actor.bones[bone]!.name);
        if (twin === undefined) return palette.second;
        const degrees = degreesApart(actor.model, bone * kFloats + 3, other.model, twin * kFloats + 3);
        const metres = distance(actor.model, bone * kFloats, other.model, twin * kFloats) * actor.metresPerUnit;
        return heat(Math.max(degrees / kHotDegrees, metres / kHotMetres));
      };
      const [otherOffset, otherTurn] = moved(other, Math.min(state.frame, Math.max(other.frameCount - 1, 0)));
      const apart = state.sideBySide ? 0.55 : 0;
      offset[0] -= apart;
      otherOffset[0] += apart;
      placed.push({ actor: other, links: this.linksOf(other), offset: otherOffset, turn: otherTurn, tint: () => palette.second });
      tint = (bone) => marked(bone, differing(bone));
    }
    const links = this.linksOf(actor);
    const across = Math.ceil(Math.sqrt(state.crowd));
    for (let i = 0; i < state.crowd; ++i) {
      const x = (i % across) - (across - 1) / 2, y = Math.floor(i / across) - (across - 1) / 2;
      const spread = state.crowd > 1 ? 1.2 : 0;
      placed.push({ actor, links, offset: [offset[0] + x * spread, offset[1] + y * spread, offset[2]], turn, tint });
    }
    return placed;
  }

  /** Draws what the state says, now. */
  draw(): void {
    const { state } = this.session;
    const { subject } = state;
    const isMotion = subject?.kind === 'motion';
    this.bones.mesh.visible = isMotion && state.bones;
    this.trail.visible = this.axes.visible = this.limits.group.visible = false;
    if (isMotion) {
      if (!state.rig) this.session.clock.pose();
      this.placed = this.arrange(state, subject);
      this.bones.begin(this.placed.reduce((sum, { links }) => sum + links.length, 0));
      const last = this.placed.length - 1;
      this.placed.forEach((each, i) => {
        // In a crowd everybody is at another frame, as a game would have it.
        if (state.crowd > 1 && each.actor === subject.actor && subject.clip && !state.rig)
          each.actor.pose((state.frame + (i === last ? 0 : i * 7.3)) % Math.max(each.actor.frameCount - 1, 1));
        this.bones.add(each.actor, each.links, each.tint, each.offset, each.turn);
      });
      this.bones.end();
      this.drawBodies(state);
      this.drawTrail(state, subject);
      this.drawSelection(state, subject);
    }
    this.renderer.render(this.scene, this.camera);
    ++this.drawn;
    this.onDrawn();
  }
  /** Called after each frame, e.g. to move labels. */
  onDrawn: () => void = () => undefined;

  /** Dresses the actor that was placed last, which is the one that is looked at. */
  private drawBodies(state: State): void {
    const own = this.placed.at(-1);
    if (!own || !state.bodies) return;
    const placement = new Matrix4().makeRotationZ(own.turn).setPosition(...own.offset);
    for (const body of this.bodies) body.update(state.frame, placement);
  }
  private drawTrail(state: State, { actor }: Motion): void {
    const motion = actor.rootMotion;
    this.trail.visible = Boolean(motion) && state.trail && state.rootMotion && !state.rig;
    if (!motion || !this.trail.visible) return;
    const count = motion.samples.length / 4;
    if (this.trail.userData.of !== motion) {
      const points = new Float32Array(count * 3);
      for (let i = 0; i < count; ++i)
        for (let k = 0; k < 3; ++k) points[i * 3 + k] = motion.samples[i * 4 + k]! * actor.metresPerUnit + (k === 2 ? 0.004 : 0);
      this.trail.geometry.dispose();
      this.trail.geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(points, 3));
      this.trail.userData.of = motion;
    }
  }
  private drawSelection(state: State, subject: Motion): void {
    const own = this.placed.at(-1);
    if (!own) return;
    const { actor } = subject;
    if (state.axes && state.bone !== null && state.bone < actor.bones.length) {
      this.axes.visible = true;
      this.axes.position.copy(this.placeOf(own, state.bone));
      const q = state.bone * kFloats + 3;
      this.axes.quaternion.set(actor.model[q]!, actor.model[q + 1]!, actor.model[q + 2]!, actor.model[q + 3]!);
    }
    if (state.rig && state.limits) {
      this.limits.group.visible = true;
      this.limits.show(state.rig, state.modifier, this.palette, (bone) => this.placeOf(own, bone));
    }
  }
  private placeOf(placed: Placed, bone: number): Vector3 {
    const { model, metresPerUnit: scale } = placed.actor;
    const at = bone * kFloats;
    const cos = Math.cos(placed.turn), sin = Math.sin(placed.turn);
    const x = model[at]! * scale, y = model[at + 1]! * scale;
    return new Vector3(x * cos - y * sin + placed.offset[0], x * sin + y * cos + placed.offset[1], model[at + 2]! * scale + placed.offset[2]);
  }

  // ------------------------------------------------------------ asking

  /** Where a bone is on the page, in pixels of the canvas. */
  project(bone: number): { x: number; y: number; isInFront: boolean } {
    const own = this.placed.at(-1);
    if (!own || bone >= own.actor.bones.length) return { x: 0, y: 0, isInFront: false };
    return this.toPixels(this.placeOf(own, bone));
  }
  private toPixels(place: Vector3): { x: number; y: number; isInFront: boolean } {
    const point = place.project(this.camera);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    return { x: ((point.x + 1) / 2) * width, y: ((1 - point.y) / 2) * height, isInFront: point.z < 1 };
  }
  /** The bone under a pixel of the canvas, or null. */
  boneAt(x: number, y: number): number | null {
    let found: number | null = null, nearest = kPickPixels;
    const own = this.placed.at(-1);
    if (!own || this.session.state.subject?.kind !== 'motion') return null;
    const first = this.bones.shown - own.links.length;
    own.links.forEach((link, i) => {
      const [head, tail] = this.bones.ends(first + i);
      const a = this.toPixels(new Vector3(...head)), b = this.toPixels(new Vector3(...tail));
      if (!a.isInFront || !b.isInFront) return;
      const dx = b.x - a.x, dy = b.y - a.y;
      const share = Math.min(Math.max(((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1), 0), 1);
      const away = Math.hypot(a.x + share * dx - x, a.y + share * dy - y);
      if (away < nearest) [found, nearest] = [link.bone, away];
    });
    return found;
  }
  /** The body under a pixel of the canvas, or null. */
  bodyAt(x: number, y: number): number | null {
    if (!this.collision) return null;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((x / width) * 2 - 1, 1 - (y / height) * 2), this.camera);
    const hit = ray.intersectObjects(this.collision.targets).find(({ object }) => object.userData.body !== undefined);
    return hit ? (hit.object.userData.body as number) : null;
  }
  /** Moves a point of the floor plane with the pointer: metres across the picture. */
  metresAcross(dx: number, dy: number): Vector3 {
    const distance = this.camera.position.distanceTo(this.controls.target);
    const scale = (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / this.canvas.clientHeight;
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    return right.multiplyScalar(dx * scale).addScaledVector(up, -dy * scale);
  }
  set orbiting(on: boolean) {
    this.controls.enabled = on;
  }

  /** The picture as it is, drawn now. */
  picture(): Promise<Blob> {
    this.draw();
    return new Promise((resolve, reject) =>
      this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser made no picture.'))), 'image/png'),
    );
  }
}
