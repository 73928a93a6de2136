import { corpus } from "./corpus.ts";
import { inputOf } from "./draw.ts";
import { container } from "./targets/container.ts";

/** The containers of some seeds, for who is fed otherwise than in this process. */
export function* containersOf(first: number, last: number): Iterable<readonly [seed: number, bytes: Buffer]> {
  const [bases, kept] = [container.bases(), corpus("container")];
  for (let seed = first; seed <= last; seed++) {
    const [latin1 = ""] = inputOf("container", container, bases, kept, seed);
    yield [seed, Buffer.from(latin1, "latin1")];
  }
}
