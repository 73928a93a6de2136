import { describe, expect, test } from "vitest";
import { volume } from "../../src/interp/contract/launch/dim3.ts";
import type { Operand } from "../../src/interp/contract/operand.ts";
import {
  bytesTouched,
  completesAsync,
  imagesOf,
  meetingOf,
  nextOf,
  readsCarry,
  touchesOf,
  writesCarry,
  writtenBy,
} from "../../src/interp/contract/plan/effects.ts";
import type { Meeting, PlannedAccess } from "../../src/interp/contract/plan/shapes/shape-facts.ts";
import { shapes } from "../../src/interp/contract/plan/shapes.ts";
import type { Instruction, Register } from "../../src/interp/contract/program.ts";
import { MachineView, Memory } from "../../src/interp/index.ts";
import type { Session, Snapshot } from "../../src/interp/machine/session.ts";
import { table } from "../../src/isa/table.ts";
import { sample } from "../share.ts";
import { sessionOf, sessionOfCheck } from "./example.ts";

/**
 * Is it true what the table of shapes says? Each instruction of each worked example is executed several times from one
 * state, with everything changed that the table says it does not read: its results must be the same, everything that
 * it is not said to write must stay, and all that it is said to write must be written, whatever was there before.
 */
const thread = { block: 0, warp: 0, lane: 0 };

/** A register of the kernel or of a function, one element of it. */
interface Cell {
  readonly register: Register;
  readonly callee: number | undefined;
  readonly element: number;
  /** Its bank and slots. */
  readonly slots: readonly string[];
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Outcome {
  readonly values: readonly bigint[];
  readonly carry: 0 | 1;
  readonly bytes: Uint8Array;
  readonly place: number | "ended" | "fault";
  readonly depth: number;
}

/** What has been seen of the table by all examples together. */
const seen = {
  shapes: new Set<string>(),
  meetings: new Set<Meeting>(),
  touches: new Set<PlannedAccess["how"]>(),
  carry: new Set<string>(),
};

class Examiner {
  readonly #session: Session;
  readonly #memory: Memory;
  readonly #cells: readonly Cell[];
  readonly #met: Set<Meeting> = new Set();

  constructor(session: Session, memory: Memory) {
    this.#session = session;
    this.#memory = memory;
    const { registers, functions } = session.program;
    this.#cells = [
      ...registers.flatMap((register) => cellsOf(register, undefined)),
      ...functions.flatMap((each, callee) => each.registers.flatMap((register) => cellsOf(register, callee))),
    ];
    session.observe({
      warpSync: () => this.#met.add("lanes"),
      barrier: () => this.#met.add("block"),
      cluster: () => this.#met.add("cluster"),
    });
  }

  /** Runs the program to its end; gives what is not as the table says. */
  run(): string[] {
    const wrong: string[] = [];
    const { program } = this.#session;
    const machine = new MachineView(this.#session);
    // Begins the launch.
    this.#session.run({ budget: 0 });
    for (let at = machine.thread(thread); at !== undefined; at = machine.thread(thread)) {
      const instruction = program.code[at.pc];
      // What other blocks do in between is not the instruction's.
      if (volume(this.#session.state!.geometry.grid) > 1) {
        for (const { plan } of program.code) seen.shapes.add(plan.shape);
        return [];
      }
      const state = this.#session.snapshot();
      if (instruction !== undefined && machine.executing(0, 0) === 1)
        wrong.push(...this.#examine(instruction, at.pc, state).map((problem) => `${instruction.opcode}: ${problem}`));
      this.#session.restore(state);
      if (this.#session.run({ budget: 1 }).reason === "trap") break;
    }
    return wrong;
  }

  /** What the program has asked for may happen at any instruction. */
  #settles(): boolean {
    return this.#session.program.code.some(({ plan }) => completesAsync(plan));
  }

  #examine(instruction: Instruction, pc: number, state: Snapshot): string[] {
    const { plan, operands, guard } = instruction;
    seen.shapes.add(plan.shape);
    const wrong: string[] = [];
    const check = (holds: boolean, problem: string): void => {
      if (!holds) wrong.push(problem);
    };
    const machine = new MachineView(this.#session);
    const depth = machine.depth(thread);
    const touched = touchesOf(plan).map((access) => ({ ...access, ...this.#rangeOf(access, operands) }));
    for (const { how } of touched) seen.touches.add(how);
    const plain = this.#attempt(state, () => {});

    const meets = meetingOf(plan);
    check(
      [...this.#met].every((each) => each === meets),
      `it meets ${[...this.#met]}, not ${meets}`,
    );
    for (const each of this.#met) seen.meetings.add(each);
    check(landsWell(instruction, pc, depth, plain, this.#session), `it leads to ${plain.place}, not ${nextOf(plan)}`);
    for (const operand of operands.slice(0, writtenBy(plan)))
      for (const slot of slotsOf(operand))
        check(
          this.#cells.some(({ slots }) => slots.includes(slot)),
          `it writes ${slot}, which is not a register`,
        );
    // What a call passes goes by local memory, to and from registers of another function.
    const next = nextOf(plan);
    if (next === "callee" || next === "caller" || next === "fault") return wrong;

    const reads = new Set([
      ...operands.slice(writtenBy(plan)).flatMap(slotsOf),
      ...(guard === undefined ? [] : [`p${guard.slot}`]),
    ]);
    const writes = new Set(operands.slice(0, writtenBy(plan)).flatMap(slotsOf));
    const isRead = ({ slots }: Cell): boolean => slots.some((slot) => reads.has(slot));
    const inputs = touched.filter(({ how }) => how === "load" || how === "atomic");
    const outputs = touched.filter(({ how }) => how !== "load");

    const [zeros, ones] = [0, 1].map((bit) => {
      const before: { cells: bigint[]; bytes?: Uint8Array } = { cells: [] };
      const after = this.#attempt(state, () => {
        // An image is found by its handle; which texels are read is the matter of tests/unit/interp/texture.
        if (imagesOf(plan) === undefined) this.#fillMemory(bit === 0 ? 0 : 0xff, inputs);
        for (const cell of this.#cells) if (!isRead(cell)) this.#fillRegister(cell, bit === 0 ? 0n : -1n);
        before.cells = this.#values();
        before.bytes = this.#bytes();
      });
      for (const [at, cell] of this.#cells.entries())
        if (!cell.slots.some((slot) => writes.has(slot)))
          check(after.values[at] === before.cells[at], `it has changed ${cell.register.name}`);
      // What is in flight has a place of its own, see tests/unit/interp/async.
      check(
        this.#settles() || imagesOf(plan) === "writes" || !differ(before.bytes!, after.bytes, outputs),
        "it has changed memory that it is not said to",
      );
      return after;
    }) as [Outcome, Outcome];
    check(zeros.place === plain.place && ones.place === plain.place, "what it does not read leads it elsewhere");
    for (const [at, cell] of this.#cells.entries())
      if (cell.slots.some((slot) => writes.has(slot))) {
        const kept = zeros.values[at] === ones.values[at] && zeros.values[at] === plain.values[at];
        check(kept, `what it does not read decides what ${cell.register.name} holds, or it is not written`);
      }
    for (const { how, start, end } of touched)
      if (how === "store")
        check(
          completesAsync(plan) || !differ(zeros.bytes.subarray(start, end), ones.bytes.subarray(start, end), []),
          "it has not stored all",
        );

    const results = this.#cells.flatMap((cell, at) => (cell.slots.some((slot) => writes.has(slot)) ? [at] : []));
    if (inputs.length > 0 && results.length > 0) {
      const flipped = this.#attempt(state, () => {
        const { u8 } = this.#memory.data;
        for (const { start, end } of inputs) for (let at = start; at < end; at++) u8[at]! ^= 0xff;
      });
      // Whether a phase is complete may be true of both.
      for (const at of completesAsync(plan) ? [] : results)
        check(flipped.values[at] !== plain.values[at], `${this.#cells[at]?.register.name} is not what memory holds`);
    }

    const [clear, set] = ([0, 1] as const).map((flag) =>
      this.#attempt(state, () => this.#session.writeCarry(thread, flag)),
    ) as [Outcome, Outcome];
    const same = clear.values.every((value, at) => value === set.values[at]);
    check(same || readsCarry(plan), "it reads CC.CF");
    // What is saturated may hide the flag.
    if (!same) seen.carry.add(plan.shape);
    if (!writesCarry(plan)) check(clear.carry === 0 && set.carry === 1, "it writes CC.CF");
    else if (!readsCarry(plan)) check(clear.carry === set.carry, "it does not write CC.CF");
    return wrong;
  }

  /** One instruction from a state, with something changed. */
  #attempt(state: Snapshot, change: () => void): Outcome {
    this.#session.restore(state);
    change();
    this.#met.clear();
    const stop = this.#session.run({ budget: 1 });
    const machine = new MachineView(this.#session);
    return {
      values: this.#values(),
      carry: this.#session.carry(thread),
      bytes: this.#bytes(),
      place: stop.reason === "trap" ? "fault" : (machine.thread(thread)?.pc ?? "ended"),
      depth: machine.depth(thread),
    };
  }

  #values(): bigint[] {
    return this.#cells.map(
      ({ register, element }) => new MachineView(this.#session).value(thread, register)?.[element] ?? -1n,
    );
  }

  #fillRegister({ register, callee }: Cell, bits: bigint): void {
    const value = BigInt.asUintN(register.bits, bits);
    this.#session.writeRegister(thread, register.name, Array(register.elements).fill(value), callee);
  }

  /** Fills all memory but some of it. */
  #fillMemory(byte: number, but: readonly Range[]): void {
    const { u8 } = this.#memory.data;
    for (const { start, end, kind } of this.#memory.allocations.live) {
      if (kind === "state") continue;
      const kept = but.map((range) => ({ at: range.start, bytes: u8.slice(range.start, range.end) }));
      u8.fill(byte, start, end);
      for (const { at, bytes } of kept) u8.set(bytes, at);
    }
  }

  /** All that a program can address, at the place where it lies. */
  #bytes(): Uint8Array {
    const { live, top } = this.#memory.allocations;
    const bytes = new Uint8Array(top);
    for (const { start, end, kind } of live)
      if (kind !== "state") bytes.set(this.#memory.data.u8.subarray(start, end), start);
    return bytes;
  }

  #rangeOf(access: PlannedAccess, operands: Instruction["operands"]): Range {
    const bytes = bytesTouched(access, operands);
    const address = this.#session.operand(thread, operands[access.address]!)[0]!;
    const start = new MachineView(this.#session).bufferOffset(access.space, address, bytes, thread);
    if (start === undefined) throw new Error(`there is no ${access.space} memory at ${address}`);
    return { start, end: start + bytes };
  }
}

function cellsOf(register: Register, callee: number | undefined): Cell[] {
  const each = register.bits === 128 ? 2 : 1;
  return Array.from({ length: register.elements }, (_, element) => ({
    register,
    callee,
    element,
    slots: Array.from({ length: each }, (_, at) => `${register.bank}${register.slot + element * each + at}`),
  }));
}

function slotsOf(operand: Operand | undefined): string[] {
  switch (operand?.kind) {
    case "slot":
      return [
        `${operand.bank}${operand.slot}`,
        ...(operand.bits === 128 ? [`${operand.bank}${operand.slot + 1}`] : []),
      ];
    case "predicate":
      return [`p${operand.slot}`];
    case "vector":
      return operand.items.flatMap(slotsOf);
    case "address":
      return [...slotsOf(operand.base), ...slotsOf(operand.index?.of)];
    default:
      return [];
  }
}

/** True where two memories differ outside some places. */
function differ(before: Uint8Array, after: Uint8Array, but: readonly Range[]): boolean {
  const allowed = (at: number): boolean => but.some(({ start, end }) => at >= start && at < end);
  return before.length !== after.length || before.some((byte, at) => byte !== after[at] && !allowed(at));
}

/** True when an instruction that a thread has executed has led it where the table says. */
function landsWell(
  { plan, operands }: Instruction,
  pc: number,
  depth: number,
  after: Outcome,
  { program }: Session,
): boolean {
  const targets = operands.flatMap((each) => (each?.kind === "vector" ? each.items : each));
  switch (nextOf(plan)) {
    case "on":
      return after.place === pc + 1 && after.depth === depth;
    case "targets":
      return targets.some((each) => each?.kind === "target" && each.pc === after.place);
    case "callee":
      return program.functions.some(({ entry }) => entry === after.place) && after.depth === depth + 1;
    case "caller":
      return depth === 0 ? after.place === "ended" : after.depth === depth - 1;
    case "exit":
      return after.place === "ended";
    case "fault":
      return after.place === "fault";
  }
}

describe("what the table of shapes says holds for each instruction of the examples", () => {
  for (const { number, title, forms } of table) {
    const executable = forms.filter((form) => form.executable);
    if (executable.length === 0) continue;
    test(`${number} ${title}`, () => {
      const wrong = executable.flatMap((form) =>
        sample(form.check, 8).flatMap((check) => {
          const { session, memory } = sessionOfCheck(form, check);
          return new Examiner(session, memory).run();
        }),
      );
      expect([...new Set(wrong)]).toEqual([]);
    });
  }

  const cell =
    ".shared .align 16 .b8 s[32]; .reg .u64 q; mov.u64 q, s; st.shared.v2.b64 [s], {1, 2}; st.shared.v2.b64 [s+16], {3, 4};";
  test.each([
    "trap;",
    ".reg .u32 i; mov.u32 i, 1; L: ts: .branchtargets L, M; brx.idx i, ts; M: exit;",
    ".reg .u32 n; mov.u32 n, 0; bar.sync n; barrier.sync n, 32;",
    ".reg .u32 d, e; .reg .pred p, q; setp.eq.u32 p, 0, 0; shfl.sync.idx.b32 d|q, e, 0, 31, 1; setp.lt.u32 p|q, d, e;",
    "barrier.cluster.arrive; barrier.cluster.wait;",
    "tcgen05.fence::before_thread_sync; tcgen05.fence::after_thread_sync;",
    `${cell} .reg .b32 a, b, c; ld.shared.v4.b32 {a, _, b, c}, [q]; st.shared.v2.b32 [q+16], {a, b};`,
    `${cell} .reg .b64 g, a; cvta.shared.u64 g, q; ld.b64 a, [g+8]; st.b64 [g], a; atom.add.u64 a, [g+8], 1; red.add.u64 [g], a;`,
    ".reg .b32 a, b, c; add.cc.u32 a, b, c; addc.cc.u32 b, a, c; addc.u32 c, a, b; subc.u32 c, b, a;",
  ])("%s", (text) => {
    const memory = new Memory({ limit: 1 << 20 });
    expect(new Examiner(sessionOf(text, new Map(), 0, memory, ""), memory).run()).toEqual([]);
  });

  test("and these were all shapes, meetings and accesses but those of vISA and what is not implemented", () => {
    // Collectives take 32 threads, and are not examined alone: tests/conformance/matrix.test.ts runs them.
    const missing = Object.entries(shapes).filter(
      ([shape, { kind }]) => kind !== "collective" && !seen.shapes.has(shape),
    );
    // Tensor maps and multimem addresses come from the host: tests/unit/host/tensor-copy.test.ts, tensor-map.test.ts.
    const bound = ["tensor copy", "map field", "multimem"];
    expect(missing.map(([shape]) => shape).filter((shape) => !bound.includes(shape))).toEqual([
      "gap",
      "channels",
      "typed",
      "split barrier",
    ]);
    expect([...seen.meetings].sort()).toEqual(["block", "cluster", "lanes"]);
    expect([...seen.touches].sort()).toEqual(["atomic", "discard", "load", "store"]);
    expect([...seen.carry]).toEqual(["carry"]);
  });
});
