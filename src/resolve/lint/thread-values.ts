import { constantValue } from "../../interp/contract/constant.ts";
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
export const DRAWS = 3;
const MOST_THREADS = 1024;
const LANES = 32;

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

/** Where a register is written, if that happens at one place and to all threads that come there. */
interface Definition {
  readonly instruction: Instruction;
  readonly pc: number;
  readonly at: number;
}

/**
 * What registers hold in the threads of a block, computed for a few draws of parameters, sizes and memory. Undefined
 * stands for what this cannot follow: a register that is written at two places, a result of a call. So whatever
 * differs among threads in every draw does so in the program, unless the draws are less typical than the launch.
 */
export class RegistersOfThreads {
  /** Threads of a block in each draw. */
  readonly sizes: readonly number[];
  readonly threads: number;
  readonly #program: Program;
  readonly #exact: readonly [number, number, number] | undefined;
  readonly #definitions = new Map<string, Definition | null>();
  readonly #constants = new Map<string, Program["constants"][number]["value"]>();
  readonly #specials = new Map<string, string>();
  readonly #known = new Map<string, ThreadValues | undefined>();
  #depth = 0;

  constructor(program: Program) {
    const { code, limits, constants, specials } = program;
    this.#program = program;
    this.#exact = limits.requiredThreads;
    const [x, y, z] = limits.requiredThreads ?? limits.maxThreads ?? [MOST_THREADS, 1, 1];
    const most = Math.min(MOST_THREADS, x * y * z);
    const least = Math.max(LANES, LANES * (most >> 6));
    this.sizes = Array.from({ length: DRAWS }, (_, draw) =>
      this.#exact ? most : Math.min(most, Math.max(least >> draw, 2 * LANES)),
    );
    this.threads = Math.max(...this.sizes);
    for (const { bank, slot, value } of constants) this.#constants.set(`${bank}${slot}`, value);
    for (const { bank, slot, name } of specials) this.#specials.set(`${bank}${slot}`, name);
    for (const [pc, instruction] of code.entries()) {
      const { plan, operands, guard } = instruction;
      for (let at = 0; at < writtenBy(plan); at++)
        for (const key of keysOf(operands[at]))
          this.#definitions.set(
            key,
            guard === undefined && !this.#definitions.has(key) ? { instruction, pc, at } : null,
          );
    }
  }

  /** The values of a guard: where it lets threads through. */
  guard({ slot, negated }: NonNullable<Instruction["guard"]>): ThreadValues | undefined {
    return this.of({ kind: "predicate", slot, negated });
  }

  /** The values of an operand; undefined where they cannot be followed. */
  of(operand: Operand | undefined): ThreadValues | undefined {
    switch (operand?.kind) {
      case "slot":
        return operand.bits === 128
          ? undefined
          : masked(this.#register(`${operand.bank}${operand.slot}`), operand.bits);
      case "predicate": {
        const found = this.#register(`p${operand.slot}`);
        return found && operand.negated ? { ...found, cells: found.cells.map((bit) => (bit ? 0 : 1)) } : found;
      }
      case "address": {
        if (operand.index !== undefined) return undefined;
        const base = operand.base === undefined ? this.#same(() => 0n) : this.of(operand.base);
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

  #register(key: string): ThreadValues | undefined {
    if (this.#known.has(key)) return this.#known.get(key);
    this.#known.set(key, undefined);
    const found = this.#depth < MOST_DEPTH ? this.#made(key) : undefined;
    this.#known.set(key, found);
    return found;
  }

  #made(key: string): ThreadValues | undefined {
    const constant = this.#constants.get(key);
    if (constant !== undefined)
      return typeof constant === "bigint"
        ? this.#same(() => constant)
        : this.#same((draw) => BigInt(0x2000_0000 + 256 * hash(draw, nameHash(constant.variable))) + constant.offset);
    const special = this.#specials.get(key);
    if (special !== undefined) return this.#special(special);
    const definition = this.#definitions.get(key);
    if (!definition) return undefined;
    this.#depth++;
    const made = this.#result(definition);
    this.#depth--;
    return made;
  }

  #special(name: string): ThreadValues | undefined {
    const [x, y, z] = this.#exact ?? [];
    const [sizeX = this.threads, sizeY = 1] = this.#exact ?? [];
    const lane = (thread: number) => thread % LANES;
    switch (name) {
      case "laneid":
        return this.#each((_, thread) => lane(thread));
      case "warpid":
        return this.#each((_, thread) => Math.floor(thread / LANES));
      case "tid.x":
        return this.#each((_, thread) => thread % sizeX);
      case "tid.y":
        return x === undefined ? undefined : this.#each((_, thread) => Math.floor(thread / sizeX) % sizeY);
      case "tid.z":
        return x === undefined ? undefined : this.#each((_, thread) => Math.floor(thread / (sizeX * sizeY)));
      case "ntid.x":
        return this.#same((draw) => x ?? this.sizes[draw]!);
      case "ntid.y":
        return y === undefined ? undefined : this.#same(() => y);
      case "ntid.z":
        return z === undefined ? undefined : this.#same(() => z);
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
        const made = at === 0 && keysOf(operands[0]).length === 1 ? this.#computed(plan.op, takes) : undefined;
        return made && extended(made, plan, widthOf(plan.op.gives), target?.kind === "slot" ? target.bits : 1);
      }
      case "compare":
        return this.#compared(plan, at, read);
      case "logic": {
        const [q, r] = [this.of(read[0]), read[1] === undefined ? undefined : this.of(read[1])];
        if (plan.op === "not") return q && { ...q, cells: q.cells.map((bit) => (bit ? 0 : 1)) };
        return q && r && joined(plan.op, q, r);
      }
      case "select": {
        const [a, b, p] = [this.of(read[0]), this.of(read[1]), this.of(read[2])];
        return a && b && p && this.#merged([a, b, p], (i) => (p.cells[i] ? a.cells[i]! : b.cells[i]!));
      }
      case "move":
        return this.of(read[0]);
      case "address": {
        const found = this.of(read[0]);
        // The memory of another space is the block's own, or the thread's.
        return found && { ...found, ofBlock: found.ofBlock || plan.space !== "global" };
      }
      case "load":
        return this.#loaded(plan, at, operands);
      case "atomic": {
        // Each thread gets what another has left.
        const each = this.#each((draw, thread) => hash(hash(draw, pc + 1), thread));
        return { ...each, ofMemory: true };
      }
      case "warp":
        return this.#exchanged(plan, at, read);
      default:
        return undefined;
    }
  }

  #computed(op: Operation, takes: readonly Operand[]): ThreadValues | undefined {
    if (takes.length !== op.takes.length) return undefined;
    const values = takes.map((operand) => this.of(operand));
    if (!isComplete(values)) return undefined;
    const run = scalarOf(op);
    const wide = op.takes.map(({ type }) => widthOf(type));
    const bits = values.map(({ cells }, at) => converted(cells, wide[at]!));
    return this.#merged(values, (i) => run(...bits.map((cells) => cells[i]!)));
  }

  #compared(plan: PlanOf<"compare">, at: number, read: readonly (Operand | undefined)[]): ThreadValues | undefined {
    const operands = [read[0], read[1]].flatMap((operand) => (operand === undefined ? [] : [operand]));
    const op = at === 1 && plan.second !== undefined ? plan.second : plan.op;
    const found = this.#computed(op, operands);
    if (found === undefined) return undefined;
    const opposite = at === 1 && plan.second === undefined;
    const plain = opposite ? { ...found, cells: found.cells.map((bit) => (bit ? 0 : 1)) } : found;
    const values = operands.map((operand) => this.of(operand)).filter((each) => each !== undefined);
    const open = plain.open || (values.some((each) => this.#differs(each)) && values.some(this.#isDrawn));
    const compared = { ...plain, open };
    if (read[2] === undefined) return compared;
    const c = this.of(read[2]);
    return c && plan.combine && joined(plan.combine, compared, c);
  }

  /** What lies at an address is drawn by the address: the same for all threads that read one place. */
  #loaded(plan: PlanOf<"load">, at: number, operands: Instruction["operands"]): ThreadValues | undefined {
    const address = plan.space === "local" || at !== 0 ? undefined : this.of(operands[1]);
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

  #exchanged({ op }: PlanOf<"warp">, at: number, read: readonly (Operand | undefined)[]): ThreadValues | undefined {
    const { takes, gives } = warpOperands(op);
    const values = read.slice(0, takes.length).map((operand) => this.of(operand));
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
      run(results, operands, 0xffff_ffff, LANES);
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

  /** The membermask of an instruction among lanes, where the text has it as a number. */
  membermask({ plan, operands }: Instruction): number | undefined {
    if (plan.shape !== "warp") return undefined;
    const { takes, gives } = warpOperands(plan.op);
    const found = constantValue(operands[gives.length + takes.length], this.#program);
    return found === undefined ? undefined : Number(BigInt.asUintN(32, found));
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
