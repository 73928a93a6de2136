import type * as ast from "../ast.ts";
import type { Form, ImageMessage, OperandKind, SyntaxOperand } from "./define.ts";
import { channelsOf } from "./message.ts";

const kinds: Readonly<Record<string, readonly OperandKind[]>> = {
  aoffimmi: ["immediate"],
  sampler: ["state"],
  surface: ["state"],
  data: ["data"],
  address: ["memory"],
};

/** An entry from the manual's line of text, whose last operands may be absent. */
function typed(syntax: string, given: Pick<Form, "opcode" | "about" | "image" | "optional">): Form {
  const [, predicable, name = "", names = ""] =
    /^(\[\(<P>\)\] )?([A-Z_0-9]+)(?:\.\S*)? \(<exec_size>\)((?: <\w+>)*)$/.exec(syntax) ?? [];
  return {
    syntax,
    ...given,
    mnemonic: name.toLowerCase(),
    predicable: predicable !== undefined,
    saturates: false,
    relations: [],
    types: () => undefined,
    modifiers: "none",
    check: [],
    operands: [...names.matchAll(/<(\w+)>/g)].map(
      ({ 1: each = "" }): SyntaxOperand => ({
        name: each,
        written: each === "dst",
        kinds: kinds[each] ?? ["raw"],
      }),
    ),
  };
}

const isNull = (operand: ast.Operand | undefined): boolean =>
  operand?.kind === "raw" && /^(?:%null|V0)$/.test(operand.variable.text);

/** An offset in texels, which no compiler of OpenCL writes. */
const shifts = (operand: ast.Operand | undefined): boolean => operand?.kind === "immediate" && operand.bits !== 0n;

/** `.RGBA`, and an offset of 0. */
function channelsAt(line: ast.Instruction): readonly number[] | string {
  if (line.modifiers.length > 1) return `${line.opcode.text} takes no .${line.modifiers[1]?.text} here`;
  const channels = channelsOf(line);
  return typeof channels === "object" && shifts(line.operands[0]) ? "an offset other than 0" : channels;
}

/** Through a sampler: `level` stands before the coordinates. */
const sampled =
  (level: boolean) =>
  (line: ast.Instruction): ImageMessage | string => {
    const channels = channelsAt(line);
    const [, sampler, surface, data, ...rest] = line.operands;
    if (typeof channels === "string") return channels;
    const parameters = withoutPair(rest);
    const [lod] = level ? parameters.splice(0, 1) : [];
    return { how: "sample", channels, sampler, surface, data, coordinates: parameters, level: lod };
  };

/** Texels by their numbers: the level stands behind the second coordinate. */
const fetched =
  (level: boolean) =>
  (line: ast.Instruction): ImageMessage | string => {
    const channels = channelsAt(line);
    const [, surface, data, ...rest] = line.operands;
    if (typeof channels === "string") return channels;
    const parameters = withoutPair(rest);
    const [lod] = level ? parameters.splice(2, 1) : [];
    return { how: "fetch", channels, surface, data, coordinates: parameters, level: lod };
  };

/** Dumps of IGC 2 have a second surface behind the destination, %null. */
const withoutPair = ([first, ...rest]: readonly ast.Operand[]): ast.Operand[] =>
  first === undefined ? [] : isNull(first) ? rest : [first, ...rest];

const given = (operands: readonly ast.Operand[]): readonly ast.Operand[] => operands.filter((each) => !isNull(each));

const byOffsets =
  (how: "fetch" | "store") =>
  (line: ast.Instruction): ImageMessage | string => {
    const channels = channelsOf(line);
    const [surface, u, v, r, , data] = line.operands;
    if (typeof channels === "string") return channels;
    return { how, channels, surface, data, coordinates: given([u, v, r].flatMap((each) => each ?? [])), alpha: 1 };
  };

const bySuffix =
  (how: "fetch" | "store") =>
  ({ opcode, modifiers, operands }: ast.Instruction): ImageMessage | string => {
    if (modifiers[0]?.text !== "tgm") return `${opcode.text} takes .tgm`;
    const data = operands.find((each): each is ast.Operand & { kind: "data" } => each.kind === "data");
    const memory = operands.find((each): each is ast.Operand & { kind: "memory" } => each.kind === "memory");
    if (data?.mask === undefined || data.bits !== 32 || memory === undefined)
      return `${opcode.text} says its data as X:d32.xyzw`;
    const { start, further = [] } = memory;
    const coordinates = [memory.variable, ...further].map(
      (variable, at): ast.Operand => ({ kind: "raw", variable, offset: at === 0 ? start : 0, span: variable.span }),
    );
    const channels = [...data.mask].map((letter) => "xyzw".indexOf(letter));
    return { how, channels, surface: memory, data, coordinates: given(coordinates), alpha: 1 };
  };

/** Typed messages: what images and their formats make of coordinates and texels. */
export const images: readonly Form[] = [
  typed(
    "[(<P>)] SAMPLE_L.<channels> (<exec_size>) <aoffimmi> <sampler> <surface> <dst> <lod> <u> <v> <r> <ai> <more>",
    {
      opcode: 0x6d,
      about: "samples an image at a level of detail",
      optional: 4,
      image: sampled(true),
    },
  ),
  typed("[(<P>)] SAMPLE_LZ.<channels> (<exec_size>) <aoffimmi> <sampler> <surface> <dst> <u> <v> <r> <ai> <more>", {
    opcode: 0x6d,
    about: "samples the first level of an image",
    optional: 4,
    image: sampled(false),
  }),
  typed("[(<P>)] LOAD_3D.<channels> (<exec_size>) <aoffimmi> <surface> <dst> <u> <v> <lod> <r> <more>", {
    opcode: 0x6e,
    about: "reads texels of an image by their numbers",
    optional: 3,
    image: fetched(true),
  }),
  typed("[(<P>)] LOAD_LZ.<channels> (<exec_size>) <aoffimmi> <surface> <dst> <u> <v> <r> <more>", {
    opcode: 0x6e,
    about: "reads texels of the first level of an image by their numbers",
    optional: 3,
    image: fetched(false),
  }),
  typed("RESINFO.<channels> (<exec_size>) <surface> <lod> <dst>", {
    opcode: 0x70,
    about: "the size of a level of an image, and how many levels it has",
    image: (line) => {
      const channels = channelsOf(line);
      const [surface, level, data] = line.operands;
      return typeof channels === "string" ? channels : { how: "size", channels, surface, data, coordinates: [], level };
    },
  }),
  typed("[(<P>)] GATHER4_TYPED.<channels> (<exec_size>) <surface> <u> <v> <r> <lod> <dst>", {
    opcode: 0x4b,
    about: "reads texels of an image, converted from its format; outside of it they are 0, 0, 0, 1",
    image: byOffsets("fetch"),
  }),
  typed("[(<P>)] SCATTER4_TYPED.<channels> (<exec_size>) <surface> <u> <v> <r> <lod> <src>", {
    opcode: 0x4c,
    about: "writes texels of an image, converted to its format",
    image: byOffsets("store"),
  }),
  typed("[(<P>)] LSC_LOAD_QUAD.tgm[.<caching>] (<exec_size>) <data> <address>", {
    opcode: 0x8a,
    about: "reads texels of an image, converted from its format",
    image: bySuffix("fetch"),
  }),
  typed("[(<P>)] LSC_STORE_QUAD.tgm[.<caching>] (<exec_size>) <address> <data>", {
    opcode: 0x8a,
    about: "writes texels of an image, converted to its format",
    image: bySuffix("store"),
  }),
];
