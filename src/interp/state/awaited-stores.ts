import type { Diagnostic } from "../../source/diagnostic.ts";
import { controlFlowOf } from "../contract/control-flow.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import { isBarrier } from "../contract/plan/effects.ts";
import type { Program } from "../contract/program.ts";
import type { Memory } from "../memory/memory.ts";
import { IN_FLIGHT_READ, INITIALISED, STORED, WINDOWED } from "../memory/shadow.ts";

/** A read of bytes that nothing had written. */
interface EarlyRead {
  readonly at: number;
  readonly bytes: number;
  readonly reader: ThreadId;
  readonly finding: Diagnostic;
}

/** Reads of a launch whose writers are looked for. */
const MOST_READS = 64;

/**
 * The shadow of bytes that were read too early. Loads do not look at these bits, and to a store they are wrong, so that
 * it comes to the slow path, by whatever executor; a launch that reads nothing too early pays nothing.
 */
const MARK = STORED | IN_FLIGHT_READ;

interface Launch {
  readonly program: Program;
  readonly memory: Memory;
  /** A thread in words. */
  who(thread: ThreadId): string;
}

/** Finds who writes what was read before anything had written it: mostly a barrier is missing between the two. */
export class AwaitedStores {
  readonly #reads: EarlyRead[] = [];
  readonly #launch: Launch;
  readonly #amend: (finding: Diagnostic, by: Diagnostic) => void;

  /** `amend`: takes a finding that says more in the place of an earlier one. */
  constructor(launch: Launch, amend: (finding: Diagnostic, by: Diagnostic) => void) {
    this.#launch = launch;
    this.#amend = amend;
  }

  /** Waits for a store to these bytes, of which `finding` says that they were read. */
  add(read: EarlyRead): void {
    const { storing, shadow } = this.#launch.memory;
    // Overlays, and memory of a supplier, use the mark themselves.
    if (storing !== INITIALISED || this.#reads.length >= MOST_READS) return;
    this.#reads.push(read);
    for (let byte = read.at; byte < read.at + read.bytes; byte++)
      if ((shadow.u8[byte]! & INITIALISED) === 0) shadow.u8[byte]! |= MARK;
  }

  /** A thread is about to store to these bytes, by the instruction at `pc`. */
  written(at: number, bytes: number, writer: ThreadId, pc: number): void {
    const { memory } = this.#launch;
    if (this.#reads.length === 0 || memory.all(at, bytes, STORED, 0)) return;
    const { u8 } = memory.shadow;
    const isNear = (u8[at]! & WINDOWED) !== 0;
    for (const { reader, finding } of this.#take(at, at + bytes)) {
      // A block's shared memory is another one's after it.
      if (isNear && reader.block !== writer.block) continue;
      this.#amend(finding, this.#completed(finding, reader, writer, pc));
    }
  }

  /** The reads whose writers are not known, for `restore`; the marks are in the memory's own image. */
  save(): readonly EarlyRead[] {
    return [...this.#reads];
  }

  restore(reads: readonly EarlyRead[]): void {
    this.#reads.splice(0, this.#reads.length, ...reads);
  }

  /** Removes the marks. */
  end(): void {
    this.#take(0, Number.POSITIVE_INFINITY);
  }

  /** The reads of bytes in a range, which nobody awaits any more. */
  #take(start: number, end: number): readonly EarlyRead[] {
    const { u8 } = this.#launch.memory.shadow;
    const taken = this.#reads.filter(({ at, bytes }) => at < end && start < at + bytes);
    for (const read of taken) {
      this.#reads.splice(this.#reads.indexOf(read), 1);
      for (let byte = read.at; byte < read.at + read.bytes; byte++) if (u8[byte]! & STORED) u8[byte]! &= ~MARK;
    }
    return taken;
  }

  #completed(finding: Diagnostic, reader: ThreadId, writer: ThreadId, pc: number): Diagnostic {
    const { program } = this.#launch;
    const { source, code } = program;
    const message = `${this.#launch.who(writer)} writes it later${between(program, reader, writer, pc)}`;
    return { ...finding, related: [{ source, span: code[pc]!.span, message }, ...(finding.related ?? [])] };
  }
}

/** What is missing between a read and the store at `pc` that comes too late. */
function between({ code, functions }: Program, reader: ThreadId, writer: ThreadId, pc: number): string {
  if (reader.block !== writer.block) return ", and nothing orders blocks";
  if (reader.warp === writer.warp && reader.lane === writer.lane) return " itself";
  const { blockOf, predecessors, starts } = controlFlowOf(code);
  const [seen, left] = [new Set<number>(), [blockOf[pc]!]];
  const passed = (from: number, to: number): boolean => code.slice(from, to).some(({ plan }) => isBarrier(plan));
  let may = passed(starts[blockOf[pc]!]!, pc);
  for (let block = left.pop(); block !== undefined && !may; block = left.pop())
    for (const before of predecessors[block]!) {
      if (seen.has(before)) continue;
      seen.add(before);
      left.push(before);
      may ||= passed(starts[before]!, starts[before + 1] ?? code.length);
    }
  // A function may have a barrier, too.
  may ||= functions.some(({ entry }) => typeof entry === "number");
  return may ? ": is a barrier missing between the two?" : ", and there is no barrier between them";
}
