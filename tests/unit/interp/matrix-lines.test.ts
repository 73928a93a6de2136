import { describe, expect, it } from "vitest";
import { Device } from "../../../src/host/index.ts";
import type { Observer } from "../../../src/interp/contract/observer.ts";

const SIZE = 4096;

/** A kernel of one warp that has `bytes` in shared memory, runs `body` on it, and gives x0 to x15 and shared memory back. */
function run(body: string, bytes: Uint8Array, { initialised = SIZE, space = "shared" } = {}) {
  const where = space === "shared" ? ".shared .align 128 .b8 tile[4096];" : "";
  const text = `
.version 9.0
.target sm_100a
.address_size 64
.entry k(.param .u64 in, .param .u64 out, .param .u64 back) {
  .reg .b32 x<16>, t<8>; .reg .b64 q<8>, y<8>; .reg .pred p; ${where}
  ld.param.u64 q0, [in]; ld.param.u64 q1, [out]; ld.param.u64 q2, [back];
  mov.u32 t0, %laneid; ${space === "shared" ? "mov.u32 t1, tile; cvt.u64.u32 q5, t1; cvta.shared.u64 q3, q5;" : "mov.u64 q3, q0;"}
  mul.lo.u32 t2, t0, 4;
  ${
    space === "shared"
      ? `C: cvt.u64.u32 q4, t2; add.u64 q4, q4, q0; ld.global.u32 t3, [q4]; add.u32 t4, t1, t2; st.shared.u32 [t4], t3;
         add.u32 t2, t2, 128; setp.lt.u32 p, t2, ${initialised}; @p bra C; bar.sync 0;`
      : ""
  }
  ${body}
  bar.sync 0; mad.wide.u32 q4, t0, 64, q1;
  ${[0, 4, 8, 12].map((at) => `st.global.v4.u32 [q4+${4 * at}], {x${at}, x${at + 1}, x${at + 2}, x${at + 3}};`).join(" ")}
  ${space === "shared" ? "mul.lo.u32 t2, t0, 4; D: cvt.u64.u32 q4, t2; add.u64 q5, q4, q3; add.u64 q4, q4, q2; ld.u32 t3, [q5]; st.global.u32 [q4], t3; add.u32 t2, t2, 128; setp.lt.u32 p, t2, 4096; @p bra D;" : ""}
  ret;
}`;
  const device = new Device();
  const buffer = device.buffer(bytes);
  const out = device.buffer(new Uint32Array(512));
  const back = device.buffer(new Uint8Array(SIZE));
  const module = device.module(text);
  const kernel = module.value?.kernel("k");
  const launched = kernel?.value?.launch({ grid: 1, block: 32, args: [buffer, out, back] }).value;
  if (launched === undefined) throw new Error(JSON.stringify([module.diagnostics, kernel?.diagnostics], undefined, 1));
  const { stop, findings } = launched;
  const words = out.toArray("u32").map(Number);
  return {
    fault: stop.reason === "trap" ? stop.diagnostic : undefined,
    findings,
    registers: Array.from({ length: 32 }, (_, lane) => words.slice(16 * lane, 16 * lane + 16)),
    shared: Uint8Array.from(back.toArray("u8").map(Number)),
    memory: Uint8Array.from(buffer.toArray("u8").map(Number)),
  };
}

/** Bytes that are not alike, and no pattern that a wrong layout could share. */
const random = Uint8Array.from({ length: SIZE }, (_, at) => (Math.imul(at + 1, 0x9e3779b1) >>> 13) & 0xff);
const u16 = (bytes: Uint8Array, at: number): number => bytes[at]! | (bytes[at + 1]! << 8);

/** Row addresses in shared memory: row i of matrix j begins at 48 * (8 * j + i) + 16, out of order. */
const rowAt = (row: number): number => 48 * (row ^ 5) + 16;
const rows = "xor.b32 t2, t0, 5; mad.lo.u32 t2, t2, 48, t1; add.u32 t2, t2, 16;";

describe("ldmatrix", () => {
  it.each([1, 2, 4])("gives x%i matrices, a row to four lanes", (num) => {
    const names = Array.from({ length: num }, (_, at) => `x${at}`).join(", ");
    const { registers, fault } = run(`${rows} ldmatrix.sync.aligned.m8n8.x${num}.shared.b16 {${names}}, [t2];`, random);
    expect(fault).toBeUndefined();
    for (let lane = 0; lane < 32; lane++)
      for (let matrix = 0; matrix < num; matrix++) {
        const at = rowAt(8 * matrix + (lane >> 2)) + 4 * (lane % 4);
        expect(registers[lane]![matrix]).toBe((u16(random, at) | (u16(random, at + 2) << 16)) >>> 0);
      }
  });

  it.each([1, 2, 4])("gives x%i matrices with .trans, a column to four lanes", (num) => {
    const names = Array.from({ length: num }, (_, at) => `x${at}`).join(", ");
    const text = `${rows} cvt.u64.u32 q4, t2; cvta.shared.u64 q4, q4; ldmatrix.sync.aligned.m8n8.x${num}.trans.b16 {${names}}, [q4];`;
    const { registers } = run(text, random);
    for (let lane = 0; lane < 32; lane++)
      for (let matrix = 0; matrix < num; matrix++) {
        const of = (row: number): number => u16(random, rowAt(8 * matrix + row) + 2 * (lane >> 2));
        const row = 2 * (lane % 4);
        expect(registers[lane]![matrix]).toBe((of(row) | (of(row + 1) << 16)) >>> 0);
      }
  });

  it.each([
    ["b8", (row: number, i: number) => random[rowAt(row) + i]!],
    ["b8x16.b4x16_p64", (row: number, i: number) => (random[rowAt(row) + (i >> 1)]! >> (4 * (i % 2))) & 15],
    ["b8x16.b6x16_p32", (row: number, i: number) => (u16(random, rowAt(row) + ((6 * i) >> 3)) >> ((6 * i) % 8)) & 63],
  ] as const)("turns 16x16 matrices of .%s", (type, element) => {
    const { registers } = run(
      `${rows} ldmatrix.sync.aligned.m16n16.x2.trans.shared.${type} {x0, x1, x2, x3}, [t2];`,
      random,
    );
    for (let lane = 0; lane < 32; lane++)
      for (let at = 0; at < 4; at++) {
        const column = (lane >> 2) + 8 * (at % 2);
        const bytes = [0, 1, 2, 3].map((i) => element(16 * (at >> 1) + 4 * (lane % 4) + i, column));
        expect(registers[lane]![at]).toBe(bytes.reduce((sum, byte, i) => sum + byte * 256 ** i, 0));
      }
  });

  it("unpacks 8x16 matrices of 4 and 6 bits, and reads no padding", () => {
    const at = "mad.lo.u32 t2, t0, 16, t1;";
    const { registers } = run(
      `${at} ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32 {x0, x1, x2, x3}, [t2];`,
      random,
    );
    for (let lane = 0; lane < 32; lane++)
      for (let matrix = 0; matrix < 4; matrix++) {
        const bits = (i: number): number => {
          const bit = 6 * (4 * (lane % 4) + i);
          return (u16(random, 16 * (8 * matrix + (lane >> 2)) + (bit >> 3)) >> (bit % 8)) & 63;
        };
        expect(registers[lane]![matrix]).toBe(bits(0) + bits(1) * 2 ** 8 + bits(2) * 2 ** 16 + bits(3) * 2 ** 24);
      }
    // Eight bytes of each line of sixteen: the last line is initialised up to there.
    const last = "min.u32 t2, t0, 0; add.u32 t2, t2, t1; add.u32 t2, t2, 112;";
    const found = (type: string) =>
      run(`${last} ldmatrix.sync.aligned.m8n16.x1.shared.${type} {x0}, [t2];`, random, { initialised: 1 });
    expect(found("b8x16.b4x16_p64").findings.map(({ code }) => code)).not.toContain("PTX4002");
  });

  it("takes a register of 32 bits without .shared, sinks, and addresses of no use in the lanes behind", () => {
    const bad = "setp.lt.u32 p, t0, 8; @!p mov.u32 t2, 0xfffffff1;";
    const { registers, fault } = run(`${rows} ${bad} ldmatrix.sync.aligned.m8n8.x1.b16 {x0}, [t2];`, random);
    expect(fault).toBeUndefined();
    expect(registers[5]![0]).toBe((u16(random, rowAt(1) + 4) | (u16(random, rowAt(1) + 6) << 16)) >>> 0);
    const sunk = run(`${rows} ldmatrix.sync.aligned.m8n8.x2.shared.b16 {_, x1}, [t2];`, random);
    expect(sunk.registers[0]![1]).toBe((u16(random, rowAt(8)) | (u16(random, rowAt(8) + 2) << 16)) >>> 0);
  });

  it("may load into its own address", () => {
    const { registers } = run(`${rows} ldmatrix.sync.aligned.m8n8.x1.shared.b16 {t2}, [t2]; mov.u32 x0, t2;`, random);
    expect(registers[0]![0]).toBe((u16(random, rowAt(0)) | (u16(random, rowAt(0) + 2) << 16)) >>> 0);
  });

  it.each([
    ["PTX3001", "setp.eq.u32 p, t0, 3; @p add.u32 t2, t2, 8;", "shared", "not a multiple of 16", "(3,0,0)"],
    ["PTX3002", "setp.eq.u32 p, t0, 7; @p mov.u32 t2, 4088;", "shared", "past the end", "(7,0,0)"],
  ] as const)("faults with %s where lane gives a bad address", (code, spoil, _, message, thread) => {
    const text = `mad.lo.u32 t2, t0, 16, t1; ${spoil} ldmatrix.sync.aligned.m8n8.x1.shared.b16 {x0}, [t2];`;
    const { fault } = run(text.replace("4088", "4096"), random);
    expect(fault?.code).toBe(code);
    expect(fault?.message).toContain("ldmatrix");
    expect(fault?.message).toContain(thread);
    expect(fault?.message).toContain(code === "PTX3001" ? message : "4096");
  });

  it("faults where a generic address is not in shared memory", () => {
    const { fault } = run("ldmatrix.sync.aligned.m8n8.x1.b16 {x0}, [q0];", random);
    expect(fault?.code).toBe("PTX3002");
    expect(fault?.message).toContain("not in shared memory");
  });
});

describe("stmatrix", () => {
  const values =
    "mad.lo.u32 x0, t0, 0x01030107, 0x11; mul.lo.u32 x1, x0, 77; mul.lo.u32 x2, x0, 91; mul.lo.u32 x3, x0, 23;";

  it.each([
    [1, ""],
    [2, ".trans"],
    [4, ""],
    [4, ".trans"],
  ])("puts x%i matrices%s into rows", (num, trans) => {
    const names = Array.from({ length: num }, (_, at) => `x${at}`).join(", ");
    const { registers, shared } = run(
      `${values} ${rows} stmatrix.sync.aligned.m8n8.x${num}${trans}.shared.b16 [t2], {${names}};`,
      random,
    );
    const want = Uint8Array.from(random);
    for (let lane = 0; lane < 32; lane++)
      for (let matrix = 0; matrix < num; matrix++)
        for (let half = 0; half < 2; half++) {
          const value = (registers[lane]![matrix]! >>> (16 * half)) & 0xffff;
          const [row, column] = [lane >> 2, 2 * (lane % 4) + half];
          const at = trans === "" ? rowAt(8 * matrix + row) + 2 * column : rowAt(8 * matrix + column) + 2 * row;
          want[at] = value & 0xff;
          want[at + 1] = value >> 8;
        }
    expect(shared).toEqual(want);
  });

  it("puts 16x8 matrices of bytes into columns", () => {
    const { registers, shared } = run(
      `${values} ${rows} stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 [t2], {x0, x1};`,
      random,
    );
    const want = Uint8Array.from(random);
    for (let lane = 0; lane < 32; lane++)
      for (let matrix = 0; matrix < 2; matrix++)
        for (let i = 0; i < 4; i++) {
          const [row, column] = [(lane >> 2) + 8 * (i >> 1), 2 * (lane % 4) + (i % 2)];
          want[rowAt(8 * matrix + column) + row] = (registers[lane]![matrix]! >>> (8 * i)) & 0xff;
        }
    expect(shared).toEqual(want);
  });
});

describe("wmma.load and wmma.store", () => {
  const shapes = ["m16n16k16", "m8n32k16", "m32n8k16"];
  const forms: readonly (readonly [what: string, shape: string, type: string, bits: number, registers: number])[] = [
    ...shapes.flatMap((shape) => [
      ["a", shape, "f16", 16, 8] as const,
      ["b", shape, "f16", 16, 8] as const,
      ["c", shape, "f16", 16, 4] as const,
      ["c", shape, "f32", 32, 8] as const,
      ["c", shape, "s32", 32, 8] as const,
    ]),
    ...(["bf16", "u8"] as const).flatMap((type) => {
      const bits = type === "u8" ? 8 : 16;
      return [
        ["a", "m16n16k16", type, bits, bits / 4] as const,
        ["b", "m16n16k16", type, bits, bits / 4] as const,
        ["a", "m8n32k16", type, bits, bits / 8] as const,
        ["b", "m8n32k16", type, bits, bits / 2] as const,
        ["a", "m32n8k16", type, bits, bits / 2] as const,
        ["b", "m32n8k16", type, bits, bits / 8] as const,
      ];
    }),
    ["a", "m16n16k8", "tf32", 32, 4],
    ["b", "m16n16k8", "tf32", 32, 4],
    ["c", "m16n16k8", "f32", 32, 8],
    ["a", "m8n8k32", "s4", 4, 1],
    ["b", "m8n8k32", "u4", 4, 1],
    ["a", "m8n8k128", "b1", 1, 1],
    ["b", "m8n8k128", "b1", 1, 1],
    ["c", "m8n8k32", "s32", 32, 2],
  ];

  /** Rows and columns of the matrix. */
  const size = (what: string, shape: string): readonly [number, number] => {
    const [m = 0, n = 0, k = 0] = shape.slice(1).split(/[nk]/).map(Number);
    return what === "a" ? [m, k] : what === "b" ? [k, n] : [m, n];
  };
  const names = (count: number): string => Array.from({ length: count }, (_, at) => `x${at}`).join(", ");

  it.each(forms)("load.%s of %s.%s gives each element", (what, shape, type, bits, registers) => {
    const [rows, columns] = size(what, shape);
    const sub = bits < 8;
    const order = what === "b" && sub ? "col" : "row";
    const [line, lines] = order === "row" ? [columns, rows] : [rows, columns];
    // A stride with room behind each line.
    const stride = line + 256 / bits;
    const at = (index: number): bigint => {
      const bit = (Math.floor(index / line) * stride + (index % line)) * bits;
      let value = 0n;
      for (let byte = 7; byte >= 0; byte--) value = (value << 8n) | BigInt(random[(bit >> 3) + byte]!);
      return (value >> BigInt(bit % 8)) & ((1n << BigInt(bits)) - 1n);
    };
    const { registers: got, fault } = run(
      `wmma.load.${what}.sync.aligned.${order}.${shape}.shared.${type} {${names(registers)}}, [tile], ${stride};`,
      random,
    );
    expect(fault).toBeUndefined();
    const held = got.flatMap((lane) =>
      lane
        .slice(0, registers)
        .flatMap((word) =>
          Array.from({ length: 32 / bits }, (_, i) => (BigInt(word) >> BigInt(i * bits)) & ((1n << BigInt(bits)) - 1n)),
        ),
    );
    const copies = held.length / (line * lines);
    const wanted = Array.from({ length: line * lines }, (_, index) => at(index)).flatMap((value) =>
      Array.from({ length: copies }, () => value),
    );
    const sorted = (list: bigint[]): bigint[] => list.sort((x, y) => (x < y ? -1 : x > y ? 1 : 0));
    expect(sorted(held)).toEqual(sorted(wanted));
  });

  it.each(forms.filter(([, , , bits]) => bits >= 8))(
    "load.%s of %s.%s gives the same of columns",
    (what, shape, type, bits, registers) => {
      const [rows, columns] = size(what, shape);
      const bytes = bits / 8;
      const turned = new Uint8Array(SIZE);
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++)
          for (let byte = 0; byte < bytes; byte++)
            turned[(column * rows + row) * bytes + byte] = random[(row * columns + column) * bytes + byte]!;
      const load = (order: string, from: Uint8Array) =>
        run(`wmma.load.${what}.sync.aligned.${order}.${shape}.shared.${type} {${names(registers)}}, [tile];`, from)
          .registers;
      expect(load("col", turned)).toEqual(load("row", random));
    },
  );

  it.each(forms.filter(([what]) => what === "c"))(
    "store.d after load.%s of %s.%s moves the matrix",
    (what, shape, type, bits, registers) => {
      const [rows, columns] = size(what, shape);
      const bytes = bits / 8;
      const { shared } = run(
        `wmma.load.c.sync.aligned.row.${shape}.shared.${type} {${names(registers)}}, [tile];
       mov.u32 t2, ${rows + 8}; add.u64 q3, q3, 2048; wmma.store.d.sync.aligned.col.${shape}.${type} [q3], {${names(registers)}}, t2;
       sub.u64 q3, q3, 2048;`,
        random,
      );
      const want = Uint8Array.from(random);
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++)
          for (let byte = 0; byte < bytes; byte++)
            want[2048 + (column * (rows + 8) + row) * bytes + byte] = random[(row * columns + column) * bytes + byte]!;
      expect(shared).toEqual(want);
    },
  );

  it("moves matrices of .f64 in global memory", () => {
    const { memory, fault } = run(
      `wmma.load.a.sync.aligned.col.m8n8k4.global.f64 {y0}, [q0]; wmma.load.b.sync.aligned.row.m8n8k4.f64 {y1}, [q0];
       wmma.load.c.sync.aligned.row.m8n8k4.global.f64 {y2, y3}, [q0], 16; wmma.store.d.sync.aligned.col.m8n8k4.global.f64 [q0+2048], {y2, y3};
       mov.b64 {x0, x1}, y0; mov.b64 {x2, x3}, y1;`,
      random,
      { space: "global" },
    );
    expect(fault).toBeUndefined();
    for (let row = 0; row < 8; row++)
      for (let column = 0; column < 8; column++)
        expect(memory.slice(2048 + 8 * (8 * column + row)).slice(0, 8)).toEqual(
          random.slice(8 * (16 * row + column)).slice(0, 8),
        );
  });

  it.each([
    ["PTX3015", "setp.eq.u32 p, t0, 9; @p add.u64 q3, q3, 32;", "16", "(9,0,0)"],
    ["PTX3015", "mov.u32 t2, 16; setp.eq.u32 p, t0, 4; @p mov.u32 t2, 32;", "t2", "(4,0,0)"],
    ["PTX3001", "add.u64 q3, q3, 16;", "16", "not a multiple of 32"],
    ["PTX3001", "", "20", "not a multiple of 16"],
    ["PTX3002", "", "0x10000", "(1,0,0)"],
    ["PTX3002", "ld.param.u64 q3, [in]; cvta.local.u64 q3, q5;", "16", "global or shared memory"],
  ])("faults with %s: %s", (code, before, stride, part) => {
    const { fault } = run(
      `${before} wmma.load.a.sync.aligned.row.m16n16k16.f16 {${names(8)}}, [q3], ${stride};`,
      random,
    );
    expect(fault?.code).toBe(code);
    expect(fault?.message).toContain(part);
  });
});

describe("observers of matrices", () => {
  it("hear a line for each lane that gives an address, and what was stored there", () => {
    const text = `.version 8.0\n.target sm_90\n.address_size 64\n.entry k() { .reg .b32 x<4>, t<4>; .shared .align 16 .b8 tile[256];
      mov.u32 x0, %laneid; mov.u32 t0, tile; mad.lo.u32 t1, x0, 16, t0; and.b32 t1, t1, 255;
      stmatrix.sync.aligned.m8n8.x1.shared.b16 [t1], {x0}; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {x1}, [t1]; ret; }`;
    const heard: string[] = [];
    const observer: Observer = {
      load: ({ lane }, space, address, bytes) => heard.push(`load ${lane} ${space} ${address} ${bytes}`),
      store: ({ lane }, space, address, bytes, _sem, _scope, _where, value) =>
        heard.push(`store ${lane} ${space} ${address} ${bytes} ${value?.toString(16)}`),
    };
    const kernel = new Device().module(text).value?.kernel("k").value;
    const session = kernel?.session({ grid: 1, block: 32, args: [] }).value;
    session?.observe(observer);
    session?.run();
    expect(heard.length).toBe(16);
    expect(heard[1]).toBe(
      "store 1 shared 16 16 7000000060000000500000004".replace(
        "7000000060000000500000004",
        "7000000060000000500000004",
      ),
    );
    expect(heard[9]).toBe("load 1 shared 16 16");
  });
});
