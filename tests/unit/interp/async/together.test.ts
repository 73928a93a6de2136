import { describe, expect, it } from "vitest";
import { Asynchrony } from "../../../../src/interp/async/asynchrony.ts";
import type { AsyncFinding } from "../../../../src/interp/async/judge.ts";
import { lineOf, type Site } from "../../../../src/interp/async/operation.ts";
import { Random } from "../../../../src/interp/contract/launch/random.ts";
import { Memory } from "../../../../src/interp/index.ts";
import { arrivals } from "../../../../src/interp/javascript/async/barrier.ts";
import { areFree, copyOf, placesOf, writesOf } from "../../../../src/interp/javascript/async/copy.ts";
import { Source } from "../../../../src/source/source.ts";
import { draws } from "../../../share.ts";

const source = new Source("t", "copy");
const siteAt = (pc: number): Site => ({ pc, opcode: "copy", source, span: { start: 0, end: 4 } });
const BYTES = 8192;

/** An engine over global memory and some of a block's shared memory, with the copies of warps as steps ask for them. */
function engine(together: boolean) {
  const memory = new Memory({ limit: 1 << 20 });
  const from = Number(BigInt.asUintN(32, memory.allocate({ name: "in", bytes: BYTES })!));
  for (let at = 0; at < BYTES; at++) memory.put(from + at, Uint8Array.of((at * 7 + (at >> 8)) & 0xff));
  const to = memory.reserve({ name: "shared", bytes: BYTES + 16, align: 256, kind: "window", shadow: 1 | 8 })!;
  memory.know(to, BYTES + 16);
  // mbarrier objects: a phase of a warp and more, and one that ends between lanes.
  const objects = [to + BYTES, to + BYTES + 8];
  const findings: AsyncFinding[] = [];
  const report = (finding: AsyncFinding) => findings.push(finding);
  const asynchrony = new Asynchrony({ memory, moving: { when: "late" }, observers: [], report });
  const by = (pc: number, warp: number, lane: number) => ({ site: siteAt(pc), thread: { block: 0, warp, lane } });
  for (const [nth, at] of objects.entries()) asynchrony.barriers.init(at, nth === 0 ? 48 : 20, by(0, 0, 0));
  let wholes = 0;
  const ask = (pc: number, warp: number, lanes: number, bytes: number, places: readonly Place[]) => {
    const copies = {
      bytes,
      to: Int32Array.from(places, (place) => to + place.to),
      from: places.map((place) => from + place.from),
      read: places.map(({ read }) => read),
    };
    const started = (part: number, among: number) => {
      const own = placesOf(part, copies);
      return { lanes: part, among, bytes, places: own, writes: writesOf(own, bytes)! };
    };
    if (together && areFree(lanes, copies, memory.shadow.s32) && started(lanes, lanes).writes !== undefined) {
      wholes++;
      asynchrony.issueTogether(lineOf("cp.async", { block: 0, warp, lane: 0 }), lanes, (part) => {
        const thread = { block: 0, warp, lane: 31 - Math.clz32(part & -part) };
        return copyOf(siteAt(pc), thread, started(part, lanes), memory.data);
      });
      return;
    }
    for (let lane = 0; lane < 32; lane++)
      if ((lanes >>> lane) & 1) {
        const alone = (1 << lane) >>> 0;
        asynchrony.issue(copyOf(siteAt(pc), { block: 0, warp, lane }, started(alone, alone), memory.data));
      }
  };
  const each = (lanes: number, act: (lane: number, lanes: number) => void) => {
    if (together) act(31 - Math.clz32(lanes & -lanes), lanes);
    else for (let lane = 0; lane < 32; lane++) if ((lanes >>> lane) & 1) act(lane, (1 << lane) >>> 0);
  };
  const arrive = (pc: number, warp: number, lanes: number, nth: number, counted: boolean) =>
    each(lanes, (lane, mask) => {
      const at = objects[nth]!;
      for (let some = mask; !counted && some !== 0; some &= some - 1) asynchrony.barriers.increment(at, 1);
      asynchrony.issueBehind(line(warp, lane), mask, (part, after) =>
        arrivals(by(pc, warp, lane), at, { lanes: part, among: mask }, after),
      );
    });
  const line = (warp: number, lane: number) => lineOf("cp.async", { block: 0, warp, lane });
  return {
    ask,
    arrive,
    /** A thread asks for the phase before the present one. */
    observe: (warp: number, nth: number) => {
      const at = objects[nth]!;
      asynchrony.poll(at, by(98, warp, 0));
      asynchrony.observe(at, (asynchrony.barriers.state(at).phase + 7) % 8, by(98, warp, 0).thread);
    },
    states: () => objects.map((at) => asynchrony.barriers.state(at)),
    asynchrony,
    memory,
    to,
    from,
    commit: (warp: number, lanes: number) => each(lanes, (lane, mask) => asynchrony.commit(line(warp, lane), mask)),
    wait: (warp: number, lanes: number, pending: number) =>
      each(lanes, (lane, mask) => asynchrony.wait(line(warp, lane), pending, siteAt(99), false, mask)),
    wholes: () => wholes,
    findings: () =>
      findings.map(({ code, thread, site, related, help }) => [code, thread, site.pc, related[0]?.thread, help]),
    bytes: () => Buffer.from(memory.data.u8.subarray(to, to + BYTES)).toString("hex"),
    shadow: () => [from, to].map((at) => Buffer.from(memory.shadow.u8.subarray(at, at + BYTES)).toString("hex")),
  };
}

interface Place {
  readonly from: number;
  readonly to: number;
  readonly read: number;
}

/** Who is in the way, and what advice there is. */
const met = ({ asynchrony }: ReturnType<typeof engine>, at: number, bytes: number): readonly unknown[] =>
  asynchrony
    .inTheWay(at, bytes, "write")
    .map(({ flight, how }) => [flight.number, flight.operation.thread, how, asynchrony.advice(flight)]);

describe("what lanes of a warp ask for together", () => {
  it("is what each of them asks for, whoever waits for it, and whatever is in its way", () => {
    let [wholes, found] = [0, 0];
    for (let seed = 1; seed <= draws(3, 18); seed++) {
      const random = new Random(seed);
      const both = [engine(true), engine(false)] as const;
      const masks = [0xffff_ffff, 0xffff_ffff, 0x0000_ffff, 0xaaaa_aaaa, 0x8000_0001];
      const mask = (): number => masks[random.below(seed % 3 === 0 ? 5 : 2)]!;
      for (let step = 0; step < 60; step++) {
        const [warp, lanes] = [random.below(2), mask()];
        switch (random.below(8)) {
          case 0:
          case 1: {
            const bytes = [4, 8, 16][random.below(3)]!;
            const [a, b] = [random.below(BYTES / 16 - 32) * 16, random.below(BYTES / 16 - 32) * 16];
            const [xor, part] = [random.below(8), random.below(3)];
            const places = Array.from({ length: 32 }, (_, lane) => ({
              from: a + lane * bytes,
              to: b + (lane ^ xor) * bytes,
              read: part === 0 ? [0, 4, bytes][(lane + xor) % 3]! : bytes,
            }));
            for (const each of both) each.ask(step, warp, lanes, bytes, places);
            break;
          }
          case 2:
            for (const each of both) each.commit(warp, lanes);
            break;
          case 3: {
            const pending = random.below(3);
            for (const each of both) each.wait(warp, lanes, pending);
            break;
          }
          case 4: {
            const [nth, counted] = [random.below(2), random.below(2) === 0];
            for (const each of both) each.arrive(step, warp, lanes, nth, counted);
            break;
          }
          case 5: {
            const nth = random.below(2);
            const drains = random.below(4) === 0;
            for (const each of both) {
              // The check of waits has reset it before none can go on.
              each.asynchrony.changed = false;
              if (drains) each.asynchrony.drain();
              else each.observe(warp, nth);
            }
            expect(both[0].states()).toEqual(both[1].states());
            break;
          }
          default: {
            const [at, bytes] = [random.below(BYTES - 64), 1 + random.below(8)];
            if (seed % 2 === 0)
              for (const where of ["to", "from"] as const) {
                const [one, other] = both.map((each) => met(each, each[where] + at, bytes));
                expect(one).toEqual(other);
              }
          }
        }
        if (step % 6 === 5) expect(both[0].shadow()).toEqual(both[1].shadow());
        expect(both[0].findings()).toEqual(both[1].findings());
      }
      const views = both.map(({ asynchrony }) =>
        [...asynchrony.flights].map(({ number, moved, phase, operation: { thread, writes, after } }) => [
          [number, moved, phase],
          [thread, writes],
          after?.filter(asynchrony.isInFlight).map((flight) => flight.number),
        ]),
      );
      expect(views[0]).toEqual(views[1]);
      for (const each of both) each.asynchrony.end(0, each.to, each.to + BYTES);
      expect(both[0].asynchrony.idle).toBe(true);
      expect(both[0].findings()).toEqual(both[1].findings());
      if (both[0].findings().every(([code]) => code === "PTX4023")) expect(both[0].bytes()).toBe(both[1].bytes());
      wholes += both[0].wholes();
      found += both[0].findings().length;
    }
    expect(wholes).toBeGreaterThan(draws(16, 100));
    expect(found).toBeGreaterThan(draws(16, 100));
  });
});
