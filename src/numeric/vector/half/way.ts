import type { Rounding } from "../../exact/exact.ts";
import type { VectorMaker } from "../maker.ts";
import type { Vector } from "../vector.ts";

/** In which direction sizes are rounded, or what is added below the last place before the rest is cut. */
export interface Way {
  readonly rnd: Rounding | "rs";
  /** Of `rs`: a number of `bits` bits for each lane. */
  readonly chance?: { readonly of: Vector; readonly bits: number };
}

/** What is added to the bits of a size so that cutting the lowest of them rounds. */
export function increment(
  { rnd, chance }: Way,
  below: number,
  number: Vector,
  size: Vector,
  make: VectorMaker,
): Vector {
  const all = make.all32(2 ** below - 1);
  switch (rnd) {
    case "rn": {
      const last = make.and(make.shift("i32x4.shr_u", size, below), make.all32(1));
      return make.op("i32x4.add", last, make.all32(2 ** (below - 1) - 1));
    }
    case "rna":
      return make.all32(2 ** (below - 1));
    case "rz":
      return make.all32(0);
    case "rm":
      return make.and(all, make.shift("i32x4.shr_s", number, 31));
    case "rp":
      return make.op("v128.andnot", all, make.shift("i32x4.shr_s", number, 31));
    case "rs":
      return chance ? make.shift("i32x4.shl", chance.of, below - chance.bits) : make.all32(0);
  }
}
