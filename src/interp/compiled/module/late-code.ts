import { Code } from "../../../wasm/code.ts";
import type { ModuleWriter } from "../../../wasm/module.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import {
  ADDRESSED,
  ADDRESSED_BYTES,
  done,
  happenings,
  LAST_INTERVAL,
  type LateFunctions,
  late,
  owner,
  ROW_PATTERN,
} from "../boundary/late-layout.ts";
import { globals } from "../boundary/module-globals.ts";
import { offsetOf } from "../boundary/state-layout.ts";
import { spreadRow, writeDoubt } from "../judging/judge-code.ts";

const CHUNK_BYTES = 16;

/** Writes the functions that let observers be notified late. */
export function lateFunctions(module: ModuleWriter): LateFunctions {
  const append = module.function({ takes: ["i32", "i32"], gives: [] }, appendCode());
  const access = module.function({ takes: ["i32", "i32", "i32"], gives: ["i32"] }, accessCode(append));
  return {
    ready: module.function({ takes: ["i32"], gives: ["i32"] }, readyCode()),
    access,
    row: module.function({ takes: ["i32", "i32"], gives: ["i32"] }, rowCode(append, access)),
    again: module.function({ takes: ["i32", "i32", "i32"], gives: ["i32"] }, againCode(append)),
    happening: module.function({ takes: ["i32", "i32", "i32"], gives: ["i32"] }, happeningCode()),
  };
}

function readyCode(): Code {
  const code = new Code(1);
  const count = 0;
  const start = code.local("i32");
  code.globalGet(globals.late).tee(start).if();
  code.get(start).access("i32.load", late.left).get(count).scalar("i32.ge_s");
  code
    .get(count)
    .i32(ADDRESSED_BYTES + late.briefMore)
    .scalar("i32.mul")
    .set(count);
  for (const [used, room] of [[late.used, late.room], [late.briefUsed, late.briefRoom]] as const) // biome-ignore format: one thought
    code
      .get(start)
      .access("i32.load", used)
      .get(count)
      .scalar("i32.add")
      .i32(room)
      .scalar("i32.le_u")
      .scalar("i32.and");
  code.scalar("return").end();
  return code.i32(0);
}

function accessCode(append: number): Code {
  const code = new Code(3);
  const [lanes, instruction, bytes] = [0, 1, 2];
  const local = (): number => code.local("i32");
  const [start, end, state, first, at] = [local(), local(), local(), local(), local()];
  const [origin, size, touching] = [code.local("v128"), code.local("v128"), local()];
  const [knows, brief] = [local(), local()];
  const where = (chunk: number, behind = 0): Code =>
    code.get(state).access("v128.load", offsetOf.observedWhere + chunk + behind);
  begin(code, lanes, start, end);
  code.get(start).i32(0).access("i32.store", late.matched);
  code.get(lanes).scalar("i32.eqz").if().i32(0).scalar("return").end();
  code.globalGet(globals.state).tee(state).access("i32.load", offsetOf.observedWhere).set(first);
  learned(code, instruction, start).set(knows);
  code.get(start).access("i32.load", late.briefUsed).i32(late.briefRoom).scalar("i32.gt_u");
  isBrief(code, knows, start).tee(brief).scalar("i32.and").if();
  code.get(lanes).scalar("return").end();
  code.get(knows).i32(1).scalar("i32.and");
  code.get(lanes).i32(-1).scalar("i32.eq").scalar("i32.and").if();
  code.get(instruction).i32(7).scalar("i32.shl").get(start).scalar("i32.add").set(at);
  code.get(first).vector("i32x4.splat").set(origin);
  for (let chunk = 0; chunk < 4 * LANES; chunk += CHUNK_BYTES) {
    where(chunk).get(origin).vector("i32x4.sub");
    code
      .get(at)
      .access("v128.load", late.lanes + chunk)
      .vector("v128.xor");
    if (chunk > 0) code.vector("v128.or");
  }
  code.vector("v128.any_true").scalar("i32.eqz").if();
  code.get(instruction).get(first).call(append);
  code.get(start).get(knows).i32(2).scalar("i32.shr_u").access("i32.store", late.matched);
  code.i32(0).scalar("return").end().end();
  // Lanes that store to the same bytes have to be known with what they store. None do where addresses grow from lane to lane:
  // from each to the next, or in consecutive lanes from each that stores to the next.
  // The module itself has judged those that it lets wait while it does.
  code.i32(0).get(bytes).get(start).access("i32.load", late.judging).scalar("select").if();
  code.get(bytes).vector("i32x4.splat").set(size).i32(0).set(touching);
  for (let chunk = 0; chunk < 4 * LANES; chunk += CHUNK_BYTES) {
    where(chunk).get(size).vector("i32x4.add");
    where(chunk, 4).vector("i32x4.gt_s").vector("i32x4.bitmask");
    code
      .i32(chunk / 4)
      .scalar("i32.shl")
      .get(touching)
      .scalar("i32.or")
      .set(touching);
  }
  // Nothing comes behind the last lane.
  code.get(touching).i32(0x7fff_ffff).scalar("i32.and").set(touching);
  code.get(touching).get(lanes).scalar("i32.and").get(lanes).i32(1).scalar("i32.shr_u").scalar("i32.and");
  code.get(lanes).get(lanes).scalar("i32.ctz").scalar("i32.shr_u").tee(at);
  code.get(at).i32(1).scalar("i32.add").scalar("i32.and").scalar("i32.or");
  code.i32(0).get(touching).scalar("select");
  code.if().get(lanes).scalar("return").end().end();
  writeEnd(code, { start, end, brief });
  put(code, end, () => code.get(instruction).i32(ADDRESSED).scalar("i32.or"), lanes);
  for (let chunk = 0; chunk < 4 * LANES; chunk += CHUNK_BYTES) {
    code.get(end);
    where(chunk).access("v128.store", late.waiting + 8 + chunk);
  }
  growEither(code, start, brief, ADDRESSED_BYTES);
  code.get(start).i32(1).access("i32.store", late.addressed);
  return code.i32(0);
}

/** (instruction, offset of lane 0): an access waits whose lanes' addresses differ as it is known. There is room. */
function appendCode(): Code {
  const code = new Code(2);
  const [instruction, first] = [0, 1];
  const [start, knows, brief, end] = [code.local("i32"), code.local("i32"), code.local("i32"), code.local("i32")];
  code.globalGet(globals.late).set(start);
  learned(code, instruction, start).set(knows);
  isBrief(code, knows, start).set(brief);
  writeEnd(code, { start, end, brief });
  put(code, end, () => code.get(instruction), first);
  growEither(code, start, brief, 8);
  return code;
}

/**
 * (instruction, offset of lane 0, `late.matched`): another load of shared memory by the lanes of a load that was just noted and judged, at
 * addresses that differ from its by one constant. It waits, too, if the lanes' addresses differ as is known, and needs no judgement in an
 * interval of nothing but loads, of which owner words say nothing. Gives 0 where it has to be noted and judged itself.
 */
function againCode(append: number): Code {
  const code = new Code(3);
  const [instruction, first, matched] = [0, 1, 2];
  const start = code.local("i32");
  code.globalGet(globals.late).set(start);
  code.get(matched).scalar("i32.eqz");
  learned(code, instruction, start).i32(2).scalar("i32.shr_u").get(matched).scalar("i32.ne").scalar("i32.or");
  code.get(start).access("i32.load", late.judging);
  code.get(start).access("i32.load", late.done).i32(done.load).scalar("i32.ne");
  code.get(start).access("i32.load", late.exact).scalar("i32.or").scalar("i32.and").scalar("i32.or").if();
  code.i32(0).scalar("return").end();
  code.get(instruction).get(first).call(append);
  return code.i32(1);
}

/** (instruction, offset of lane 0): as `accessCode`, of an access of all lanes to words in a row. */
function rowCode(append: number, access: number): Code {
  const code = new Code(2);
  const [instruction, first] = [0, 1];
  const [start, state] = [code.local("i32"), code.local("i32")];
  code.globalGet(globals.late).tee(start).if();
  learned(code, instruction, start).i32(2).scalar("i32.shr_u").i32(ROW_PATTERN).scalar("i32.eq");
  code.get(start).access("i32.load", late.left).i32(0).scalar("i32.ne").scalar("i32.and");
  for (const [used, room] of [[late.used, late.room], [late.briefUsed, late.briefRoom]] as const) // biome-ignore format: one thought
    code.get(start).access("i32.load", used).i32(room).scalar("i32.le_u").scalar("i32.and");
  code.if().get(instruction).get(first).call(append).i32(0).scalar("return").end().end();
  code.globalGet(globals.state).set(state);
  spreadRow(code, first, state);
  // No lane stores to the bytes of another.
  return code.i32(-1).get(instruction).i32(0).call(access);
}

/** Pushes what is known of an instruction's accesses. */
const learned = (code: Code, instruction: number, start: number): Code =>
  code.get(instruction).i32(2).scalar("i32.shl").get(start).scalar("i32.add").access("i32.load", late.learned);

/** Pushes 1 where they wait for no longer than up to the next barrier. */
const isBrief = (code: Code, knows: number, start: number): Code =>
  code.get(knows).i32(1).scalar("i32.shr_u").get(start).access("i32.load", late.judging).scalar("i32.and");

/** Sets `end` to where the next access waits, less `late.waiting`. */
function writeEnd(
  code: Code,
  { start, end, brief }: { readonly start: number; readonly end: number; readonly brief: number },
): void {
  code.get(start).get(start).access("i32.load", late.used).scalar("i32.add").set(end);
  code.get(brief).if();
  code.get(start).get(start).access("i32.load", late.briefUsed).scalar("i32.add").tee(end);
  code.get(start).access("i32.load", late.used).access("i32.store", late.brief);
  code
    .get(end)
    .i32(late.brief + late.briefMore - late.waiting)
    .scalar("i32.add")
    .set(end)
    .end();
}

function growEither(code: Code, start: number, brief: number, bytes: number): void {
  code.get(brief).if();
  code
    .get(start)
    .get(start)
    .access("i32.load", late.briefUsed)
    .i32(bytes + late.briefMore)
    .scalar("i32.add");
  code.access("i32.store", late.briefUsed).else();
  grow(code, start, bytes);
  code.end();
}

function happeningCode(): Code {
  const code = new Code(3);
  const [one, what, value] = [0, 1, 2];
  const [start, end, ends] = [code.local("i32"), code.local("i32"), code.local("i32")];
  begin(code, one, start, end);
  code
    .get(what)
    .i32(happenings.met)
    .scalar("i32.ne")
    .get(start)
    .access("i32.load", late.judging)
    .scalar("i32.and")
    .tee(ends);
  code.get(start).access("i32.load", late.mixed).scalar("i32.and").if().get(one).scalar("return").end();
  put(code, end, () => code.get(what), value);
  grow(code, start, 8);
  // Another interval begins, and with a block its first one.
  code.get(ends).if();
  for (const field of [late.briefUsed, late.done]) code.get(start).i32(0).access("i32.store", field);
  code.get(start).get(start).access("i32.load", late.lastInterval).i32(owner.interval).scalar("i32.add").tee(end);
  code.access("i32.store", late.lastInterval);
  code.get(start).get(end).access("i32.store", late.interval);
  code.get(what).i32(happenings.began).scalar("i32.eq").if();
  code.get(start).get(end).access("i32.store", late.firstInterval);
  code
    .get(start)
    .get(start)
    .access("i32.load", late.begun)
    .i32(1)
    .scalar("i32.add")
    .access("i32.store", late.begun)
    .end();
  code.get(end).i32(LAST_INTERVAL).scalar("i32.ge_u").if();
  writeDoubt(code, start);
  code.end().end();
  return code.i32(0);
}

/** Sets `start` to where late accesses wait, and `end` to as many bytes behind it as there are; returns `given` where none may. */
function begin(code: Code, given: number, start: number, end: number): void {
  code.globalGet(globals.late).tee(start).scalar("i32.eqz").if().get(given).scalar("return").end();
  code.get(start).access("i32.load", late.left).scalar("i32.eqz");
  code.get(start).access("i32.load", late.used).tee(end).i32(late.room).scalar("i32.gt_u").scalar("i32.or");
  code.if().get(given).scalar("return").end();
  code.get(start).get(end).scalar("i32.add").set(end);
}

/** Writes the two words of what waits. */
function put(code: Code, end: number, what: () => void, second: number): void {
  code.get(end).globalGet(globals.state).access("i32.load", offsetOf.turn).i32(16).scalar("i32.shl");
  what();
  code.scalar("i32.or").access("i32.store", late.waiting);
  code
    .get(end)
    .get(second)
    .access("i32.store", late.waiting + 4);
}

function grow(code: Code, start: number, bytes: number): void {
  code.get(start).get(start).access("i32.load", late.used).i32(bytes).scalar("i32.add");
  code.access("i32.store", late.used);
  code.get(start).get(start).access("i32.load", late.left).i32(1).scalar("i32.sub");
  code.access("i32.store", late.left);
}
