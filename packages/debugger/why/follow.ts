import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import type { Instruction } from "../../../src/interp/contract/program.ts";
import type { Cause, Origin, Role, Shown } from "./cause.ts";
import { formulaOf } from "./formula.ts";
import { type Lead, type Made, Reader } from "./lead.ts";
import { madeBy } from "./leads.ts";
import { type Strange, strangeIn } from "./meaning.ts";
import { missedStore } from "./missed.ts";
import type { Names } from "./names.ts";
import type { Past } from "./past.ts";
import { keyOf, type Sought } from "./sought.ts";
import { decidingBranch, passingBranch } from "./way.ts";
import { type Writer, Writers } from "./writers.ts";

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
  told?: boolean;
  /** Another draft of the same cause, whose causes are told. */
  twin?: Draft;
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
  /** Whether a NaN or an infinity is asked about: then addresses do not matter. */
  #strange = false;

  constructor(past: Past, names: Names) {
    this.#past = past;
    this.#names = names;
    this.reader = new Reader(past, names);
    this.writers = new Writers(past);
  }

  /** The causes of some values, each with causes of its own, as far as it goes. */
  causes(leads: readonly Lead[], { most = MOST }: Extent = {}): readonly Cause[] {
    const queue: Pending[] = leads.map((lead, index) => ({ lead, draft: draftOf(lead, undefined, index) }));
    const roots = queue.map(({ draft }) => draft);
    const told = new Map<string, Draft>();
    this.#strange = leads.some(({ value }) => strangeIn(value.type, value.bits) !== undefined);
    let counted = 0;
    let all = 0;
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { draft, lead } = next;
      all++;
      const { made, writer } = this.#origin(draft, lead, queue);
      if (made === undefined || writer === undefined) continue;
      // Another cause has been told to come from there, too.
      const { block, warp, lane } = writer.thread;
      const key = `${writer.step} ${block} ${warp} ${lane} ${keyOf(lead.sought)}`;
      const twin = told.get(key);
      if (twin !== undefined) {
        draft.twin = twin;
        continue;
      }
      told.set(key, draft);
      const again = repeated(draft);
      const strange = strangeIn(draft.value.type, draft.value.bits) !== undefined && made.leads.length === 1;
      if (!again && !strange) counted++;
      const usual = most > MOST ? made.leads : made.leads.slice(0, made.usual);
      const leads = again === undefined ? usual : made.leads.filter((_, at) => at === again);
      if ((again === undefined && !strange && counted > most) || all > MOST_EVER) {
        // What needs no look is told all the same.
        const leafs = made.leads.filter(({ sought }) => sought === undefined);
        for (const each of leafs) draft.because.push(draftOf(each, draft, made.leads.indexOf(each)));
        draft.more = made.leads.length - leafs.length;
        continue;
      }
      draft.more = made.leads.length - leads.length;
      const behind = leads.map((each) => ({ lead: each, draft: draftOf(each, draft, made.leads.indexOf(each)) }));
      for (const each of behind) {
        draft.because.push(each.draft);
        queue.push(each);
      }
      if (writer.kind !== "result" || again !== undefined) continue;
      if (writer.missed !== undefined) this.#addMissed(draft, writer, queue);
      else if (leads.every(({ sought }) => sought === undefined)) this.#addWay(draft, writer, lead.sought, queue);
    }
    for (const root of roots) squeeze(root);
    const met = new Set<Draft>();
    for (const root of roots) settle(root, met);
    return roots.map(finished);
  }

  /** Finds where the value of a draft comes from. */
  #origin(draft: Draft, { sought, before, origin }: Lead, queue: Pending[]): { made?: Made; writer?: Writer } {
    if (origin !== undefined || sought === undefined || before === undefined) return {};
    const writer = this.writers.find(sought, before);
    const edit = this.#past.lastEdit(sought, before.step);
    if (edit !== undefined && edit > (writer?.step ?? -1)) {
      draft.origin = { kind: "hand", step: edit };
      return {};
    }
    if (writer === undefined) {
      draft.origin = this.#unwritten(sought, before.step, draft.value.name);
      if (sought.kind === "memory" && draft.parent === undefined)
        this.#addUnexecuted(draft, sought, before.step, queue);
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
      ...(made.whole === undefined ? {} : { whole: made.whole }),
      ...(made.note === undefined ? {} : { note: made.note }),
      ...(made.formula === undefined ? {} : { address: made.formula }),
    };
    if (made.type !== undefined && made.type !== type && value !== undefined)
      draft.value = this.reader.shown(draft.value.name, made.type, value);
    return { made, writer };
  }

  /** An address matters where what lies there is all that can be said about a value: it is told as a formula. */
  #pruned(made: Made, type: string, value: bigint | undefined): Made {
    const [memory, address] = made.leads;
    if (address?.role !== "address" || memory?.sought === undefined || memory.before === undefined) return made;
    const matters =
      !this.#strange &&
      strangeIn(type, value) === undefined &&
      memory.sought.kind === "memory" &&
      memory.sought.space !== "param" &&
      this.writers.find(memory.sought, memory.before) === undefined;
    const formula = matters ? formulaOf(address, this.reader, this.writers) : undefined;
    const leads = made.leads.filter(({ role }) => role !== "address");
    return { ...made, leads, ...(formula === undefined ? {} : { formula }) };
  }

  /** Where a value comes from that no instruction has written. */
  #unwritten(sought: Sought, step: number, name: string): Origin {
    const { isCut, log, program } = this.#past;
    const isParameter = sought.kind === "memory" && sought.space === "param";
    if (isCut && !isParameter && !this.#isUnchanged(sought, step))
      return { kind: "unknown", why: `nothing has written ${name} since step ${log.first}, and the run is too long to go back further` }; // biome-ignore format: one row
    if (sought.kind === "carry") return { kind: "given" };
    if (sought.kind === "slot") {
      const own = program.registers.some(({ bank, slot, elements }) => bank === sought.bank && sought.slot >= slot && sought.slot < slot + elements); // biome-ignore format: one row
      return own && program.name === "" ? { kind: "given" } : { kind: "nothing" };
    }
    if (isParameter) return { kind: "parameter" };
    return this.#isInitialised(sought, step) ? { kind: "given" } : { kind: "nothing" };
  }

  /** Whether memory is as it was when the launch began: then it is taken for that. */
  #isUnchanged(sought: Sought, step: number): boolean {
    if (sought.kind !== "memory" || !this.#isInitialised(sought, step)) return false;
    const { space, address, bytes, thread } = sought;
    const [then, now] = [this.#past.history.beginning, step].map((at) => this.#past.memory(at, space, address, bytes, thread)); // biome-ignore format: one row
    return then !== undefined && then === now;
  }

  /** Whether the host has written memory that no instruction has. */
  #isInitialised({ space, address, bytes, thread }: Sought & { kind: "memory" }, step: number): boolean {
    const where = this.#past.offset(step, space, address, bytes, thread);
    return where !== undefined && this.#past.isInitialised(where, bytes);
  }

  /** Where nothing but a number is left: the branch by which the thread came to it, or past what would have replaced it. */
  #addWay(draft: Draft, { thread, step }: Writer, sought: Sought | undefined, queue: Pending[]): void {
    const reading = draft.parent?.origin;
    if (reading?.kind !== "step") return;
    const came = decidingBranch(this.#past, thread, step, reading.pc);
    const writing = sought === undefined || sought.kind === "memory" ? [] : this.writers.writing(sought);
    const went = came === undefined ? passingBranch(this.#past, thread, step, reading, writing) : undefined;
    const branch = came ?? went?.step;
    const guard = branch === undefined ? undefined : this.#past.instruction(this.#past.log.pc(branch)).guard;
    if (branch === undefined || guard === undefined) return;
    const note =
      went === undefined ? "comes this way" : `goes past line ${this.#names.executed(step, thread, went.past).line}`;
    this.#addGuarded(draft, "way", branch, thread, guard, note, queue);
  }

  /** An execution of an instruction with a guard, and the causes of that. */
  #addGuarded(
    draft: Draft,
    role: Role,
    step: number,
    thread: ThreadId,
    guard: NonNullable<Instruction["guard"]>,
    note: string,
    queue: Pending[],
  ): void {
    const lead: Lead = { ...this.reader.lead(step, thread, { kind: "predicate", ...guard }, "pred"), role: "choice" };
    const at = this.#names.executed(step, thread, this.#past.log.pc(step));
    const origin: Origin = { kind: "step", ...at, operands: [lead.value], note };
    const made: Draft = { value: draft.value, role, origin, because: [], more: 0, parent: draft, index: -1 };
    const because = draftOf(lead, made, 0);
    made.because.push(because);
    draft.because.push(made);
    queue.push({ draft: because, lead });
  }

  /** A store that would have written memory, had a thread executed it. */
  #addUnexecuted(draft: Draft, sought: Sought & { kind: "memory" }, step: number, queue: Pending[]): void {
    const found = missedStore(this.#past, this.reader, sought, step);
    if (found === undefined) return;
    const { at, why, lead } = found;
    const origin: Origin = at === undefined ? { kind: "unknown", why } : { kind: "step", ...at, operands: lead === undefined ? [] : [lead.value], note: why }; // biome-ignore format: one row
    const skipped: Draft = {
      value: draft.value,
      role: "missed",
      origin,
      because: [],
      more: 0,
      parent: draft,
      index: -1,
    };
    draft.because.push(skipped);
    if (lead === undefined) return;
    const because = draftOf(lead, skipped, 0);
    skipped.because.push(because);
    queue.push({ draft: because, lead });
  }

  /** An instruction that would have written a value later, had its guard let it. */
  #addMissed(draft: Draft, writer: Writer & { kind: "result" }, queue: Pending[]): void {
    const { missed, thread } = writer;
    if (missed === undefined) return;
    const guard = this.#past.program.code[missed.pc]?.guard;
    if (guard === undefined) return;
    this.#addGuarded(draft, "missed", missed.step, thread, guard, "does not write it", queue);
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

/** Leaves out the executions of a loop between the second and the last one, but not the one in which a number becomes NaN or infinite. */
function squeeze(draft: Draft): void {
  const { origin } = draft;
  const strangeness = ({ value }: Draft): Strange | undefined => strangeIn(value.type, value.bits);
  const kind = strangeness(draft);
  if (origin.kind === "step") {
    const chain: Draft[] = [draft];
    for (let next = nextOf(draft, origin.pc); next !== undefined && strangeness(next) === kind; next = nextOf(next, origin.pc)) chain.push(next); // biome-ignore format: one row
    const [, second, ...others] = chain;
    const last = others.at(-1);
    if (second !== undefined && last !== undefined && others.length > 2) {
      const lines = new Set<number>();
      for (let at = last.parent; at !== undefined && at !== draft; at = at.parent) if (at.origin.kind === "step") lines.add(at.origin.line); // biome-ignore format: one row
      const top = second.because.findIndex((each) => holds(each, last));
      second.because.splice(top, 1, last);
      last.repeats = { times: others.length - 1, lines: [...lines].sort((a, b) => a - b) };
    }
  }
  for (const each of draft.because) squeeze(each);
}

/** Tells the causes of twins with the first one, in the order of reading. */
function settle(draft: Draft, met: Set<Draft>): void {
  const { twin } = draft;
  if (twin !== undefined && !met.has(twin)) {
    draft.because = twin.because;
    draft.more = twin.more;
    twin.told = twin.because.length > 0;
    twin.because = [];
    twin.more = 0;
    met.add(twin);
  } else if (twin !== undefined) draft.told = twin.told === true || twin.because.length > 0;
  met.add(draft);
  for (const each of draft.because) settle(each, met);
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

const finished = ({ value, role, origin, because, more, told, repeats }: Draft): Cause => ({
  value,
  ...(role === undefined ? {} : { role }),
  origin,
  because: because.map(finished),
  more,
  ...(told === true && { told }),
  ...(repeats === undefined ? {} : { repeats }),
});
