import { type ControlFlow, controlFlowOf } from "../../interp/contract/control-flow.ts";
import { keysOf } from "../../interp/contract/liveness.ts";
import { elements, type Operand } from "../../interp/contract/operand.ts";
import { writtenBy } from "../../interp/contract/plan/effects.ts";
import type { PlanOf } from "../../interp/contract/plan/shapes/shape-facts.ts";
import type { Instruction, Program } from "../../interp/contract/program.ts";
import type { Bits } from "../../numeric/bits.ts";
import { scalarOf } from "../../numeric/lower/scalar.ts";
import { amongLanes, type LaneValues } from "../../numeric/lower/warp.ts";
import type { Operation } from "../../numeric/operation/operation.ts";
import { widthOf } from "../../numeric/operation/type.ts";
import { warpOperands } from "../../numeric/operation/warp.ts";

/** How often a program is looked at, each time with other values for all that its text leaves open. */
const DRAWS = 3;
const MOST_THREADS = 1024;
const LANES = 32;
const ALL_LANES = 0xffff_ffff;
/** Threads in a row of a block of two dimensions, in each draw. */
const ROWS = [32, 16, 64];

/** What a register holds in each thread of a block, in each draw, and what that came from. */
export interface ThreadValues {
  /** By draw and thread; 0 or 1 for a predicate. */
  readonly cells: readonly Bits[];
  /** It follows from which block this is. */
  readonly ofBlock: boolean;
  /** It follows from what memory holds. */
  readonly ofMemory: boolean;
  /**
   * A predicate that compares something of the thread with something that the text leaves open, so threads of a block
   * may differ though those of the draws do not.
   */
  readonly open: boolean;
}

/** Where a register is written. */
interface Definition {
  readonly instruction: Instruction;
  readonly pc: number;
  readonly at: number;
}

/**
 * What registers hold in the threads of a block, computed for a few draws of parameters, sizes and memory. Undefined
 * stands for what this cannot follow: a register that two ways bring different values to, a result of a call. So whatever
 * differs among threads in every draw does so in the program, unless the draws are less typical than the launch.
 */
export class RegistersOfThreads {
  /** Threads of a block in each draw. */
  readonly sizes: readonly number[];
  readonly threads: number;
  /** Of these, those in a row, and rows. */
  readonly #shapes: readonly (readonly [x: number, y: number])[];
  readonly #flow: ControlFlow;
  readonly #definitions = new Map<string, Definition[]>();
  readonly #constants = new Map<string, Program["constants"][number]["value"]>();
  readonly #specials = new Map<string, string>();
  /** By register and where it was written. */
  readonly #known = new Map<string, ThreadValues | undefined>();
  #depth = 0;

  constructor({ code, limits, constants, specials }: Program, flow: ControlFlow = controlFlowOf(code)) {
    this.#flow = flow;
    const exact = limits.requiredThreads;
    const [x, y, z] = limits.requiredThreads ?? limits.maxThreads ?? [MOST_THREADS, 1, 1];
    const most = Math.min(MOST_THREADS, x * y * z);
    const least = Math.max(LANES, LANES * (most >> 6));
    this.sizes = Array.from({ length: DRAWS }, (_, draw) =>
      exact ? most : Math.min(most, Math.max(least >> draw, 2 * LANES)),
    );
    this.threads = LANES * Math.ceil(Math.max(...this.sizes) / LANES);
    const hasRows = specials.some(({ name }) => /^n?tid\.[yz]/.test(name));
    this.#shapes = this.sizes.map((size, draw) => {
      if (exact) return [x, y];
      const row = hasRows ? Math.min(size, ROWS[draw]!) : size;
      return [row, size / row];
    });
    for (const { bank, slot, value } of constants) this.#constants.set(`${bank}${slot}`, value);
    for (const { bank, slot, name } of specials) this.#specials.set(`${bank}${slot}`, name);
    for (const [pc, instruction] of code.entries()) {
      const { plan, operands } = instruction;
      for (let at = 0; at < writtenBy(plan); at++)
        for (const key of keysOf(operands[at])) {
          const all = this.#definitions.get(key);
          if (all === undefined) this.#definitions.set(key, [{ instruction, pc, at }]);
          else all.push({ instruction, pc, at });
        }
    }
  }

  /** The values of a guard at an instruction: where it lets threads through. */
  guard({ slot, negated }: NonNullable<Instruction["guard"]>, pc: number): ThreadValues | undefined {
    return this.of({ kind: "predicate", slot, negated }, pc);
  }

  /** The values of an operand that the instruction at `pc` reads; undefined where they cannot be followed. */
  of(operand: Operand | undefined, pc: number): ThreadValues | undefined {
    switch (operand?.kind) {
      case "slot":
        return operand.bits === 128
          ? undefined
          : masked(this.#register(`${operand.bank}${operand.slot}`, pc), operand.bits);
      case "predicate": {
        const found = this.#register(`p${operand.slot}`, pc);
        return found && operand.negated ? { ...found, cells: found.cells.map((bit) => (bit ? 0 : 1)) } : found;
      }
      case "address": {
        if (operand.index !== undefined) return undefined;
        const base = operand.base === undefined ? this.#same(() => 0n) : this.of(operand.base, pc);
        return base && { ...base, cells: base.cells.map((bits) => BigInt.asUintN(64, BigInt(bits) + operand.offset)) };
      }
      default:
        return undefined;
    }
  }

  /** The warps of each draw: for each, the lanes where a predicate holds, and those that there are. */
  warps({ cells }: ThreadValues): readonly (readonly { readonly taken: number; readonly all: number }[])[] {
    return this.sizes.map((size, draw) =>
      Array.from({ length: Math.ceil(size / LANES) }, (_, warp) => {
        let [taken, all] = [0, 0];
        for (let lane = 0; lane < LANES && warp * LANES + lane < size; lane++) {
          all |= 1 << lane;
          if (cells[draw * this.threads + warp * LANES + lane]) taken |= 1 << lane;
        }
        return { taken: taken >>> 0, all: all >>> 0 };
      }),
    );
  }

  /** True where threads of a block hold different values, in each draw. */
  #differs({ cells }: ThreadValues): boolean {
    return this.sizes.every((size, draw) => {
      const first = cells[draw * this.threads];
      for (let thread = 1; thread < size; thread++) if (cells[draw * this.threads + thread] !== first) return true;
      return false;
    });
  }

  /** True for what is not the same in all draws, so the text leaves it open. */
  readonly #isDrawn = ({ cells }: ThreadValues): boolean => cells[0] !== cells[this.threads];

  #register(key: string, pc: number): ThreadValues | undefined {
    const definition = this.#definitionAt(key, pc);
    const name = `${key} ${definition?.pc ?? ""}`;
    if (this.#known.has(name)) return this.#known.get(name);
    this.#known.set(name, undefined);
    const found = this.#depth < MOST_DEPTH ? this.#made(key, definition) : undefined;
    this.#known.set(name, found);
    return found;
  }

  /** The one definition that an instruction sees: the only one, or the last one on the straight way to it. */
  #definitionAt(key: string, pc: number): Definition | undefined {
    const all = this.#definitions.get(key) ?? [];
    const [only, second] = all;
    if (second === undefined) return only;
    const { blockOf, predecessors } = this.#flow;
    let limit = pc;
    for (let block = blockOf[pc]!, steps = 0; steps < MOST_DEPTH; steps++) {
      const last = all.findLast((each) => each.pc < limit && blockOf[each.pc] === block);
      if (last !== undefined) return last;
      const [before, other] = predecessors[block]!;
      if (before === undefined || other !== undefined) return undefined;
      block = before;
      limit = Number.POSITIVE_INFINITY;
    }
    return undefined;
  }

  #made(key: string, definition: Definition | undefined): ThreadValues | undefined {
    const constant = this.#constants.get(key);
    if (constant !== undefined)
      return typeof constant === "bigint"
        ? this.#same(() => constant)
        : this.#same((draw) => BigInt(0x2000_0000 + 256 * hash(draw, nameHash(constant.variable))) + constant.offset);
    const special = this.#specials.get(key);
    if (special !== undefined) return this.#special(special);
    // Under a guard some threads keep what they had.
    if (definition === undefined || definition.instruction.guard !== undefined) return undefined;
    this.#depth++;
    const made = this.#result(definition);
    this.#depth--;
    return made;
  }

  #special(name: string): ThreadValues | undefined {
    const lane = (thread: number) => thread % LANES;
    switch (name) {
      case "laneid":
        return this.#each((_, thread) => lane(thread));
      case "warpid":
        return this.#each((_, thread) => Math.floor(thread / LANES));
      case "tid.x":
        return this.#each((draw, thread) => thread % this.#shapes[draw]![0]);
      case "tid.y":
        return this.#each((draw, thread) => Math.floor(thread / this.#shapes[draw]![0]) % this.#shapes[draw]![1]);
      case "tid.z":
        return this.#each((draw, thread) => Math.floor(thread / (this.#shapes[draw]![0] * this.#shapes[draw]![1])));
      case "ntid.x":
        return this.#same((draw) => this.#shapes[draw]![0]);
      case "ntid.y":
        return this.#same((draw) => this.#shapes[draw]![1]);
      case "ntid.z":
        return this.#same((draw) => this.sizes[draw]! / (this.#shapes[draw]![0] * this.#shapes[draw]![1]));
      case "lanemask_eq":
        return this.#each((_, thread) => (1 << lane(thread)) >>> 0);
      case "lanemask_lt":
        return this.#each((_, thread) => 2 ** lane(thread) - 1);
      case "lanemask_le":
        return this.#each((_, thread) => 2 ** (lane(thread) + 1) - 1);
      case "lanemask_gt":
        return this.#each((_, thread) => 2 ** LANES - 2 ** (lane(thread) + 1));
      case "lanemask_ge":
        return this.#each((_, thread) => 2 ** LANES - 2 ** lane(thread));
      default: {
        const drawn = this.#same((draw) => 1 + (hash(draw, nameHash(name)) & 0xffff));
        return { ...drawn, ofBlock: /^(n?ctaid|n?cluster|gridid)/.test(name) };
      }
    }
  }

  #result({ instruction: { plan, operands }, pc, at }: Definition): ThreadValues | undefined {
    const read = operands.slice(writtenBy(plan));
    switch (plan.shape) {
      case "compute": {
        const takes = read.flatMap((operand) => (operand === undefined ? [] : elements(operand)));
        const target = elements(operands[0])[0];
        const made = at === 0 && keysOf(operands[0]).length === 1 ? this.#computed(plan.op, takes, pc) : undefined;
        return made && extended(made, plan, widthOf(plan.op.gives), target?.kind === "slot" ? target.bits : 1);
      }
      case "compare":
        return this.#compared(plan, at, read, pc);
      case "logic": {
        const [q, r] = [this.of(read[0], pc), read[1] === undefined ? undefined : this.of(read[1], pc)];
        if (plan.op === "not") return q && { ...q, cells: q.cells.map((bit) => (bit ? 0 : 1)) };
        return q && r && joined(plan.op, q, r);
      }
      case "select": {
        const [a, b, p] = [this.of(read[0], pc), this.of(read[1], pc), this.of(read[2], pc)];
        return a && b && p && this.#merged([a, b, p], (i) => (p.cells[i] ? a.cells[i]! : b.cells[i]!));
      }
      case "move":
        return this.of(read[0], pc);
      case "address": {
        const found = this.of(read[0], pc);
        // The memory of another space is the block's own, or the thread's.
        return found && { ...found, ofBlock: found.ofBlock || plan.space !== "global" };
      }
      case "load":
        return this.#loaded(plan, at, operands, pc);
      case "atomic": {
        // Each thread gets what another has left.
        const each = this.#each((draw, thread) => hash(hash(draw, pc + 1), thread));
        return { ...each, ofMemory: true };
      }
      case "warp":
        // Which lanes take part with another mask depends on the way there.
        return this.membermask({ plan, operands }, pc) === ALL_LANES ? this.#exchanged(plan, at, read, pc) : undefined;
      default:
        return undefined;
    }
  }

  #computed(op: Operation, takes: readonly Operand[], pc: number): ThreadValues | undefined {
    if (takes.length !== op.takes.length) return undefined;
    const values = takes.map((operand) => this.of(operand, pc));
    if (!isComplete(values)) return undefined;
    const run = scalarOf(op);
    const wide = op.takes.map(({ type }) => widthOf(type));
    const bits = values.map(({ cells }, at) => converted(cells, wide[at]!));
    return this.#merged(values, (i) => run(...bits.map((cells) => cells[i]!)));
  }

  #compared(
    plan: PlanOf<"compare">,
    at: number,
    read: readonly (Operand | undefined)[],
    pc: number,
  ): ThreadValues | undefined {
    const operands = [read[0], read[1]].flatMap((operand) => (operand === undefined ? [] : [operand]));
    const op = at === 1 && plan.second !== undefined ? plan.second : plan.op;
    const found = this.#computed(op, operands, pc);
    if (found === undefined) return undefined;
    const opposite = at === 1 && plan.second === undefined;
    const plain = opposite ? { ...found, cells: found.cells.map((bit) => (bit ? 0 : 1)) } : found;
    const values = operands.map((operand) => this.of(operand, pc)).filter((each) => each !== undefined);
    const open = plain.open || (values.some((each) => this.#differs(each)) && values.some(this.#isDrawn));
    const compared = { ...plain, open };
    if (read[2] === undefined) return compared;
    const c = this.of(read[2], pc);
    return c && plan.combine && joined(plan.combine, compared, c);
  }

  /** What lies at an address is drawn by the address: the same for all threads that read one place. */
  #loaded(plan: PlanOf<"load">, at: number, operands: Instruction["operands"], pc: number): ThreadValues | undefined {
    const address = plan.space === "local" || at !== 0 ? undefined : this.of(operands[1], pc);
    if (address === undefined || keysOf(operands[0]).length !== 1) return undefined;
    const { bits } = plan.cell;
    const ofMemory = address.ofMemory || plan.space !== "param";
    const drawn = this.#merged([address], (i) => {
      const place = hash(hash(Math.floor(i / this.threads), Number(BigInt(address.cells[i]!) & 0xffff_ffffn)), 7);
      if (plan.space === "param") return bits > 32 ? BigInt(place) << 8n : (place >>> 1) % 2 ** (bits - 1);
      // Zeros are frequent.
      return (place & 3) === 0 ? 0 : place % 2 ** Math.min(bits, 32);
    });
    return { ...drawn, ofMemory };
  }

  #exchanged(
    { op }: PlanOf<"warp">,
    at: number,
    read: readonly (Operand | undefined)[],
    pc: number,
  ): ThreadValues | undefined {
    const { takes, gives } = warpOperands(op);
    const values = read.slice(0, takes.length).map((operand) => this.of(operand, pc));
    if (!isComplete(values)) return undefined;
    const run = amongLanes(op);
    const cells: Bits[] = new Array(DRAWS * this.threads).fill(0);
    const array = (width: number): LaneValues => (width === 64 ? new BigUint64Array(LANES) : new Uint32Array(LANES));
    for (let first = 0; first < cells.length; first += LANES) {
      const operands = takes.map((width, index) => {
        const made = array(width);
        for (let lane = 0; lane < LANES; lane++) {
          const bits = values[index]!.cells[first + lane]!;
          if (width === 1) made[0] = Number(made[0]) | (bits ? 1 << lane : 0);
          else made[lane] = width === 64 ? BigInt(bits) : Number(bits);
        }
        return made;
      });
      const results = gives.map(array);
      run(results, operands, ALL_LANES, LANES);
      for (let lane = 0; lane < LANES; lane++)
        cells[first + lane] = gives[at] === 1 ? (Number(results[at]![0]) >>> lane) & 1 : results[at]![lane]!;
    }
    return { ...this.#merged(values, (i) => cells[i]!), open: false };
  }

  #same(value: (draw: number) => Bits): ThreadValues {
    const values = Array.from({ length: DRAWS }, (_, draw) => value(draw));
    return this.#each((draw) => values[draw]!);
  }

  #each(value: (draw: number, thread: number) => Bits): ThreadValues {
    const cells: Bits[] = [];
    for (let draw = 0; draw < DRAWS; draw++)
      for (let thread = 0; thread < this.threads; thread++) cells.push(value(draw, thread));
    return { cells, ofBlock: false, ofMemory: false, open: false };
  }

  /** A value for each thread that follows from others. */
  #merged(from: readonly ThreadValues[], value: (index: number) => Bits): ThreadValues {
    const cells: Bits[] = [];
    for (let i = 0; i < DRAWS * this.threads; i++) cells.push(value(i));
    return {
      cells,
      ofBlock: from.some(({ ofBlock }) => ofBlock),
      ofMemory: from.some(({ ofMemory }) => ofMemory),
      open: from.some(({ open }) => open),
    };
  }

  /** The membermask of the instruction among lanes at `pc`, where it is the same number in all draws. */
  membermask({ plan, operands }: Pick<Instruction, "plan" | "operands">, pc: number): number | undefined {
    if (plan.shape !== "warp") return undefined;
    const { takes, gives } = warpOperands(plan.op);
    const values = this.of(operands[gives.length + takes.length], pc);
    const mask = values?.cells[0];
    return values?.cells.every((each) => each === mask) ? Number(mask) : undefined;
  }
}

/** A longer chain of instructions is not followed. */
const MOST_DEPTH = 150;

const isComplete = (values: readonly (ThreadValues | undefined)[]): values is ThreadValues[] =>
  values.every((each) => each !== undefined);

const masked = (values: ThreadValues | undefined, width: number): ThreadValues | undefined =>
  values && { ...values, cells: converted(values.cells, width) };

/** Numbers up to 32 bits, bigints above, as functions of operations take them. */
const converted = (cells: readonly Bits[], width: number): readonly Bits[] =>
  cells.map((bits) => {
    if (width > 32) return BigInt.asUintN(width, BigInt(bits));
    const low = typeof bits === "bigint" ? Number(BigInt.asUintN(32, bits)) : bits;
    return width === 32 ? low >>> 0 : low & (2 ** width - 1);
  });

/** A result in a wider register. */
function extended(values: ThreadValues, { extend }: PlanOf<"compute">, from: number, to: number): ThreadValues {
  if (extend !== "sign" || to <= from) return values;
  const cells = values.cells.map((bits) => BigInt.asUintN(to, BigInt.asIntN(from, BigInt(bits))));
  return { ...values, cells: converted(cells, to) };
}

function joined(op: "and" | "or" | "xor", a: ThreadValues, b: ThreadValues): ThreadValues {
  const cells = a.cells.map((bit, i) => {
    const [left, right] = [Number(bit), Number(b.cells[i]!)];
    return op === "and" ? left & right : op === "or" ? left | right : left ^ right;
  });
  return {
    cells,
    ofBlock: a.ofBlock || b.ofBlock,
    ofMemory: a.ofMemory || b.ofMemory,
    open: a.open || b.open,
  };
}

/** 32 bits that look like chance, of two numbers. */
function hash(a: number, b: number): number {
  let bits = Math.imul(a ^ 0x9e37_79b9, 0x85eb_ca6b) ^ Math.imul(b + 0x7f4a_7c15, 0xc2b2_ae35);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b_3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a_2d39);
  return (bits ^ (bits >>> 15)) >>> 0;
}

const nameHash = (name: string): number => [...name].reduce((sum, letter) => hash(sum, letter.charCodeAt(0)), 1);
