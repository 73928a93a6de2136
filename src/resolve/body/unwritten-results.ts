import { elements, type Operand } from "../../interp/contract/operand.ts";
import { writtenBy } from "../../interp/contract/plan/effects.ts";
import type { Program } from "../../interp/contract/program.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { spanOf } from "../declaration/block-names.ts";
import type { LaunchedFunction } from "./function-call.ts";

/**
 * A note for each result in a register that no instruction of the function writes (PTX4001). Whether those in memory
 * are written is seen in the run.
 */
export function unwrittenResults({ entry, func, signature }: LaunchedFunction, program: Program): Diagnostic[] {
  const code = program.functions.find(({ name }) => name === entry.name);
  const start = code?.entry;
  if (code === undefined || typeof start !== "number") return [];
  const others = program.functions.flatMap((each) => (Number(each.entry) > start ? Number(each.entry) : []));
  const body = program.code.slice(start, Math.min(program.code.length, ...others));
  const written = new Set(
    body.flatMap(({ plan, operands }) =>
      operands
        .slice(0, writtenBy(plan))
        .flatMap((each) => (each ? elements(each) : []))
        .map(place),
    ),
  );
  const places = [...code.results];
  return signature.results.flatMap(({ name, space, elements }): Diagnostic[] => {
    const own = places.splice(0, space === "reg" ? elements : 1);
    if (own.some((each) => each.kind === "memory" || written.has(place(each.slot)))) return [];
    const what = name === undefined || name.text === "_" ? "a result" : name.text;
    return [
      {
        code: "PTX4001",
        severity: "note",
        message: `${entry.name} returns ${what}, and nothing in it writes that`,
        source: program.source,
        span: spanOf(name ?? func.name),
      },
    ];
  });
}

const place = (operand: Operand): string =>
  operand.kind === "slot" ? `${operand.bank}${operand.slot}` : operand.kind === "predicate" ? `p${operand.slot}` : "";
