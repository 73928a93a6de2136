import { Code } from "../../../wasm/code.ts";
import type { ModuleWriter } from "../../../wasm/module.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import { windows } from "../../contract/window.ts";
import {
  ALLOCATED,
  fourfold,
  IN_FLIGHT_READ,
  IN_FLIGHT_WRITE,
  INITIALISED,
  MBARRIER,
  READ_ONLY,
  WINDOWED,
} from "../../memory/shadow.ts";
import { COPY_ROOM } from "../../state/context.ts";
import { entry, record, room } from "../boundary/copy-layout.ts";
import { COPIED_BYTES, happenings, late, MORE_COPIED } from "../boundary/late-layout.ts";
import { globals } from "../boundary/module-globals.ts";
import { offsetOf } from "../boundary/state-layout.ts";
import type { Frame } from "../frame/frame.ts";
import type { JudgeFunctions } from "../judging/judge-code.ts";
import { COPIED, type CopySite } from "./copy-site.ts";

/** What the functions of a module know of the launch. */
interface Surroundings {
  readonly module: ModuleWriter;
  /** Bytes from data to shadow. */
  readonly distance: number;
  /** An imported function, (): whether the module may hold copies of the warp. */
  readonly hold: number;
  /** Another one, (address, bytes): fills in the shadow of memory that nobody has touched. */
  readonly know: number;
  /** If observers are notified of copies late: judges their accesses. */
  readonly judges: JudgeFunctions | undefined;
}

/** Bytes of a chunk of four lanes, and of a row of them. */
const [CHUNK, ROW] = [16, 4 * LANES];

/** What the shadow of four bytes must be where a copy goes, and where it comes from; nothing else in flight is there. */
const GOAL = { mask: ALLOCATED | WINDOWED | READ_ONLY | IN_FLIGHT_READ | IN_FLIGHT_WRITE | MBARRIER, want: ALLOCATED | WINDOWED }; // biome-ignore format: one thought
const SOURCE = { mask: GOAL.mask | INITIALISED, want: ALLOCATED | INITIALISED };

/**
 * The functions with which full warps begin copies, make groups of them and wait for those in the module. Each returns
 * not 0 where it has done nothing, and JavaScript has to do it. Copies happen at the wait, as they do in JavaScript unless
 * a launch says otherwise; and until then the shadow of their bytes is marked.
 */
export class CopyFunctions {
  readonly #with: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#with = surroundings;
  }

  /** Pushes an i32: not 0 if JavaScript has to execute the instruction at `pc`. */
  write(site: CopySite, pc: number, { code, base, bankR, row }: Frame): void {
    if (site.act === "commit") code.call(this.#once("commit copies", commitCode));
    else if (site.act === "wait")
      code
        .i32(site.pending ?? -1)
        .i32(pc)
        .call(this.#once("wait for copies", waitCode));
    else {
      const { to, from, reads } = site;
      code
        .get(base)
        .i32(bankR + to.slot * row)
        .scalar("i32.add")
        .i32(to.offset);
      code
        .get(base)
        .i32(2 * from.slot * row)
        .scalar("i32.add")
        .i32(from.offset);
      code
        .get(base)
        .i32(bankR + (reads ?? 0) * row)
        .scalar("i32.add")
        .i32(pc);
      code.call(this.#once(`copy ${reads !== undefined}`, (all) => copyCode(all, reads !== undefined)));
    }
  }

  #once(name: string, write: (surroundings: Surroundings) => Writing): number {
    return this.#with.module.once(name, () => {
      const { code, takes } = write(this.#with);
      return { takes: Array.from({ length: takes }, () => "i32" as const), gives: ["i32"], code };
    });
  }
}

/** A function of i32 parameters, which gives one. */
interface Writing {
  readonly code: Code;
  readonly takes: number;
}

/** Writes a function that first finds the room and the warp's entry there; it returns 1 where the module may not hold copies. */
class Writer implements Writing {
  readonly code: Code;
  readonly takes: number;
  readonly state: number;
  readonly room: number;
  readonly entry: number;
  readonly #distance: number;

  constructor(takes: number, { distance, hold }: Surroundings) {
    this.#distance = distance;
    this.takes = takes;
    const code = new Code(takes);
    this.code = code;
    [this.state, this.room, this.entry] = [code.local("i32"), code.local("i32"), code.local("i32")];
    code.globalGet(globals.state).tee(this.state).access("i32.load", offsetOf.copyRoom).tee(this.room);
    this.declineIf(() => code.scalar("i32.eqz"));
    code.get(this.room).i32(room.warps).scalar("i32.add");
    this.load(this.state, offsetOf.turn).i32(entry.bytes).scalar("i32.mul").scalar("i32.add").set(this.entry);
    this.load(this.entry, entry.shared);
    this.load(this.state, offsetOf.shared).scalar("i32.ne").if();
    this.declineIf(() => code.call(hold).scalar("i32.eqz"));
    code.end();
  }

  load(at: number, offset: number): Code {
    return this.code.get(at).access("i32.load", offset);
  }

  store(at: number, offset: number, push: () => void): void {
    this.code.get(at);
    push();
    this.code.access("i32.store", offset);
  }

  add(at: number, offset: number, more: number): void {
    this.store(at, offset, () => this.load(at, offset).i32(more).scalar("i32.add"));
  }

  /** Returns 1, where nothing has been done, if the i32 that `push` leaves is not 0. */
  declineIf(push: () => void): void {
    push();
    this.code.if().i32(1).scalar("return").end();
  }

  /** Pushes the shadow of a lane's bytes. */
  shadow(at: number): Code {
    return this.code.get(at).access("v128.load", this.#distance);
  }

  /** Sets marks there, or removes them; `more` changes it besides. */
  mark(at: number, marks: number, sets: boolean, more?: () => void): void {
    const { code } = this;
    code.get(at);
    this.shadow(at);
    more?.();
    each(code, sets ? fourfold(marks) : ~fourfold(marks)).vector(sets ? "v128.or" : "v128.and");
    code.access("v128.store", this.#distance);
  }

  /** Goes over the lanes of a copy, with the address of their place in a local, or, in those that read, of their source. */
  eachLane(copy: number, to: ((at: number) => void) | undefined, from?: (at: number) => void): void {
    const { code } = this;
    const [lane, at] = [code.local("i32"), code.local("i32")];
    code.get(copy).set(lane).loop();
    if (to !== undefined) {
      this.load(lane, record.to).set(at);
      to(at);
    }
    if (from !== undefined) {
      this.load(lane, record.from).tee(at).if();
      from(at);
      code.end();
    }
    code.get(lane).i32(4).scalar("i32.add").tee(lane);
    code.get(copy).i32(ROW).scalar("i32.add").scalar("i32.lt_u").branchIf(0).end();
  }
}

/** Pushes a word in each lane. */
const each = (code: Code, word: number): Code => code.v128([word, word, word, word]);

/**
 * (row of places, what is added to them, row of sources, what is added to them, row of how much lanes read, pc): begins
 * a copy of all lanes, which read all of their bytes or none.
 */
function copyCode(surroundings: Surroundings, reads: boolean): Writing {
  const { distance, know } = surroundings;
  const writer = new Writer(6, surroundings);
  const { code, state, room: start, entry: own } = writer;
  const [toRow, toOffset, fromRow, fromOffset, readRow, pc] = [0, 1, 2, 3, 4, 5] as const;
  const [copy, at, end] = [code.local("i32"), code.local("i32"), code.local("i32")];
  const locals = (count: number): readonly number[] => Array.from({ length: count }, () => code.local("v128"));
  const [bad, lowest, place, low, high, idle] = locals(6) as [...[number, number, number, number, number, number]];
  const also = (sum: number): Code => code.get(sum).vector("v128.or").set(sum);
  const field = (offset: number): Code => code.get(state).access("v128.load32_splat", offset);

  // A free record, or one that was never used.
  writer.load(start, room.free).tee(copy).scalar("i32.eqz").if();
  code.get(start).i32(room.records).scalar("i32.add");
  writer.load(start, room.used).tee(at).scalar("i32.add").set(copy);
  writer.declineIf(() =>
    code
      .get(at)
      .i32(COPY_ROOM - room.records - record.size)
      .scalar("i32.gt_u"),
  );
  code.end();
  writer.declineIf(() => writer.load(state, offsetOf.sharedBytes).i32(COPIED).scalar("i32.lt_u"));

  // Where the lanes copy: nothing of what is written to the record counts yet.
  each(code, -1).set(lowest);
  code.get(copy).tee(at).i32(ROW).scalar("i32.add").set(end);
  code.loop();
  code.get(toRow).access("v128.load").get(toOffset).vector("i32x4.splat").vector("i32x4.add").tee(place);
  each(field(offsetOf.sharedBytes), COPIED).vector("i32x4.sub").vector("i32x4.gt_u");
  each(code.get(place), COPIED - 1)
    .vector("v128.and")
    .vector("v128.or");
  also(bad);
  code.get(at).get(place);
  field(offsetOf.shared).vector("i32x4.add").tee(place).access("v128.store", record.to);
  code.get(lowest).get(place).vector("i32x4.min_u").set(lowest);
  for (const [words, order] of [[low, [0, 2, 4, 6]], [high, [1, 3, 5, 7]]] as const) // biome-ignore format: one thought
    code.get(fromRow).access("v128.load").get(fromRow).access("v128.load", CHUNK).shuffleWords(order).set(words);
  each(code.get(low), 1 << 31).vector("v128.and");
  each(code.get(high), windows.global).vector("v128.xor").vector("v128.or").set(high);
  each(code, 0).set(idle);
  if (reads) {
    each(code.get(readRow).access("v128.load"), 0).vector("i32x4.eq").tee(idle);
    each(code.get(readRow).access("v128.load"), COPIED).vector("i32x4.eq").vector("v128.or").vector("v128.not");
    also(bad);
  }
  code.get(low).get(fromOffset).vector("i32x4.splat").vector("i32x4.add").tee(low);
  each(code, distance - COPIED).vector("i32x4.gt_u");
  each(code.get(low), COPIED - 1)
    .vector("v128.and")
    .vector("v128.or")
    .get(high)
    .vector("v128.or");
  code.get(idle).vector("v128.andnot");
  also(bad);
  code.get(at).get(low).get(idle).vector("v128.andnot").access("v128.store", record.from);
  for (const [row, more] of [[toRow, CHUNK], [fromRow, 2 * CHUNK], [readRow, CHUNK]] as const) // biome-ignore format: one thought
    code.get(row).i32(more).scalar("i32.add").set(row);
  code.get(at).i32(CHUNK).scalar("i32.add").tee(at).get(end).scalar("i32.lt_u").branchIf(0).end();
  const isBad = (): void => void code.get(bad).vector("v128.any_true");
  writer.declineIf(isBad);

  // What the shadow says of both.
  const test = (lane: number, { mask, want }: typeof GOAL): void => {
    each(each(writer.shadow(lane), fourfold(mask)).vector("v128.and"), fourfold(want)).vector("v128.xor");
    also(bad);
  };
  const look = (): void =>
    writer.eachLane(
      copy,
      (lane) => test(lane, GOAL),
      (lane) => test(lane, SOURCE),
    );
  look();
  isBad();
  // A worker of a pool has a page of the source once it asks for it.
  code.if();
  each(code, 0).set(bad);
  writer.eachLane(copy, undefined, (lane) => void code.get(lane).i32(COPIED).call(know));
  look();
  writer.declineIf(isBad);
  code.end();
  const seen = (lane: number): void => {
    each(writer.shadow(lane), fourfold(IN_FLIGHT_WRITE)).vector("v128.and");
    also(bad);
    writer.mark(lane, IN_FLIGHT_WRITE, true);
  };
  writer.eachLane(copy, seen);
  // Two lanes copy to one place.
  code.get(bad).vector("v128.any_true").if();
  writer.eachLane(copy, (lane) => writer.mark(lane, IN_FLIGHT_WRITE, false));
  code.i32(1).scalar("return").end();
  writer.eachLane(copy, undefined, (lane) => writer.mark(lane, IN_FLIGHT_READ, true));

  // No shared memory is known to be clean any more where a copy goes there.
  code.get(lowest);
  field(offsetOf.shared);
  field(offsetOf.sharedClean).vector("i32x4.add").vector("i32x4.lt_u").vector("v128.any_true").if();
  writer.store(state, offsetOf.sharedClean, () => code.i32(0));
  code.end();

  // The record counts from now on.
  writer.load(start, room.free).if();
  writer.store(start, room.free, () => writer.load(copy, record.next));
  code.else();
  writer.add(start, room.used, record.size);
  code.end();
  writer.store(copy, record.next, () => code.i32(0));
  writer.store(copy, record.group, () => writer.load(own, entry.committed));
  writer.store(copy, record.number, () => writer.load(start, room.begun));
  writer.store(copy, record.pc, () => code.get(pc));
  writer.add(start, room.begun, 1);
  writer.load(own, entry.last).tee(at).if();
  writer.store(at, record.next, () => code.get(copy));
  code.else();
  writer.store(own, entry.first, () => code.get(copy));
  code.end();
  writer.store(own, entry.last, () => code.get(copy));
  code.i32(0);
  return writer;
}

/** (): makes a group of the copies since the last one. */
function commitCode(surroundings: Surroundings): Writing {
  const writer = new Writer(0, surroundings);
  writer.add(writer.entry, entry.committed, 1);
  writer.code.i32(0);
  return writer;
}

/** (how many groups may be left, or -1 to make a group and wait for all, pc): copies happen. */
function waitCode(surroundings: Surroundings): Writing {
  const writer = new Writer(2, surroundings);
  const { code, state, room: start, entry: own } = writer;
  const { judges } = surroundings;
  const [pending, pc] = [0, 1] as const;
  const [copy, place, until] = [code.local("i32"), code.local("i32"), code.local("i32")];
  const goal = (lane: number): void => {
    each(code.get(lane).tee(place), 0).access("v128.store");
    writer.mark(lane, IN_FLIGHT_WRITE, false, () =>
      code.get(state).access("v128.load32_splat", offsetOf.storing).vector("v128.or"),
    );
  };
  const source = (lane: number): void => {
    code.get(place).get(lane).access("v128.load").access("v128.store");
    writer.mark(lane, IN_FLIGHT_READ, false);
  };
  code.get(pending).i32(0).scalar("i32.lt_s").if();
  writer.add(own, entry.committed, 1);
  code.i32(0).set(pending).end();
  writer.load(own, entry.committed).get(pending).scalar("i32.sub").set(until);
  const note = judges && writeRoom(writer, until, judges);
  code.block().loop();
  writer.load(own, entry.first).tee(copy).scalar("i32.eqz").branchIf(1);
  writer.load(copy, record.group).get(until).scalar("i32.ge_s").branchIf(1);
  note?.(copy);
  writer.eachLane(copy, goal, source);
  writer.store(own, entry.first, () => writer.load(copy, record.next));
  writer.load(own, entry.first).scalar("i32.eqz").if();
  writer.store(own, entry.last, () => code.i32(0));
  code.end();
  writer.store(copy, record.next, () => writer.load(start, room.free));
  writer.store(start, room.free, () => code.get(copy));
  code.branch(0).end().end();
  writer.load(own, entry.waited).get(until).scalar("i32.lt_s").if();
  writer.store(own, entry.waited, () => code.get(until));
  code.end();
  writer.store(own, entry.waitedBy, () => code.get(pc).i32(1).scalar("i32.add"));
  writer.store(own, entry.pending, () => code.get(pending));
  code.i32(0);
  return writer;
}

/**
 * Declines if not all copies up to a group have room to wait for observers to be notified; returns what writes that one does, and
 * judges it.
 */
function writeRoom(writer: Writer, until: number, judges: JudgeFunctions): (copy: number) => void {
  const { code, state, entry: own } = writer;
  const [waits, copy, next, end] = [code.local("i32"), code.local("i32"), code.local("i32"), code.local("i32")];
  const isDue = (at: number): void => {
    writer.load(at, record.group).get(until).scalar("i32.lt_s");
  };
  code.globalGet(globals.late).tee(waits).scalar("i32.eqz").if().i32(1).scalar("return").end();
  writer.load(waits, late.used).set(end);
  writer.load(own, entry.first).set(copy);
  code.block().loop().get(copy).scalar("i32.eqz").branchIf(1);
  isDue(copy);
  code.scalar("i32.eqz").branchIf(1).get(end).i32(COPIED_BYTES).scalar("i32.add").set(end);
  writer.load(copy, record.next).set(copy);
  code.branch(0).end().end();
  writer.declineIf(() => {
    code.get(end).i32(late.room).scalar("i32.gt_u");
    writer.load(waits, late.left).scalar("i32.eqz").scalar("i32.or");
  });
  /** Has four lanes at a time of one row of a record judged, where they are not 0; those are the lanes. */
  const judge = (copy: number, from: number, judged: number): void => {
    code.i32(0).set(end);
    for (let at = 0; at < ROW; at += CHUNK) {
      const lanes = (): Code => code.get(copy).access("v128.load", from + at);
      code.get(state);
      lanes().access("v128.store", offsetOf.observedWhere + at);
      each((lanes(), code), 0)
        .vector("i32x4.ne")
        .vector("i32x4.bitmask");
      code
        .i32(at / 4)
        .scalar("i32.shl")
        .get(end)
        .scalar("i32.or")
        .set(end);
    }
    code.get(end).call(judged);
  };
  return (copy) => {
    code.get(waits);
    writer.load(waits, late.used).scalar("i32.add").set(end);
    writer.store(end, late.waiting, () => {
      // Whether the next one is due, too.
      writer.load(copy, record.next).tee(next).i32(0).scalar("i32.ne");
      isDue(next);
      code.scalar("i32.and").i32(MORE_COPIED).scalar("i32.mul");
      writer
        .load(state, offsetOf.turn)
        .i32(16)
        .scalar("i32.shl")
        .i32(happenings.copied)
        .scalar("i32.or")
        .scalar("i32.or");
    });
    writer.store(end, late.waiting + 4, () => void writer.load(copy, record.pc));
    for (let at = 0; at < 2 * ROW; at += CHUNK)
      code
        .get(end)
        .get(copy)
        .access("v128.load", record.to + at)
        .access("v128.store", late.waiting + 8 + at);
    writer.add(waits, late.used, COPIED_BYTES);
    writer.add(waits, late.left, -1);
    judge(copy, record.from, judges.of({ act: "load", shared: false }, COPIED));
    judge(copy, record.to, judges.of({ act: "store", shared: true }, COPIED));
  };
}
