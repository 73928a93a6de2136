import { type Form, form } from "./define.ts";

/** An instruction of a whole thread, without channels: `words` follow its mnemonic, in dots, and are for hardware. */
const ofThread = (mnemonic: string, given: Pick<Form, "opcode" | "about" | "control"> & { words?: RegExp }): Form => ({
  ...{ syntax: mnemonic.toUpperCase(), mnemonic, ...given, predicable: false, saturates: false, relations: [] },
  ...{ operands: [], types: () => undefined, modifiers: "none" as const, check: [] },
  message: ({ modifiers, opcode }) =>
    (given.words ?? /^$/).test(modifiers.map(({ text }) => text).join("."))
      ? { does: "load", bits: 32, held: 32, elements: [], block: false }
      : `${opcode.text} takes no such words`,
});

const label = { label: ["label"] } as const;

/** Which caches a fence flushes besides: for hardware. */
const cached = /^e?i?s?c?r?(?:l1)?$/;

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
  form("[(<P>)] CALL (<exec_size>) <label>", {
    opcode: 0x33,
    about: "the enabled channels go on at the subroutine, and behind the call when they return",
    ...{ kinds: label, control: "call" },
  }),
  form("[(<P>)] RET (<exec_size>)", {
    opcode: 0x34,
    about: "the enabled channels return from a subroutine, or end",
    control: "leave",
  }),
  ofThread("barrier", {
    opcode: 0x59,
    about: "waits for all threads of the group; memory is in order behind it",
    control: "barrier",
  }),
  ofThread("fence_local", {
    opcode: 0x5c,
    about: "orders what the thread does to shared local memory",
    ...{ words: cached, control: "fence" },
  }),
  ofThread("fence_global", {
    opcode: 0x5c,
    about: "orders what the thread does to memory",
    ...{ words: cached, control: "fence" },
  }),
  ofThread("lsc_fence", {
    opcode: 0x8b,
    about: "orders what the thread does to memory, for those of a scope",
    ...{ words: /^(?:ugm|ugml|slm|tgm)\.\w+\.\w+$/, control: "fence" },
  }),
];
