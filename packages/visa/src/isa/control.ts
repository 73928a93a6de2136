import { type Form, form, type SyntaxOperand } from "./define.ts";

/**
 * An instruction of a complete thread, without channels, from the manual's line of text. `words` follow its mnemonic,
 * in dots, and are for hardware; the line's own words there are part of its name.
 */
function ofThread(syntax: string, given: Pick<Form, "opcode" | "about" | "control"> & { words?: RegExp }): Form {
  const [, name = "", word, operands = ""] = /^(\w+)(?:\.(\w+))?((?: <\w+>)*)$/.exec(syntax) ?? [];
  const { words = new RegExp(`^${word ?? ""}$`), ...others } = given;
  return {
    syntax,
    mnemonic: name.toLowerCase(),
    ...others,
    predicable: false,
    saturates: false,
    relations: [],
    types: () => undefined,
    modifiers: "none" as const,
    check: [],
    whole: true,
    operands: [...operands.matchAll(/<(\w+)>/g)].map(
      ({ 1: each = "" }): SyntaxOperand => ({
        name: each,
        written: each === "dst",
        kinds: each === "dst" ? ["elements"] : each === "symbol" ? ["label"] : ["elements", "immediate"],
      }),
    ),
    message: ({ modifiers, opcode }) =>
      words.test(modifiers.map(({ text }) => text).join("."))
        ? { does: "load", bits: 32, held: 32, elements: [], block: false }
        : `${opcode.text} takes no such words`,
  };
}

const label = { label: ["label"] } as const;

/** Which caches a fence flushes besides: for hardware. */
const cached = /^e?i?s?c?r?(?:l1)?$/;

/** Control flow: where channels continue. */
export const control = [
  form("[(<P>)] JMP (<exec_size>) <label>", {
    opcode: 0x32,
    about: "all channels go on at the label, if any that the predicate names is enabled",
    kinds: label,
    control: "jump",
  }),
  form("[(<P>)] GOTO (<exec_size>) <label>", {
    opcode: 0x6c,
    about: "the enabled channels go on at the label, and meet the others again where their ways do",
    kinds: label,
    control: "goto",
  }),
  form("[(<P>)] CALL (<exec_size>) <label>", {
    opcode: 0x33,
    about: "the enabled channels go on at the subroutine, and behind the call when they return",
    kinds: label,
    control: "call",
  }),
  form("[(<P>)] RET (<exec_size>)", {
    opcode: 0x34,
    about: "the enabled channels return from a subroutine, or end",
    control: "leave",
  }),
  form("[(<P>)] FCALL (<exec_size>) <label> <arg_size> <return_size>", {
    opcode: 0x67,
    about:
      "the enabled channels go on at a function of its own, whose arguments are in %arg, and its results in %retval",
    kinds: { ...label, arg_size: ["count"], return_size: ["count"] },
    control: "stack call",
  }),
  {
    ...form("[(<P>)] IFCALL (<exec_size>) <func_addr> <arg_size> <return_size>", {
      opcode: 0x4f,
      about: "the same, at the function whose address it is",
      kinds: { func_addr: ["elements"], arg_size: ["count"], return_size: ["count"] },
      types: (types) => (types.every((each) => each === "ud" || each === "uq") ? undefined : "an address is ud or uq"),
      control: "indirect call",
    }),
    // Whether all channels call the same function is for hardware.
    relations: ["uniform"],
  },
  form("[(<P>)] FRET (<exec_size>)", {
    opcode: 0x68,
    about: "the enabled channels return from such a function",
    control: "leave",
  }),
  ofThread("FADDR <symbol> <dst>", {
    opcode: 0x50,
    about: "the address of a function, or of a symbol of the program's constants",
    control: "address",
  }),
  ofThread("BARRIER", {
    opcode: 0x59,
    about: "waits for all threads of the group; memory is in order behind it",
    control: "barrier",
  }),
  ofThread("SBARRIER.signal", {
    opcode: 0x7c,
    about: "says that the thread has come to the barrier of its group, and goes on",
    control: "signal",
  }),
  ofThread("SBARRIER.wait", {
    opcode: 0x7c,
    about: "waits until all threads of the group have signalled",
    control: "wait",
  }),
  ofThread("NBARRIER.signal <id> <num_threads>", {
    opcode: 0x60,
    about: "says that the thread has come to the barrier of this number, which so many threads come to",
    control: "signal",
  }),
  ofThread("NBARRIER.signal <id> <type> <num_producers> <num_consumers>", {
    opcode: 0x60,
    about: "the same as producer and consumer (type 0), producer (1) or consumer (2)",
    control: "signal",
  }),
  ofThread("NBARRIER.wait <id>", {
    opcode: 0x60,
    about: "waits until all producers and consumers of the barrier have signalled",
    control: "wait",
  }),
  ofThread("FENCE_LOCAL", {
    opcode: 0x5c,
    about: "orders what the thread does to shared local memory",
    words: cached,
    control: "fence",
  }),
  ofThread("FENCE_GLOBAL", {
    opcode: 0x5c,
    about: "orders what the thread does to memory",
    words: cached,
    control: "fence",
  }),
  ofThread("FENCE_SW", {
    opcode: 0x5c,
    about: "keeps the compiler from moving messages across it",
    control: "fence",
  }),
  ofThread("FENCE_GLOBAL_SW", {
    opcode: 0x5c,
    about: "keeps the compiler from moving messages across it",
    control: "fence",
  }),
  ofThread("LSC_FENCE", {
    opcode: 0x8b,
    about: "orders what the thread does to memory, for those of a scope",
    words: /^(?:ugm|ugml|slm|tgm)\.\w+\.\w+$/,
    control: "fence",
  }),
];
