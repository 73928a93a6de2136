import { describe, expect, it } from "vitest";
import { Device } from "../../../src/host/index.ts";
import type { LoadOptions } from "../src/index.ts";

/** Declarations: addresses of 32 and 64 bits, and data. */
const declarations = `.decl O v_type=G type=ud num_elts=16 align=GRF
.decl A v_type=G type=uq num_elts=16 align=GRF
.decl D v_type=G type=ud num_elts=64 align=GRF
.decl P1 v_type=P num_elts=16
.decl T6 v_type=T num_elts=1`;

interface Run {
  readonly memory: Uint8Array;
  readonly data: number[];
  readonly code: string | undefined;
}

/** Runs lines with a buffer of 256 bytes as surface 2, where byte i is i; offsets and addresses lead into it. */
function run(lines: string, offsets: readonly number[], data: readonly number[] = [], options: LoadOptions = {}): Run {
  const device = new Device();
  const text = `.version 4.1\n.kernel "k"\n${declarations}\n    movs (M1_NM, 1) T6(0) 0x2:ud\n${lines}\n`;
  const { value: module, diagnostics } = device.module(text, options);
  const kernel = module?.kernel("k");
  expect([...diagnostics, ...(kernel?.diagnostics ?? [])]).toEqual([]);
  const buffer = device.allocate(256)!;
  buffer.write(Uint8Array.from({ length: 256 }, (_, at) => at));
  const table = new BigUint64Array(256);
  table[2] = buffer.address;
  module?.variable("%surfaces")?.write(new Uint8Array(table.buffer));
  module?.variable("O")?.write(new Uint8Array(Uint32Array.from(offsets).buffer));
  module
    ?.variable("A")
    ?.write(new Uint8Array(BigUint64Array.from(offsets, (offset) => buffer.address + BigInt(offset)).buffer));
  const held = new Uint32Array(64).fill(0xeeee_eeee);
  held.set(data);
  module?.variable("D")?.write(new Uint8Array(held.buffer));
  const { value } = kernel?.value?.launch({ registers: new Map([["P1", 0xfff5n]]) }) ?? {};
  const words = module?.variable("D")?.read() ?? new Uint8Array();
  return {
    memory: buffer.read().slice(),
    data: [...new Uint32Array(words.slice().buffer)],
    code: value?.stop.reason === "trap" ? value.stop.diagnostic.code : value?.stop.reason,
  };
}

/** The little-endian number of `bytes` bytes at an offset into the buffer, as it is at first. */
const at = (offset: number, bytes: number): number =>
  Array.from({ length: bytes }, (_, byte) => ((offset + byte) & 0xff) * 256 ** byte).reduce(
    (sum, each) => sum + each,
    0,
  );

const fours = Array.from({ length: 16 }, (_, lane) => (lane * 52) % 192);

describe("loads", () => {
  it("take dwords from a surface, RGBA each from a register on", () => {
    const { data, code } = run("    gather4_scaled.RGA (M1, 16) T6 0x10:ud O.0 D.0", fours);
    expect(code).toBe("exit");
    for (const [block, dword] of [0, 1, 3].entries())
      expect(data.slice(16 * block, 16 * block + 16)).toEqual(fours.map((offset) => at(offset + 16 + 4 * dword, 4)));
  });

  it("leave what is not enabled", () => {
    const { data } = run("    (P1) gather4_scaled.R (M1, 8) T6 0x0:ud O.0 D.0", fours);
    expect(data.slice(0, 8)).toEqual(
      fours.slice(0, 8).map((offset, lane) => ((0xf5 >> lane) & 1 ? at(offset, 4) : 0xeeee_eeee)),
    );
  });

  it.each([1, 2, 4])("take %i bytes as one number", (bytes) => {
    const offsets = fours.map((offset) => offset + (bytes === 1 ? 3 : 0));
    const { data } = run(`    gather_scaled.${bytes} (M1, 16) T6 0x0:ud O.0 D.0`, offsets);
    expect(data.slice(0, 16)).toEqual(offsets.map((offset) => at(offset, bytes)));
  });

  it("take blocks from addresses", () => {
    const { data } = run("    svm_gather.4.2 (M1, 16) A.0 D.0", fours);
    expect(data.slice(0, 32)).toEqual([0, 4].flatMap((more) => fours.map((offset) => at(offset + more, 4))));
    expect(run("    svm_gather.1.2 (M1, 8) A.64 D.32", fours).data.slice(8, 16)).toEqual(
      fours.slice(8).map((offset) => at(offset, 2)),
    );
    const wide = run(
      "    svm_gather.8.1 (M1, 16) A.0 D.0",
      fours.map((offset) => offset & ~7),
    ).data;
    expect(wide.slice(0, 32)).toEqual(fours.flatMap((offset) => [at(offset & ~7, 4), at((offset & ~7) + 4, 4)]));
  });

  it.each([
    ["d32", 4, 1, false],
    ["d8c32", 1, 1, false],
    ["d16c32", 2, 1, false],
    ["d32x3", 4, 3, false],
    ["d32x4t", 4, 4, true],
  ] as const)("take %s from flat addresses", (shape, bytes, count, block) => {
    const size = block ? "M1_NM, 1" : "M1, 16";
    const { data, code } = run(`    lsc_load.ugm.ca.ca (${size}) D:${shape} flat[A+0x8]:a64`, fours, [], { grf: 64 });
    expect(code).toBe("exit");
    const lanes = block ? fours.slice(0, 1) : fours;
    for (let k = 0; k < count; k++) {
      const from = block ? k : 16 * k;
      expect(data.slice(from, from + lanes.length)).toEqual(lanes.map((offset) => at(offset + 8 + k * bytes, bytes)));
    }
  });
});

describe("stores", () => {
  const data = Array.from({ length: 32 }, (_, lane) => 0x0101_0101 * (lane + 1));
  const stored = (offsets: readonly number[], bytes: number, values: readonly number[]): Uint8Array => {
    const memory = Uint8Array.from({ length: 256 }, (_, each) => each);
    for (const [lane, offset] of offsets.entries())
      for (let byte = 0; byte < bytes; byte++) memory[offset + byte] = ((values[lane] ?? 0) >>> (8 * byte)) & 0xff;
    return memory;
  };
  const spread = Array.from({ length: 16 }, (_, lane) => 16 * lane);

  it("put dwords and bytes into a surface", () => {
    expect(run("    scatter4_scaled.R (M1, 16) T6 0x4:ud O.0 D.0", spread, data).memory).toEqual(
      stored(
        spread.map((offset) => offset + 4),
        4,
        data,
      ),
    );
    expect(run("    scatter_scaled.2 (M1, 16) T6 0x0:ud O.0 D.0", spread, data).memory).toEqual(
      stored(spread, 2, data),
    );
  });

  it("put blocks at addresses", () => {
    const twice = [...spread, ...spread.map((offset) => offset + 4)];
    expect(run("    svm_scatter.4.2 (M1, 16) A.0 D.0", spread, data).memory).toEqual(stored(twice, 4, data));
    expect(run("    lsc_store.ugm (M1, 16) flat[A]:a64 D:d32x2", spread, data).memory).toEqual(stored(twice, 4, data));
    expect(run("    lsc_store.ugm (M1, 16) flat[A]:a64 D:d8c32", spread, data).memory).toEqual(stored(spread, 1, data));
  });
});

describe("models of addresses", () => {
  it("lead to a buffer by its number, and to scratch space", () => {
    const offsets = [8, 0, 24, 4];
    const { data } = run("    lsc_load.ugm (M1, 4) D:d32 bti(2)[O]:a32", offsets);
    expect(data.slice(0, 4)).toEqual(offsets.map((offset) => at(offset, 4)));
    const there = run(
      `    lsc_store.ugm (M1, 4) ss(O)[O+0x10]:a32 D:d32
    lsc_load.ugm (M1, 4) D:d32x2 ss(O)[O+0x10]:a32`,
      offsets,
      [1, 2, 3, 4],
    ).data;
    expect([...there.slice(0, 4), ...there.slice(8, 12)]).toEqual([1, 2, 3, 4, 0, 4, 0, 1]);
  });

  it("take a surface by its handle, which counts in surface states of 64 bytes", () => {
    const handle = "    mov (M1, 1) D(3,0)<1> 0x80:ud\n.decl H v_type=G type=ud num_elts=1 alias=<D, 96>\n";
    const { data } = run(`${handle}    lsc_load.ugm (M1, 4) D:d32 bss(H)[O+0x4]:a32`, [8, 0, 24, 4]);
    expect(data.slice(0, 4)).toEqual([8, 0, 24, 4].map((offset) => at(offset + 4, 4)));
    // No surface has this handle.
    expect(run("    lsc_load.ugm (M1, 4) D:d32 bss(O)[O]:a32", [0, 4, 8, 12]).code).toBe("PTX3002");
  });

  it("add scaled offsets to one address", () => {
    const load = (suffix: string, offsets: readonly number[]) =>
      run(`    lsc_load.ugm (M1, 4) D.32:d16u32 flat(A)[0x4*O.4+0x2]:${suffix}`, offsets).data.slice(8, 12);
    // A begins with the address of byte 16, and offsets with the second.
    expect(load("a32u", [16, 0, 1, 9, 2])).toEqual([18, 22, 54, 26].map((offset) => at(offset, 2)));
    expect(load("a32s", [16, 0xffff_fffd, 1, 9, 2])).toEqual([6, 22, 54, 26].map((offset) => at(offset, 2)));
  });

  it.each([
    ["    lsc_load.ugm (M1, 8) D:d8u32 flat[A]:a64", 1, 1],
    ["    lsc_load.ugm (M1, 8) D:d16u32 flat[A]:a64", 2, 1],
    ["    lsc_load.ugm (M1, 8) D:d32x2 flat[A]:a64", 4, 2],
    ["    gather_scaled.4 (M1, 8) T6 0x0:ud O.0 D.0", 4, 1],
    ["    svm_gather.4.1 (M1, 8) A.0 D.0", 4, 1],
  ])("of any byte: %s", (line, bytes, count) => {
    const odd = [1, 2, 3, 64, 66, 67, 130, 201];
    const { data, code } = run(line, odd);
    expect(code).toBe("exit");
    for (let k = 0; k < count; k++)
      expect(data.slice(8 * k, 8 * k + 8)).toEqual(odd.map((offset) => at(offset + bytes * k, bytes)));
  });

  it("store to any byte, and behind the buffer's end to none", () => {
    const { memory, code } = run("    lsc_store.ugm (M1, 2) flat[A]:a64 D:d32", [5, 18], [0x0403_0201, 0x0807_0605]);
    expect(code).toBe("exit");
    expect([...memory.slice(4, 24)]).toEqual([4, 1, 2, 3, 4, 9, 10, 11, 12, 13, 14, 15, 16, 17, 5, 6, 7, 8, 22, 23]);
    expect(run("    lsc_store.ugm (M1, 1) flat[A]:a64 D:d32", [253], [1]).code).toBe("PTX3002");
    expect(run("    lsc_load.ugm (M1, 1) D:d64 flat[A]:a64", [250]).code).toBe("PTX3002");
  });
});

describe("owords in one piece", () => {
  it("are loaded whatever channels are enabled, from bytes or owords on", () => {
    const words = (from: number, count: number) => Array.from({ length: count }, (_, k) => at(from + 4 * k, 4));
    const aligned = run("    oword_ld (4) T6 O(0,1)<0;1,0> D.32", [0, 3]).data;
    expect(aligned.slice(8, 24)).toEqual(words(48, 16));
    expect([aligned[7], aligned[24]]).toEqual([0xeeee_eeee, 0xeeee_eeee]);
    expect(run("    oword_ld_unaligned (8) T6 0x14:ud D.0", []).data.slice(0, 32)).toEqual(words(20, 32));
    expect(run("    svm_block_ld.unaligned (1) A(0,1)<0;1,0> D.0", [0, 12]).data.slice(0, 5)).toEqual([
      ...[...words(12, 4), 0xeeee_eeee],
    ]);
  });

  it("are stored", () => {
    const data = Array.from({ length: 8 }, (_, k) => 0x0101_0101 * (k + 1));
    const { memory } = run("    oword_st (2) T6 0x2:ud D.0", [], data);
    expect([...memory.slice(30, 66)]).toEqual([30, 31, ...data.flatMap((each) => Array(4).fill(each & 0xff)), 64, 65]);
    const other = run("    svm_block_st (1) A(0,0)<0;1,0> D.16", [64], data).memory;
    expect([...other.slice(64, 81)]).toEqual([...[5, 6, 7, 8].flatMap((each) => Array(4).fill(each)), 80]);
  });
});

describe("atomic operations on floats", () => {
  const cell = (memory: Uint8Array, at = 0): number => new DataView(memory.buffer).getUint32(at, true);
  const [one, tiny, nan] = [0x3f80_0000, 1, 0x7fc0_0001];
  const set = (bits: number): string => `    mov (M1, 1) D(0,0)<1> 0x${bits.toString(16)}:ud
    lsc_store.ugm (M1, 1) flat[A]:a64 D:d32\n`;
  const asks = (held: number, op: string, ...sources: number[]): number => {
    const lines = sources.map((bits, k) => `    mov (M1, 1) D(${k + 1},0)<1> 0x${bits.toString(16)}:ud\n`).join("");
    const names = [0, 1].map((k) => (k < sources.length ? `D.${32 * (k + 1)}` : "%null.0"));
    const line = `    lsc_atomic_${op}.ugm (M1, 1) %null:d32 flat[A]:a64 ${names.join(" ")}`;
    return cell(run(`${set(held)}${lines}${line}`, [0]).memory);
  };

  it.each([
    ["fadd", one, [one], 0x4000_0000],
    ["fadd", tiny, [tiny], 2],
    ["fsub", one, [0x4000_0000], 0xbf80_0000],
    ["fmin", nan, [one], one],
    ["fmax", 0x8000_0000, [0], 0],
    ["fcas", 0x8000_0000, [0, one], one],
    ["fcas", nan, [nan, one], nan],
    ["fcas", one, [0x4000_0000, 0], one],
  ] as const)("%s of 0x%x", (op, held, sources, gives) => expect(asks(held, op, ...sources)).toBe(gives));
});

it("an atomic store is no read of what was there", () => {
  const device = new Device();
  const text = `.version 4.1\n.kernel "k"\n${declarations}\n    lsc_atomic_store.ugm (M1, 2) %null:d32 flat[A]:a64 D.0 %null.0\n    lsc_atomic_iadd.ugm (M1, 1) %null:d32 flat[A]:a64 D.0 %null.0\n`;
  const { value: module } = device.module(text);
  const kernel = module!.kernel("k").value!;
  const buffer = device.allocate(8)!;
  module!.variable("A")!.write(new Uint8Array(BigUint64Array.of(buffer.address, buffer.address + 4n).buffer));
  module!.variable("D")!.write(new Uint8Array(Uint32Array.of(5, 7).buffer));
  const launched = kernel.launch({ sanitize: { mem: true, init: true } }).value!;
  expect([launched.stop.reason, launched.findings]).toEqual(["exit", []]);
  expect([...new Uint32Array(buffer.read().slice().buffer)]).toEqual([10, 7]);
});

describe("what is wrong", () => {
  it("is found when it runs", () => {
    expect(run("    gather4_scaled.R (M1, 8) T6 0x0:ud O.0 D.0", [4096, 0, 0, 0, 0, 0, 0, 0]).code).toBe("PTX3002");
    expect(run("    gather4_scaled.R (M1, 8) T6 0x0:ud O.0 D.0", [2, 0, 0, 0, 0, 0, 0, 0]).code).toBe("PTX3001");
  });

  it.each([
    ["gather4_scaled.RX (M1, 8) T6 0x0:ud O.0 D.0", "PTX8201"],
    ["gather4_scaled (M1, 8) T6 0x0:ud O.0 D.0", "PTX8201"],
    ["gather_scaled.3 (M1, 8) T6 0x0:ud O.0 D.0", "PTX8201"],
    ["gather_scaled.4 (M1, 8) T9 0x0:ud O.0 D.0", "PTX8102"],
    ["gather_scaled.4 (M1, 8) T6 0x0:ud N.0 D.0", "PTX8102"],
    ["gather_scaled.4 (M1, 8) T6 0x0:ud O(0,0)<1;1,0> D.0", "PTX8202"],
    ["lsc_load (M1, 8) D:d32 flat[A]:a64", "PTX8201"],
    ["oword_ld (16) T6 0x0:ud D.0", "PTX8201"],
    ["oword_ld (4) T6 A(0,0)<0;1,0> D.0", "PTX8203"],
    ["oword_st.mod (4) T6 0x0:ud D.0", "PTX8201"],
    ["svm_block_ld (4) O(0,0)<0;1,0> D.0", "PTX8203"],
    ["lsc_load.ugm (M1, 8) D:d8 flat[A]:a64", "PTX8201"],
    ["lsc_load.ugm (M1, 8) D:d32", "PTX8202"],
    ["fence_local.X", "PTX8201"],
  ])("%s", (line, code) => {
    const text = `.version 4.1\n.kernel "k"\n${declarations}\n    ${line}\n`;
    const { value: module, diagnostics } = new Device().module(text);
    const all = [...diagnostics, ...(module?.kernel("k").diagnostics ?? [])];
    expect(all.map((each) => each.code)).toContain(code);
  });
});
