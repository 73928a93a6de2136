import type * as ast from "../ast.ts";
import type { Message } from "./define.ts";
import { channelsOf, message, numberOf, upTo } from "./message.ts";

type Direction = Message["does"];

/** Dwords at scaled offsets into a surface. */
const ofDwords =
  (does: Direction) =>
  (line: ast.Instruction): Message | string => {
    const elements = channelsOf(line);
    return typeof elements === "string"
      ? elements
      : { does, bits: 32, held: 32, elements, block: false, aligned: true };
  };

/** `V:d32.xyw`: dwords at an address, of a register each that the letters name. */
const ofQuad =
  (does: Direction) =>
  (line: ast.Instruction): Message | string => {
    const asked = ofData(does)(line);
    const data = line.operands.find((each): each is ast.Operand & { kind: "data" } => each.kind === "data");
    if (typeof asked === "string" || data === undefined) return asked;
    if (data.mask === undefined || data.count !== 1) return `${line.opcode.text} says its data as X:d32.xyzw`;
    return { ...asked, elements: [...data.mask].map((letter) => "xyzw".indexOf(letter)) };
  };

/** One, two or four bytes at an offset into a surface, as one number. */
const ofBytes =
  (does: Direction) =>
  (line: ast.Instruction): Message | string => {
    const bytes = numberOf(line, 0, 1, 2, 4);
    if (typeof bytes === "string") return bytes;
    return { does, bits: (8 * bytes) as 8 | 16 | 32, held: 32, elements: [0], block: false };
  };

/** Blocks at addresses: of 4 or 8 bytes one by one, of a byte as one number. */
const ofBlocks =
  (does: Direction) =>
  (line: ast.Instruction): Message | string => {
    const size = numberOf(line, 0, 1, 4, 8);
    const count = numberOf(line, 1, 1, 2, 4, 8);
    if (typeof size === "string") return size;
    if (typeof count === "string") return count;
    if (size === 1)
      return { does, bits: (8 * count) as Message["bits"], held: count === 8 ? 64 : 32, elements: [0], block: false };
    return { does, bits: size === 8 ? 64 : 32, held: size === 8 ? 64 : 32, elements: upTo(count), block: false };
  };

/** `V:d32x4t`: the line gives the shape of its data; .ugm and .slm give the memory, cache hints are for hardware. */
const ofData =
  (does: Direction) =>
  (line: ast.Instruction): Message | string => {
    const [where] = line.modifiers;
    if (where === undefined || !["ugm", "ugml", "slm"].includes(where.text))
      return `${line.opcode.text} takes .ugm or .slm`;
    const data = line.operands.find((each): each is ast.Operand & { kind: "data" } => each.kind === "data");
    if (data === undefined) return `${line.opcode.text} says its data as X:d32`;
    if (data.bits < 32 && !data.widened) return `registers hold dwords: :d${data.bits}u32`;
    return {
      does,
      bits: data.bits as Message["bits"],
      held: data.bits === 64 ? 64 : 32,
      elements: upTo(data.count),
      block: data.transposed,
    };
  };

/** Contiguous owords, at an offset that counts in `unit` bytes. */
const ofOwords =
  (does: Direction, unit: 1 | 16, ...words: readonly string[]) =>
  ({ modifiers, opcode, execution }: ast.Instruction): Message | string => {
    const strange = modifiers.find(({ text }) => !words.includes(text));
    if (strange !== undefined) return `${opcode.text} takes no .${strange.text}`;
    if (execution !== undefined && ![1, 2, 4, 8].includes(execution.size)) return "1, 2, 4 or 8 owords";
    return { does, bits: 32, held: 32, elements: [0], block: false, owords: { unit } };
  };

/** Messages that load and store. */
export const memory = [
  message("[(<P>)] GATHER4_SCALED.<channels> (<exec_size>) <surface> <offset> <element_offset> <dst>", {
    opcode: 0x74,
    about: "loads dwords from offsets into a surface",
    asks: ofDwords("load"),
  }),
  message("[(<P>)] SCATTER4_SCALED.<channels> (<exec_size>) <surface> <offset> <element_offset> <src>", {
    opcode: 0x75,
    about: "stores dwords to offsets into a surface",
    asks: ofDwords("store"),
  }),
  message("[(<P>)] GATHER_SCALED.<num_blocks> (<exec_size>) <surface> <offset> <element_offset> <dst>", {
    opcode: 0x78,
    about: "loads 1, 2 or 4 bytes from offsets into a surface; the rest of each dword is 0",
    asks: ofBytes("load"),
  }),
  message("[(<P>)] SCATTER_SCALED.<num_blocks> (<exec_size>) <surface> <offset> <element_offset> <src>", {
    opcode: 0x79,
    about: "stores 1, 2 or 4 bytes to offsets into a surface",
    asks: ofBytes("store"),
  }),
  message("[(<P>)] SVM_GATHER.<block_size>.<num_blocks> (<exec_size>) <addresses> <dst>", {
    opcode: 0x4e,
    about: "loads blocks from addresses",
    asks: ofBlocks("load"),
  }),
  message("[(<P>)] SVM_SCATTER.<block_size>.<num_blocks> (<exec_size>) <addresses> <src>", {
    opcode: 0x4e,
    about: "stores blocks to addresses",
    asks: ofBlocks("store"),
  }),
  message("OWORD_LD[.mod] (<size>) <surface> <offset> <dst>", {
    opcode: 0x35,
    about: "loads owords in one piece, from an offset in owords into a surface, whatever channels are enabled",
    scalar: { offset: ["ud"] },
    asks: ofOwords("load", 16, "mod"),
  }),
  message("OWORD_LD_UNALIGNED[.mod] (<size>) <surface> <offset> <dst>", {
    opcode: 0x3c,
    about: "loads owords in one piece, from an offset in bytes into a surface, whatever channels are enabled",
    scalar: { offset: ["ud"] },
    asks: ofOwords("load", 1, "mod"),
  }),
  message("OWORD_ST (<size>) <surface> <offset> <src>", {
    opcode: 0x36,
    about: "stores owords in one piece, to an offset in owords into a surface, whatever channels are enabled",
    scalar: { offset: ["ud"] },
    asks: ofOwords("store", 16),
  }),
  message("SVM_BLOCK_LD[.unaligned] (<size>) <address> <dst>", {
    opcode: 0x4e,
    about: "loads owords in one piece from an address, whatever channels are enabled",
    scalar: { address: ["uq"] },
    asks: ofOwords("load", 1, "unaligned"),
  }),
  message("SVM_BLOCK_ST (<size>) <address> <src>", {
    opcode: 0x4e,
    about: "stores owords in one piece to an address, whatever channels are enabled",
    scalar: { address: ["uq"] },
    asks: ofOwords("store", 1),
  }),
  message("[(<P>)] SVM_GATHER4SCALED.<channels> (<exec_size>) <address> <element_offset> <dst>", {
    opcode: 0x4e,
    about: "loads dwords from offsets to an address",
    scalar: { address: ["uq", "ud"] },
    asks: ofDwords("load"),
  }),
  message("[(<P>)] LSC_LOAD_QUAD.<sfid>[.<caching>] (<exec_size>) <data> <address>", {
    opcode: 0x89,
    about: "loads up to four dwords from addresses",
    asks: ofQuad("load"),
  }),
  message("[(<P>)] LSC_STORE_QUAD.<sfid>[.<caching>] (<exec_size>) <address> <data>", {
    opcode: 0x89,
    about: "stores up to four dwords to addresses",
    asks: ofQuad("store"),
  }),
  message("[(<P>)] LSC_LOAD.<sfid>[.<caching>] (<exec_size>) <data> <address>", {
    opcode: 0x89,
    about: "loads from addresses",
    asks: ofData("load"),
  }),
  message("[(<P>)] LSC_STORE.<sfid>[.<caching>] (<exec_size>) <address> <data>", {
    opcode: 0x89,
    about: "stores to addresses",
    asks: ofData("store"),
  }),
];
