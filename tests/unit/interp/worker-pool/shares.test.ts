import { describe, expect, it, vi } from "vitest";
import { Board, givenUp, whyGivenUp, workerState } from "../../../../src/interp/worker-pool/board.ts";
import { piecesOf, shareOf } from "../../../../src/interp/worker-pool/pieces.ts";
import { worthOf } from "../../../../src/interp/worker-pool/team.ts";

describe("a range of blocks", () => {
  it("is cut into pieces that follow on each other and are about as long", () => {
    for (const first of [0, 7, 100])
      for (const blocks of [1, 2, 5, 16, 17, 100, 1000])
        for (const count of [1, 2, 3, 8])
          for (const row of [1, 4, 10, 64]) {
            if (blocks < count) continue;
            const pieces = piecesOf({ first, end: first + blocks }, count, row);
            expect(pieces).toHaveLength(count);
            expect([pieces[0]!.first, pieces.at(-1)!.end]).toEqual([first, first + blocks]);
            for (const [at, piece] of pieces.entries()) {
              if (at > 0) expect(piece.first).toBe(pieces[at - 1]!.end);
              // Whole rows where each piece has two of them at least, so that no piece is empty.
              const rows = blocks >= 2 * count * row;
              if (rows && at > 0) expect(piece.first % row).toBe(0);
              expect(piece.end).toBeGreaterThan(piece.first);
              expect(Math.abs(piece.end - piece.first - blocks / count)).toBeLessThanOrEqual(rows ? row : 1);
            }
          }
  });

  it("is taken in eight shares by each worker, of whole rows where they are half a row at least", () => {
    expect(
      [
        [1, 2, 4],
        [16, 2, 1],
        [160, 2, 100],
        [161, 2, 100],
        [800, 2, 100],
        [816, 2, 100],
        [1600, 2, 100],
        [1601, 2, 100],
      ].map(([blocks, count, row]) => shareOf(blocks!, count!, row!)),
    ).toEqual([1, 1, 10, 11, 50, 100, 100, 200]);
  });

  it("is worth a workerPool where the rest takes as long with it as without it", () => {
    for (const size of [2, 3, 8])
      for (const lost of [10, 370]) {
        const work = worthOf(size, lost);
        expect(lost + work / (0.85 * size)).toBeCloseTo(work);
      }
    // Who has one worker only does not ask; it counts as two.
    expect(worthOf(1, 10)).toBe(worthOf(2, 10));
  });
});

describe("what workers tell each other", () => {
  it("is each worker's own, whatever the numbers", () => {
    const board = new Board(3);
    const other = new Board(board.buffer);
    const said = [0, 1, 2].map((worker) => ({
      why: worker === 1 ? givenUp.finding : givenUp.no,
      steps: [5, 2 ** 32, 2 ** 31 + 2 ** 40][worker]!,
      last: 1000 * worker - 1,
      carries: Array.from({ length: 32 }, (_, warp) => (0xffff_fff0 + worker + warp) >>> 0),
    }));
    for (const [worker, { why, steps, last, carries }] of said.entries()) {
      board.report(worker, why, steps, last, carries);
      board.set(worker, worker);
      for (let beat = 0; beat <= worker; beat++) board.beat(worker, 10 * worker + beat);
    }
    board.offer(40);
    expect(
      [0, 1, 2].map((worker) => ({
        why: other.why(worker),
        steps: other.steps(worker),
        last: other.last(worker),
        carries: other.carries(worker, 32),
      })),
    ).toEqual(said);
    expect([0, 1, 2].map((worker) => [other.state(worker), other.beats(worker), other.blocks(worker)])).toEqual([
      [workerState.idle, 1, 0],
      [workerState.working, 2, 11],
      [workerState.done, 3, 22],
    ]);
    expect([other.take(3), other.take(2), board.take(1)]).toEqual([40, 43, 45]);
    expect(other.carries(1, 2)).toHaveLength(2);
  });

  it("wakes who waits for a state, and who waits for any news", async () => {
    const board = new Board(3);
    const words = new Int32Array(board.buffer);
    const before = words.slice();
    const woken: number[] = [];
    const waiting = [...words.keys()].map(async (at) => {
      // A second is for who is never woken.
      const { value } = Atomics.waitAsync(words, at, words[at]!, 1000);
      if ((await value) === "ok") woken.push(at);
      return at;
    });
    board.set(1, workerState.done);
    const changed = [...words.keys()].filter((at) => words[at] !== before[at]);
    expect(changed).toHaveLength(2);
    await Promise.all(changed.map((at) => waiting[at]));
    expect(woken.sort((a, b) => a - b)).toEqual(changed);
  });

  it("lets a worker sleep until its state is another one, and a launch no longer than it says", () => {
    const board = new Board(2);
    const slept: unknown[] = [];
    vi.spyOn(Atomics, "wait").mockImplementation((_words, _at, value, ms) => {
      slept.push([value, ms]);
      if (ms === undefined) board.set(1, slept.length < 3 ? workerState.working : workerState.commit);
      return "ok";
    });
    board.set(1, workerState.working);
    expect(board.await(1, workerState.working)).toBe(workerState.commit);
    board.listen(board.bell, 70);
    vi.restoreAllMocks();
    expect(slept).toEqual([...Array(3).fill([workerState.working, undefined]), [board.bell, 70]]);
  });

  it("rings where a state changes, and says when to stop", () => {
    const board = new Board(2);
    const { bell } = board;
    board.set(1, workerState.done);
    expect(board.bell).toBe(bell + 1);
    expect(board.await(1, workerState.idle)).toBe(workerState.done);
    // Nothing to wait for: it has rung since.
    board.listen(bell, 10_000);
    expect(board.stop).toBe(false);
    board.stop = true;
    expect(board.stop).toBe(true);
    board.stop = false;
    expect(board.stop).toBe(false);
    expect(Object.keys(whyGivenUp).map(Number)).toEqual(Object.values(givenUp));
  });
});
