import { Code } from "../../../wasm/code.ts";
import type { ModuleWriter } from "../../../wasm/module.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import { acquires, reachOfAccess, releases } from "../../contract/memory-consistency.ts";
import type { Program } from "../../contract/program.ts";
import { observableAccesses } from "../../javascript/observed-access.ts";
import { type Grain, grainOf } from "../boundary/grain.ts";
import { done, late, owner, PAGE, PAGE_BITS } from "../boundary/late-layout.ts";
import { globals } from "../boundary/module-globals.ts";
import { offsetOf } from "../boundary/state-layout.ts";
import type { Act } from "../segment/segment.ts";

/** Bytes of four lanes' words. */
const CHUNK = 16;
const { many, stored, before, interval } = owner;
const EVERY = -1;

/** Accesses that are judged alike. */
interface Kind {
  readonly act: Act;
  readonly shared: boolean;
}

interface JudgedAccess extends Kind {
  readonly pc: number;
  /** Bytes that each lane accesses. */
  readonly bytes: number;
}

/**
 * The functions that judge accesses: whether it is plain from the owner words of memory (`late-layout.ts`) that an access races
 * with none before it. It does not if each of its words has been accessed by its thread alone, or only loaded, or only updated
 * by atomic operations; or else, by threads of its block before their last barrier. Of an access that may race the module
 * says no more than that: JavaScript then judges it, and all before it.
 */
export class JudgeFunctions {
  readonly #module: ModuleWriter;
  readonly #program: Program;
  readonly #grain: Grain;

  constructor(module: ModuleWriter, program: Program) {
    this.#module = module;
    this.#program = program;
    this.#grain = grainOf(program);
  }

  /** Writes the judgement of an access to global or shared memory: of the lanes in a local, whose addresses are in the state. */
  write(access: JudgedAccess, lanes: number, code: Code): void {
    code.get(lanes).call(this.#isWeak(access) ? this.of(access, access.bytes) : this.#doubt());
  }

  /** The function, (place of lane 0), that judges an access of all lanes to words in a row; undefined where there is none for such. */
  row(access: JudgedAccess): number | undefined {
    const { act, shared, bytes } = access;
    if (bytes !== 4 || this.#grain !== 4 || act === "atomic" || !this.#isWeak(access)) return undefined;
    return this.#module.once(`judge ${act} ${shared} in a row`, () => ({
      takes: ["i32"],
      gives: [],
      code: inRowCode({ act, shared }, this.#judged({ act, shared }, 4), this.of({ act, shared }, 4)),
    }));
  }

  #isWeak({ pc, act, shared }: JudgedAccess): boolean {
    const { how, sem, scope } = observableAccesses(this.#program.code[pc]!.plan)[0]!;
    const reach = reachOfAccess(how, sem, scope);
    return act === "atomic" ? !acquires(sem) && !releases(sem) && (shared || reach === 2) : reach < 0;
  }

  #doubt(): number {
    return this.#module.once("doubt", () => {
      const code = new Code(1);
      const start = code.local("i32");
      code.get(0).scalar("i32.eqz").if().scalar("return").end();
      code.globalGet(globals.late).tee(start).scalar("i32.eqz").if().scalar("return").end();
      code.get(start).access("i32.load", late.judging).scalar("i32.eqz").if().scalar("return").end();
      writeDoubt(code, start);
      return { takes: ["i32"], gives: [], code };
    });
  }

  /** (lanes): judges an access by weak loads or stores, or relaxed atomic operations. */
  of(kind: Kind, bytes: number): number {
    const { act, shared } = kind;
    return this.#module.once(`judge ${act} ${shared} ${bytes}`, () => ({
      takes: ["i32"],
      gives: [],
      code: judgeCode(kind, this.#judged(kind, bytes), (chunks) => this.#span(kind, bytes, chunks)),
    }));
  }

  #judged(kind: Kind, bytes: number): Judged {
    return { bytes, grain: this.#grain, rowOf: (lanes) => this.#row(kind, lanes), place: this.#place() };
  }

  #span(kind: Kind, bytes: number, chunks: number): number {
    const { act, shared } = kind;
    return this.#module.once(`judge ${act} ${shared} ${bytes} of ${chunks} chunks`, () => ({
      takes: ["i32", "v128"],
      gives: ["i32"],
      code: spanCode(kind, this.#judged(kind, bytes), chunks),
    }));
  }

  #row(kind: Kind, lanes: number): number {
    return this.#module.once(`judge ${kind.act} ${kind.shared} by ${lanes}`, () => ({
      takes: ["i32", "v128", "v128", "i32"],
      gives: [],
      code: rowCode(kind, lanes),
    }));
  }

  #place(): number {
    return this.#module.once("place", () => ({ takes: ["i32"], gives: ["i32"], code: placeCode() }));
  }
}

const each = (code: Code, word: number): Code => code.v128([word, word, word, word]);

/** The module may not judge any longer. */
export function writeDoubt(code: Code, start: number): void {
  code.get(start).i32(0).access("i32.store", late.judging);
  code.get(start).i32(1).access("i32.store", late.doubt);
}

interface Judged {
  /** Bytes that each lane accesses. */
  readonly bytes: number;
  readonly grain: Grain;
  /** Functions: that of `rowCode` by how many lanes four words belong to, and that of `placeCode`. */
  readonly rowOf: (lanes: number) => number;
  readonly place: number;
}

/**
 * Loads where four lanes access: what lies so far behind the address on the stack. Where an owner word stands for less than a word of
 * memory, all is as if memory were so much larger.
 */
const places = (code: Code, more: number, grain: Grain): Code => {
  code.access("v128.load", offsetOf.observedWhere + more);
  return grain === 4 ? code : code.i32(grain === 2 ? 1 : 2).vector("i32x4.shl");
};

/** Pushes what owner words are that all threads of the block have loaded, where `late` begins at `start`. */
const byMany = (code: Code, start: number): Code => {
  code.get(start).access("v128.load32_splat", late.interval);
  return each(code, many).vector("v128.or");
};

/** Pushes what they are that the first four lanes of the warp have accessed alone, where the state is at `state`. */
const byFirstLanes = (code: Code, start: number, state: number): Code => {
  code.get(state).access("i32.load", offsetOf.turn).i32(LANES).scalar("i32.mul");
  code.get(start).access("i32.load", late.interval).scalar("i32.add").vector("i32x4.splat");
  return code.v128([0, 1, 2, 3]).vector("i32x4.add");
};

/** Writes whether the word at a place on the stack, which all lanes load, is one that others have loaded: any of four words set. */
function writeLoaded(code: Code, word: number, all: number): void {
  code.access("v128.load32_splat").tee(word);
  each(code, ~before).vector("v128.and").get(all).vector("i32x4.eq");
  each(code.get(word), many).vector("i32x4.eq").vector("v128.or").vector("v128.any_true");
}

/**
 * (where the places of some chunks are, what owner words are of accesses by the first one's threads alone): judges the accesses of chunks whose
 * lanes all execute, where they access words in a row, or load one word that others have loaded; of a whole warp also
 * where it loads any words of a page in which all are such. Gives 0 where it does not.
 */
function spanCode({ act, shared }: Kind, { bytes: accessed, grain, rowOf, place }: Judged, chunks: number): Code {
  const code = new Code(2);
  const [from, own] = [0, 1];
  const bytes = (accessed * 4) / grain;
  const words = Math.max(1, bytes / 4);
  const [start, first, last, here] = [code.local("i32"), code.local("i32"), code.local("i32"), code.local("i32")];
  const [where, all, seen] = [code.local("v128"), code.local("v128"), code.local("v128")];
  const judged = (): Code => code.i32(1).scalar("return");
  const at = (chunk: number): Code => places(code.get(from), CHUNK * chunk, grain);
  const inPage = (): Code =>
    code
      .get(first)
      .i32(PAGE - 1)
      .scalar("i32.and");
  code.globalGet(globals.late).set(start);
  at(0).lane("i32x4.extract_lane", 0).tee(first).vector("i32x4.splat").set(where);
  code.get(first).i32(-PAGE).scalar("i32.and").call(place).set(here);
  if (act === "load" && !shared && 4 * chunks === LANES) {
    sharedWords(code, start, here)
      .i32(PAGE / 4)
      .scalar("i32.eq")
      .if();
    ifNone(code, chunks, (chunk) => each(at(chunk).get(where).vector("v128.xor"), -PAGE).vector("v128.and"));
    judged().end().end();
  }
  code.get(here);
  inPage().scalar("i32.add").set(here);
  // Mostly the last lane tells.
  at(chunks - 1)
    .lane("i32x4.extract_lane", 3)
    .get(first)
    .scalar("i32.sub")
    .set(last);
  if (bytes >= 4 && words <= 4) {
    code
      .get(last)
      .i32(bytes * (4 * chunks - 1))
      .scalar("i32.eq");
    inPage()
      .i32(PAGE - 4 * bytes * chunks)
      .scalar("i32.le_u")
      .scalar("i32.and")
      .if();
    ifNone(code, chunks, (chunk) => {
      at(chunk)
        .get(where)
        .v128([0, 1, 2, 3].map((lane) => bytes * (4 * chunk + lane)))
        .vector("i32x4.add");
      code.vector("v128.xor");
    });
    if (words === 1) {
      byMany(code, start).set(all);
      writeRows(code, { act, shared }, { at: here, own, all, chunks }, judged);
    }
    code.get(here).get(own);
    // Of so many words each lane has several.
    if (words > 1) code.v128([0, 1, 2, 3].map((word) => Math.floor(word / words) - word)).vector("i32x4.add");
    each(code, EVERY)
      .i32(words * chunks)
      .call(rowOf(4 / words));
    judged().end().end();
  }
  if (act === "load" && words === 1) {
    code.get(last).scalar("i32.eqz").if();
    ifNone(code, chunks, (chunk) => at(chunk).get(where).vector("v128.xor"));
    byMany(code, start).set(all);
    writeLoaded(code.get(here).i32(-4).scalar("i32.and"), seen, all);
    code.if();
    judged().end().end().end();
  }
  return code.i32(0);
}

/** (place of lane 0): judges the access of all lanes to words in a row; `general` is the function of `judgeCode`. */
function inRowCode({ act, shared }: Kind, { place, rowOf }: Judged, general: number): Code {
  const code = new Code(1);
  const first = 0;
  const [start, state, here, lanes] = [code.local("i32"), code.local("i32"), code.local("i32"), code.local("i32")];
  const [own, all] = [code.local("v128"), code.local("v128")];
  const judged = (): Code => code.scalar("return");
  code.globalGet(globals.late).tee(start).scalar("i32.eqz").if().scalar("return").end();
  code.get(start).access("i32.load", late.judging).scalar("i32.eqz").if().scalar("return").end();
  code.globalGet(globals.state).set(state).i32(-1).set(lanes);
  code
    .get(first)
    .i32(PAGE - 1)
    .scalar("i32.and")
    .tee(here)
    .i32(PAGE - 4 * LANES)
    .scalar("i32.gt_u")
    .if();
  spreadRow(code, first, state);
  code.get(lanes).call(general).scalar("return").end();
  if (shared) writeDone(code, act, start, lanes, code.local("i32"));
  code.get(first).call(place).set(here);
  byFirstLanes(code, start, state).set(own);
  byMany(code, start).set(all);
  writeRows(code, { act, shared }, { at: here, own, all, chunks: LANES / 4 }, judged);
  each(code.get(here).get(own), EVERY)
    .i32(LANES / 4)
    .call(rowOf(4));
  return code;
}

/** Leaves the addresses of words in a row in the state, from that of lane 0 on. */
export function spreadRow(code: Code, first: number, state: number): void {
  for (let lane = 0; lane < LANES; lane += 4) {
    code.get(state).get(first).vector("i32x4.splat");
    code.v128([lane, lane + 1, lane + 2, lane + 3].map((each) => 4 * each)).vector("i32x4.add");
    code.access("v128.store", offsetOf.observedWhere + 4 * lane);
  }
}

/**
 * Judges a span of owner words, each of another lane, where all of them are alike: nobody has been there, or their threads alone in this
 * interval, or others have loaded them.
 */
function writeRows(
  code: Code,
  { act, shared }: Kind,
  { at, own, all, chunks }: Readonly<Record<"at" | "own" | "all" | "chunks", number>>,
  judged: () => Code,
): void {
  const row = (chunk: number): Code => code.get(at).access("v128.load", CHUNK * chunk);
  const ownOf = (chunk: number): Code => each(code.get(own), 4 * chunk).vector("i32x4.add");
  const note = (): void => {
    for (let chunk = 0; chunk < chunks; chunk++) {
      code.get(at);
      ownOf(chunk);
      if (act === "store") each(code, stored | before).vector("v128.or");
      code.access("v128.store", CHUNK * chunk);
    }
  };
  if (act === "atomic") return;
  ifNone(code, chunks, row);
  note();
  judged().end();
  ifNone(code, chunks, (chunk) => {
    each(row(chunk), ~(stored | before)).vector("v128.and");
    ownOf(chunk).vector("v128.xor");
  });
  if (act === "store") note();
  judged().end();
  if (act === "store") return;
  ifNone(code, chunks, (chunk) => {
    each(row(chunk), ~before).vector("v128.and").get(all).vector("i32x4.eq");
    if (!shared) each(row(chunk), many).vector("i32x4.eq").vector("v128.or");
    code.vector("v128.not");
  });
  judged().end();
}

/** Begins what is done where no bit is set in any of so many vectors, which `push` writes by number. */
function ifNone(code: Code, count: number, push: (index: number) => void): void {
  for (let index = 0; index < count; index++) {
    push(index);
    if (index > 0) code.vector("v128.or");
  }
  code.vector("v128.any_true").scalar("i32.eqz").if();
}

/** (lanes): judges an access whose addresses are in the state; `spanOf` gives the function for so many chunks. */
function judgeCode(
  { act, shared }: Kind,
  { bytes: accessed, grain, rowOf, place }: Judged,
  spanOf: (chunks: number) => number,
): Code {
  const code = new Code(1);
  const bytes = (accessed * 4) / grain;
  const row = rowOf(4);
  const lanes = 0;
  const local = (): number => code.local("i32");
  const [start, state, here, chunk, first, page, base] = [
    local(),
    local(),
    local(),
    local(),
    local(),
    local(),
    local(),
  ];
  const [own, where, apart, all] = [code.local("v128"), code.local("v128"), code.local("v128"), code.local("v128")];
  const words = Math.max(1, bytes / 4);
  code.globalGet(globals.late).tee(start).scalar("i32.eqz").if().scalar("return").end();
  code.get(start).access("i32.load", late.judging).scalar("i32.eqz").if().scalar("return").end();
  if (shared) writeDone(code, act, start, lanes, state);
  code.globalGet(globals.state).set(state);
  byFirstLanes(code, start, state).set(own);
  code.get(lanes).i32(-1).scalar("i32.eq").if();
  code
    .get(state)
    .get(own)
    .call(spanOf(LANES / 4))
    .if()
    .scalar("return")
    .end();
  // Or each half of the warp by itself: a row of a block is often as wide as that.
  if (bytes === 4)
    for (const half of [0, 1]) {
      code
        .get(state)
        .i32(64 * half)
        .scalar("i32.add");
      each(code.get(own), 16 * half)
        .vector("i32x4.add")
        .call(spanOf(LANES / 8))
        .if();
      code
        .get(lanes)
        .i32(half === 0 ? -0x1_0000 : 0xffff)
        .scalar("i32.and")
        .set(lanes)
        .end();
    }
  code.get(lanes).scalar("i32.eqz").if().scalar("return").end().end();
  byMany(code, start).set(all);
  code.i32(-1).set(page);
  code.loop();
  code.get(lanes).i32(15).scalar("i32.and").tee(here).if();
  places(code.get(state).get(chunk).scalar("i32.add"), 0, grain).tee(where);
  code.lane("i32x4.extract_lane", 0).set(first);
  const one = (lane: number): void => {
    code
      .get(here)
      .i32(1 << lane)
      .scalar("i32.and")
      .if();
    code.get(where).lane("i32x4.extract_lane", lane);
    if (bytes < 4) code.i32(~3).scalar("i32.and");
    code.call(place).set(base);
    for (let word = 0; word < words; word += 4) {
      code
        .get(base)
        .i32(4 * word)
        .scalar("i32.add");
      code.get(own).lane("i32x4.extract_lane", lane).vector("i32x4.splat");
      code
        .v128([0, 1, 2, 3].map((more) => (word + more < words ? -1 : 0)))
        .i32(1)
        .call(row);
    }
    code.end();
  };
  const apiece = (): void => [0, 1, 2, 3].forEach(one);
  if (words > 1) apiece();
  else {
    code.get(where).get(first).vector("i32x4.splat").vector("i32x4.sub").set(apart);
    code.block();
    code.get(first).i32(PAGE_BITS).scalar("i32.shr_u").get(page).scalar("i32.ne").if();
    code.get(first).i32(PAGE_BITS).scalar("i32.shr_u").set(page);
    code.get(first).i32(-PAGE).scalar("i32.and").call(place).set(base).end();
    if (bytes === 4) {
      // Four words in a row, on one page.
      code.get(here).i32(15).scalar("i32.eq");
      code.get(apart).v128([0, 4, 8, 12]).vector("i32x4.eq").vector("i32x4.all_true").scalar("i32.and");
      code
        .get(first)
        .i32(PAGE - 1)
        .scalar("i32.and")
        .i32(PAGE - CHUNK)
        .scalar("i32.le_u")
        .scalar("i32.and")
        .if();
      code
        .get(first)
        .i32(PAGE - 1)
        .scalar("i32.and")
        .get(base)
        .scalar("i32.add")
        .get(own);
      each(code, EVERY).i32(1).call(row).branch(1).end();
    }
    if (act === "load") {
      // One word, which others have loaded.
      code.get(here).i32(15).scalar("i32.eq");
      code.get(apart).vector("v128.any_true").scalar("i32.eqz").scalar("i32.and").if();
      code
        .get(first)
        .i32(PAGE - 4)
        .scalar("i32.and")
        .get(base)
        .scalar("i32.add");
      writeLoaded(code, apart, all);
      code.branchIf(1).end();
    }
    apiece();
    code.end();
  }
  code.end();
  each(code.get(own), 4).vector("i32x4.add").set(own);
  code.get(chunk).i32(CHUNK).scalar("i32.add").set(chunk);
  code.get(lanes).i32(4).scalar("i32.shr_u").tee(lanes).branchIf(0).end();
  return code;
}

/** Notes what is done to shared memory; returns where that suffices. */
function writeDone(code: Code, act: Act, start: number, lanes: number, all: number): void {
  code.get(lanes).scalar("i32.eqz").if().scalar("return").end();
  code.get(start).access("i32.load", late.done).tee(all).i32(done[act]).scalar("i32.ne").if();
  code.get(start).get(all).i32(done[act]).scalar("i32.or").access("i32.store", late.done).end();
  code.get(start).access("i32.load", late.exact).scalar("i32.eqz").if();
  if (act === "store") {
    // Nobody knows what has been loaded, or updated, before the first store.
    code.get(all).scalar("i32.eqz").get(all).i32(done.store).scalar("i32.and").scalar("i32.or").scalar("i32.eqz").if();
    code.get(start).i32(1).access("i32.store", late.mixed).end();
  } else {
    code.get(all).i32(~done[act]).scalar("i32.and").scalar("i32.eqz").if().scalar("return").end();
    code.get(all).i32(done.store).scalar("i32.and").scalar("i32.eqz").if();
    code.get(start).i32(1).access("i32.store", late.mixed).end();
  }
  code.end();
}

/** Pushes how many words of a page several blocks have loaded. */
const sharedWords = (code: Code, start: number, page: number): Code => {
  code
    .get(page)
    .get(start)
    .access("i32.load", late.sparePage)
    .scalar("i32.sub")
    .i32(PAGE_BITS - 2)
    .scalar("i32.shr_u");
  return code.get(start).access("i32.load", late.sharedWords).scalar("i32.add").access("i32.load");
};

/** (address): where its owner word is; one that nobody needs if there is no room. */
function placeCode(): Code {
  const code = new Code(1);
  const address = 0;
  const [start, entry, page] = [code.local("i32"), code.local("i32"), code.local("i32")];
  code.globalGet(globals.late).set(start);
  code.get(address).i32(PAGE_BITS).scalar("i32.shr_u").tee(entry);
  code.get(start).access("i32.load", late.pageCount).scalar("i32.ge_u").if();
  writeDoubt(code, start);
  code.get(start).access("i32.load", late.sparePage).scalar("return").end();
  code.get(entry).i32(2).scalar("i32.shl").get(start).access("i32.load", late.pages).scalar("i32.add").tee(entry);
  code.access("i32.load").tee(page).scalar("i32.eqz").if();
  code.get(start).access("i32.load", late.nextPage).tee(page);
  code.get(start).access("i32.load", late.endOfPages).scalar("i32.ge_u").if();
  writeDoubt(code, start);
  code.get(start).access("i32.load", late.sparePage).scalar("return").end();
  code.get(start).get(page).i32(PAGE).scalar("i32.add").access("i32.store", late.nextPage);
  code.get(entry).get(page).access("i32.store").end();
  code
    .get(address)
    .i32(PAGE - 1)
    .scalar("i32.and")
    .get(page)
    .scalar("i32.add");
  return code;
}

/**
 * (where their owner words are, what those are of accesses by their threads alone, which are meant, how often): judges accesses of four
 * words in a row by `lanes` lanes, and of as many behind them by as many of the next lanes.
 */
function rowCode({ act, shared }: Kind, lanes: number): Code {
  const code = new Code(4);
  const [at, own, meant, count] = [0, 1, 2, 3];
  const [start, counter] = [code.local("i32"), code.local("i32")];
  const vector = (): number => code.local("v128");
  const [was, now, kept, same, stale, others] = [vector(), vector(), vector(), vector(), vector(), vector()];
  const and = (word: number): Code => each(code, word).vector("v128.and");
  const or = (word: number): Code => each(code, word).vector("v128.or");
  const nonzero = (): Code => each(code, 0).vector("i32x4.ne");
  /** What is left where many have loaded, or updated. */
  const shareable = act === "atomic" ? many | stored : many;
  const byOwner = (): Code => {
    code.get(was);
    return and(~(stored | before))
      .get(own)
      .vector("i32x4.eq");
  };
  code.globalGet(globals.late).tee(start).access("v128.load32_splat", late.interval).set(now);
  code.loop().block();
  code.get(at).access("v128.load").set(was);

  // Mostly nothing changes.
  if (act === "store") {
    code.get(was).get(own);
    or(stored | before).vector("i32x4.eq");
  } else {
    code.get(was);
    and(~before).get(now);
    or(shareable).vector("i32x4.eq");
    if (!shared) each(code.get(was), shareable).vector("i32x4.eq").vector("v128.or");
    if (act === "load") byOwner().vector("v128.or");
  }
  code.tee(kept).get(meant).vector("v128.not").vector("v128.or").vector("i32x4.all_true").branchIf(0);
  if (act !== "atomic") {
    // Or nobody has been there.
    code.get(was).get(meant).vector("v128.and").vector("v128.any_true").scalar("i32.eqz").if();
    code.get(at).get(own);
    if (act === "store") or(stored | before);
    code.get(was).get(meant).vector("v128.bitselect").access("v128.store").branch(1).end();
  }

  // Whether the last access was in this interval, or else, before the last barrier of the block, if there was one.
  each(code.get(was).get(now).vector("v128.xor"), interval).vector("i32x4.lt_u").tee(same).vector("v128.not");
  if (!shared) {
    each(code.get(was), 0).vector("i32x4.eq");
    code.get(was).get(start).access("v128.load32_splat", late.firstInterval).vector("i32x4.ge_u").vector("v128.or");
    code.vector("v128.and");
  }
  code.set(stale);

  // Where the access may race.
  if (act === "store") byOwner().get(same).vector("v128.and").get(stale).vector("v128.or").vector("v128.not");
  else if (act === "load") {
    code.get(was);
    and(stored);
    if (shared) code.get(same).vector("v128.and");
    else {
      code.get(was);
      and(stored | before)
        .get(stale)
        .vector("v128.andnot")
        .get(same)
        .vector("v128.bitselect");
    }
    nonzero().get(kept).vector("v128.andnot");
  } else {
    code.get(same);
    if (!shared) {
      code.get(was);
      and(many | stored | before);
      each(code, many | stored)
        .vector("i32x4.ne")
        .get(stale)
        .vector("v128.andnot")
        .vector("v128.or");
    }
    code.get(kept).vector("v128.andnot");
  }
  code.get(meant).vector("v128.and").vector("v128.any_true").if();
  writeDoubt(code, start);
  code.end();

  // What the owner words are now.
  const behind = (): void => {
    // Other blocks must know of stores that are ordered here.
    if (shared) return;
    code.get(was);
    and(stored | before);
    nonzero();
    and(before).vector("v128.or");
  };
  if (act === "store") {
    code.get(own);
    or(stored | before);
  } else if (act === "load") {
    code.get(was).get(was);
    and(before).get(now).vector("v128.or");
    or(many).get(kept).vector("v128.bitselect").get(own);
    behind();
    if (!shared) each(code, many).get(stale).vector("v128.bitselect");
    code.get(same).vector("v128.bitselect");
  } else {
    code.get(was).get(now);
    or(many | stored);
    behind();
    if (!shared)
      each(code, many | stored)
        .get(stale)
        .vector("v128.bitselect");
    code.get(same).vector("v128.bitselect");
  }
  code.set(others);
  if (act === "load" && !shared) {
    // Those that several blocks have loaded from now on.
    code.get(at).get(start).access("i32.load", late.sparePage).scalar("i32.sub").i32(PAGE_BITS).scalar("i32.shr_u");
    code.i32(2).scalar("i32.shl").get(start).access("i32.load", late.sharedWords).scalar("i32.add").tee(counter);
    code.get(counter).access("i32.load");
    each(code.get(others), many).vector("i32x4.eq").get(kept).vector("v128.andnot").get(meant).vector("v128.and");
    code.vector("i32x4.bitmask").scalar("i32.popcnt").scalar("i32.add").access("i32.store");
  }
  code.get(at).get(others).get(was).get(meant).vector("v128.bitselect").access("v128.store");
  code.end();
  code.get(at).i32(CHUNK).scalar("i32.add").set(at);
  each(code.get(own), lanes).vector("i32x4.add").set(own);
  code.get(count).i32(1).scalar("i32.sub").tee(count).branchIf(0).end();
  return code;
}
