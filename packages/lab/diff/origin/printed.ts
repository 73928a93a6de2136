import type { ThreadId } from "../../../../src/interp/contract/launch/thread-id.ts";
import type { Observer } from "../../../../src/interp/contract/observer.ts";
import type { Session } from "../../../../src/interp/machine/session.ts";

interface Printing {
  again(watch: (session: Session) => void, print: (text: string) => void): Promise<Session | undefined>;
}

interface Piece {
  readonly thread: ThreadId;
  readonly text: string;
}

/** Calls of printf that are stored. */
const MOST_PIECES = 100_000;

/** The thread that printed the first differing text: each thread's output is compared separately. */
export async function printedDifference(a: Printing, b: Printing): Promise<ThreadId | undefined> {
  const [one, other] = [await pieces(a), await pieces(b)];
  const [byA, byB] = [byThread(one), byThread(other)];
  const found = [...other, ...one].find(({ thread }) => byA.get(keyOf(thread)) !== byB.get(keyOf(thread)));
  return found?.thread;
}

const keyOf = ({ block, warp, lane }: ThreadId): string => `${block}/${warp}/${lane}`;

function byThread(all: readonly Piece[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { thread, text } of all) found.set(keyOf(thread), `${found.get(keyOf(thread)) ?? ""}${text}`);
  return found;
}

async function pieces(side: Printing): Promise<readonly Piece[]> {
  const found: Piece[] = [];
  let at = { block: 0, warp: 0, taken: 0 };
  const observer: Observer = {
    instruction: (block, warp, _pc, _active, taken) => {
      at = { block, warp, taken };
    },
  };
  const session = await side.again(
    (session) => session.observe(observer),
    (text) => {
      // The lanes of a call print one after the other.
      const lane = 31 - Math.clz32(at.taken & -at.taken);
      if (found.length < MOST_PIECES) found.push({ thread: { block: at.block, warp: at.warp, lane }, text });
      at = { ...at, taken: at.taken & (at.taken - 1) };
    },
  );
  session?.close();
  return found;
}
