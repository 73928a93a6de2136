import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import type { Cause, Origin, Role, Shown } from "./cause.ts";
import { type Lead, type Made, madeBy, Reader } from "./leads.ts";
import { strangeIn } from "./meaning.ts";
import type { Names } from "./names.ts";
import type { Past } from "./past.ts";
import { type Sought, type Writer, Writers } from "./writers.ts";

/** How much of the causes is told. */
export interface Extent {
  /** Causes that are told at most, those in a chain of NaNs or infinities, and repetitions in loops, not counted. */
  readonly most?: number;
}

/** Causes of an ordinary value that are told unless more are asked for. */
const MOST = 24;
/** Causes at most, repetitions included. */
const MOST_EVER = 4000;
/** Executions of one instruction in a chain, behind which the others are passed over. */
const REPEATS = 2;
/** Causes between two executions of an instruction in a loop. */
const LONGEST_LOOP = 24;

/** A cause that is being made. */
interface Draft {
  value: Shown;
  role?: Role;
  origin: Origin;
  because: Draft[];
  more: number;
  repeats?: { times: number; lines: number[] };
  readonly parent: Draft | undefined;
  /** Which lead of the parent this is. */
  readonly index: number;
}

interface Pending {
  readonly draft: Draft;
  readonly lead: Lead;
}

/** Follows values back to where they come from. */
export class Follower {
  readonly reader: Reader;
  readonly writers: Writers;
  readonly #past: Past;
  readonly #names: Names;

  constructor(past: Past, names: Names) {
    this.#past = past;
    this.#names = names;
    this.reader = new Reader(past, names);
    this.writers = new Writers(past);
  }

  /** The causes of some values, each with causes of its own, as far as it goes. */
  causes(leads: readonly Lead[], { most = MOST }: Extent = {}): readonly Cause[] {
    const roots = leads.map((lead, index) => draftOf(lead, undefined, index));
    const queue: Pending[] = roots.map((draft, at) => ({ draft, lead: leads[at]! }));
    const told = new Set<string>();
    let counted = 0;
    let all = 0;
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { draft, lead } = next;
      all++;
      const { made, writer } = this.#origin(draft, lead);
      if (made === undefined || writer === undefined) continue;
      // Another cause has been told to come from there, too.
      const key = `${writer.step} ${writer.thread.block} ${writer.thread.warp} ${writer.thread.lane} ${keyOf(lead.sought)}`;
      if (told.has(key)) {
        draft.more = 0;
        continue;
      }
      told.add(key);
      const again = repeated(draft);
      const strange = strangeIn(draft.value.type, draft.value.bits) !== undefined && made.leads.length === 1;
      if (!again && !strange) counted++;
      const leads = again === undefined ? made.leads : made.leads.filter((_, at) => at === again);
      if (counted > most || all > MOST_EVER) {
        draft.more = made.leads.length;
        continue;
      }
      draft.more = made.leads.length - leads.length;
      const behind = leads.map((each) => ({ lead: each, draft: draftOf(each, draft, made.leads.indexOf(each)) }));
      for (const each of behind) {
        draft.because.push(each.draft);
        queue.push(each);
      }
      if (writer.kind === "result" && writer.missed !== undefined && again === undefined)
        this.#addMissed(draft, writer, queue);
    }
    for (const root of roots) squeeze(root);
    return roots.map(finished);
  }

  /** Finds where the value of a draft comes from. */
  #origin(draft: Draft, { sought, before, origin }: Lead): { made?: Made; writer?: Writer } {
    if (origin !== undefined || sought === undefined || before === undefined) return {};
    const writer = this.writers.find(sought, before);
    if (writer === undefined) {
      draft.origin = this.#unwritten(sought, before.step);
      return {};
    }
    const { type, bits: value } = draft.value;
    const low = sought.kind === "slot" ? sought.low : 0;
    const bits = sought.kind === "slot" ? sought.bits : sought.kind === "carry" ? 1 : 8 * sought.bytes;
    const made = this.#pruned(madeBy(writer, { low, bits, type, value }, this.reader), type, value);
    draft.origin = {
      kind: "step",
      ...this.#names.executed(writer.step, writer.thread, writer.pc),
      operands: made.operands,
      ...(made.sum ? { sum: made.sum } : {}),
      ...(made.note === undefined ? {} : { note: made.note }),
    };
    if (made.type !== undefined && made.type !== type && value !== undefined)
      draft.value = this.reader.shown(draft.value.name, made.type, value);
    return { made, writer };
  }

  /** An address matters where what lies there is all that can be said about a value. */
  #pruned(made: Made, type: string, value: bigint | undefined): Made {
    const [memory, address] = made.leads;
    if (address?.role !== "address" || memory?.sought === undefined || memory.before === undefined) return made;
    const known = this.writers.find(memory.sought, memory.before) !== undefined || strangeIn(type, value) !== undefined;
    return known ||
      memory.sought.kind !== "memory" ||
      this.#unwritten(memory.sought, memory.before.step).kind === "parameter"
      ? { ...made, leads: made.leads.filter(({ role }) => role !== "address") }
      : made;
  }

  /** Where a value comes from that no instruction has written. */
  #unwritten(sought: Sought, step: number): Origin {
    const { isCut, log, program } = this.#past;
    if (isCut) return { kind: "unknown", why: `nothing has written it since step ${log.first}, and the run is too long to go back further` }; // biome-ignore format: one row
    if (sought.kind === "carry") return { kind: "given" };
    if (sought.kind === "slot") {
      const own = program.registers.some(({ bank, slot, elements }) => bank === sought.bank && sought.slot >= slot && sought.slot < slot + elements); // biome-ignore format: one row
      return own && program.name === "" ? { kind: "given" } : { kind: "nothing" };
    }
    if (sought.space === "param") return { kind: "parameter" };
    return this.#isInitialised(sought, step) ? { kind: "given" } : { kind: "nothing" };
  }

  /** Whether the host has written memory that no instruction has. */
  #isInitialised({ space, address, bytes, thread }: Sought & { kind: "memory" }, step: number): boolean {
    const where = this.#past.offset(step, space, address, bytes, thread);
    return where !== undefined && this.#past.isInitialised(where, bytes);
  }

  /** An instruction that would have written a value later, had its guard let it. */
  #addMissed(draft: Draft, writer: Writer & { kind: "result" }, queue: Pending[]): void {
    const { missed, thread } = writer;
    if (missed === undefined) return;
    const guard = this.#past.program.code[missed.pc]?.guard;
    if (guard === undefined) return;
    const lead: Lead = {
      ...this.reader.lead(missed.step, thread, { kind: "predicate", ...guard }, "pred"),
      role: "choice",
    };
    const skipped: Draft = {
      value: draft.value,
      role: "missed",
      origin: { kind: "step", ...this.#names.executed(missed.step, thread, missed.pc), operands: [lead.value] },
      because: [],
      more: 0,
      parent: draft,
      index: -1,
    };
    const because = draftOf(lead, skipped, 0);
    skipped.because.push(because);
    draft.because.push(skipped);
    queue.push({ draft: because, lead });
  }
}

const draftOf = ({ value, role, origin }: Lead, parent: Draft | undefined, index: number): Draft => ({
  value,
  ...(role === undefined ? {} : { role }),
  origin: origin ?? { kind: "unknown", why: "it is not followed further" },
  because: [],
  more: 0,
  parent,
  index,
});

const keyOf = (sought: Sought | undefined): string =>
  sought === undefined
    ? ""
    : sought.kind === "slot"
      ? `${sought.bank}${sought.slot} ${sought.low}`
      : sought.kind === "carry"
        ? "cc"
        : `${sought.space} ${sought.address}`;

/** For one more execution of an instruction that is in the chain already: which lead the chain has followed there. */
function repeated(draft: Draft): number | undefined {
  const { origin } = draft;
  if (origin.kind !== "step") return undefined;
  let times = 0;
  let way: number | undefined;
  let below: Draft = draft;
  let near = LONGEST_LOOP;
  for (let at = draft.parent; at !== undefined && near > 0; at = at.parent, near--) {
    if (at.origin.kind === "step" && at.origin.pc === origin.pc) {
      way ??= below.index;
      times++;
      near = LONGEST_LOOP;
      if (times >= REPEATS) return way < 0 ? undefined : way;
    }
    below = at;
  }
  return undefined;
}

/** Leaves out the executions of a loop between the second and the last one. */
function squeeze(draft: Draft): void {
  const { origin } = draft;
  if (origin.kind === "step") {
    const chain: Draft[] = [draft];
    for (let next = nextOf(draft, origin.pc); next !== undefined; next = nextOf(next, origin.pc)) chain.push(next);
    const [, second, ...others] = chain;
    const last = others.at(-1);
    if (second !== undefined && last !== undefined && others.length > 1) {
      const lines = new Set<number>();
      for (let at = last.parent; at !== undefined && at !== draft; at = at.parent) if (at.origin.kind === "step") lines.add(at.origin.line); // biome-ignore format: one row
      const top = second.because.findIndex((each) => holds(each, last));
      second.because.splice(top, 1, last);
      last.repeats = { times: others.length - 1, lines: [...lines].sort((a, b) => a - b) };
    }
  }
  for (const each of draft.because) squeeze(each);
}

function holds(draft: Draft, inner: Draft): boolean {
  for (let at: Draft | undefined = inner; at !== undefined; at = at.parent) if (at === draft) return true;
  return false;
}

/** The nearest execution of the same instruction behind a cause. */
function nextOf(draft: Draft, pc: number, left = LONGEST_LOOP): Draft | undefined {
  if (left === 0) return undefined;
  for (const each of draft.because) {
    if (each.role === "missed") continue;
    if (each.origin.kind === "step" && each.origin.pc === pc) return each;
    const found = nextOf(each, pc, left - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const finished = ({ value, role, origin, because, more, repeats }: Draft): Cause => ({
  value,
  ...(role === undefined ? {} : { role }),
  origin,
  because: because.map(finished),
  more,
  ...(repeats === undefined ? {} : { repeats }),
});

/** The thread that an instruction of a problem names. */
export type Who = ThreadId;
