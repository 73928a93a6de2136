import { firstWithTensorCores, targetNumber } from "../../numeric/tensor/rules.ts";
import { archOf, relativeOf, targets } from "../../resolve/module/header/target.ts";
import { nearest } from "../../resolve/nearest.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { problem } from "../problem.ts";

/** The error in the name of a target; nothing without a name, and for one that is newer than any of its family. */
export function checkTarget(name: string | undefined): readonly Diagnostic[] {
  if (name === undefined || archOf(relativeOf(name) ?? name) !== undefined) return [];
  return [unknownTarget(name, `${targets.at(-1)} to ${targets[0]}`)];
}

function unknownTarget(name: string, expected: string): Diagnostic {
  const meant = nearest(name, targets);
  const help = meant === undefined ? [] : [{ message: `did you mean ${meant}?` }];
  return problem("PTX2003", `unknown target ${name}`, { expected, help });
}

/** The error in the name of a GPU whose tensor cores are to compute; nothing without a name. */
export function checkArch(name: string | undefined): readonly Diagnostic[] {
  if (name === undefined) return [];
  const least = `sm_${firstWithTensorCores}`;
  if (archOf(name) === undefined) return [unknownTarget(name, `${least} or later`)];
  if (targetNumber(name) >= firstWithTensorCores) return [];
  return [problem("PTX2003", `${name} has no tensor cores`, { expected: `${least} or later` })];
}
