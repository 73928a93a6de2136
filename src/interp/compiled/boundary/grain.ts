import { bytesTouched } from "../../contract/plan/effects.ts";
import type { Program } from "../../contract/program.ts";
import { observableAccesses } from "../../javascript/observed-access.ts";

/** Bytes of memory that one owner word stands for: as few as the program stores or updates at once, and four at most. */
export type Grain = 1 | 2 | 4;

const known = new WeakMap<Program, Grain>();

/** The grain of a program: where threads may store to parts of a word that others see, each part has an owner word. */
export function grainOf(program: Program): Grain {
  const grain = known.get(program) ?? leastOf(program);
  known.set(program, grain);
  return grain;
}

function leastOf({ code }: Program): Grain {
  const bytes = code.flatMap(({ plan, operands }) =>
    observableAccesses(plan)
      .filter(({ how, space }) => how !== "load" && (space === "global" || space === "shared"))
      .map((access) => bytesTouched(access, operands)),
  );
  return bytes.includes(1) ? 1 : bytes.includes(2) ? 2 : 4;
}
