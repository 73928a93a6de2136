import type { Edit, MadeEdit } from "../../../../src/host/debugger/debugger.ts";
import { printable } from "../../../../src/present/text/escape.ts";
import { threadName } from "../expression/place.ts";
import type { Shell } from "../shell.ts";
import { show } from "./format.ts";

/** Bytes of memory that are shown at most. */
const MAX_SHOWN_BYTES = 16;

/** Lists the later manual changes that a new one has cut off; `before`: the changes until then. */
export function tellForgotten(shell: Shell, before: readonly MadeEdit[]): void {
  const { edits, position } = shell.debugger;
  const gone = before.filter((each) => !edits.some(({ edit }) => edit === each.edit));
  if (gone.length === 0) return;
  shell.out(`what was changed by hand after @${position} is forgotten with what was run there:\n`);
  for (const each of gone) shell.out(`  ${describeEdit(shell, each)}\n`);
}

/** `info changes`: what was changed by hand in this run. */
export function changes(shell: Shell): void {
  const { edits } = shell.debugger;
  if (edits.length === 0) shell.out("nothing was changed by hand\n");
  for (const each of edits) shell.out(`${describeEdit(shell, each)}\n`);
}

/** `@1 b0 t0: x = 40`. */
const describeEdit = (shell: Shell, { step, edit }: MadeEdit): string =>
  `@${step}${edit.thread === undefined ? "" : ` ${threadName(edit.thread, shell.debugger.session.program)}`}: ${editText(shell, edit)}`;

/** What was changed, and its new value. */
export function editText(shell: Shell, edit: Edit): string {
  switch (edit.kind) {
    case "carry":
      return `cc.cf = ${edit.value}`;
    case "instructions":
      return printable(edit.program.source.text.trim().replace(/\s+/g, " "));
    case "memory": {
      const bytes = [...edit.bytes.subarray(0, MAX_SHOWN_BYTES)].map((each) => each.toString(16).padStart(2, "0"));
      if (edit.bytes.length > MAX_SHOWN_BYTES) bytes.push("...");
      return `[${edit.space}:0x${edit.address.toString(16)}] = ${bytes.join(" ")}`;
    }
    case "register": {
      const { program } = shell.debugger.session;
      const { registers } = (edit.callee === undefined ? undefined : program.functions[edit.callee]) ?? program;
      const register = registers.find(({ name }) => name === edit.name);
      const type = register?.type ?? "b64";
      const values = edit.bits.map((bits) => show({ bits, type }));
      return `${printable(edit.name)} = ${values.join(", ")}`;
    }
  }
}
