import type { Instruction } from "../../interp/contract/program.ts";
import type { Help } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";

/** Help that writes an instruction with another opcode, which an editor can take where the text has the opcode as it is. */
export function rewritten({ opcode, span }: Instruction, meant: string, why: string, source: Source): Help {
  const start = source.text.indexOf(opcode, span.start);
  const message = `write ${meant}${why}`;
  return start === -1 || start + opcode.length > span.end
    ? { message }
    : { message, replace: { span: { start, end: start + opcode.length }, text: meant } };
}
