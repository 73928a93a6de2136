import { describe, expect, it } from "vitest";
import { reductions } from "../../../../src/interp/contract/plan/reduction.ts";
import { commitPage } from "../../../../src/interp/memory/commit.ts";
import { ledgerBytes, ledgerOf, STORED_TO } from "../../../../src/interp/memory/ledger.ts";
import { Linear } from "../../../../src/interp/memory/linear.ts";
import { PAGE } from "../../../../src/interp/memory/memory.ts";
import { markOf } from "../../../../src/interp/memory/reduction-mark.ts";
import { ALLOCATED, fourfold, INITIALISED, STORED } from "../../../../src/interp/memory/shadow.ts";
import { collision, conflict, type PageChanges, storedPages } from "../../../../src/interp/worker-pool/conflict.ts";

const GOOD = fourfold(ALLOCATED | INITIALISED);
const DONE = fourfold(STORED);

/** One page of which word 0 is a cell of each reduction in turn, and word 2 stored. */
function cells(name: (typeof reductions)[number]) {
  const [own, base] = [new Linear(PAGE), new Linear(PAGE)];
  const words = name.endsWith("64") ? 2 : 1;
  for (let word = 0; word < 3; word++) base.shadow.s32[word] = GOOD;
  for (let word = 0; word < words; word++) own.shadow.s32[word] = markOf(name) | DONE;
  own.shadow.s32[2] = GOOD | DONE;
  return { own, base };
}

const both = [0xffff_ffff_0000_0005n, 0x0000_0000_ffff_fffbn];
const [held, given] = both as [bigint, bigint];
const wide = {
  add64: 0n,
  "min.u64": given,
  "min.s64": held,
  "max.u64": held,
  "max.s64": given,
};
const narrow = { and: 1, or: -1, xor: -2, add32: 0, "min.u32": 5, "min.s32": -5, "max.u32": -5, "max.s32": 5 };

describe("what a worker has done is put into the memory", () => {
  it.each(reductions)("once, however often that is begun: %s", (name) => {
    const { own, base } = cells(name);
    base.data.u64[0] = held;
    own.data.u64[0] = given;
    own.data.s32[2] = 77;
    commitPage(own, base, 0);
    const first = base.data.u8.slice(0, 12);
    commitPage(own, base, 0);
    expect(base.data.u8.slice(0, 12)).toEqual(first);
    expect(base.data.s32[2]).toBe(77);
    const wanted = { ...wide, ...narrow }[name];
    if (typeof wanted === "bigint") expect(base.data.u64[0]).toBe(wanted);
    else expect([base.data.s32[0], base.data.s32[1]]).toEqual([wanted, -1]);
  });
});

/** What one worker has done: stored 5 to word 0, or read word 0. */
function changes(does: "stores" | "reads"): PageChanges {
  const own = new Linear(PAGE);
  const pages = own.distance / PAGE;
  const ledger = ledgerOf(new ArrayBuffer(ledgerBytes(pages)), pages);
  if (does === "stores") {
    own.data.s32[0] = 5;
    own.shadow.s32[0] = GOOD | DONE;
    ledger.flags[0] = STORED_TO;
  } else ledger.high[0] = 4;
  return { ledger, data: own.data, shadow: own.shadow, stored: does === "stores" ? [0] : [] };
}

describe("a byte that holds in the end what it held at first", () => {
  const base = new Linear(PAGE).data;
  base.s32[0] = 5;

  it("may have held something else while blocks ran in any order", () => {
    expect(collision(changes("stores"), changes("reads"), base)).toBe(true);
    expect(collision(changes("reads"), changes("stores"), base)).toBe(true);
    expect(collision(changes("reads"), changes("reads"), base)).toBe(false);
  });

  it("has not been changed for who comes behind all of it", () => {
    const [one, other] = [changes("stores"), changes("reads")];
    expect(conflict(one, other, one.stored, base, true)).toBe(false);
    base.s32[0] = 6;
    expect(conflict(one, other, one.stored, base, true)).toBe(true);
  });
});

/** What a worker has done that has stored these bytes of a page's third word, or has changed that by reductions. */
function thirdWord(page: number, done: readonly number[] | "add32" | "max.u32"): PageChanges {
  const own = new Linear(4 * PAGE);
  const pages = own.distance / PAGE;
  const ledger = ledgerOf(new ArrayBuffer(ledgerBytes(pages)), pages);
  const at = page * PAGE + 8;
  own.shadow.s32[at / 4] = typeof done === "string" ? markOf(done) | DONE : GOOD;
  if (typeof done !== "string") for (const byte of done) own.shadow.u8[at + byte]! |= STORED;
  ledger.flags[page] = STORED_TO;
  return { ledger, data: own.data, shadow: own.shadow, stored: [...storedPages(ledger, pages)] };
}

describe("two workers that store to one word", () => {
  const base = new Linear(4 * PAGE).data;
  const collide = (
    one: Parameters<typeof thirdWord>[1],
    other: Parameters<typeof thirdWord>[1],
    pages = [2, 2],
  ): boolean => collision(thirdWord(pages[0]!, one), thirdWord(pages[1]!, other), base);

  it("are in each other's way where it is one byte, or where they do not reduce it alike", () => {
    expect(collide([0, 1], [1])).toBe(true);
    expect(collide([0, 1], [2, 3])).toBe(false);
    expect(collide([3], [3], [2, 1])).toBe(false);
    expect(collide("add32", "add32")).toBe(false);
    expect(collide("add32", "max.u32")).toBe(true);
    expect(collide("add32", [2])).toBe(true);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
    "have stored to page %i, and to no page behind those that are asked for",
    (page) => {
      const pages = 10;
      const ledger = ledgerOf(new ArrayBuffer(ledgerBytes(pages)), pages);
      ledger.flags[page] = STORED_TO;
      expect([...storedPages(ledger, pages)]).toEqual([page]);
      expect([...storedPages(ledger, page + 1)]).toEqual([page]);
      expect([...storedPages(ledger, page)]).toEqual([]);
    },
  );
});
