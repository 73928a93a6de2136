import { describe, expect, it } from "vitest";
import type { DeviceState } from "../../../src/host/index.ts";
import { changesBetween, differences } from "../../../src/launch/value/memory-changes.ts";
import { MemoryImage } from "../../../src/launch/value/memory-image.ts";
import {
  beginning,
  PAGE,
  type Recorded,
  RecordReader,
  recordBytes,
  tag,
} from "../../../src/launch/value/memory-records.ts";

const page = (seed: number): Uint8Array => Uint8Array.from({ length: PAGE }, (_, at) => (at * seed) & 255);
const allocation = {
  name: "α",
  address: 4096,
  bytes: 300,
  space: "const",
  initialised: false,
  heap: true,
  freed: false,
} as const;
const records: readonly Recorded[] = [
  { kind: tag.onlyAnnounced },
  { kind: tag.range, address: 0x7000_0000_1000n, bytes: 2 ** 40, name: "range" },
  { kind: tag.page, address: 0x7000_0000_1000n, bytes: page(3) },
  { kind: tag.page, address: 0x7000_0000_2000n, bytes: page(5) },
  { kind: tag.allocation, allocation },
  {
    kind: tag.allocation,
    allocation: { ...allocation, name: "", space: "global", initialised: true, heap: false, freed: true },
  },
  { kind: tag.devicePage, page: { at: 8192, data: page(7), written: new Uint8Array(PAGE / 8).fill(0x5a) } },
  { kind: tag.variable, address: 1n << 63n, name: "v" },
  { kind: tag.change, address: 16n, bytes: Uint8Array.of(1, 2, 3) },
  { kind: tag.image, image: { handle: 5n, object: { kind: "texref", border: [Number.NaN, -1 / 0, 0, 2] } as never } },
  { kind: tag.end },
];
const file = (...all: readonly Recorded[]): Uint8Array =>
  Uint8Array.from([beginning(), ...all.map(recordBytes)].flatMap((part) => [...part]));
const all = (bytes: Uint8Array): Recorded[] => {
  const reader = new RecordReader(bytes);
  const found: Recorded[] = [];
  for (let record = reader.next(); record !== undefined; record = reader.next()) found.push(record);
  return found;
};

describe("a file of recorded memory", () => {
  it("has records of a kind, a length and that many bytes, and is read as it was written", () => {
    expect(new TextDecoder().decode(beginning())).toBe("PTXRUNM2");
    expect([...recordBytes({ kind: tag.variable, address: 0x0102n, name: "ab" })]).toEqual([
      6, 0, 0, 0, 10, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 97, 98,
    ]);
    expect([...recordBytes({ kind: tag.allocation, allocation })].slice(8)).toEqual([
      0, 16, 0, 0, 44, 1, 0, 0, 5, 0, 0, 0, 0xce, 0xb1,
    ]);
    expect(all(file(...records))).toEqual(records);
  });

  it("may end in the middle of a record, which counts for nothing then", () => {
    const whole = file(...records.slice(0, 2), { kind: tag.change, address: 1n, bytes: Uint8Array.of(1) });
    for (let less = 1; less <= 17; less++)
      expect(all(whole.subarray(0, whole.length - less))).toEqual(records.slice(0, 2));
    expect(all(whole).length).toBe(3);
    expect([
      new RecordReader(whole).isWhole,
      new RecordReader(Uint8Array.from(whole, (byte, at) => (at === 7 ? 0 : byte))).isWhole,
    ]).toEqual([true, false]);
    expect(all(Uint8Array.from(whole, (byte, at) => (at === 7 ? 0x31 : byte)))).toEqual([]);
  });

  it.each([
    ["a range of nothing", { kind: tag.range, address: 0n, bytes: 0, name: "" }],
    ["a page at an odd place", { kind: tag.page, address: 8n, bytes: page(1) }],
    ["a page that is too short", { kind: tag.page, address: 0n, bytes: new Uint8Array(5) }],
    ["a change of nothing", { kind: tag.change, address: 0n, bytes: new Uint8Array() }],
    [
      "a device's page at an odd place",
      { kind: tag.devicePage, page: { at: 4, data: page(1), written: new Uint8Array(PAGE / 8) } },
    ],
    [
      "a device's page without its bits",
      { kind: tag.devicePage, page: { at: 0, data: page(1), written: new Uint8Array() } },
    ],
  ] as const)("with %s is refused", (_, record) => {
    expect(() => all(file(record as Recorded))).toThrow(RangeError);
    expect(new MemoryImage().load(file(record as Recorded))).toBe(false);
  });

  it("with a kind that there is none of is refused", () => {
    const odd = file({ kind: tag.end });
    odd[8] = 10;
    expect(() => all(odd)).toThrow("a record of kind 10");
  });
});

describe("recorded memory", () => {
  it("gives its pages, one behind the other, and what was there before", () => {
    const image = new MemoryImage();
    expect([image.load(file(...records)), image.onlyAnnounced, image.ranges.length, image.variables.get("v")]).toEqual([
      true,
      true,
      1,
      1n << 63n,
    ]);
    const into = new Uint8Array(8);
    expect([image.read(0x7000_0000_1ffcn, into), [...into]]).toEqual([
      8,
      [...page(3).slice(-4), ...page(5).slice(0, 4)],
    ]);
    expect([image.read(0x7000_0000_2ffcn, into), image.read(0x7000_0000_0fffn, into)]).toEqual([4, 0]);
    expect([
      image.before(0x7000_0000_1005n),
      image.before(8192n + 9n),
      image.before((5n << 32n) + 8192n),
      image.before(3n),
    ]).toEqual([15, 63, 0, 0]);
    expect(image.device).toMatchObject({ allocations: { length: 2 }, pages: { length: 1 }, images: { length: 1 } });
    expect(image.expected).toEqual([records[8]]);
    const cut = new MemoryImage();
    cut.load(file(...records.slice(0, 3)));
    expect([cut.expected, cut.device]).toEqual([undefined, undefined]);
    const bytes = Uint8Array.of(1);
    cut.write(7n, bytes);
    bytes[0] = 2;
    expect(cut.stored).toEqual([{ address: 7n, bytes: Uint8Array.of(1) }]);
  });

  it("has changed where bytes differ, in stretches without long gaps", () => {
    const state = (data: Uint8Array, at = 4096): DeviceState => ({
      allocations: [{ ...allocation, address: 4096, bytes: 100 }],
      pages: [{ at, data, written: new Uint8Array() }],
      images: [],
    });
    const [before, after] = [new Uint8Array(256), new Uint8Array(256)];
    for (const at of [0, 10, 26, 42, 59, 100, 120, 255]) after[at] = at | 1;
    const found = changesBetween(state(before), state(after)).map(({ address, bytes }) => [
      address & 0xffffn,
      address >> 32n,
      bytes.length,
    ]);
    const [constant, global] = [
      changesBetween(state(before), state(after))[0]!.address >> 32n,
      changesBetween(state(before), state(after)).at(-1)!.address >> 32n,
    ];
    expect(constant).not.toBe(global);
    // From 42 to 59 are 17 bytes: 16 that stay are too many.
    expect(found).toEqual([
      [4096n, constant, 43],
      [4155n, constant, 1],
      [4196n, global, 1],
      [4216n, global, 1],
      [4351n, global, 1],
    ]);
    expect(changesBetween(state(after), state(after))).toEqual([]);
    expect(changesBetween(state(before, 0), state(after)).length).toBe(5);
  });

  it("differs where two lists of changes do, or one has what was not there before", () => {
    const change = (address: bigint, ...bytes: number[]) => ({ address, bytes: Uint8Array.from(bytes) });
    const before = (address: bigint) => Number(address) + 100;
    expect(differences([change(1n, 1, 2)], [change(1n, 1, 2)], before)).toEqual([]);
    expect(differences([change(1n, 1, 2)], [change(1n, 1), change(2n, 3)], before)).toEqual([
      { address: 2n, wanted: 2, got: 3 },
    ]);
    expect(differences([change(5n, 105, 1)], [], before)).toEqual([{ address: 6n, wanted: 1, got: 106 }]);
    expect(differences([], [change(9n, 4), change(2n, 102), change(1n, 7)], before)).toEqual([
      { address: 1n, wanted: 101, got: 7 },
      { address: 9n, wanted: 109, got: 4 },
    ]);
  });
});
