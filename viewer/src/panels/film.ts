// SPDX-License-Identifier: MIT
// Films: how long, how large, with or without what is behind. Frames are drawn one after the other, not recorded.
import { sentenceOf } from '../abi/error';
import { animatedPng } from '../files/apng';
import { download } from '../files/download';
import { stemOf } from '../files/entry';
import { Gif } from '../files/gif';
import { App } from './app';
import { button, h, labelled, select, toggle } from './dom';

const kSizes: readonly (readonly [string, string])[] = [['480x480', '480 × 480'], ['640x360', '640 × 360'], ['1280x720', '1280 × 720'], ['1080x1080', '1080 × 1080']];
const kMostFrames = 600, kMostSeconds = 60;
/** A film without a single picture is smaller. A busy machine gets a minute more to record one. */
const kLeastBytesOfFilm = 1000, kMostSecondsMore = 60;

export interface FilmOptions {
  kind: 'apng' | 'gif' | 'webm';
  seconds: number;
  fps: number;
  width: number;
  height: number;
  isClear: boolean;
}

/** The dialog that asks for a film. */
export function filmDialog(app: App): HTMLDialogElement {
  const kind = select([['apng', 'Animated PNG'], ['gif', 'GIF'], ['webm', 'WebM']], 'apng', () => note());
  const seconds = h('input', { type: 'number', min: '0.1', max: String(kMostFrames / 30), step: 'any', value: '4' });
  const fps = select([['15', '15'], ['30', '30'], ['60', '60']], '30', () => note());
  const size = select(kSizes, '640x360', () => undefined);
  const clear = toggle('Transparent background', false, () => undefined);
  const note = () => {
    clear.hidden = kind.value === 'webm';
    // Browsers record WebM as it plays; of other films each frame is kept.
    seconds.max = String(kind.value === 'webm' ? kMostSeconds : Math.min(kMostSeconds, kMostFrames / Number(fps.value)));
  };
  const dialog = h(
    'dialog',
    { class: 'film', aria: { label: 'Film' } },
    h('h2', {}, 'Film'),
    labelled('Kind', kind), labelled('Seconds', seconds), labelled('Frames per s', fps), labelled('Size', size), clear,
    h('div', { class: 'row' }, button('Make it', () => seconds.reportValidity() && (dialog.close(), void make()), { class: 'strong' }), button('Cancel', () => dialog.close())),
  );
  const make = async () => {
    const [width, height] = size.value.split('x').map(Number) as [number, number];
    const options: FilmOptions = { kind: kind.value as FilmOptions['kind'], seconds: Number(seconds.value), fps: Number(fps.value), width, height, isClear: kind.value !== 'webm' && clear.querySelector('input')!.checked };
    try {
      app.session.say('The film is being made.', 'info');
      const name = app.store.state.subject ? stemOf(app.session.entry(app.store.state.subject.file).path) : 'marrow';
      if (options.kind === 'apng') download(`${name}.png`, (await pngFilm(app, options)) as BlobPart, 'image/png');
      else if (options.kind === 'gif') download(`${name}.gif`, (await gifFilm(app, options)) as BlobPart, 'image/gif');
      else download(`${name}.webm`, await webmFilm(app, options), 'video/webm');
    } catch (failure) {
      app.session.say(sentenceOf(failure), 'error');
    }
  };
  dialog.addEventListener('close', () => app.session.view.setRecording(false));
  // One loop of a clip is what one mostly wants.
  app.store.watch(['subject'], ({ subject }) => {
    if (subject?.kind === 'motion' && subject.clip) seconds.value = String(Number(Math.min(Math.max(subject.clip.durationSeconds, 0.1), Number(seconds.max)).toFixed(2)));
  });
  return dialog;
}

/** Draws each frame of a film and calls `take` after it. */
async function eachFrame(app: App, { seconds, fps }: FilmOptions, take: (i: number) => Promise<void>): Promise<void> {
  const { session, store } = app;
  const { frame, playing } = store.state;
  const count = Math.min(Math.max(Math.round(seconds * fps), 1), kMostFrames);
  session.view.setPlaying(false);
  for (let i = 0, steps = 0; i < count; ++i) {
    const { subject, rig, world } = store.state;
    // A rig has steps of its own: as many as pass between two frames.
    if (rig) for (const due = Math.round((i * world.fps) / fps); steps < due; ++steps) session.clock.step();
    else if (subject?.kind === 'motion' && subject.actor.frameCount > 1) session.view.goTo(subject.actor.frameOf(i / fps) % (subject.actor.frameCount - 1));
    await take(i);
  }
  session.view.goTo(frame);
  session.view.setPlaying(playing);
}

export async function pngFilm(app: App, options: FilmOptions): Promise<Uint8Array> {
  const pictures: Uint8Array[] = [];
  await app.stage.inSize(options, async (picture) => {
    await eachFrame(app, options, async () => {
      pictures.push(new Uint8Array(await (await picture()).arrayBuffer()));
    });
  });
  return animatedPng(pictures, options.fps);
}

/** A film of at most 256 colours. */
export async function gifFilm(app: App, options: FilmOptions): Promise<Uint8Array> {
  const { width, height } = options;
  const gif = new Gif(1000 / options.fps);
  const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!copy) throw new Error('The browser gives no pixels.');
  await app.stage.inSize(options, async (_, draw) => {
    await eachFrame(app, options, async () => {
      draw();
      copy.clearRect(0, 0, width, height);
      copy.drawImage(app.stage.canvas, 0, 0);
      gif.add({ width, height, pixels: copy.getImageData(0, 0, width, height).data });
      // The page goes on in between.
      await new Promise((resolve) => setTimeout(resolve));
    });
  });
  return gif.finish();
}

/** Records the picture while it moves: browsers make WebM in real time only. */
export async function webmFilm(app: App, options: FilmOptions): Promise<Blob> {
  const parts: Blob[] = [];
  let size = 0;
  const { session } = app;
  const { frame, playing, world } = app.store.state;
  session.view.goTo(0);
  session.view.setPlaying(true);
  session.view.setWorld({ running: true });
  await app.stage.inSize(options, async (_, draw) => {
    const recorder = new MediaRecorder(app.stage.canvas.captureStream(options.fps), { mimeType: 'video/webm', videoBitsPerSecond: 8e6 });
    recorder.ondataavailable = (event) => {
      parts.push(event.data);
      size += event.data.size;
    };
    const done = new Promise<void>((resolve) => (recorder.onstop = () => resolve()));
    const start = performance.now(), passed = () => (performance.now() - start) / 1000;
    recorder.start(250);
    let last = 0;
    while (passed() < options.seconds || (size < kLeastBytesOfFilm && passed() < options.seconds + kMostSecondsMore)) {
      session.clock.tick(passed() - last);
      last = passed();
      // What stands still is drawn again too: the stream takes only what is drawn.
      draw();
      await new Promise((resolve) => setTimeout(resolve, 1000 / options.fps));
    }
    recorder.stop();
    await done;
  });
  session.view.goTo(frame);
  session.view.setPlaying(playing);
  session.view.setWorld({ running: world.running });
  if (size < kLeastBytesOfFilm) throw new Error('The browser recorded no picture.');
  return new Blob(parts, { type: 'video/webm' });
}
