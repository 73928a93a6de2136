import { describe, expect, test } from "vitest";
import type { Session } from "../../../src/interp/machine/session.ts";
import { Build, message, thread, values } from "./build.ts";
import { add, compute, less } from "./operations.ts";

const sync = { shape: "barrier", act: "sync", aligned: true } as const;

/** Each of two warps counts at a barrier between two additions. */
function counting(): Build {
  const b = new Build();
  const [n, one, zero] = [b.reg("n"), b.constant(1), b.constant(0)];
  b.do(compute(add), n, n, one);
  b.do(sync, zero);
  return b.do(compute(add), n, n, one).do(sync, zero).do(compute(add), n, n, one).exit();
}

const pcOf = (session: Session, at: ReturnType<typeof thread>): number => {
  const stop = session.run({ stepping: "into", thread: at });
  if (stop.reason !== "step") throw new Error(message(stop));
  return stop.pc;
};

describe("a barrier", () => {
  test("holds a warp until the other has come", () => {
    const b = counting();
    const seen: string[] = [];
    const session = b.session({ block: [64, 1, 1] });
    session.observe({
      instruction: (_block, warp, pc) => {
        if (pc % 2 === 0) seen.push(`${warp}:${pc}`);
      },
    });
    expect(message(session.run())).toBe("exit");
    // Whoever comes last goes on at once.
    expect(seen).toEqual(["0:0", "1:0", "1:2", "0:2", "0:4", "1:4"]);
    expect(values(session, "n", 32, 1)).toEqual(Array(32).fill(3));
  });

  test("is part of a snapshot", () => {
    const session = counting().session({ block: [96, 1, 1] });
    for (let at = 0; at < 11; at++) {
      session.run({ budget: 1 });
      const image = session.snapshot();
      expect(message(session.run())).toBe("exit");
      const steps = session.steps;
      expect([0, 1, 2].map((warp) => values(session, "n", 1, warp)[0])).toEqual([3, 3, 3]);
      session.restore(image);
      expect(message(session.run())).toBe("exit");
      expect([0, 1, 2].map((warp) => values(session, "n", 1, warp)[0])).toEqual([3, 3, 3]);
      expect(session.steps).toBe(steps);
      session.restore(image);
    }
  });

  test("keeps a thread that is stepped where it is, until it goes on", () => {
    const session = counting().session({ block: [64, 1, 1] });
    const first = thread(0, 0);
    expect(pcOf(session, first)).toBe(1);
    // It has arrived, and stays there.
    expect(pcOf(session, first)).toBe(1);
    // The others have come: it goes on without having executed anything more.
    expect(pcOf(session, first)).toBe(2);
    expect(values(session, "n", 1, 0)).toEqual([1]);
    expect(pcOf(session, first)).toBe(3);
    // The last to come passes at once.
    const second = thread(0, 1);
    const other = counting().session({ block: [64, 1, 1] });
    expect(pcOf(other, second)).toBe(1);
    expect(pcOf(other, second)).toBe(2);
  });

  test("tells observers who has met there, and of blocks that begin and end", () => {
    const session = counting().session({ block: [40, 1, 1], grid: [2, 1, 1] });
    const heard: string[] = [];
    session.observe({
      barrier: (block, id, threads) =>
        heard.push(`barrier ${id} of ${block}: ${[...threads].map((mask) => mask.toString(16))}`),
      begin: (block) => heard.push(`begin ${block}`),
      end: (block) => heard.push(`end ${block}`),
    });
    session.run();
    const barrier = (block: number): string => `barrier 0 of ${block}: ffffffff,ff`;
    expect(heard).toEqual(
      [0, 1].flatMap((block) => [`begin ${block}`, barrier(block), barrier(block), `end ${block}`]),
    );
  });

  test("that lanes leave by exiting counts those that are left", () => {
    // Lanes 0 to 3 wait, the others exit one after the other behind them.
    const b = new Build();
    const [tid, p, n, zero] = [b.special("tid.x"), b.pred("p"), b.reg("n"), b.constant(0)];
    b.do(compute(less), p, tid, b.constant(4));
    b.when({ ...p, negated: true }).branch("out");
    b.do(sync, zero).do(compute(add), n, n, b.constant(1)).exit();
    b.label("out").exit();
    const session = b.session({ block: [32, 1, 1] });
    expect(message(session.run())).toBe("exit");
    expect(values(session, "n", 6)).toEqual([1, 1, 1, 1, 0, 0]);
    expect(session.findings.map(({ code }) => code)).toEqual(["PTX4011"]);
  });

  test("does not let blocks begin that need not", () => {
    // A block that waits at its barriers is no reason for another one.
    const session = counting().session({ block: [64, 1, 1], grid: [40, 1, 1] });
    const running = new Set<number>();
    let most = 0;
    session.observe({
      begin: (block) => {
        running.add(block);
        most = Math.max(most, running.size);
      },
      end: (block) => running.delete(block),
    });
    session.run();
    expect(most).toBe(1);
  });
});
