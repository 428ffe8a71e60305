// SPDX-License-Identifier: MIT
// Any operation of the library, as a form made of its description. Nothing here knows what an operation does.
import { sentenceOf } from '../abi/error';
import type { Input } from '../abi/marrow';
import type { FieldDescription, InputDescription, OperationDescription } from '../abi/reports';
import { download } from '../files/download';
import { FileEntry, nameOf, stemOf } from '../files/entry';
import { App } from './app';
import { button, h, labelled, select, toggle } from './dom';

export function runPanel(app: App): HTMLElement {
  const names = [...app.session.operations.keys()].sort();
  const form = h('div', {});
  const show = (name: string) => form.replaceChildren(...operationForm(app, app.session.operations.get(name)!));
  const choose = select(names.map((name) => [name, name] as const), 'info', show);
  show('info');
  return h('section', { class: 'panel scroll', aria: { label: 'Run' } }, h('h2', {}, 'Run an operation'), labelled('Operation', choose), form);
}

/** In front of the names of texts that come with Marrow; files are numbers. */
const kPreset = 'preset ';

/** What the form holds: how to read each option and each input. */
interface Form {
  options: Map<string, () => unknown>;
  inputs: Map<string, () => string[]>;
}

function operationForm(app: App, operation: OperationDescription): Node[] {
  const form: Form = { options: new Map(), inputs: new Map() };
  const result = h('pre', { class: 'result', tabIndex: 0, aria: { label: 'Result' } });
  const files = h('div', { class: 'chips' });
  const inputs = [
    ...operation.inputs.map((input) => inputControl(app, form, input)),
    ...operation.options.filter((option) => option.type === 'input').map(({ name, help, required = false, list = false }) => inputControl(app, form, { name, kind: 'document' as const, help, required, list, main: false })),
  ];
  const options = operation.options.filter((option) => option.type !== 'input').map((option) => optionControl(form, option));
  if (operation.formats.length > 0) {
    const format = select([['', 'as the input'], ...operation.formats.map((each) => [each, each] as const)], '', () => undefined);
    form.options.set('format', () => format.value || undefined);
    options.push(labelled('format', format));
  }
  const run = button('Run', () => void execute(app, operation, form, result, files), { class: 'strong' });
  return [h('p', { class: 'note' }, operation.summary), ...inputs, ...options, run, files, result];
}

/** Rows of a list that takes several files. */
const kRowsOfList = 4;

/** A list of the open files, and of the texts that come with Marrow. */
function inputControl(app: App, form: Form, { name, kind, help, required, main, pair = false, list: takesSeveral, presets = [] }: InputDescription): HTMLElement {
  const { files, active, subject } = app.store.state;
  // A clip is not its own skeleton: that is the one that it plays on.
  const likely = (kind === 'skeleton' || pair) && !main && subject?.kind === 'motion' ? subject.skeletonFile : active;
  const none = required || takesSeveral ? [] : [['', 'none'] as const];
  const open = files.map((file) => [String(file.id), nameOf(file.path)] as const);
  const known = presets.map((preset) => [kPreset + preset, `${preset} (preset)`] as const);
  const first = main || (required && !presets[0]) ? String(likely ?? '') : required ? kPreset + presets[0] : '';
  const list = select([...none, ...open, ...known], first, () => undefined);
  if (takesSeveral) {
    Object.assign(list, { multiple: true, size: Math.min(Math.max(list.options.length, 2), kRowsOfList) });
    for (const each of list.options) each.selected = each.value === first;
  }
  form.inputs.set(name, () => [...list.selectedOptions].map((each) => each.value).filter(Boolean));
  return labelled(name, list, takesSeveral ? `${help}; Ctrl and a click choose several` : help);
}

function optionControl(form: Form, option: FieldDescription): HTMLElement {
  const hint = [option.help, option.unit, option.default_text && `default: ${option.default_text}`].filter(Boolean).join('; ');
  const label = option.name.replaceAll('_', ' ');
  if (option.type === 'flag') {
    const box = toggle(label, option.default === true, () => undefined, hint);
    form.options.set(option.name, () => box.querySelector('input')!.checked || undefined);
    return box;
  }
  if (option.type === 'choice' && option.choices && !option.list) {
    const list = select([['', option.default_text ?? 'default'], ...option.choices.map((each) => [each, each] as const)], '', () => undefined);
    form.options.set(option.name, () => list.value || undefined);
    return labelled(label, list, hint);
  }
  const isNumber = (option.type === 'number' || option.type === 'integer') && !option.list;
  const input = h('input', { type: isNumber ? 'number' : 'text', placeholder: option.default === undefined ? (option.default_text ?? '') : String(option.default) });
  if (isNumber) {
    input.step = option.type === 'integer' ? '1' : 'any';
    if (option.min !== undefined) input.min = String(option.min);
    if (option.max !== undefined) input.max = String(option.max);
  }
  form.options.set(option.name, () => valueOf(option, input.value.trim()));
  return labelled(label, input, hint);
}

/** Text becomes what the description asks for; the library judges it. */
function valueOf(option: FieldDescription, text: string): unknown {
  if (text === '') return undefined;
  const one = (word: string): unknown => (option.type === 'text' || option.type === 'choice' ? word : Number(word));
  if (option.type === 'vector') return text.split(/[\s,]+/).map(Number);
  return option.list ? text.split(/\s*,\s*/).map(one) : one(text);
}

async function execute(app: App, operation: OperationDescription, form: Form, result: HTMLElement, files: HTMLElement): Promise<void> {
  files.replaceChildren();
  try {
    const options: Record<string, unknown> = {};
    for (const [name, read] of form.options) {
      const value = read();
      if (value !== undefined) options[name] = value;
    }
    const inputs: Input[] = [];
    let main: number | null = null;
    for (const [role, read] of form.inputs)
      for (const id of read()) {
        if (id.startsWith(kPreset)) {
          inputs.push({ role, name: id.slice(kPreset.length), bytes: new Uint8Array() });
          continue;
        }
        const entry = app.session.entry(Number(id));
        main ??= entry.id;
        inputs.push({ role, name: entry.path, bytes: await app.session.bytes(entry.id) });
      }
    const stem = inputs[0] ? stemOf(inputs[0].name) : 'marrow';
    const done = app.session.marrow.run(operation.name, options, inputs, stem);
    const notes = done.notes.map((note) => `note: ${note.message}\n`).join('');
    result.textContent = notes + JSON.stringify(done.report, null, 1).slice(0, 20000);
    const source = main === null ? null : app.session.entry(main);
    for (const file of done.files) {
      const name = `${file.name || stem}${file.extension}`;
      files.append(...resultButtons(app, operation, name, file.bytes, source));
    }
  } catch (failure) {
    result.textContent = sentenceOf(failure);
  }
}

/** What can be done with a file that was made: look at it beside its source, put it in its place, or keep it. */
function resultButtons(app: App, { name: operation }: OperationDescription, name: string, bytes: Uint8Array, source: FileEntry | null): HTMLElement[] {
  const extension = (path: string) => path.slice(path.lastIndexOf('.')).toLowerCase();
  const out = [button(`Download ${name}`, () => download(name, bytes as BlobPart), { class: 'chip' })];
  if (source && extension(source.path) === extension(name))
    out.unshift(button('Put in place', () => void app.session.edits.replace(source.id, operation, bytes), { class: 'chip strong', title: `it becomes ${nameOf(source.path)}; undo takes it back` }));
  out.unshift(button('Open beside', () => void app.session.openBeside(name, bytes, source?.id ?? null), { class: 'chip', title: 'open it; a clip is compared with its source' }));
  return out;
}
