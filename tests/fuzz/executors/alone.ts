import type { Form } from "../../../src/isa/index.ts";

/** Flow of control, which the structure of a program makes. */
const structural = new Set(["bra", "brx", "call", "ret", "exit"]);

/** What means something only among others: barriers, tensor cores that work by themselves, copies under way, images. */
const among = new Set([
  "bar", "barrier", "trap", "brkpt", "tcgen05", "wgmma", "tensormap", "clusterlaunchcontrol", "tex", "tld4", "suld",
  "sust", "sured", "txq", "suq", "istypep", "multimem", "setmaxnreg",
]); // biome-ignore format: a list

export const isStructural = ({ mnemonic }: Form): boolean => structural.has(mnemonic);

/** Whether an instruction may stand anywhere; of a form without a meaning no program can have one. */
export const standsAlone = (form: Form): boolean =>
  form.executable && !isStructural(form) && !among.has(form.mnemonic) && !/bulk|cp\.reduce/.test(form.syntax);
