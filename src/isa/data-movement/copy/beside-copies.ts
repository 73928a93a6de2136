import { genericPlace, sharedPlace } from "../../form/bulk-operands.ts";
import { of } from "../../form/classes.ts";
import { form, type Section, section } from "../../form/define.ts";
import type { LiteralClass, RegisterClass } from "../../form/operands.ts";
import { launchControl } from "../launch-control.ts";
import { multimems } from "../multimem.ts";
import { tensorMaps } from "./tensor-map.ts";

const zero: LiteralClass = { kind: "literal", bits: 32, only: 0 };
/** A size of 32 bits came later; ptxas 13.0 takes no .b32 register, and a .s32 one from the beginning. */
const size: RegisterClass = {
  ...of("u64", { least: 0, most: 16_777_216, multiple: 8, late: { u32: { ptx: 90, sm: 100 } } }),
  types: ["u64", "b64", "s64", "u32", "s32"],
};

export const besideCopies: Section = section(
  { of: "data-movement", name: "multimem-tensormap", title: "Multimem, Tensor Maps and Cluster Launch Control" },
  [
    form("st.bulk{.weak}{.ss} [a], n, value", {
      where: { ss: ["shared::cta"] },
      operands: ({ ss }) => ({ a: ss === undefined ? genericPlace : sharedPlace, n: size, value: zero }),
      since: { ptx: 86, sm: 100 },
      run: ({ ss }) => ({ shape: "zero fill", space: ss === undefined ? "generic" : "shared" }),
      check: [
        {
          snippet:
            ".reg .b32 d, e; .shared .align 8 .b32 s[4]; st.shared.v4.b32 [s], {1, 2, 3, 4}; st.bulk.shared::cta [s], 8, 0; ld.shared.b32 d, [s+4]; ld.shared.b32 e, [s+8];",
          gives: { d: 0, e: 3 },
        },
      ],
    }),
    ...multimems,
    ...tensorMaps,
    ...launchControl,
  ],
  {
    "": "st.bulk tensormap.replace",
    synchronization: "tensormap.cp_fenceproxy clusterlaunchcontrol.try_cancel clusterlaunchcontrol.query_cancel",
  },
);
