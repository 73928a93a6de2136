import { type ElementType, elementBits } from "../../../../numeric/tensor/element.ts";
import {
  type InstructionDescriptor,
  readInstructionDescriptor,
} from "../../../contract/matrix/instruction-descriptor.ts";
import { depths } from "../../../contract/matrix/tensor-depths.ts";
import { shapesOf } from "../../../contract/matrix/tensor-shapes.ts";
import type { PlanOf } from "../../../contract/plan/shapes/shape-facts.ts";
import { Fault } from "../../../state/fault.ts";
import { scalesOf } from "./multiply.ts";

type Plan = PlanOf<"tcgen05 multiply">;

/** Kinds whose elements are of 4 bits, side by side. */
export const isFour = (kind: Plan["kind"]): boolean => kind === "mxf4" || kind === "mxf4nvf4";

/** The instruction descriptor of a lane; one that does not go with the instruction or the target is a Fault. */
export function instructionOf(plan: Plan, bits: number, lane: number, target: string): InstructionDescriptor {
  const says = readInstructionDescriptor(bits, plan.kind);
  const wrong =
    typeof says === "string"
      ? says
      : (wrongShape(plan, says) ?? wrongDepth(plan, says, target) ?? wrongScales(plan, says, target));
  if (typeof says === "string" || wrong !== undefined)
    throw new Fault("PTX3064", lane, `has the instruction descriptor 0x${bits.toString(16)}, whose ${wrong}`);
  return says;
}

function wrongShape(plan: Plan, says: InstructionDescriptor): string | undefined {
  if (says.sparse !== plan.sparse)
    return `bit 2 says that A is ${says.sparse ? "sparse" : "dense"}, and the instruction is ${plan.sparse ? "" : "not "}.sp`;
  const { m, n } = shapesOf(plan, says);
  const form = `.kind::${plan.kind}${plan.ws ? ".ws" : ""} and .cta_group::${plan.group}`;
  if (!m.includes(says.m)) return `M is ${says.m}, and with ${form} it is ${m.join(" or ")}`;
  if (!n.includes(says.n)) return `N is ${says.n}, and with ${form} it is ${sequence(n)}`;
  if (plan.ashift && says.m < 128) return `M is ${says.m}, and .ashift is for 128 and 256`;
  if (plan.kind === "f16" && says.d === "f16" && (says.a === "bf16" || says.b === "bf16"))
    return "dtype is F16, and with BF16 it is F32";
  return undefined;
}

/** What goes with K, and who has it (PTX ISA, Matrix Shape of tcgen05; Transpose and Negate operations). */
function wrongDepth(plan: Plan, says: InstructionDescriptor, target: string): string | undefined {
  const { k, depth, a, b, sparse, transposeA, transposeB } = says;
  const { on, group } = depths[plan.kind][depth]!;
  const targets = on?.[sparse ? "sparse" : "dense"];
  if (targets?.every((each) => !target.startsWith(each))) return `K is ${k}, which is for ${targets.join(" and ")}`;
  if (group !== undefined && group !== plan.group) return `K is ${k}, which is for .cta_group::${group}`;
  if (depth === 0) return undefined;
  const narrow = (type: ElementType): boolean => elementBits(type) < 8;
  if (plan.kind === "f8f6f4" && (narrow(a) || narrow(b))) return `K is ${k}, with which A and B are E4M3 or E5M2`;
  if ((transposeA && narrow(a)) || (transposeB && narrow(b)))
    return `K is ${k}, with which elements of 4 and 6 bits are not transposed`;
  return undefined;
}

/** What scaled kinds say besides (PTX ISA, Instruction descriptor; Block Scaling for tcgen05.mma). */
function wrongScales(plan: Plan, says: InstructionDescriptor, target: string): string | undefined {
  const factors = scalesOf(plan, says);
  if (factors === undefined) return undefined;
  const { sparse, sparsityVersion, scaleType, scaleLanesA } = says;
  const rubin = target.startsWith("sm_107");
  if (scaleLanesA === 128 && !rubin) return "scale factor A layout (bit 26) is 1, which only sm_107 has";
  if (isFour(plan.kind) && sparsityVersion !== Number(rubin) && (sparse || !rubin))
    return `sparsity version (bit 12) is ${sparsityVersion}, and on ${target} it is ${Number(rubin)}`;
  if (scaleType === "ue5m3" && !rubin) return "scale type (bits 23 to 24) is UE5M3, which only sm_107 has";
  if (scaleType === "ue4m3" && factors.block > 16 && !rubin)
    return `scale type is UE4M3, which only sm_107 has for ${factors.block} elements`;
  const ids = factors.count % 4 === 0 ? [0] : factors.count % 2 === 0 ? [0, 2] : [0, 1, 2, 3];
  for (const [name, id] of Object.entries({ A: says.scaleA, B: says.scaleB }))
    if (!ids.includes(id))
      return `scale factor ${name} ID is ${id}, and of ${factors.count} factors it is ${ids.join(" or ")}`;
  return undefined;
}

/** `8, 16 ... 256`. */
const sequence = (values: readonly number[]): string =>
  values.length < 5 ? values.join(" or ") : `${values[0]}, ${values[1]} ... ${values.at(-1)}`;
