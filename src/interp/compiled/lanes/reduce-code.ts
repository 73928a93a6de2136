import type { Operation } from "../../../numeric/operation/operation.ts";
import type { WarpOperation } from "../../../numeric/operation/warp.ts";
import { vectorOf } from "../../../numeric/vector/lower.ts";
import { VectorMaker } from "../../../numeric/vector/maker.ts";
import type { Vector } from "../../../numeric/vector/vector.ts";
import { CHUNK, eachChunk, type Frame } from "../frame/frame.ts";
import { pushVector, storeChunk } from "../frame/row-code.ts";

type Reduction = WarpOperation & { readonly among: "reduce" };

/** Writes a reduction of register `from` to `d`; if no rule applies, returns false and writes nothing. */
export function writeReduction({ each, join }: Reduction, d: number | undefined, from: number, frame: Frame): boolean {
  const make = new VectorMaker();
  const [a, b] = [make.input(0), make.input(1)];
  const one = each === undefined ? a : (vectorOf(each, [a], make) as Vector | undefined);
  const both = vectorOf(join, [a, b], make) as Vector | undefined;
  if (one === undefined || both === undefined) return false;
  if (d === undefined) return true;
  const all = frame.code.local("v128");
  if (frame.full && each === undefined && isInAnyOrder(join)) writeHalving(both, from, all, frame);
  else writeInOrder(one, both, from, all, frame);
  eachChunk(frame, () => storeChunk(frame, d, () => frame.code.get(all)));
  return true;
}

/** Integers modulo 2^width give the same result in any order. */
function isInAnyOrder({ result }: Operation): boolean {
  if (result.into !== "wrap") return false;
  return ["add", "min", "max", "and", "or", "xor"].includes(result.of.node);
}

/** All chunks as one, then its four lanes. */
function writeHalving(both: Vector, from: number, all: number, frame: Frame): void {
  const { code, base, bankR, row: bytes } = frame;
  const other = code.local("v128");
  const row = bankR + from * bytes;
  code.get(base).access("v128.load", row).set(all);
  for (let offset = CHUNK; offset < bytes; offset += CHUNK) {
    code
      .get(base)
      .access("v128.load", row + offset)
      .set(other);
    pushVector(frame, both, [all, other]);
    code.set(all);
  }
  for (const words of [
    [2, 3, 0, 1],
    [1, 0, 3, 2],
  ]) {
    code.get(all).get(all);
    code.shuffle(words.flatMap((word) => [4 * word, 4 * word + 1, 4 * word + 2, 4 * word + 3])).set(other);
    pushVector(frame, both, [all, other]);
    code.set(all);
  }
}

/** Lane by lane, in all lanes of a vector alike. */
function writeInOrder(one: Vector, both: Vector, from: number, all: number, frame: Frame): void {
  const { code, base, bankR, active, row } = frame;
  const [rest, given, value] = [code.local("i32"), code.local("v128"), code.local("v128")];
  const take = (): void => {
    code.get(base).get(rest).scalar("i32.ctz").i32(2).scalar("i32.shl").scalar("i32.add");
    code.access("v128.load32_splat", bankR + from * row).set(given);
    pushVector(frame, one, [given]);
    code.set(value);
    code.get(rest).get(rest).i32(1).scalar("i32.sub").scalar("i32.and").set(rest);
  };
  code.get(active).set(rest);
  take();
  code.get(value).set(all).block().loop();
  code.get(rest).scalar("i32.eqz").branchIf(1);
  take();
  pushVector(frame, both, [all, value]);
  code.set(all).branch(0).end().end();
}
