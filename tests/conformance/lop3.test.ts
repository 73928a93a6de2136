import { expect, it } from "vitest";
import { Device, must } from "../../src/index.ts";

/** The manual's way to a table (PTX ISA, lop3): apply the function to these three. With them as operands, d is the table. */
const [ta, tb, tc] = [0xf0, 0xcc, 0xaa];

it("lop3 looks every bit up in all 256 tables", () => {
  const lines = Array.from({ length: 256 }, (_, table) => `lop3.b32 d${table}, a, b, c, ${table};`);
  const kernel = must(new Device().snippet(lines.join("\n")));
  const given = { a: BigInt((ta << 8) | 0x5a), b: BigInt((tb << 8) | 0x3c), c: BigInt((tc << 8) | 0x99) };
  const { session } = must(kernel.launch({ registers: new Map(Object.entries(given)) }));
  const found = new Map(session.registers({ block: 0, warp: 0, lane: 0 }).map(({ name, bits }) => [name, bits[0]]));
  const bit = (value: bigint, at: number): number => Number((value >> BigInt(at)) & 1n);
  for (let table = 0; table < 256; table++) {
    let wanted = 0n;
    for (let at = 0; at < 32; at++) {
      const index = bit(given.a, at) * 4 + bit(given.b, at) * 2 + bit(given.c, at);
      wanted |= BigInt((table >> index) & 1) << BigInt(at);
    }
    expect([table, found.get(`d${table}`)]).toEqual([table, wanted]);
    expect(((found.get(`d${table}`) ?? 0n) >> 8n) & 0xffn).toBe(BigInt(table));
  }
});

it("takes constants of which the low 8 bits count", () => {
  const kernel = must(new Device().snippet("lop3.b32 d, a, b, c, 256; lop3.b32 e, a, b, c, -1;"));
  const { session } = must(kernel.launch({ registers: new Map([["a", 5n]]) }));
  const found = session.registers({ block: 0, warp: 0, lane: 0 });
  expect(found.find(({ name }) => name === "d")?.bits).toEqual([0n]);
  expect(found.find(({ name }) => name === "e")?.bits).toEqual([0xffff_ffffn]);
});

it.each(["and", "or"] as const)("lop3.%s joins whether any bit is left with a predicate", (boolean) => {
  const cases = [0n, 1n].flatMap((q) => [0n, 0x8000_0000n].map((a) => ({ a, q })));
  for (const { a, q } of cases) {
    const text = `lop3.${boolean}.b32 d|p, a, 0, 0, 0xf0, q; lop3.${boolean}.b32 _|s, a, 0, 0, 0xf0, !q;`;
    const kernel = must(new Device().snippet(text));
    const { session } = must(kernel.launch({ registers: new Map(Object.entries({ a, q })) }));
    const found = new Map(session.registers({ block: 0, warp: 0, lane: 0 }).map(({ name, bits }) => [name, bits[0]]));
    const join = (other: boolean): bigint => BigInt(boolean === "and" ? a !== 0n && other : a !== 0n || other);
    expect([found.get("d"), found.get("p"), found.get("s")]).toEqual([a, join(q === 1n), join(q === 0n)]);
  }
});
