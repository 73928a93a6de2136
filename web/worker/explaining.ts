import type { Operand } from "../../src/interp/contract/operand.ts";
import type { Program } from "../../src/interp/contract/program.ts";
import { match } from "../../src/isa/match/match.ts";
import { formWords } from "../../src/present/form.ts";
import { instructionText, rowsAt } from "../../src/present/working/instruction.ts";
import type { Row } from "../../src/present/working/row.ts";
import type { Explanation, WorkingRow } from "../page/client.ts";
import { accessRows } from "./accesses.ts";
import { fragmentMaps } from "./fragments.ts";
import type { Standing } from "./standing.ts";
import { lineAt } from "./state.ts";

/** The instruction in a line, or the next one, worked through with the focused thread's values. */
export function explain(
  standing: Standing,
  line?: number,
  lastAt: (line: number | undefined) => number | undefined = () => undefined,
): Explanation | undefined {
  const { debugger: debugger_ } = standing.program;
  const { session, focus } = debugger_;
  const { program } = session;
  const here = debugger_.pcOf();
  const at = line === undefined ? here : program.code.findIndex((_, pc) => lineAt(standing, pc) === line);
  if (at === undefined) return undefined;
  const instruction = program.code[at];
  // Where the address leads says more than its bits.
  const memory = instruction !== undefined && here === at ? accessRows(standing, instruction) : [];
  return instruction === undefined
    ? elsewhere(standing, line ?? 0)
    : {
        ...described(program, at, here === undefined ? undefined : wordOf),
        line: lineAt(standing, at) ?? 0,
        rows: rows(at).filter(({ label }) => memory.length === 0 || !label.startsWith("[")),
        memory,
        last: here === undefined ? lastAt(lineAt(standing, at)) : undefined,
      };

  function wordOf(lane: number, operand: Operand): bigint {
    const thread = { ...focus, lane };
    return debugger_.machine.exists(thread) ? (session.operand(thread, operand)[0] ?? 0n) : 0n;
  }

  function rows(pc: number): readonly WorkingRow[] {
    if (here === undefined) return [{ label: "", text: "the thread has ended" }];
    try {
      return rowsAt(program, pc, (operand) => session.operand(focus, operand), session.carry(focus)).map(plain);
    } catch (error) {
      return [{ label: "", text: error instanceof Error ? error.message : String(error) }];
    }
  }
}

function described(
  program: Program,
  at: number,
  read?: (lane: number, operand: Operand) => bigint,
): Omit<Explanation, "line" | "rows" | "memory" | "last"> {
  const instruction = program.code[at];
  const form = formOf(instruction?.opcode ?? "");
  return {
    text: instructionText(program, at),
    syntax: form?.syntax,
    does: form === undefined || form.does.length === 0 ? undefined : form.does.join("\n"),
    fragments: instruction === undefined ? [] : fragmentMaps(program, instruction, read),
    since: form?.since.map((each) => (each.with === "" ? each.needs : `${each.with} from ${each.needs}`)).join("; "),
  };
}

/** An instruction of a kernel or a function that is not launched: it has no values. */
function elsewhere({ source, program: { footing } }: Standing, line: number): Explanation | undefined {
  const { module } = footing.loaded;
  if (module === undefined) return undefined;
  const before = source.text.split("\n", line).join("\n");
  // The names that were written last are tried first, and few: each body is read for it.
  const names = [...module.entries, ...module.functions]
    .map((name) => ({ name, at: before.lastIndexOf(name) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => other.at - one.at);
  for (const { name } of names.slice(0, 3)) {
    const program = module.kernel(name).value?.program;
    const at = program?.code.findIndex(({ span }) => source.position(span.start).line === line) ?? -1;
    if (program === undefined || at < 0) continue;
    const text = `${name} is not what is launched, so there are no values`;
    return { ...described(program, at), line, rows: [{ label: "", text }], memory: [], last: undefined };
  }
  return undefined;
}

function formOf(opcode: string) {
  const [mnemonic = "", ...words] = opcode.split(".");
  const found = match(mnemonic, words);
  const form = found.kind === "forms" ? found.candidates[0].form : undefined;
  return form && formWords(form, words);
}

const widths: Readonly<Record<string, number>> = { pred: 1 };

const plain = ({ label, text, inner, value }: Row): WorkingRow => ({
  label,
  text,
  ...(inner && { inner: inner.map(plain) }),
  ...(value && { value: { ...value, width: widths[value.type] ?? widthOf(value.type) } }),
});

/** Bits of a type by its name: `f16x2` has 32. */
function widthOf(type: string): number {
  const found = /^[a-z]+(\d+)(?:x(\d+))?/.exec(type);
  return found === null ? 32 : Number(found[1]) * Number(found[2] ?? 1);
}
