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
  write({ pc, act, shared, bytes }: JudgedAccess, lanes: number, code: Code): void {
    const { how, sem, scope } = observableAccesses(this.#program.code[pc]!.plan)[0]!;
    const reach = reachOfAccess(how, sem, scope);
    const plain = act === "atomic" ? !acquires(sem) && !releases(sem) && (shared || reach === 2) : reach < 0;
    if (plain) code.get(lanes).call(this.of({ act, shared }, bytes));
    else code.get(lanes).call(this.#doubt());
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
      code: judgeCode(kind, {
        bytes,
        grain: this.#grain,
        rowOf: (lanes) => this.#row(kind, lanes),
        place: this.#place(),
      }),
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
 * (lanes): judges an access whose addresses are in the state. Where an owner word stands for less than a word of memory, all is as if
 * memory were so much larger.
 */
function judgeCode({ act, shared }: Kind, { bytes: accessed, grain, rowOf, place }: Judged): Code {
  const code = new Code(1);
  const bytes = (accessed * 4) / grain;
  const row = rowOf(4);
  /** Loads where four lanes access; more than that from the state on the stack. */
  const places = (more: number): Code => {
    code.access("v128.load", offsetOf.observedWhere + more);
    return grain === 4 ? code : code.i32(grain === 2 ? 1 : 2).vector("i32x4.shl");
  };
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
  /** Returns where all lanes access words in a row, or load what others have loaded: any words of a page where all are such, or one. */
  const writeWhole = (): void => {
    const at = (more: number): Code => {
      code.get(state);
      return places(more);
    };
    const chunks = Array.from({ length: LANES / 4 }, (_, chunk) => CHUNK * chunk);
    const differences = (push: (more: number) => void): Code => {
      for (const more of chunks) {
        push(more);
        at(more).vector("v128.xor");
        if (more > 0) code.vector("v128.or");
      }
      return code;
    };
    const toFirst = (): Code => differences(() => void code.get(where));
    at(0).lane("i32x4.extract_lane", 0).tee(first).vector("i32x4.splat").set(where);
    code.get(first).i32(-PAGE).scalar("i32.and").call(place).set(base);
    if (act === "load" && !shared) {
      sharedWords(code, start, base)
        .i32(PAGE / 4)
        .scalar("i32.eq")
        .if();
      each(toFirst(), -PAGE)
        .vector("v128.and")
        .vector("v128.any_true")
        .scalar("i32.eqz")
        .if()
        .scalar("return")
        .end()
        .end();
    }
    if (words <= 4) {
      differences((more) => {
        each(code.get(where), words * more).vector("i32x4.add");
        code.v128([0, bytes, 2 * bytes, 3 * bytes]).vector("i32x4.add");
      });
      code
        .vector("v128.any_true")
        .scalar("i32.eqz")
        .get(first)
        .i32(PAGE - 1)
        .scalar("i32.and")
        .tee(here);
      code
        .i32(PAGE - bytes * LANES)
        .scalar("i32.le_u")
        .scalar("i32.and")
        .if();
      code.get(here).get(base).scalar("i32.add").get(own);
      // Of so many words each lane has several.
      if (words > 1) code.v128([0, 1, 2, 3].map((word) => Math.floor(word / words) - word)).vector("i32x4.add");
      each(code, EVERY)
        .i32((words * LANES) / 4)
        .call(rowOf(4 / words))
        .scalar("return")
        .end();
    }
    if (act !== "load" || words > 1) return;
    toFirst().vector("v128.any_true").scalar("i32.eqz").if();
    code
      .get(first)
      .i32(PAGE - 4)
      .scalar("i32.and")
      .get(base)
      .scalar("i32.add")
      .access("v128.load32_splat")
      .tee(where);
    each(code, ~before).vector("v128.and").get(all).vector("i32x4.eq");
    each(code.get(where), many)
      .vector("i32x4.eq")
      .vector("v128.or")
      .vector("v128.any_true")
      .if()
      .scalar("return")
      .end()
      .end();
  };
  code.globalGet(globals.late).tee(start).scalar("i32.eqz").if().scalar("return").end();
  code.get(start).access("i32.load", late.judging).scalar("i32.eqz").if().scalar("return").end();
  if (shared) writeDone(code, act, start, lanes, state);
  code.globalGet(globals.state).set(state);
  code.get(state).access("i32.load", offsetOf.turn).i32(LANES).scalar("i32.mul");
  code.get(start).access("i32.load", late.interval).scalar("i32.add").vector("i32x4.splat");
  code.v128([0, 1, 2, 3]).vector("i32x4.add").set(own);
  // What there is where all threads of the block, or of all blocks, have loaded.
  code.get(start).access("v128.load32_splat", late.interval);
  each(code, many).vector("v128.or").set(all);
  code.get(lanes).i32(-1).scalar("i32.eq").if();
  writeWhole();
  code.end();
  code.i32(-1).set(page);
  code.loop();
  code.get(lanes).i32(15).scalar("i32.and").tee(here).if();
  code.get(state).get(chunk).scalar("i32.add");
  places(0).tee(where);
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
      code.get(first).i32(PAGE_BITS).scalar("i32.shr_u").get(page).scalar("i32.ne").if();
      code.get(first).i32(PAGE_BITS).scalar("i32.shr_u").set(page);
      code.get(first).i32(-PAGE).scalar("i32.and").call(place).set(base).end();
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
      code.get(first).i32(-4).scalar("i32.and").call(place).access("v128.load32_splat").tee(apart);
      each(code, ~before).vector("v128.and").get(all).vector("i32x4.eq");
      each(code.get(apart), many).vector("i32x4.eq").vector("v128.or").vector("v128.any_true").branchIf(1).end();
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
