import type { Observer, WarpAccess } from "../../../src/interp/contract/observer.ts";
import type { Session } from "../../../src/interp/machine/session.ts";
import type { Warp } from "../../../src/interp/state/warp.ts";
import { MachineView } from "../../../src/interp/tools/machine-view.ts";
import type { Bench, Place, Step } from "./bench.ts";
import { Passed, ShadowMemory } from "./memory.ts";
import { Notes } from "./notes.ts";
import { shadowOf, WarpShadows } from "./registers.ts";
import type { FloatShadow } from "./shadow.ts";
import { stepOf } from "./steps.ts";

/** Follows a launch with values that are not rounded beside those that are. Add it with `session.observe` before it runs. */
export class PrecisionWatch implements Observer {
  readonly memory: ShadowMemory = new ShadowMemory();
  readonly notes: Notes = new Notes();
  /** Of a snippet, the floats that its registers have at the end, by name. */
  readonly results: Map<string, readonly FloatShadow[]> = new Map();
  readonly #session: Session;
  readonly #steps: Step[] = [];
  /** By block, its warps. */
  readonly #blocks = new Map<number, Place[]>();
  readonly #where = new Int32Array(32);
  readonly #bench: Bench;
  #now: Place | undefined;

  constructor(session: Session) {
    this.#session = session;
    const { program } = session;
    const { notes, memory } = this;
    const view = new MachineView(session);
    this.#bench = {
      program,
      memory,
      passed: new Passed(),
      counts: program.code.some(({ plan }) => plan.shape === "store" && plan.cell.bits < 32),
      misuse: (...what) => notes.misuse(...what),
      decided: (...what) => notes.decided(...what),
      find: (space, address, thread, bytes) => {
        const [sum] = session.operand(thread, address);
        return sum === undefined ? undefined : view.bufferOffset(space, sum, bytes, thread);
      },
      bits: (where, bytes) => {
        const { u8 } = session.state!.context.memory.data;
        const data = new DataView(u8.buffer, u8.byteOffset + where, bytes);
        if (bytes === 2) return [data.getUint16(0, true), 0];
        return [data.getUint32(0, true), bytes === 8 ? data.getUint32(4, true) : 0];
      },
    };
  }

  instruction(_block: number, _warp: number, pc: number, _active: number, taken: number): void {
    const warp = this.#session.state?.scheduler.current;
    const step = this.#steps[pc] ?? this.#prepared(pc);
    this.#now = warp && this.#placeOf(warp);
    this.#where.fill(-1);
    if (this.#now !== undefined && taken !== 0) step.before?.(this.#now, taken);
  }

  access({ lanes, where }: WarpAccess): void {
    for (let lane = 0; lane < 32; lane++) if ((lanes >>> lane) & 1) this.#where[lane] = where[lane]!;
  }

  after(_block: number, _warp: number, pc: number, _active: number, taken: number): void {
    if (this.#now !== undefined && taken !== 0) this.#steps[pc]?.after?.(this.#now, taken, this.#where);
  }

  end(block: number): void {
    if (this.#session.program.name === "") this.#keep(this.#blocks.get(block) ?? []);
    this.#blocks.delete(block);
  }

  /** Keeps the floats in the registers of a snippet. */
  #keep(places: readonly Place[]): void {
    for (const { warp, shadows } of places)
      for (const { name, bank, slot, bits, elements } of this.#session.program.registers) {
        if (bank === "p" || bits === 1 || elements !== 1) continue;
        for (let lane = 0; lane < warp.lanes; lane++) {
          const shadow = shadowOf(shadows, warp, { kind: "slot", bank, slot, bits }, lane, 0, bits);
          if (shadow?.kind === "float") this.results.set(name, [...(this.results.get(name) ?? []), shadow]);
        }
      }
  }

  #prepared(pc: number): Step {
    const instruction = this.#session.program.code[pc];
    const step = instruction === undefined ? {} : stepOf(pc, instruction, this.#bench);
    this.#steps[pc] = step;
    return step;
  }

  #placeOf(warp: Warp): Place {
    const known = this.#blocks.get(warp.block);
    const places = known ?? [];
    if (known === undefined) this.#blocks.set(warp.block, places);
    const place = places[warp.index];
    // The warp of a block that ended may be another's by now.
    if (place?.warp === warp) return place;
    const made = { warp, shadows: new WarpShadows(this.#session.program, warp.lanes) };
    places[warp.index] = made;
    return made;
  }
}
