import { asyncCopy } from "./async-copy.ts";
import { asyncMemory } from "./async-memory.ts";
import { comparison } from "./comparison.ts";
import { control } from "./control.ts";
import type { Form, Section } from "./define.ts";
import { extended } from "./extended.ts";
import { float } from "./float.ts";
import { half } from "./half.ts";
import { integer } from "./integer.ts";
import { logic } from "./logic.ts";
import { matrix } from "./matrix.ts";
import { mbarrier } from "./mbarrier.ts";
import { miscellaneous } from "./miscellaneous.ts";
import { mixed } from "./mixed.ts";
import { movement } from "./movement.ts";
import { stack } from "./stack.ts";
import { synchronization } from "./synchronization.ts";
import { tensorMemory } from "./tensor-memory.ts";
import { texture } from "./texture.ts";
import { videos } from "./video.ts";

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

const byMnemonic = new Map<string, Form[]>();
for (const { forms } of table) {
  for (const form of forms) {
    const siblings = byMnemonic.get(form.mnemonic);
    if (siblings) siblings.push(form);
    else byMnemonic.set(form.mnemonic, [form]);
  }
}

/** The forms of a mnemonic; none for a name the table does not have. */
export const formsOf = (mnemonic: string): readonly Form[] => byMnemonic.get(mnemonic) ?? [];

/** Mnemonics of the table. */
export const mnemonics: readonly string[] = [...byMnemonic.keys()];
