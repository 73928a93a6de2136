import { describe, expect, it } from "vitest";
import { Random } from "../../../../src/interp/contract/launch/random.ts";
import { ledgerBytes, ledgerOf } from "../../../../src/interp/memory/ledger.ts";
import { Linear } from "../../../../src/interp/memory/linear.ts";
import { Memory, PAGE } from "../../../../src/interp/memory/memory.ts";
import { Overlay } from "../../../../src/interp/memory/overlay.ts";
import { markOf } from "../../../../src/interp/memory/reduction-mark.ts";
import { INITIALISED, STORED } from "../../../../src/interp/memory/shadow.ts";
import { conflict, type PageChanges, storedPages } from "../../../../src/interp/worker-pool/conflict.ts";

const PAGES = 6;

/** An overlay over a memory with one allocation whose bytes are random, and initialised but for its last page. */
function overlay(random: Random) {
  const memory = new Memory({ limit: 1 << 20 });
  const at = Number(BigInt.asUintN(32, memory.allocate({ name: "data", bytes: PAGES * PAGE, align: PAGE })!));
  memory.put(
    at,
    Uint8Array.from({ length: (PAGES - 1) * PAGE }, () => random.below(256)),
  );
  memory.know(at, PAGES * PAGE);
  const pages = memory.linear.distance / PAGE;
  const ledger = ledgerOf(new SharedArrayBuffer(ledgerBytes(pages)), pages);
  const own = new Overlay({ limit: 1 << 20, linear: new Linear(memory.linear.distance), base: memory.linear, ledger });
  own.allocations.restore(memory.allocations.save());
  return { memory, at, ledger, own, page: at / PAGE };
}

/** As an access does it: memory is asked where the bytes' shadow does not say yet that all is well. */
const load = (own: Overlay, at: number, bytes: number): void => {
  if (!own.all(at, bytes, INITIALISED, INITIALISED)) own.know(at, bytes);
};

function store(own: Overlay, at: number, values: readonly number[]): void {
  if (!own.all(at, values.length, own.storing, own.storing)) {
    own.know(at, values.length, false);
    own.initialise(at, values.length);
    own.noteStore(at);
  }
  own.data.u8.set(values, at);
}

describe("what a page's ledger says of reads", () => {
  it("is what was asked for at first, then all from there to the page's end, or to its beginning", () => {
    const { own, at, ledger, page } = overlay(new Random(1));
    const known = (): readonly number[] => [ledger.low[page]!, ledger.high[page]!];
    load(own, at + 64, 4);
    expect(known()).toEqual([64, 68]);
    load(own, at + 68, 4);
    expect(known()).toEqual([64, PAGE]);
    load(own, at + 60, 4);
    expect(known()).toEqual([0, PAGE]);
    load(own, at + PAGE + 64, 4);
    load(own, at + PAGE + 60, 4);
    expect([ledger.low[page + 1], ledger.high[page + 1]]).toEqual([0, 68]);
  });

  it("is nothing where bytes were stored only, and all of a page that is borrowed whole", () => {
    const { own, at, ledger, page } = overlay(new Random(2));
    store(own, at + 8, [1, 2, 3, 4]);
    load(own, at + 8, 4);
    expect(ledger.high[page]).toBe(0);
    own.whole = true;
    load(own, at + PAGE, 4);
    expect([ledger.low[page + 1], ledger.high[page + 1]]).toEqual([0, PAGE]);
  });
});

describe("a page of which each byte is stored", () => {
  it("is committed at once, and initialised from then on", () => {
    const { own, memory, at } = overlay(new Random(3));
    // The last page: nothing of it is initialised.
    const start = at + (PAGES - 1) * PAGE;
    const values = Array.from({ length: PAGE }, (_, byte) => byte % 251);
    store(own, start, values);
    own.sweep();
    own.commit();
    expect([...memory.data.u8.subarray(start, start + PAGE)]).toEqual(values);
    expect(memory.all(start, PAGE, INITIALISED | STORED, INITIALISED)).toBe(true);
  });

  it("is added to where each word is reduced, also where one has been read before", () => {
    for (const reads of [false, true]) {
      const { own, memory, at } = overlay(new Random(4));
      const before = memory.data.u32.slice(at / 4, (at + PAGE) / 4);
      for (let word = at; word < at + PAGE; word += 4) {
        expect(own.reduces(word, 4, markOf("add32"))).toBe(true);
        own.data.u32[word / 4] = 5;
      }
      if (reads) for (const word of [64, 68]) load(own, at + word, 4);
      if (reads) expect(own.data.u32[(at + 64) / 4]).toBe((before[16]! + 5) >>> 0);
      own.sweep();
      own.commit();
      expect([...memory.data.u32.slice(at / 4, (at + PAGE) / 4)]).toEqual([...before].map((word) => (word + 5) >>> 0));
    }
  });
});

/**
 * Random loads, stores and additions by one worker, beside a model that does them on bytes. Whatever is loaded that the worker
 * has not stored must count as read, must be what is there, and must make a conflict with whoever has changed it before.
 */
function wrongIn(seed: number): string[] {
  const wrong: string[] = [];
  const judge = (right: boolean, what: string): void => {
    if (!right) wrong.push(`${what} of seed ${seed}`);
  };
  const random = new Random(seed);
  const { own, memory, at, ledger, page } = overlay(random);
  const end = (PAGES - 1) * PAGE;
  const model = memory.data.u8.slice(at, at + PAGES * PAGE);
  const add = markOf("add32");
  own.careful = random.below(2) === 0;
  for (let round = 0; round < 3; round++) {
    const foreign = new Set<number>();
    const stored = new Set<number>();
    for (let step = 0; step < 40; step++) {
      const [first, few] = [random.below(3) * PAGE, 32 * (1 + random.below(3))];
      const bytes = 2 ** random.below(4);
      const place = Math.min(first + random.below(few) * bytes + (random.below(8) === 0 ? 2 * PAGE - 64 : 0), end - 8);
      const from = place - (place % bytes);
      const what = random.below(5);
      if (what < 2) {
        load(own, at + from, bytes);
        for (let byte = from; byte < from + bytes; byte++)
          judge(own.data.u8[at + byte] === model[byte], `what byte ${byte} holds in step ${step}`);
        for (let byte = from; byte < from + bytes; byte++) if (!stored.has(byte)) foreign.add(byte);
      } else if (what < 4) {
        const values = Array.from({ length: bytes }, () => random.below(256));
        store(own, at + from, values);
        model.set(values, from);
        for (let byte = from; byte < from + bytes; byte++) stored.add(byte);
      } else {
        const cell = from - (from % 4);
        const by = random.below(2 ** 32);
        const word = new DataView(model.buffer, cell, 4);
        word.setUint32(0, (word.getUint32(0, true) + by) >>> 0, true);
        if (!own.reduces(at + cell, 4, add)) {
          load(own, at + cell, 4);
          own.initialise(at + cell, 4);
          own.noteStore(at + cell);
          for (let byte = cell; byte < cell + 4; byte++) if (!stored.has(byte)) foreign.add(byte);
          for (let byte = cell; byte < cell + 4; byte++) stored.add(byte);
        }
        own.data.s32[(at + cell) >> 2]! += by;
      }
      if (round === 2 && step === 20) own.whole = true;
    }
    own.sweep();
    const touched = [...storedPages(ledger, ledger.flags.length)];
    const later: PageChanges = { ledger, data: own.data, shadow: own.shadow, stored: touched };
    for (const byte of foreign) {
      const where = page + Math.floor(byte / PAGE);
      judge(ledger.low[where]! <= byte % PAGE && byte % PAGE < ledger.high[where]!, `the ledger of byte ${byte}`);
      if (random.below(foreign.size) > 4) continue;
      const earlier = changing(memory, at + byte);
      judge(conflict(earlier, later, [where], memory.data, true), `the conflict at byte ${byte}`);
    }
    own.commit();
    const there = memory.data.u8.subarray(at, at + PAGES * PAGE);
    judge(
      model.every((value, byte) => there[byte] === value),
      `what round ${round} leaves`,
    );
    own.refresh(new Uint8Array(memory.linear.distance / PAGE));
  }
  return wrong;
}

const made = new Linear(1 << 20);

/** What somebody has done who has stored another number to one byte. */
function changing({ data }: Memory, at: number): PageChanges {
  made.data.u8.fill(0, at - (at % PAGE), at - (at % PAGE) + PAGE);
  made.shadow.u8.fill(0, at - (at % PAGE), at - (at % PAGE) + PAGE);
  made.data.u8[at] = data.u8[at]! ^ 1;
  made.shadow.u8[at] = STORED | INITIALISED;
  const ledger = ledgerOf(new ArrayBuffer(ledgerBytes(8)), 8);
  return { ledger, data: made.data, shadow: made.shadow, stored: [at >>> 12] };
}

it("a worker's memory shows what is there, counts what is read, and gives back what was stored", () => {
  const wrong = Array.from({ length: 40 }, (_, seed) => wrongIn(seed)).flat();
  expect(wrong.slice(0, 10)).toEqual([]);
});
