import { describe, expect, test } from "vitest";
import { blockOf, positionOf, rankOf } from "../../../src/interp/contract/launch/cluster-rank.ts";
import type { Dim3 } from "../../../src/interp/contract/launch/dim3.ts";
import { a, b as b_, operation, plus, remainder, times, wrap } from "../../../src/numeric/operation/build.ts";
import { Build, message, values } from "./build.ts";
import { bit, compute, on32 } from "./operations.ts";

const arrive = { shape: "cluster barrier", act: "arrive", aligned: false } as const;
const wait = { shape: "cluster barrier", act: "wait", aligned: false } as const;

test("a cluster is a box of the grid: ranks and places agree with the coordinates", () => {
  const [grid, extent]: [Dim3, Dim3] = [
    [6, 4, 2],
    [3, 2, 1],
  ];
  const seen = new Set<number>();
  for (let cluster = 0; cluster < 8; cluster++)
    for (let rank = 0; rank < 6; rank++) {
      const block = blockOf(cluster, rank, grid, extent);
      seen.add(block);
      const [x, y, z] = [block % 6, Math.floor(block / 6) % 4, Math.floor(block / 24)];
      expect(rankOf(block, grid, extent)).toBe(rank);
      expect((x % 3) + 3 * (y % 2)).toBe(rank);
      expect(positionOf(block, grid, extent).cluster).toEqual([Math.floor(x / 3), Math.floor(y / 2), z]);
    }
  expect(seen.size).toBe(48);
});

/** Each block writes its number into its shared memory, and reads that of the next block of its cluster. */
function ring(generic: boolean): Build {
  const b = new Build();
  b.sharedBytes = 64;
  b.variables = [{ name: "s", space: "shared", type: "b32", offset: 16, bytes: 4 }];
  const [rank, count, block] = [b.special("cluster_ctarank"), b.special("cluster_nctarank"), b.special("ctaid.x")];
  const mapped = plus(times(plus(remainder(plus(a, 1), b_), 1), 0x100_0000), 16);
  const next = on32(mapped);
  const far = operation({ a: "u32", b: "u32" }, "u64", wrap("u64", plus(0x4f01n << 32n, mapped)));
  const [at, d] = [b.reg("at", generic ? 64 : 32), b.reg("d")];
  b.store("shared", 32, undefined, block, 16n);
  b.do(compute(generic ? far : next), at, rank, count);
  b.do(arrive).do(wait);
  b.load(d, generic ? "generic" : "shared", 32, at);
  return b.do(arrive).do(wait).exit();
}

describe("blocks of a cluster", () => {
  test.each([false, true])("reach each other's shared memory (generic: %s)", (generic) => {
    for (const seed of [undefined, 3, 4]) {
      const session = ring(generic).session({
        grid: [12, 1, 1],
        block: [40, 1, 1],
        cluster: [4, 1, 1],
        ...(seed === undefined ? {} : { schedule: { seed } }),
      });
      expect(message(session.run())).toBe("exit");
      const got = Array.from({ length: 12 }, (_, block) => values(session, "d", 1, 1, block)[0]);
      expect(got).toEqual([1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8]);
    }
  });

  test("without a cluster a block is one", () => {
    const session = ring(false).session({ grid: [3, 1, 1] });
    expect(message(session.run())).toBe("exit");
    expect([0, 1, 2].map((block) => values(session, "d", 1, 0, block)[0])).toEqual([0, 1, 2]);
  });

  test("begin together and leave their rooms together", () => {
    const session = ring(false).session({ grid: [6, 1, 1], block: [32, 1, 1], cluster: [3, 1, 1] });
    const heard: string[] = [];
    session.observe({ begin: (block) => heard.push(`+${block}`), end: (block) => heard.push(`-${block}`) });
    session.run();
    expect(heard.slice(0, 3)).toEqual(["+0", "+1", "+2"]);
    const second = heard.indexOf("+3");
    expect(heard.slice(3, second).sort()).toEqual(["-0", "-1", "-2"]);
  });

  test("a rank that the cluster does not have is out of bounds", () => {
    const b = new Build();
    b.sharedBytes = 64;
    b.load(b.reg("d"), "shared", 32, b.constant(0x0300_0000)).exit();
    const session = b.session({ grid: [2, 1, 1], cluster: [2, 1, 1] });
    expect(message(session.run())).toContain("PTX3002");
  });

  test("the barrier's state is part of a snapshot", () => {
    const session = ring(false).session({ grid: [4, 1, 1], block: [64, 1, 1], cluster: [2, 1, 1] });
    for (let at = 0; at < 20; at++) {
      session.run({ budget: 1 });
      const image = session.snapshot();
      expect(message(session.run())).toBe("exit");
      session.restore(image);
      expect(message(session.run())).toBe("exit");
      expect([0, 1, 2, 3].map((block) => values(session, "d", 1, 1, block)[0])).toEqual([1, 0, 3, 2]);
      session.restore(image);
    }
  });

  test("does not wait for a block that has exited", () => {
    const b = new Build();
    const [block, p, d] = [b.special("ctaid.x"), b.pred("p"), b.reg("d")];
    b.do(compute(bit(0)), p, block);
    b.when(p).exit();
    b.do(arrive).do(wait).move(d, b.constant(7)).exit();
    const session = b.session({ grid: [2, 1, 1], block: [32, 1, 1], cluster: [2, 1, 1] });
    expect(message(session.run())).toBe("exit");
    expect(values(session, "d", 1)).toEqual([7]);
  });
});
