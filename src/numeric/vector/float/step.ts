import type { VectorMaker } from "../maker.ts";
import type { Vector } from "../vector.ts";

/**
 * Numbers that were rounded to nearest, moved to where `rnd` wants them: `less` and `more` are the lanes in which the real
 * is less or more than them. A step away from zero is one code more, whatever the sign; one from infinity toward zero gives
 * the greatest number, as it must where the real has an end.
 */
export function stepped(
  shape: "i32x4" | "i64x2",
  nearest: Vector,
  less: Vector,
  more: Vector,
  rnd: "rz" | "rm" | "rp",
  make: VectorMaker,
): Vector {
  const negative = make.op(`${shape}.lt_s`, nearest, make.all32(0));
  // As a number a mask is -1.
  if (rnd === "rz") return make.op(`${shape}.add`, nearest, make.choose(negative, more, less));
  const signed = (mask: Vector): Vector => make.op(`${shape}.sub`, make.xor(mask, negative), negative);
  return rnd === "rm" ? make.op(`${shape}.add`, nearest, signed(less)) : make.op(`${shape}.sub`, nearest, signed(more));
}
