import type { Random } from "../../executors/random.ts";
import type { Input } from "../input.ts";
import { mutated, mutatedJson, mutatedLines, wordsOf } from "../mutation.ts";

/** Messages, a line each, of which some are others, in another order, or no JSON. */
export function changedMessages([text = ""]: Input, random: Random): Input {
  let lines = text.split("\n");
  for (let more = 1 + random.below(5); more > 0; more--) {
    const at = random.below(lines.length);
    const line = lines[at] ?? "";
    const kind = random.below(10);
    if (kind < 2) lines = mutatedLines(lines.join("\n"), random).split("\n");
    else if (kind === 2) lines[at] = mutated(line, wordsOf([line]), random).replaceAll("\n", " ");
    else lines[at] = changedMessage(line, random);
  }
  return [lines.join("\n")];
}

function changedMessage(line: string, random: Random): string {
  try {
    return JSON.stringify(mutatedJson(JSON.parse(line), random));
  } catch {
    return line;
  }
}
