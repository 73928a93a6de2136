import { integer } from "./9.7.1-integer/integer.ts";
import { extended } from "./9.7.2-extended-precision/extended.ts";
import { float } from "./9.7.3-floating-point/float.ts";
import { half } from "./9.7.4-half-precision/half.ts";
import { mixed } from "./9.7.5-mixed-precision/mixed.ts";
import { comparison } from "./9.7.6-comparison-selection/comparison.ts";
import { logic } from "./9.7.8-logic-shift/logic.ts";
import { asyncCopy } from "./9.7.9-data-movement/async-copy.ts";
import { asyncMemory } from "./9.7.9-data-movement/async-memory.ts";
import { besideCopies } from "./9.7.9-data-movement/beside-copies.ts";
import { bulk } from "./9.7.9-data-movement/bulk.ts";
import { movement } from "./9.7.9-data-movement/movement.ts";
import { texture } from "./9.7.10-texture-surface/texture.ts";
import { control } from "./9.7.12-control-flow/control.ts";
import { mbarrier } from "./9.7.13-synchronization/mbarrier.ts";
import { synchronization } from "./9.7.13-synchronization/synchronization.ts";
import { matrix } from "./9.7.14-matrix/matrix.ts";
import { tensorMemory } from "./9.7.16-tensor-memory/tensor-memory.ts";
import { stack } from "./9.7.17-stack/stack.ts";
import { videos } from "./9.7.18-video/video.ts";
import { miscellaneous } from "./9.7.19-miscellaneous/miscellaneous.ts";
import type { Form, Section } from "./form/define.ts";

/** Every form that ptxrun knows, in the order of the manual. */
export const table: readonly Section[] = [
  integer,
  extended,
  float,
  half,
  mixed,
  comparison,
  logic,
  movement,
  asyncMemory,
  asyncCopy,
  bulk,
  besideCopies,
  texture,
  control,
  synchronization,
  mbarrier,
  matrix,
  tensorMemory,
  stack,
  videos,
  miscellaneous,
];

const found = new Map<string, readonly Form[]>();

/**
 * The forms of a mnemonic; none for a name the table does not have. Only sections that have it are looked into: in the
 * package a section is loaded when its forms are first asked for (bundle/late.js).
 */
export function formsOf(mnemonic: string): readonly Form[] {
  const known = found.get(mnemonic);
  if (known !== undefined) return known;
  const forms = table
    .filter(({ mnemonics }) => mnemonics.includes(mnemonic))
    .flatMap(({ forms }) => forms.filter((form) => form.mnemonic === mnemonic));
  // Names that are none come from the input, without end.
  if (forms.length > 0) found.set(mnemonic, forms);
  return forms;
}

/** Mnemonics of the table. */
export const mnemonics: readonly string[] = [...new Set(table.flatMap(({ mnemonics }) => mnemonics))];
