import type { Program } from "../../../../src/interp/contract/program.ts";

/** `add.cu:12`: a file that the program was compiled from, by the end of its name, and a line of it. */
export interface OriginalPlace {
  /** As `.file` has it. */
  readonly file: string;
  readonly line: number;
}

/** Reads a place in a file that some instruction was compiled from; undefined for any other text. */
export function readOriginalPlace(text: string, { code }: Program): OriginalPlace | undefined {
  const [, name, digits] = /^(.+):(\d+)$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  for (const { location } of code)
    if (location !== undefined && (location.file === name || location.file.endsWith(`/${name}`)))
      return { file: location.file, line: Number(digits) };
  return undefined;
}

/**
 * The instructions at which a line begins: the first of each run of instructions that were compiled from it, or from the
 * next line that there are any of.
 */
export function startsOfLine({ file, line }: OriginalPlace, { code }: Program): readonly number[] {
  const isOwn = (pc: number): boolean => code[pc]?.location?.file === file;
  let best = Number.POSITIVE_INFINITY;
  for (const [pc, { location }] of code.entries())
    if (isOwn(pc) && location !== undefined && location.line >= line) best = Math.min(best, location.line);
  const isAt = (pc: number): boolean => isOwn(pc) && code[pc]?.location?.line === best;
  return [...code.keys()].filter((pc) => isAt(pc) && !isAt(pc - 1));
}
