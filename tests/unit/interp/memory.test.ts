import { expect, test } from "vitest";
import { addressIn, Memory } from "../../../src/interp/index.ts";

const memory = (limit = 16 << 20) => new Memory({ limit });

test("allocations are aligned, apart, zero, and found again", () => {
  const m = memory();
  const a = m.allocate({ name: "a", bytes: 10 })!;
  const b = m.allocate({ name: "b", bytes: 10, align: 4096 })!;
  expect(a % 256n).toBe(0n);
  expect(b % 4096n).toBe(0n);
  expect(b - a).toBeGreaterThan(4096n);
  expect(m.read(a, 10)).toEqual(new Uint8Array(10));
  m.write(a + 2n, Uint8Array.of(1, 2, 3));
  expect([...m.read(a, 6)]).toEqual([0, 0, 1, 2, 3, 0]);
  expect(m.holds(a, 10)).toBe(true);
  expect(m.holds(a, 11)).toBe(false);
  expect(m.holds(a - 1n, 1)).toBe(false);
  expect(() => m.read(b + 9n, 2)).toThrow(RangeError);
  expect(() => m.write(0n, Uint8Array.of(1))).toThrow(RangeError);
});

test("constant memory has a window of its own", () => {
  const m = memory();
  const c = m.allocate({ name: "c", bytes: 4, space: "const" })!;
  expect(c >> 32n).toBe(addressIn("const", 0) >> 32n);
  expect(m.holds(addressIn("global", Number(c & 0xffff_ffffn)), 4)).toBe(false);
});

test("the limit is kept, and what is freed can be had again, zero", () => {
  const m = memory(1 << 20);
  expect(m.allocate({ name: "huge", bytes: 1 << 20 })).toBeUndefined();
  const a = m.allocate({ name: "a", bytes: 900_000 })!;
  m.write(a, new Uint8Array(900_000).fill(7));
  expect(m.allocate({ name: "b", bytes: 900_000 })).toBeUndefined();
  m.free(a);
  const c = m.allocate({ name: "c", bytes: 900_000 })!;
  expect(m.read(c, 900_000).some((byte) => byte !== 0)).toBe(false);
  expect(() => m.free(a + 1n)).toThrow(/not the address/);
});

test("a huge allocation costs nothing until it is touched", () => {
  const m = memory(0x7fff_0000);
  const before = process.memoryUsage().rss;
  const a = m.allocate({ name: "a", bytes: 1_500_000_000 })!;
  m.write(a + 1_400_000_000n, Uint8Array.of(9));
  expect(m.read(a + 1_400_000_000n, 1)[0]).toBe(9);
  m.free(a);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 << 20);
});

test("an empty allocation has an address and can be freed", () => {
  const m = memory();
  const a = m.allocate({ name: "a", bytes: 0 })!;
  expect(m.allocate({ name: "b", bytes: 0 })).not.toBe(a);
  expect(m.read(a, 0)).toEqual(new Uint8Array(0));
  m.free(a);
  expect(m.holds(a, 0)).toBe(false);
});

test("an image puts bytes, allocations and what is initialised back", () => {
  const m = memory();
  const a = m.allocate({ name: "a", bytes: 8 })!;
  m.write(a, Uint8Array.of(1, 2));
  const image = m.save();
  m.write(a, Uint8Array.of(9, 9, 9));
  const b = m.allocate({ name: "b", bytes: 100_000 })!;
  m.write(b, new Uint8Array(100_000).fill(5));
  m.restore(image);
  expect([...m.read(a, 3)]).toEqual([1, 2, 0]);
  expect(m.holds(b, 1)).toBe(false);
  const again = m.allocate({ name: "again", bytes: 100_000 })!;
  expect(m.read(again, 100_000).some((byte) => byte !== 0)).toBe(false);
});
