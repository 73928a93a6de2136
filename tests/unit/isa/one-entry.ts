import { of, to } from "../../../src/isa/form/classes.ts";
import { form, section, unspecified } from "../../../src/isa/form/define.ts";
import { integer as known } from "../../../src/isa/integer/integer.ts";
import { a, b, c, label, max, ones, plus, times, wrap, xor } from "../../../src/numeric/operation/build.ts";

/**
 * An instruction that does not exist: three times the bits in which a and b differ, and c, but at least 10 of that. No
 * instruction of the table means this, and nothing but this entry says it.
 */
const entry = form("hamming.type d, a, b, c", {
  where: { type: ["u16", "u32", "u64"] },
  operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type), c: of(type) }),
  since: { ptx: 80, sm: 90 },
  does: ({ type }) => wrap(type, max(plus(times(3, label("distance", ones(xor(a, b)))), c), 10)),
  check: [
    { with: ["u32"], a: 0xff, b: 0x0f, c: 1, d: 13 },
    { with: ["u16"], a: 1, b: 1, c: 0, d: 10 },
    { with: ["u64"], a: 0n, b: 0xffff_ffff_ffff_ffffn, c: 0xffff_ffff_ffff_ffffn, d: 191n },
  ],
  facts: [unspecified("at least 10, because nobody says")],
});

/** The section of integers with this entry at its end. */
export const integer = section("integer", [...known.forms, entry]);
