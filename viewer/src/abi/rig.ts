// SPDX-License-Identifier: MIT
// Rigs with bone modifiers, and characters that are simulated with them.
import * as layout from './layout';
import type { Marrow } from './marrow';
import { u32 } from './memory';
import { Buffer, Owned } from './owned';
import { Handle, Value, Bone, Modifier, Environment } from './values';

/** A skeleton with bone modifiers. */
export class Rig extends Owned {
  info(): Value<typeof layout.rigStruct> {
    return this.marrow.get(layout.rigStruct, 'marrow_get_rig', this.handle);
  }
  bones(): Bone[] {
    return this.marrow.list(layout.boneStruct, 'marrow_get_rig_bones', this.handle);
  }
  modifiers(): Modifier[] {
    return this.marrow.list(layout.modifierStruct, 'marrow_get_modifiers', this.handle);
  }
  field(modifier: number, field: string): number[] {
    return this.marrow.memory.scoped((scope) => {
      const { memory } = this.marrow;
      const count = scope.room(u32);
      const name = scope.text(field);
      this.marrow.call('marrow_get_field', this.handle, modifier, name, 0, 0, count);
      const capacity = u32.read(memory, count);
      const at = scope.allocate(8 * capacity);
      this.marrow.call('marrow_get_field', this.handle, modifier, name, at, capacity, count);
      return Array.from({ length: capacity }, (_, i) => memory.view.getFloat64(at + 8 * i, true));
    });
  }
  setField(modifier: number, field: string, values: readonly number[]): void {
    this.marrow.memory.scoped((scope) =>
      this.marrow.call('marrow_set_field', this.handle, modifier, scope.text(field), scope.doubles(values), values.length),
    );
  }
  simulation(): Simulation {
    const bones = this.info().boneCount;
    return this.marrow.memory.scoped(
      (scope) => new Simulation(this.marrow, this.marrow.open(scope, 'marrow_open_simulation', this.handle), bones),
    );
  }
}

/** One character with a rig, between frames. */
export class Simulation extends Owned {
  private readonly input = new Buffer(this.marrow.memory);
  private readonly output = new Buffer(this.marrow.memory);
  private readonly environment = this.marrow.memory.allocate(layout.environmentStruct.size);

  constructor(
    marrow: Marrow,
    handle: Handle,
    readonly boneCount: number,
  ) {
    super(marrow, handle);
  }
  /** Simulates one frame: ten floats per bone in and out, local. */
  step(environment: Environment, seconds: number, input: Float32Array, output: Float32Array): void {
    const { memory } = this.marrow;
    layout.environmentStruct.write(memory, this.environment, environment);
    const from = this.input.address(input.length);
    const to = this.output.address(output.length);
    memory.floats(from, input.length).set(input);
    this.marrow.call('marrow_step', this.handle, this.environment, seconds, from, 0, to, this.boneCount);
    output.set(memory.floats(to, output.length));
  }
  reset(): void {
    this.marrow.call('marrow_reset', this.handle);
  }
  override release(): void {
    this.input.free();
    this.output.free();
    this.marrow.memory.core.marrow_deallocate(this.environment);
    super.release();
  }
}
