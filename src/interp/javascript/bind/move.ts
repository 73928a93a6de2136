import { FULL } from "../../contract/launch/lane-mask.ts";
import { elements, type Operand, predicate, type SlotOperand, slot } from "../../contract/operand.ts";
import type { Step } from "../../state/warp.ts";

/**
 * 32 bits of a register, or all of an 8- or 16-bit one: `view[(base + lane) * stride]`. Moving words keeps every bit,
 * whatever the type.
 */
interface RegisterWord {
  readonly view: "r" | "w";
  readonly base: number;
  readonly stride: 1 | 2;
  /** Bits that the register has of this word. */
  readonly bits: number;
}

/** `bits` bits of a source word go to a target word at `shift`. */
interface BitRange {
  readonly word: RegisterWord;
  readonly from: number;
  readonly mask: number;
  readonly shift: number;
}

/** The words of a register, low first. */
function words(operand: Operand, lanes: number): readonly RegisterWord[] {
  if (operand.kind !== "slot") throw new Error(`a ${operand.kind} has no bits to move`);
  const { bank, slot, bits } = operand;
  if (bank === "r") return [{ view: "r", base: slot * lanes, stride: 1, bits: Math.min(bits, 32) }];
  const list: RegisterWord[] = [];
  for (let at = 0; at * 32 < Math.max(bits, 64); at++)
    list.push({ view: "w", base: (slot + (at >> 1)) * lanes * 2 + (at & 1), stride: 2, bits: 32 });
  return list;
}

/** The ranges that make up `bits` bits of a row of registers, from bit `start` on. */
function slice(
  row: readonly { words: readonly RegisterWord[]; bits: number }[],
  start: number,
  bits: number,
): BitRange[] {
  const ranges: BitRange[] = [];
  let before = 0;
  for (const register of row) {
    const low = Math.max(start, before);
    const high = Math.min(start + bits, before + register.bits);
    for (let bit = low; bit < high && register.words.length > 0; ) {
      const within = bit - before;
      const word = register.words[within >> 5]!;
      const take = Math.min(high - bit, 32 - (within & 31), 32 - ((bit - start) & 31));
      ranges.push({ word, from: within & 31, mask: take >= 32 ? -1 : (1 << take) - 1, shift: bit - start });
      bit += take;
    }
    before += register.bits;
  }
  return ranges;
}

const widthOf = (operand: Operand): number => (operand.kind === "slot" ? operand.bits : 0);

/** Assembles every target word from its ranges before it writes any, so that two registers can be swapped. */
function transfer(targets: readonly { word: RegisterWord; ranges: readonly BitRange[] }[], lanes: number): Step {
  const values = new Uint32Array(targets.length);
  return (warp) => {
    const { active } = warp;
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      for (let at = 0; at < targets.length; at++) {
        let value = 0;
        for (const { word, from, mask, shift } of targets[at]!.ranges)
          value |= ((warp[word.view][word.base + lane * word.stride]! >>> from) & mask) << shift;
        values[at] = value;
      }
      for (let at = 0; at < targets.length; at++) {
        const { view, base, stride } = targets[at]!.word;
        warp[view][base + lane * stride] = values[at]!;
      }
    }
  };
}

/** Distributes source registers, read as one row of bits, to the target registers. */
function spread(to: readonly Operand[], from: readonly Operand[], each: number, source: number, lanes: number): Step {
  // `_` as an element of a source leaves its bits undefined; they are 0 here.
  const row = from.map((operand) => ({ words: operand.kind === "sink" ? [] : words(operand, lanes), bits: source }));
  const targets = to.flatMap((operand, index) => {
    if (operand.kind === "sink") return [];
    return words(operand, lanes).map((word, at) => {
      const bits = Math.max(0, Math.min(32, word.bits, each - 32 * at));
      return { word, ranges: slice(row, index * each + 32 * at, bits) };
    });
  });
  return transfer(targets, lanes);
}

/** `d, a`: the same bits, of a register, a predicate, or vectors of one length. */
export function move([d, a]: readonly (Operand | undefined)[], lanes: number): Step {
  if (d?.kind === "predicate") return movePredicate(d.slot, a);
  const [to, from] = [elements(d), elements(a)];
  if (to.length !== from.length) throw new Error("vectors of unlike length");
  const [only, source] = [to[0]!, from[0]!];
  if (to.length === 1 && only.kind === "slot" && source.kind === "slot" && only.bits === source.bits) {
    const [base, origin] = [only.slot * lanes, source.slot * lanes];
    if (only.bank === "r" && source.bank === "r") return moveNarrow(base, origin, lanes);
    if (only.bits === 64 && only.bank === "q" && source.bank === "q") return moveWide(base, origin, lanes);
  }
  const each = Math.max(...to.map(widthOf));
  const width = Math.max(...from.map(widthOf));
  if (each === width) return spread(to, from, each, width, lanes);
  // A register of another width keeps the low bits and is zero above them.
  const steps = to.map((operand, at) => spread([operand], [from[at]!], each, widthOf(from[at]!), lanes));
  return (warp) => {
    for (const step of steps) step(warp);
  };
}

const moveNarrow =
  (d: number, a: number, lanes: number): Step =>
  ({ s, active }) => {
    if (active === FULL) s.copyWithin(d, a, a + lanes);
    else for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) s[d + lane] = s[a + lane]!;
  };

const moveWide =
  (d: number, a: number, lanes: number): Step =>
  ({ q, active }) => {
    if (active === FULL) q.copyWithin(d, a, a + lanes);
    else for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) q[d + lane] = q[a + lane]!;
  };

/** `mov.pred`, all lanes at once. */
function movePredicate(to: number, from: Operand | undefined): Step {
  const { slot, negated } = predicate(from);
  const flip = negated ? -1 : 0;
  return ({ p, active }) => {
    p[to] = (p[to]! & ~active) | ((p[slot]! ^ flip) & active);
  };
}

/** `d, {a, b, ...}`: the first element takes the low bits. */
export function pack([d, a]: readonly (Operand | undefined)[], lanes: number): Step {
  const from = elements(a);
  const to = elements(d);
  const bits = widthOf(to[0]!);
  const [low, high, ...others] = from;
  if (bits === 64 && others.length === 0 && isWord(low) && isWord(high))
    return joinWords(slot(to[0]).slot * lanes, low.slot * lanes, high.slot * lanes, lanes);
  return spread(to, from, bits, bits / from.length, lanes);
}

/** Whether an operand is a register of 32 bits in bank r. */
const isWord = (operand: Operand | undefined): operand is SlotOperand =>
  operand?.kind === "slot" && operand.bank === "r" && operand.bits === 32;

const joinWords =
  (d: number, a: number, b: number, lanes: number): Step =>
  ({ s, w, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      w[2 * (d + lane)] = s[a + lane]!;
      w[2 * (d + lane) + 1] = s[b + lane]!;
    }
  };

const splitWords =
  (d: number, e: number, a: number, lanes: number): Step =>
  ({ s, w, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      s[d + lane] = w[2 * (a + lane)]!;
      s[e + lane] = w[2 * (a + lane) + 1]!;
    }
  };

/** `{d, e, ...}, a`. */
export function unpack([d, a]: readonly (Operand | undefined)[], lanes: number): Step {
  const to = elements(d);
  const from = elements(a);
  const bits = widthOf(from[0]!);
  const [low, high, ...others] = to;
  if (bits === 64 && others.length === 0 && isWord(low) && isWord(high))
    return splitWords(low.slot * lanes, high.slot * lanes, slot(from[0]).slot * lanes, lanes);
  return spread(to, from, bits / to.length, bits, lanes);
}
