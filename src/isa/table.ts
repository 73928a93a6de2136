import { alternate } from "./alternate-floating-point/alternate.ts";
import { comparison } from "./comparison-selection/comparison.ts";
import { control } from "./control-flow/control.ts";
import { asyncCopy } from "./data-movement/copy/async-copy.ts";
import { asyncMemory } from "./data-movement/copy/async-memory.ts";
import { besideCopies } from "./data-movement/copy/beside-copies.ts";
import { bulk } from "./data-movement/copy/bulk.ts";
import { movement } from "./data-movement/movement.ts";
import { extended } from "./extended-precision/extended.ts";
import { fabric } from "./fabric/fabric.ts";
import { float } from "./floating-point/float.ts";
import type { Form, Section } from "./form/define.ts";
import { half } from "./half-precision/half.ts";
import { integer } from "./integer/integer.ts";
import { logic } from "./logic-shift/logic.ts";
import { matrix } from "./matrix/matrix.ts";
import { miscellaneous } from "./miscellaneous/miscellaneous.ts";
import { mixed } from "./mixed-precision/mixed.ts";
import { stack } from "./stack/stack.ts";
import { mbarrier } from "./synchronization/mbarrier.ts";
import { synchronization } from "./synchronization/synchronization.ts";
import { tensorMemory } from "./tensor-memory/tensor-memory.ts";
import { texture } from "./texture-surface/texture.ts";
import { videos } from "./video/video.ts";

/** Every form that ptxrun knows, in the order of the manual. */
export const table: readonly Section[] = [
  integer,
  extended,
  float,
  half,
  mixed,
  alternate,
  comparison,
  logic,
  movement,
  asyncMemory,
  asyncCopy,
  bulk,
  besideCopies,
  fabric,
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
  // Unknown names come from the input, in unlimited number.
  if (forms.length > 0) found.set(mnemonic, forms);
  return forms;
}

/** Mnemonics of the table. */
export const mnemonics: readonly string[] = [...new Set(table.flatMap(({ mnemonics }) => mnemonics))];
