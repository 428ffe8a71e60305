// SPDX-License-Identifier: MIT

/** One edit, as two functions that can follow each other any number of times. */
export interface Edit {
  label: string;
  /** The file that it changes. */
  file: number;
  /** Edits of the same thing in one gesture (a slider that is dragged) become one. */
  gesture?: string;
  apply(): void;
  revert(): void;
}

/** Edits that were made and edits that were taken back. */
export class History {
  private last = 0;
  private done: (Edit & { id: number })[] = [];
  private undone: (Edit & { id: number })[] = [];

  constructor(private readonly changed: () => void) {}

  get undoLabel(): string | null {
    return this.done.at(-1)?.label ?? null;
  }
  get redoLabel(): string | null {
    return this.undone.at(-1)?.label ?? null;
  }

  make(edit: Edit): void {
    edit.apply();
    const last = this.done.at(-1);
    const id = ++this.last;
    if (edit.gesture && last?.gesture === edit.gesture && this.undone.length === 0)
      this.done[this.done.length - 1] = { ...edit, id, revert: last.revert };
    else this.done.push({ ...edit, id });
    this.undone = [];
    this.changed();
  }
  /** Ends a gesture: the next edit of the same thing is one of its own. */
  endGesture(): void {
    const last = this.done.at(-1);
    if (last) delete last.gesture;
  }
  undo(): void {
    const edit = this.done.pop();
    if (!edit) return;
    edit.revert();
    this.undone.push(edit);
    this.changed();
  }
  redo(): void {
    const edit = this.undone.pop();
    if (!edit) return;
    edit.apply();
    this.done.push(edit);
    this.changed();
  }
  /** What was done to a file, the oldest first; the same several times in a row is one line. */
  labelsOf(file: number): string[] {
    const labels = this.done.filter((edit) => edit.file === file).map((edit) => edit.label);
    return labels.filter((label, i) => label !== labels[i - 1]);
  }
  /** The number of the last edit of a file; 0 if there is none. */
  lastOf(file: number): number {
    return this.done.reduce((last, edit) => (edit.file === file ? edit.id : last), 0);
  }
  /** True if a file has edits. */
  isEdited(file: number): boolean {
    return this.done.some((edit) => edit.file === file);
  }
  /** Forgets everything about a file, e.g. because it was closed. */
  forget(file: number): void {
    this.done = this.done.filter((edit) => edit.file !== file);
    this.undone = this.undone.filter((edit) => edit.file !== file);
    this.changed();
  }
}
