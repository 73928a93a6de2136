import { afterEach, describe, expect, it, vi } from "vitest";
import { executors } from "../../../../src/interp/create-session.ts";
import { type GivenUp, givenUp, workerState } from "../../../../src/interp/worker-pool/board.ts";
import { Member } from "../../../../src/interp/worker-pool/member.ts";
import type { LaunchMessage, RangeMessage } from "../../../../src/interp/worker-pool/message.ts";
import { handedOver, ScriptedPool } from "./scripted-pool.ts";
import { kernel } from "./several-workers.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Each block runs some sixty thousand instructions; `body` besides. */
const long = (body = ""): string =>
  kernel(`LONG: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 20000; @%p1 bra LONG; ${body} st.global.u32 [%rd3], 7;`);
const short = (body = ""): string => kernel(`setp.eq.u32 %p2, %r1, 5; ${body} st.global.u32 [%rd3], 7;`);

/** The second of two workers of a launch, which has been told of it; what it says after a range. */
function worker(text: string, { index = 1, change = {} as Partial<LaunchMessage>, names = executors } = {}) {
  const workerPool = new ScriptedPool(2);
  const launch = handedOver(text, workerPool, 1, { grid: 200 });
  const member = new Member(names);
  const mine = workerPool.posted.splice(0).flatMap((posted) => (posted.worker === index ? [posted.message] : []));
  let asked: RangeMessage | undefined;
  let places: readonly number[] = [];
  for (const message of mine)
    if (message.kind === "range") asked = message;
    else if (message.kind === "memory") member.receive(message);
    else {
      ({ places } = message);
      member.receive({ ...message, ...change });
    }
  const { board } = workerPool;
  const told = (range: Partial<RangeMessage>) => {
    const beats = board.beats(index);
    member.receive({ ...asked!, share: undefined, ...range });
    expect(board.state(index)).toBe(workerState.done);
    const said = { why: board.why(index), steps: board.steps(index), last: board.last(index) };
    return { ...said, beats: board.beats(index) - beats, begun: board.blocks(index) };
  };
  return { ...launch, board, member, told, index, places, each: launch.session.steps };
}

describe("a worker", () => {
  it("shows that it is alive each 500 000 instructions, and each 2000 in the first eighth of a piece that is not the first one", () => {
    for (const blocks of [8, 17]) {
      const first = worker(long(), { index: 0 });
      const all = blocks * first.each;
      const range = { first: 1, end: 1 + blocks };
      const said = { why: givenUp.no, steps: all, last: blocks };
      expect(first.told(range)).toMatchObject({ ...said, beats: Math.floor(all / 500_000) });
      const second = worker(long());
      // Up to the first look at which the block behind them has begun.
      const early = Math.floor((Math.ceil(blocks / 8) * second.each) / 2000) + 1;
      const rest = Math.floor((all - 2000 * early) / 500_000);
      expect(second.told(range)).toMatchObject({ ...said, beats: early + rest });
      const sharing = worker(long());
      sharing.board.offer(1);
      expect(sharing.told({ ...range, share: blocks })).toMatchObject({ ...said, beats: Math.floor(all / 500_000) });
    }
  });

  it("says how many blocks it has begun", () => {
    const { told, each } = worker(long());
    // At the last sign of life, of those in a piece of two, two of them had begun.
    expect(told({ first: 1, end: 3 })).toMatchObject({ steps: 2 * each, last: 2, begun: 2 });
  });

  it("gives up at the limit of steps, and when it is told to", () => {
    const { told, board } = worker(long());
    expect(told({ first: 1, end: 9, most: 5000 })).toMatchObject({ why: givenUp.limit, steps: 5000 });
    board.stop = true;
    expect(told({ first: 1, end: 9 })).toMatchObject({ why: givenUp.stopped, steps: 2000 });
    board.offer(1);
    expect(told({ first: 1, end: 18, share: 17 })).toMatchObject({ why: givenUp.stopped, steps: 500_000 });
    board.stop = false;
    expect(told({ first: 1, end: 2 })).toMatchObject({ why: givenUp.no });
  });

  const printing = `{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd5; st.param.b64 [a], %rd6; call (r), vprintf, (f, a); }`;
  const text = kernel(
    `mov.u64 %rd5, text; cvta.global.u64 %rd5, %rd5; mov.u64 %rd6, 0; setp.ne.u32 %p2, %r1, 5; @%p2 bra END; ${printing} END:`,
    `.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a); .global .align 1 .b8 text[4] = {104, 105, 10, 0};`,
  );
  it.each<[string, string, GivenUp]>([
    ["faults", short("@%p2 ld.global.u32 %r6, [%rd1+65536];"), givenUp.fault],
    ["has a finding", short("@%p2 ld.shared.u32 %r6, [tile];"), givenUp.finding],
    ["prints", text, givenUp.print],
  ])("gives up where a block %s, and goes on elsewhere", (_, source, why) => {
    const { told } = worker(source);
    expect(told({ first: 1, end: 5 })).toMatchObject({ why: givenUp.no, last: 4 });
    expect(told({ first: 4, end: 8 })).toMatchObject({ why, last: 7 });
    expect(told({ first: 6, end: 8 })).toMatchObject({ why: givenUp.no, last: 7 });
  });

  it("gives up where the launch's own allocations lie elsewhere than its own", () => {
    const { places } = worker(short());
    expect(places).toHaveLength(7);
    for (const at of places.keys()) {
      const change = { places: places.with(at, places[at]! + 4096) };
      expect(worker(short(), { change }).told({ first: 1, end: 2 })).toMatchObject({ why: givenUp.layout, steps: 0 });
    }
  });

  it("says that it has failed where it was told too little", () => {
    for (const change of [{ executor: "none" }, { program: undefined }]) {
      const { told, board, index } = worker(short(), { change });
      expect(() => told({ first: 1, end: 2 })).toThrow("the worker was told too little");
      expect([board.state(index), board.why(index), board.last(index)]).toEqual([workerState.done, givenUp.bug, -1]);
    }
  });

  it("takes shares until none is left, and says which block was its last", () => {
    const { told, board } = worker(short());
    board.offer(3);
    expect(told({ first: 3, end: 10, share: 3 })).toMatchObject({ why: givenUp.no, last: 9 });
    // The look behind the end is one more.
    expect(board.take(0)).toBe(3 + 4 * 3);
    expect(told({ first: 3, end: 10, share: 3 })).toMatchObject({ why: givenUp.no, last: -1, steps: 0 });
  });

  it("puts what it has stored into the memory when told so, and drops it otherwise", () => {
    const { told, board, member, index, data } = worker(short());
    const word = (at: number): bigint => data.toBits("u32")[at]!;
    told({ first: 1, end: 2 });
    expect([member.conclude(false), word(1)]).toEqual([false, 0n]);
    board.set(index, workerState.drop);
    expect([member.conclude(true), word(1), board.state(index)]).toEqual([true, 0n, workerState.idle]);
    told({ first: 2, end: 3 });
    board.set(index, workerState.commit);
    expect([member.conclude(false), word(1), word(2), board.state(index)]).toEqual([true, 0n, 7n, workerState.idle]);
  });
});
