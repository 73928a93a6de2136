import { typesOf } from "../interp/contract/matrix/instruction-descriptor.ts";
import { depths } from "../interp/contract/matrix/tensor-depths.ts";
import type { Plan } from "../interp/contract/plan/plan.ts";
import type { PlanOf } from "../interp/contract/plan/shapes/shape-facts.ts";
import { tileSpecOf } from "../numeric/operation/matrix.ts";
import type { ElementType } from "../numeric/tensor/element.ts";
import type { TileSpec } from "../numeric/tensor/spec.ts";

/** A multiplication of matrices, and the types that each operand may have where the spelling leaves it open. */
export interface Multiplied {
  readonly spec: TileSpec;
  readonly choices: ReadonlyMap<string, readonly ElementType[]>;
}

/** The type that the command line names for an operand: `e5m2` of `a:e5m2=1`. */
export type NamedType = (operand: string) => string | undefined;

/** The multiplication of a plan; undefined for a plan without one. */
export function multipliedBy(plan: Plan, named: NamedType): Multiplied | undefined {
  switch (plan.shape) {
    case "multiply":
      return { spec: tileSpecOf(plan.op), choices: new Map() };
    case "wgmma":
      return { spec: plan.tile, choices: new Map() };
    case "tcgen05 multiply":
      return byDescriptor(plan, named);
    default:
      return undefined;
  }
}

/** tcgen05.mma: the kind leaves types to a descriptor in a register, so the command line names them. */
function byDescriptor({ kind, scale }: PlanOf<"tcgen05 multiply">, named: NamedType): Multiplied {
  const types = typesOf[kind].filter((type) => type !== undefined);
  const sums: readonly ElementType[] =
    kind === "i8" || kind === "ti16" ? ["s32"] : kind === "f16" || kind === "f8f6f4" ? ["f32", "f16"] : ["f32"];
  const choices = new Map([
    ["a", types],
    ["b", types],
    ["c", sums],
  ]);
  const chosen = (operand: string): ElementType => {
    const all = choices.get(operand) ?? [];
    return all.find((type) => type === named(operand)) ?? all[0] ?? "f32";
  };
  const block = kind !== "mxf8f6f4" && (scale === "4X" || scale === "block16") ? 16 : 32;
  const spec: TileSpec = {
    m: 128,
    n: 8,
    k: depths[kind][0].dense,
    unit: "tcgen05",
    a: chosen("a"),
    b: chosen("b"),
    c: chosen("c"),
    d: chosen("c"),
    ...(scale && {
      scale: {
        kind: kind === "mxf8f6f4" ? "mxf8f6f4" : "mxf4",
        type: kind === "mxf4nvf4" && block === 16 ? "ue4m3" : "ue8m0",
        block,
      },
    }),
  };
  return { spec, choices };
}
