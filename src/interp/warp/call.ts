import { firstLane } from "../contract/launch/lane-mask.ts";
import { elements, type Operand, slot } from "../contract/operand.ts";
import type { FunctionCode, Instruction, ParameterLocation } from "../contract/program.ts";
import { windows } from "../contract/window.ts";
import type { Context } from "../state/context.ts";
import { Fault, report } from "../state/fault.ts";
import type { Activation, Warp } from "../state/warp.ts";
import type { Builtin, FindBuiltin } from "./builtin-call.ts";
import { bytesOf, CallArguments, type ForLanes, wordsOf } from "./call-arguments.ts";
import { restore, Stack, save } from "./frame.ts";
import { diverge, reconverge } from "./groups.ts";
import type { TakenLanes } from "./guard.ts";

/**
 * Checks the results that go from memory to registers, since registers keep no record of initialisation. Reports the
 * first with uninitialised bytes: a note, as for other local memory. `pc` is that of the return.
 */
function checkResults(
  { name, results: places }: FunctionCode,
  results: readonly Operand[],
  passed: CallArguments,
  words: readonly number[],
  context: Context,
): (warp: Warp, mask: number, pc: number) => void {
  const watched = places.flatMap((place, index) => {
    const to = results[index];
    const kept = place.kind === "memory" && to !== undefined && to.kind !== "address" && to.kind !== "sink";
    return kept && context.sanitize.init ? [{ word: words[index] ?? 0, bytes: bytesOf(place) }] : [];
  });
  if (watched.length === 0) return () => {};
  return (warp, mask, pc) => {
    for (let lane = 0; lane < warp.lanes; lane++) {
      if (!((mask >>> lane) & 1)) continue;
      for (const { word, bytes } of watched) {
        const unwritten = passed.unwritten(lane, word, bytes);
        if (unwritten === 0) continue;
        const which = unwritten === bytes ? "its result" : `${unwritten} of the ${bytes} bytes of its result`;
        const found = report(context, warp, lane, "PTX4001", `leaves ${name}, and nothing has written ${which}`, pc);
        context.report({ ...found, severity: "note" });
        return;
      }
    }
  };
}

/** Depth of calls that one thread may reach. The stack sets no limit: a function without variables needs none. */
export const DEEPEST = 100_000;

/** One call instruction and one function that it may reach. */
interface CallLink {
  readonly callee: number;
  readonly code: FunctionCode;
  readonly builtin: Builtin | undefined;
  readonly passed: CallArguments;
  /** Copies the arguments to `passed`, and from there to the function's parameters. */
  readonly takeArguments: ForLanes;
  readonly giveParameters: ForLanes;
  /** Copies the function's results to `passed`, and from there to the caller. */
  readonly takeResults: ForLanes;
  readonly giveResults: ForLanes;
  readonly checkResults: (warp: Warp, mask: number, pc: number) => void;
  /** The word in `passed` of each argument and result. */
  readonly words: { readonly parameters: readonly number[]; readonly results: readonly number[] };
}

/**
 * Calls and returns of one program (PTX ISA, call, ret). A call attaches an activation to its lanes, which holds where
 * they return to; lanes of one call may return at different times, and lanes of different calls together.
 */
export class Calls {
  readonly #context: Context;
  readonly #builtinFor: FindBuiltin;
  readonly #stack: Stack;
  /** By pc: finds the link to a callee, made on first use: most candidates of an indirect call are never called. */
  readonly #links: Map<number, (callee: number) => CallLink> = new Map();

  constructor(context: Context, builtinFor: FindBuiltin) {
    this.#context = context;
    this.#builtinFor = builtinFor;
    this.#stack = new Stack(context);
  }

  /** Binds the call at `pc`, for the lanes that `lanes` selects. */
  call(instruction: Instruction, pc: number, lanes: TakenLanes): (warp: Warp) => void {
    const [results, callee, parameters, candidates] = instruction.operands;
    const links = new Map<number, CallLink>();
    const linkTo = (index: number): CallLink => {
      let made = links.get(index);
      if (made === undefined) {
        made = this.#link(index, elements(results), elements(parameters));
        links.set(index, made);
      }
      return made;
    };
    this.#links.set(pc, linkTo);
    if (callee?.kind === "target") return this.#direct(() => linkTo(callee.pc), pc, lanes);
    const allowed = elements(candidates).map((each) => {
      if (each.kind !== "target") throw new Error(`a ${each.kind} cannot be called`);
      return each.pc;
    });
    return this.#indirect(slot(callee), allowed, linkTo, pc, lanes);
  }

  /** Binds `ret`: lanes of the kernel itself have no caller and exit. */
  leave(pc: number, lanes: TakenLanes, exit: (warp: Warp) => void): (warp: Warp) => void {
    return (warp) => {
      if (warp.depth === 0) {
        exit(warp);
        return;
      }
      const gone = lanes(warp);
      const { active, depth } = warp;
      const stay = (active & ~gone) >>> 0;
      if (stay !== 0) diverge(warp, pc + 1, stay);
      warp.active = 0;
      for (const [activation, mask] of this.#apart(warp, gone)) {
        this.#return(warp, mask, activation!, pc);
        diverge(warp, activation!.back, mask, depth - 1);
      }
      reconverge(warp);
    };
  }

  #direct(find: () => CallLink, pc: number, lanes: TakenLanes): (warp: Warp) => void {
    let known: CallLink | undefined;
    return (warp) => {
      known ??= find();
      const link = known;
      const taken = lanes(warp);
      const rest = (warp.active & ~taken) >>> 0;
      if (taken !== 0) {
        warp.active = taken;
        this.#go(warp, taken, link, pc);
        if (rest !== 0) diverge(warp, pc + 1, rest, warp.depth - (link.builtin === undefined ? 1 : 0));
      } else warp.pc = pc + 1;
      reconverge(warp);
    };
  }

  /** A call through an address: lanes may call different functions, and diverge. */
  #indirect(
    from: Operand & { kind: "slot" },
    allowed: readonly number[],
    linkTo: (index: number) => CallLink,
    pc: number,
    lanes: TakenLanes,
  ): (warp: Warp) => void {
    const { functions } = this.#context.program;
    const byAddress = new Map(allowed.map((index) => [Number(BigInt.asUintN(32, functions[index]!.address)), index]));
    const base = from.slot * this.#context.lanes;
    const wide = from.bank === "q";
    const find = ({ r, w }: Warp, lane: number): CallLink => {
      const low = wide ? w[2 * (base + lane)]! >>> 0 : r[base + lane]!;
      const high = wide ? w[2 * (base + lane) + 1]! : windows.code;
      const index = high === windows.code ? byAddress.get(low) : undefined;
      if (index !== undefined) return linkTo(index);
      const address = (BigInt(high >>> 0) << 32n) | BigInt(low);
      const other = functions.find((each) => each.address === address);
      if (other === undefined)
        throw new Fault(
          "PTX3021",
          lane,
          `finds 0x${address.toString(16)} in its register, which is not a function here`,
        );
      throw new Fault("PTX3022", lane, `calls ${other.name}, which is not what its list or prototype allows`);
    };
    return (warp) => {
      const taken = lanes(warp);
      const { active, depth } = warp;
      const groups = new Map<CallLink, number>();
      for (let lane = 0; lane < warp.lanes; lane++) {
        if (!((taken >>> lane) & 1)) continue;
        const link = find(warp, lane);
        groups.set(link, ((groups.get(link) ?? 0) | (1 << lane)) >>> 0);
      }
      const rest = (active & ~taken) >>> 0;
      if (rest !== 0) diverge(warp, pc + 1, rest);
      for (const [link, mask] of groups) {
        warp.depth = depth;
        this.#go(warp, mask, link, pc);
        diverge(warp, warp.pc, mask);
      }
      warp.active = 0;
      reconverge(warp);
    };
  }

  /** Calls for the lanes in `mask`, and sets pc and depth to where they continue. */
  #go(warp: Warp, mask: number, link: CallLink, pc: number): void {
    const { code, callee, builtin, passed, words } = link;
    link.takeArguments(warp, mask);
    if (builtin !== undefined) {
      builtin({ context: this.#context, warp, mask, passed, ...words });
      link.giveResults(warp, mask);
      warp.pc = pc + 1;
      return;
    }
    if (typeof code.entry === "string")
      throw new Fault("PTX5001", firstLane(mask), `is not implemented: nothing defines ${code.entry}`, [], undefined, [
        `${code.entry} is only declared here: put a .func of this name with a body into the same file`,
      ]);
    const depth = warp.depth + 1;
    if (depth > DEEPEST)
      throw new Fault("PTX3020", firstLane(mask), `is ${depth} calls deep, and ${DEEPEST} is the limit`);
    const { recursive } = code;
    const saved = recursive && save(warp, recursive);
    if (recursive) this.#stack.open(warp, mask, recursive);
    for (const [caller, lanes] of this.#apart(warp, mask)) {
      const made = { caller, callee, from: pc, back: pc + 1, depth };
      const activation: Activation = saved === undefined ? made : { ...made, saved };
      for (let lane = 0; lane < warp.lanes; lane++) if ((lanes >>> lane) & 1) warp.activations[lane] = activation;
    }
    link.giveParameters(warp, mask);
    warp.pc = code.entry;
    warp.depth = depth;
  }

  #return(warp: Warp, mask: number, { caller, callee, from, saved }: Activation, pc: number): void {
    const link = this.#links.get(from)?.(callee);
    if (link === undefined) throw new Error("a function returns to a call that never was");
    link.takeResults(warp, mask);
    link.checkResults(warp, mask, pc);
    if (saved !== undefined) restore(warp, mask, link.code.recursive!, saved);
    for (let lane = 0; lane < warp.lanes; lane++) if ((mask >>> lane) & 1) warp.activations[lane] = caller;
    link.giveResults(warp, mask);
  }

  /** The lanes of a mask, grouped by their current call. */
  #apart({ activations }: Warp, mask: number): readonly (readonly [Activation | undefined, number])[] {
    const found: [Activation | undefined, number][] = [];
    for (let rest = mask; rest !== 0; ) {
      const activation = activations[firstLane(rest)];
      let same = 0;
      for (let lane = firstLane(rest); lane < 32; lane++)
        if ((rest >>> lane) & 1 && activations[lane] === activation) same |= 1 << lane;
      found.push([activation, same >>> 0]);
      rest = (rest & ~same) >>> 0;
    }
    return found;
  }

  #link(callee: number, results: readonly Operand[], args: readonly Operand[]): CallLink {
    const context = this.#context;
    const code = context.program.functions[callee]!;
    let words = 0;
    const allot = (place: ParameterLocation): number => {
      words += wordsOf(bytesOf(place));
      return words - wordsOf(bytesOf(place));
    };
    const at = { parameters: code.parameters.map(allot), results: code.results.map(allot) };
    const passed = new CallArguments(words, context.lanes);
    const each = (
      places: readonly ParameterLocation[],
      make: (place: ParameterLocation, index: number) => ForLanes,
    ): ForLanes => inTurn(places.map(make));
    return {
      callee,
      code,
      passed,
      words: at,
      builtin: this.#builtinFor(code),
      checkResults: checkResults(code, results, passed, at.results, context),
      takeArguments: each(code.parameters, (place, index) =>
        passed.take(args[index]!, at.parameters[index]!, bytesOf(place), context),
      ),
      giveParameters: each(code.parameters, (place, index) =>
        passed.give(operandOf(place), at.parameters[index]!, bytesOf(place), context),
      ),
      takeResults: each(code.results, (place, index) =>
        passed.take(operandOf(place), at.results[index]!, bytesOf(place), context),
      ),
      giveResults: each(code.results, (place, index) =>
        passed.give(results[index] ?? { kind: "sink" }, at.results[index]!, bytesOf(place), context),
      ),
    };
  }
}

const operandOf = (place: ParameterLocation): Operand => (place.kind === "slot" ? place.slot : place.at);

function inTurn(steps: readonly ForLanes[]): ForLanes {
  const [only] = steps;
  if (steps.length === 1 && only !== undefined) return only;
  return (warp, mask) => {
    for (const step of steps) step(warp, mask);
  };
}
