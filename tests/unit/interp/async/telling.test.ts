import { expect, it } from "vitest";
import { Asynchrony } from "../../../../src/interp/async/asynchrony.ts";
import { lineOf, type Operation, type Site } from "../../../../src/interp/async/operation.ts";
import type { Observer } from "../../../../src/interp/contract/observer.ts";
import { Memory } from "../../../../src/interp/index.ts";
import { ALLOCATED, WINDOWED } from "../../../../src/interp/memory/shadow.ts";
import { Source } from "../../../../src/source/source.ts";

const thread = { block: 0, warp: 0, lane: 0 };
const site: Site = { pc: 7, opcode: "copy", source: new Source("t", "copy"), span: { start: 0, end: 4 } };
const line = lineOf("cp.async", thread);

/** An engine whose observer notes what it is told: the kind, the space, the offset from the start of that memory, the bytes. */
function engine() {
  const memory = new Memory({ limit: 1 << 20 });
  const place = (name: string, kind: "window" | "global"): number =>
    memory.reserve({ name, bytes: 4096, align: 256, kind, shadow: ALLOCATED | (kind === "window" ? WINDOWED : 0) })!;
  const starts = { shared: place("s", "window"), global: place("g", "global") };
  for (const start of Object.values(starts)) memory.know(start, 4096);
  const told: string[] = [];
  const note =
    (what: string): NonNullable<Observer["load"]> =>
    (_, space, address, bytes) =>
      void told.push(`${what} ${space}+${Number(address) - starts[space as "shared"]} ${bytes}`);
  const observer = { load: note("load"), store: note("store"), atomic: note("atomic") } as Observer;
  const asynchrony = new Asynchrony({ memory, moving: { when: "late" }, observers: [observer], report: () => {} });
  const copy = (more: Partial<Operation> = {}): Operation => ({
    site,
    thread,
    what: "copy",
    proxy: "generic",
    completion: { kind: "group", line },
    perform: () => {},
    reads: [{ start: starts.global + 16, bytes: 8 }],
    writes: [{ start: starts.shared + 32, bytes: 8 }],
    ...more,
  });
  return { asynchrony, copy, told, starts, taken: () => told.splice(0) };
}

const [read, written] = ["load global+16 8", "store shared+32 8"];

it("what an operation has read and written is told once, at the wait, with the space that it lies in", () => {
  const { asynchrony, copy, starts, taken } = engine();
  const back = {
    reads: [{ start: starts.shared + 64, bytes: 4 }],
    writes: [{ start: starts.global + 128, bytes: 4 }],
    updates: true,
  } as const;
  asynchrony.issue(copy());
  asynchrony.issue(copy(back));
  asynchrony.commit(line);
  expect(taken()).toEqual([]);
  asynchrony.wait(line, 0, site);
  expect(taken()).toEqual([read, written, "load shared+64 4", "atomic global+128 4"]);
  asynchrony.wait(line, 0, site);
  expect(taken()).toEqual([]);
});

it("what it has read is told at a wait for that, and not once more", () => {
  const { asynchrony, copy, taken } = engine();
  asynchrony.issue(copy());
  asynchrony.commit(line);
  asynchrony.wait(line, 0, site, true);
  expect(taken()).toEqual([read]);
  asynchrony.wait(line, 0, site, true);
  expect(taken()).toEqual([]);
  asynchrony.wait(line, 0, site);
  expect(taken()).toEqual([written]);
});

it("what stands before an arrival is told with it, and then by no wait", () => {
  const { asynchrony, copy, starts, taken } = engine();
  const at = starts.shared + 1024;
  asynchrony.barriers.init(at, 2, { site, thread });
  const first = asynchrony.issue(copy());
  const arrival = asynchrony.issue(
    copy({ reads: [], writes: [], after: [first], completion: { kind: "mbarrier", at, bytes: 0, arrivals: 1 } }),
  );
  asynchrony.move(arrival);
  expect(taken()).toEqual([read, written, "atomic shared+1024 8"]);
  asynchrony.commit(line);
  asynchrony.wait(line, 0, site, true);
  asynchrony.wait(line, 0, site);
  expect(taken()).toEqual([]);
});
