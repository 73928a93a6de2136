import type { DebugProtocol } from "@vscode/debugprotocol";
import { instructionText, placeName } from "../console/expression/place.ts";
import type { Debuggee } from "./debuggee.ts";
import { DapError } from "./problem.ts";
import type { Sources } from "./sources.ts";

/** Instructions that are given at most at once. */
const MOST = 10_000;

/** `count` instructions around one; where the program has none, such as before its first, they say so. */
export function disassemble(
  debuggee: Debuggee,
  sources: Sources,
  { memoryReference, instructionOffset = 0, offset = 0, instructionCount }: DebugProtocol.DisassembleArguments,
): DebugProtocol.DisassembledInstruction[] {
  const { program } = debuggee.debugger.session;
  const start = Number(memoryReference) + offset + instructionOffset;
  if (!Number.isInteger(start)) throw new DapError(`${memoryReference} is no instruction; expected 0x10 and the like`);
  return Array.from({ length: Math.min(Math.max(instructionCount, 0), MOST) }, (_, index) => {
    const pc = start + index;
    const instruction = program.code[pc];
    // Addresses have no sign: those before the program end where addresses do.
    const address = `0x${BigInt.asUintN(64, BigInt(pc)).toString(16)}`;
    if (instruction === undefined) return { address, instruction: "no instruction", presentationHint: "invalid" };
    const { source, line, column } = sources.place(pc, instruction);
    const label = placeName(program, pc);
    return {
      address,
      instruction: instructionText(program, pc),
      location: source,
      line,
      column,
      ...(!/[+*]/.test(label) && { symbol: label }),
    };
  });
}
