import { form, type Section, section } from "../form/define.ts";
import { open } from "../form/open.ts";

const completion = ["mbarrier::complete_tx::bytes"] as const;
const integers = ["b32", "b64", "u32", "u64", "s32", "s64"] as const;
/** 9.7.9.11 to 9.7.9.15, 9.7.13.17 and the tensor map's: what goes to another block's memory, or to many devices'. */
export const asyncMemory: Section = section(
  "9.7.9.12",
  "Asynchronous Stores and Multimem",
  "data-movement-and-conversion-instructions",
  [
    form("st.async{.weak}.shared::cluster.completion{.vec}.type [d], b, [mbar]", {
      where: { completion, vec: ["v2", "v4"], type: [...integers, "f32", "f64"] },
      operands: { d: open, b: open, mbar: open },
      since: { ptx: 81, sm: 90 },
    }),
    form("st.async{.mmio}.release.scope{.ss}.type [d], b", {
      where: {
        scope: ["gpu", "sys"],
        ss: ["global"],
        type: ["b8", "b16", "u8", "u16", "s8", "s16", ...integers, "f32", "f64"],
      },
      operands: { d: open, b: open },
      since: { ptx: 87, sm: 100 },
    }),
    form("red.async.relaxed.cluster.shared::cluster.completion.op.type [d], b, [mbar]", {
      where: { completion, op: ["add", "inc", "dec", "min", "max", "and", "or", "xor"], type: integers },
      operands: { d: open, b: open, mbar: open },
      since: { ptx: 81, sm: 90 },
    }),
    form("red.async{.mmio}.release.scope{.ss}.add.type [d], b", {
      where: { scope: ["gpu", "sys"], ss: ["global"], type: ["u32", "s32", "u64", "s64"] },
      operands: { d: open, b: open },
      since: { ptx: 87, sm: 100 },
    }),
  ],
);
