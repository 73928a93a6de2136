import { form } from "./define.ts";

const label = { label: ["label"] } as const;

/** Control flow: where channels continue. */
export const control = [
  form("[(<P>)] JMP (<exec_size>) <label>", {
    opcode: 0x32,
    about: "all channels go on at the label, if any that the predicate names is enabled",
    ...{ kinds: label, control: "jump" },
  }),
  form("[(<P>)] GOTO (<exec_size>) <label>", {
    opcode: 0x6c,
    about: "the enabled channels go on at the label, and meet the others again where their ways do",
    ...{ kinds: label, control: "goto" },
  }),
  form("[(<P>)] RET (<exec_size>)", {
    opcode: 0x34,
    about: "the enabled channels end",
    control: "leave",
  }),
];
