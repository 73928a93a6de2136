import type { Input } from "./input.ts";

interface Found {
  readonly input: Input;
  readonly shapes: readonly number[];
}

const sizeOf = (input: Input): number => input.reduce((sum, part) => sum + part.length, 0);

/** Inputs that together show all that was seen: those that show most of what is left, first; at most so many characters. */
export function distilled(all: readonly Found[], most: number): readonly Input[] {
  const left = new Set(all.flatMap(({ shapes }) => shapes));
  const inputs: Input[] = [];
  let size = 0;
  const rest = [...all];
  while (left.size > 0 && rest.length > 0) {
    const worth = rest.map(
      ({ input, shapes }) => shapes.filter((shape) => left.has(shape)).length / (200 + sizeOf(input)),
    );
    const best = worth.indexOf(Math.max(...worth));
    const [{ input, shapes }] = rest.splice(best, 1) as [Found];
    if (worth[best] === 0) break;
    if (size + sizeOf(input) > most) continue;
    size += sizeOf(input);
    inputs.push(input);
    for (const shape of shapes) left.delete(shape);
  }
  return inputs;
}
