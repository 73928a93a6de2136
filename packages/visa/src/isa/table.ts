import { nearest } from "../../../../src/source/nearest.ts";
import type * as ast from "../ast.ts";
import { arithmetic } from "./arithmetic.ts";
import { atomics } from "./atomic.ts";
import { bits } from "./bits.ts";
import { blocks } from "./block.ts";
import { control } from "./control.ts";
import { askedBy, type Form } from "./define.ts";
import { functions } from "./functions.ts";
import { images } from "./image.ts";
import { logic } from "./logic.ts";
import { matrix } from "./matrix.ts";
import { memory } from "./memory.ts";
import { movement } from "./move.ts";
import { named } from "./named.ts";

/** Every instruction that ptxrun executes. */
export const forms: readonly Form[] = [
  ...arithmetic,
  ...matrix,
  ...functions,
  ...logic,
  ...bits,
  ...movement,
  ...memory,
  ...blocks,
  ...images,
  ...atomics,
  ...control,
];

/** By mnemonic: a few mnemonics have a line of text for each of their words, or for each count of operands. */
const formsNamed: ReadonlyMap<string, readonly Form[]> = new Map(
  forms.map(({ mnemonic }) => [mnemonic, forms.filter((form) => form.mnemonic === mnemonic)]),
);

/** The instructions that begin as a name does, for a message; undefined where there are none, or many. */
export function alike(name: string): string | undefined {
  const some = [...formsNamed.keys()].filter((each) => each.startsWith(name.slice(0, 2).toLowerCase()));
  return some.length === 0 || some.length > 12 ? undefined : some.join(", ");
}

/** The instruction that is written nearly so. */
export const meantBy = (name: string): string | undefined => nearest(name, [...formsNamed.keys(), ...known]);

/** Whether there is an instruction of this name. */
export const isNamed = (mnemonic: string): boolean => formsNamed.has(mnemonic);

/** Whether a line is known by name only: atomic operations on typed surfaces are. */
export const isKnown = ({ opcode: { text }, modifiers: [first] }: ast.Instruction): boolean =>
  known.has(text) || (/^lsc_(?:load_block2d|store_block2d|atomic)/.test(text) && first?.text === "tgm");

/** The entry for a line: of several with one name, the one that has its words and its count of operands. */
export function formOf(line: ast.Instruction): Form | undefined {
  const named = isKnown(line) ? [] : (formsNamed.get(line.opcode.text) ?? []);
  if (named.length < 2) return named[0];
  const taking = named.filter((form) => typeof askedBy(form, line) !== "string");
  return taking.find(({ operands }) => operands.length === line.operands.length) ?? taking[0] ?? named[0];
}

/** Opcodes of vISA that ptxrun knows by name only: they pass the verifier, and executing one ends the run. */
export const known: ReadonlySet<string> = new Set([
  ...named.map(({ mnemonic }) => mnemonic),
  ...`dp2 dp3 dp4 dph line pln sad2 sad2add rsqtm invm srnd fcvt lsc_load_strided lsc_store_strided
  subroutine wait yield fence breakpoint lifetime gather scatter gather4 scatter4 typed_atomic
  svm_scatter4scaled sample load gather4_3d info_3d vme_idm sample_kill_pix load_mcs load_2dms load_2dms_w
  gather4_c gather4_po gather4_po_c sampleinfo`.split(/\s+/),
]);
