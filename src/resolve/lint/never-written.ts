import { keysOf, type RegisterKey } from "../../interp/contract/liveness.ts";
import type { Operand } from "../../interp/contract/operand.ts";
import { imagesOf, isComputed, touchesOf, writtenBy } from "../../interp/contract/plan/effects.ts";
import type { Instruction, Program, Register } from "../../interp/contract/program.ts";
import type { Diagnostic, Help } from "../../source/diagnostic.ts";
import type { Source, Span } from "../../source/source.ts";
import { nearest } from "../nearest.ts";

/**
 * A warning for each register that is read although no instruction of the function writes it (PTX9108). In a snippet such
 * registers are inputs; in vISA a launch fills registers.
 */
export function neverWritten(program: Program): readonly Diagnostic[] {
  const { name, code, registers, source, dispatchSlot } = program;
  const [first] = code;
  if (name === "" || dispatchSlot !== undefined || first === undefined) return [];
  const reads = new Map<RegisterKey, Instruction>();
  const writes = new Map<RegisterKey, Instruction>();
  const unknown = new Set<string>();
  const note = (into: Map<RegisterKey, Instruction>, keys: readonly RegisterKey[], instruction: Instruction) => {
    for (const key of keys) if (!into.has(key)) into.set(key, instruction);
  };
  for (const instruction of code) {
    const { plan, operands, guard } = instruction;
    if (plan.shape === "gap") for (const each of plan.names ?? []) unknown.add(each);
    if (guard !== undefined) note(reads, [`p${guard.slot}`], instruction);
    for (const [at, operand] of operands.entries()) {
      if (at < writtenBy(plan) && operand?.kind !== "address") note(writes, keysOf(operand), instruction);
      else if (!isPart(operand, instruction)) note(reads, keysOf(operand), instruction);
    }
  }
  /** The first instruction that reads or writes any part of a register. */
  const firstIn = (found: ReadonlyMap<RegisterKey, Instruction>, { bank, slot, bits, elements }: Register) =>
    Array.from({ length: elements * (bits === 128 ? 2 : 1) }, (_, part) => found.get(`${bank}${slot + part}`))
      .filter((each) => each !== undefined)
      .toSorted((one, other) => one.span.start - other.span.start)[0];
  // A register in the function's head is a parameter, which the caller writes.
  const isInHead = ({ span }: Register) => source.text.slice(span.end, first.span.start).includes("{");
  return registers.flatMap((register): Diagnostic[] => {
    const reader = firstIn(reads, register);
    if (reader === undefined || firstIn(writes, register) || unknown.has(register.name) || isInHead(register))
      return [];
    // A compiler says of these that any value does.
    if (source.text.includes(`implicit-def: ${register.name}\n`)) return [];
    const span = placeOf(register, reader, source);
    const idle = registers.flatMap((each) => {
      const writer = firstIn(writes, each);
      const isAlike = each.type === register.type && each.elements === register.elements;
      const isBefore = writer !== undefined && writer.span.start < reader.span.start;
      return isAlike && isBefore && !firstIn(reads, each) ? [{ name: each.name, writer }] : [];
    });
    return [
      {
        code: "PTX9108",
        severity: "warning",
        source,
        span,
        message: `${register.name} is read, and no instruction of ${name} writes it`,
        expected: "a register that has a value",
        help: [wayOut(register, span, idle, source)],
      },
    ];
  });
}

/**
 * Whether an operand is only put beside others, as bytes, elements or an argument: compilers leave those undefined that nobody
 * looks at, such as the fourth of a vector with three elements, and the one byte of an empty class.
 */
function isPart(operand: Operand | undefined, { plan, operands, opcode }: Instruction): boolean {
  if (operand?.kind === "address" || operand?.kind === "predicate") return false;
  const sources = operands.length - writtenBy(plan);
  if (operand?.kind === "vector") return touchesOf(plan).length > 0 || imagesOf(plan) !== undefined || sources === 1;
  return /\.param\b/.test(opcode) || (isComputed(plan) && sources > 2 && /\.b\d/.test(opcode));
}

/** Where an instruction names a register. */
function placeOf(register: Register, { span }: Instruction, { text }: Source): Span {
  const [name = ""] = register.name.split("@");
  let start = text.indexOf(name, span.start);
  while (start >= 0 && /[\w$]/.test(text.charAt(start + name.length))) start = text.indexOf(name, start + 1);
  return start < 0 || start >= span.end ? span : { start, end: start + name.length };
}

/** `idle`: what is written and never read, and could hold the same values. */
function wayOut(
  { name }: Register,
  span: Span,
  idle: readonly { readonly name: string; readonly writer: Instruction }[],
  source: Source,
): Help {
  const meant =
    idle.length === 1
      ? idle[0]?.name
      : nearest(
          name,
          idle.map((each) => each.name),
        );
  const found = idle.find((each) => each.name === meant);
  if (found === undefined) return { message: `write ${name} first: in a run it is 0, on a GPU anything` };
  const { line } = source.position(found.writer.span.start);
  const replace = source.text.slice(span.start, span.end) === name ? { replace: { span, text: found.name } } : {};
  return { message: `did you mean ${found.name}, which is written on line ${line} and never read?`, ...replace };
}
