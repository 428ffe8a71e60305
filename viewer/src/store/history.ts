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
  private done: Edit[] = [];
  private undone: Edit[] = [];

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
    if (edit.gesture && last?.gesture === edit.gesture && this.undone.length === 0)
      this.done[this.done.length - 1] = { ...edit, revert: last.revert };
    else this.done.push(edit);
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
  /** True if the file differs from what was last saved. */
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
