import { expect, it } from "vitest";
import { BulkQueues } from "../../../../src/interp/async/bulk-queues.ts";
import { type Flight, lineOf, type Site, warpOfQueue } from "../../../../src/interp/async/operation.ts";
import { Random } from "../../../../src/interp/contract/launch/random.ts";
import { Source } from "../../../../src/source/source.ts";

const site: Site = { pc: 0, opcode: "wait", source: new Source("t", "wait"), span: { start: 0, end: 4 } };

/** What one lane has in flight, as the manual has it: each thread has groups of its own (PTX ISA, Non-bulk copy). */
interface Own {
  open: Flight[];
  groups: Flight[][];
}

it("lanes of a warp have groups of their own, however they are asked for, closed and waited for together", () => {
  for (let seed = 0; seed < 12; seed++) {
    const random = new Random(seed);
    const lines = new BulkQueues(() => {});
    // Lanes of two warps in two blocks, the last ones of a warp among them.
    const warps = [
      { block: 0, warp: 0 },
      { block: 1, warp: 31 },
    ];
    const lanes = [0, 1, 5, 30, 31];
    const model = new Map<number, Own>();
    const numberOf = (warp: (typeof warps)[0], lane: number): number => lineOf("cp.async", { ...warp, lane });
    for (const warp of warps) for (const lane of lanes) model.set(numberOf(warp, lane), { open: [], groups: [] });
    const own = (warp: (typeof warps)[0], lane: number): Own => model.get(numberOf(warp, lane))!;
    for (let step = 0; step < 60; step++) {
      const warp = warps[random.below(2)]!;
      const some = lanes.filter(() => random.below(2) === 0);
      const [lane = 0] = some;
      const mask = some.reduce((all, each) => (all | (1 << each)) >>> 0, 0);
      const line = numberOf(warp, lane);
      switch (random.below(7)) {
        case 0:
        case 1: {
          const flight = { operation: { thread: { ...warp, lane } } } as Flight;
          lines.join(line, flight);
          own(warp, lane).open.push(flight);
          break;
        }
        case 2:
        case 3:
          lines.commit(line, mask);
          for (const each of some) {
            const mine = own(warp, each);
            mine.groups.push(mine.open);
            mine.open = [];
          }
          break;
        case 4: {
          const pending = random.below(3);
          const take = random.below(3) > 0;
          const found = new Set(lines.due(line, mask, pending, site, take));
          const wanted = some.flatMap((each) => {
            const mine = own(warp, each);
            const count = Math.max(mine.groups.length - pending, 0);
            return (take ? mine.groups.splice(0, count) : mine.groups.slice(0, count)).flat();
          });
          expect(found).toEqual(new Set(wanted));
          break;
        }
        case 5: {
          // What has been ordered by other means leaves the queue.
          const flights = [...own(warp, lane).groups.flat(), ...own(warp, lane).open];
          const landed = new Set(flights.filter(() => random.below(2) === 0));
          const isLeft = (flight: Flight): boolean => !landed.has(flight);
          if (some.length > 0) expect(lines.left(line, (1 << lane) >>> 0, isLeft)).toEqual(flights.filter(isLeft));
          if (some.length > 0)
            Object.assign(own(warp, lane), {
              open: own(warp, lane).open.filter(isLeft),
              groups: own(warp, lane).groups.map((group) => group.filter(isLeft)),
            });
          break;
        }
        default:
          if (random.below(4) > 0 || some.length === 0) break;
          lines.forget(line);
          Object.assign(own(warp, lane), { open: [], groups: [] });
      }
      for (const each of warps)
        for (const at of lanes) {
          const { open, groups } = own(each, at);
          const number = numberOf(each, at);
          const queue = lines
            .save()
            .get(warpOfQueue(number))
            ?.find(({ lanes: some }) => (some >>> at) & 1);
          const there = queue && [...queue.groups.flat(), ...queue.open].filter((flight) => flight.operation.thread.lane === at); // biome-ignore format: one thought
          expect(there ?? []).toEqual([...groups.flat(), ...open]);
          for (const [index, group] of groups.entries())
            for (const flight of group) expect(lines.newer(number, flight)).toBe(groups.length - 1 - index);
          for (const flight of open) expect(lines.newer(number, flight)).toBeUndefined();
        }
      for (const there of lines.save().values()) {
        const bits = there.reduce((sum, { lanes: each }) => sum + each, 0);
        expect(bits).toBe(there.reduce((all, { lanes: each }) => (all | each) >>> 0, 0));
      }
      const parts = lines.parts(line, mask);
      if (mask !== 0) expect(parts.reduce((sum, each) => sum + each, 0)).toBe(mask);
    }
    lines.end(1);
    expect([...lines.save().keys()].every((key) => key < 128)).toBe(true);
    lines.end(0);
    expect(lines.save().size).toBe(0);
  }
});

it("says how many groups are newer than one that is in flight", () => {
  const lines = new BulkQueues(() => {});
  const line = lineOf("bulk", { block: 0, warp: 0, lane: 3 });
  const flight = { operation: { thread: { block: 0, warp: 0, lane: 3 } } } as Flight;
  const help = () => lines.advice(line, flight).help;
  lines.join(line, flight);
  expect(help()).toBe("its group is not committed yet: cp.async.bulk.commit_group, then cp.async.bulk.wait_group 0");
  for (const than of ["no group is newer", "one group is newer", "2 groups are newer", "3 groups are newer"]) {
    lines.commit(line, 1 << 3);
    expect(help()).toMatch(`${than} than its own`);
  }
  expect(lines.advice(line, flight).last).toBeUndefined();
  lines.due(line, 1 << 3, 4, site, true);
  expect(lines.advice(line, flight).last).toEqual({ site, pending: 4 });
});
