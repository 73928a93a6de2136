import { beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { Device, must } from "../../../../src/index.ts";
import { CompiledProgram } from "../../../../src/interp/compiled/running/runner.ts";
import { compiled, type Executor, javascript } from "../../../../src/interp/index.ts";

/** Instructions that the module leaves to JavaScript. */
let outside: MockInstance<CompiledProgram["outside"]>;
beforeEach(() => {
  outside = vi.spyOn(CompiledProgram.prototype, "outside");
});

const WORDS = 2048;

/** Writes the registers of each lane, or the tile and the buffer, behind what has been written before. */
const keepRegisters = `${Array.from({ length: 8 }, (_, of) => `st.global.u32 [k+${128 * of}], r${of};`).join(" ")}
  st.global.v2.u64 [k2], {w0, w1}; add.s64 k, k, 1536; add.s64 k2, k2, 1536;`;
const keepMemory = (
  label: string,
): string => `mad.lo.u32 t, l, 4, x; mul.wide.u32 at, l, 4; add.s64 at, at, o; mov.u32 i, 0;
${label}: ld.shared.u32 y, [t]; st.global.u32 [k], y; ld.global.u32 y, [at]; st.global.u32 [k+${4 * WORDS}], y; add.u32 t, t, 128;
  add.s64 at, at, 128; add.s64 k, k, 128; add.u32 i, i, 128; setp.lt.u32 p, i, ${4 * WORDS}; @p bra ${label}; add.s64 k, k, ${4 * WORDS};`;

/**
 * A warp with a tile of its own numbers in shared memory, but for its last bytes where some are `left`, and others in the buffer `o`;
 * `s` and `g` are generic addresses of both, `x` a shared one, `e` a distance of 48 elements, `r0` to `r15` and `w0` to `w1` registers with numbers.
 */
const program = (body: string, left = 0): string => `.version 8.8
.target sm_90a
.address_size 64
.entry k(.param .b64 out)
{
  .reg .b32 t, l, e, i, x, y, r<16>; .reg .b64 o, g, s, at, k, k2, w<2>; .reg .pred p, q;
  .shared .align 128 .b8 tile[${4 * WORDS}];
  ld.param.b64 o, [out]; mov.b64 g, o; mov.u32 l, %laneid; mov.u32 x, tile; mov.u32 e, 48;
  cvt.u64.u32 s, x; cvta.shared.u64 s, s;
  mul.wide.u32 k, l, 4; add.s64 k, k, o; add.s64 k, k, ${4 * WORDS}; mul.wide.u32 k2, l, 12; add.s64 k2, k, k2; add.s64 k2, k2, 1024;
  mad.lo.u32 t, l, 4, x; mul.lo.u32 y, l, 0x9e3779b1; mov.u32 i, 0;
fill:
  st.shared.u32 [t], y; add.u32 t, t, 128; mad.lo.u32 y, y, 1664525, 1013904223; add.u32 i, i, 128;
  setp.lt.u32 p, i, ${4 * WORDS - left}; @p bra fill;
  ${Array.from({ length: 16 }, (_, at) => `mad.lo.u32 r${at}, l, 0x01020305, ${0x10203 * at};`).join(" ")}
  mov.b64 w0, {r1, r2}; mov.b64 w1, {r3, r4}; setp.lt.u32 p, l, 16; setp.lt.u32 q, l, 64;
  ${body}
  ret;
}`;

function results(text: string, executor: Executor) {
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("k"));
  const numbers = Uint32Array.from({ length: 32 * WORDS }, (_, at) => Math.imul(at, 0x85ebca6b));
  const out = device.buffer(numbers);
  const { stop, session } = must(kernel.launch({ block: 32, args: [out], executor }))!;
  const { diagnostic } = stop as { diagnostic?: { code: string; message: string } };
  return {
    stop: [stop.reason, diagnostic?.code, diagnostic?.message],
    steps: session.steps,
    findings: session.findings.map(({ code, message }) => [code, message]),
    out: [...new Uint32Array(out.read().buffer)],
  };
}

/** Both executors give the same; `inPlace`: without that JavaScript has executed the instruction. Returns how it stops. */
function compare(body: string, { inPlace = true, left = 0 } = {}) {
  const text = program(body, left);
  const expected = results(text, javascript);
  outside.mockClear();
  expect({ body, ...results(text, compiled) }).toEqual({ body, ...expected });
  if (inPlace) expect(outside).not.toHaveBeenCalled();
  else expect(outside).toHaveBeenCalled();
  return expected;
}

const some = (count: number, of = "r"): string =>
  `{${Array.from({ length: count }, (_, at) => `${of}${at}`).join(", ")}}`;

/** Forms of wmma.load and wmma.store, and the registers that each lane has. */
const loads = [
  ["a.sync.aligned.row.m16n16k16", "f16", some(8)],
  ["b.sync.aligned.row.m16n16k16", "f16", some(8)],
  ["b.sync.aligned.col.m16n16k16", "f16", some(8)],
  ["c.sync.aligned.row.m16n16k16", "f16", some(4)],
  ["c.sync.aligned.col.m16n16k16", "f32", some(8)],
  ["a.sync.aligned.col.m32n8k16", "bf16", some(8)],
  ["a.sync.aligned.row.m8n32k16", "s8", "{r0}"],
  ["b.sync.aligned.row.m8n32k16", "u8", some(4)],
  ["c.sync.aligned.row.m8n32k16", "s32", some(8)],
  ["b.sync.aligned.col.m16n16k8", "tf32", some(4)],
  ["a.sync.aligned.row.m8n8k4", "f64", "{w0}"],
  ["c.sync.aligned.col.m8n8k4", "f64", some(2, "w")],
] as const;
const stores = [
  ["row.m16n16k16", "f16", some(4)],
  ["col.m16n16k16", "f16", some(4)],
  ["col.m32n8k16", "f32", some(8)],
  ["row.m8n32k16", "s32", some(8)],
  ["row.m8n8k4", "f64", some(2, "w")],
] as const;
/** Spaces with an address there. */
const places = [
  [".shared", "x"],
  [".global", "g"],
  ["", "s"],
  ["", "g"],
] as const;

describe("the module moves", () => {
  it.each(loads)("wmma.load.%s of %s", (form, type, d) => {
    const every = places.flatMap(([space, at]) => {
      const load = `wmma.load.${form}${space}.${type}`;
      return [
        `${load} ${d}, [${at}];`,
        `${load} ${d}, [${at}+64], e;`,
        `mov.u32 e, 64; ${load} ${d}, [${at}], e; mov.u32 e, 48;`,
        ...(d.includes(",") ? [`${load} ${d.replace(/[rw]1/, "_")}, [${at}+128], e;`] : []),
      ].map((one) => `${one} ${keepRegisters}`);
    });
    expect(new Set(compare(every.join("\n")).out).size).toBeGreaterThan(500);
  });

  it.each(stores)("wmma.store.d.sync.aligned.%s of %s", (form, type, d) => {
    const every = places.flatMap(([space, at], of) => {
      const store = `wmma.store.d.sync.aligned.${form}${space}.${type}`;
      // The last ones store lines that lie on each other.
      return [`[${at}], ${d};`, `[${at}+64], ${d}, e;`, `[${at}+32], ${d}, r8;`].map(
        (operands, way) => `${store} ${operands} ${keepMemory(`back${of}_${way}`)}`,
      );
    });
    compare(`mov.u32 r8, 8; ${every.join("\n")}`);
  });
});

const load = "wmma.load.a.sync.aligned.row.m16n16k16";
const store = "wmma.store.d.sync.aligned.row.m16n16k16";

describe("JavaScript executes", () => {
  it.each([
    ["a first line that is not aligned", "[x+16]", "PTX3001"],
    ["a line behind the block's shared memory", "[x+2097152]", "PTX3002"],
    ["a line before it", "[x+-4096]", "PTX3002"],
    ["a last line behind it", `[x+${4 * WORDS - 1024}], e`, "PTX3002"],
  ])("%s", (_, address, code) => {
    expect(compare(`${load}.shared.f16 ${some(8)}, ${address};`, { inPlace: false }).stop[1]).toBe(code);
  });

  it("a distance that takes lines out of alignment, and one that is very long", () => {
    expect(compare(`mov.u32 e, 20; ${load}.shared.f16 ${some(8)}, [x], e;`, { inPlace: false }).stop[1]).toBe(
      "PTX3001",
    );
    for (const e of ["0x00100001", "0x80000000", "-16"])
      expect(compare(`mov.b32 e, ${e}; ${load}.global.f16 ${some(8)}, [g], e;`, { inPlace: false }).stop[1]).toMatch(
        /PTX300[12]/,
      );
  });

  it("lanes that do not agree on the address or on the distance", () => {
    for (const lane of ["0", "17", "31"]) {
      const one = `setp.eq.u32 p, l, ${lane};`;
      for (const change of ["@p add.u32 x, x, 32;", "@p mov.u32 e, 64;"]) {
        const text = `${one} ${change} ${load}.shared.f16 ${some(8)}, [x], e;`;
        expect(compare(text, { inPlace: false }).stop[1]).toBe("PTX3015");
      }
      const text = `${one} @p add.s64 g, g, 32; ${load}.global.f16 ${some(8)}, [g], e;`;
      expect(compare(text, { inPlace: false }).stop[1]).toBe("PTX3015");
    }
  });

  it("an address in another window", () => {
    const to = (high: number): string => `cvt.u64.u32 at, x; or.b64 at, at, ${high * 2 ** 32};`;
    for (const [space, high] of [
      [".global", 0x4f01],
      [".global", 0],
      [".shared", 1],
      ["", 0x4f02],
      ["", 0],
    ] as const) {
      const text = `${to(high)} ${load}${space}.f16 ${some(8)}, [at], e;`;
      expect(compare(text, { inPlace: false }).stop[0]).toBe("trap");
    }
    const low = "or.b64 g, g, 0x80000000;";
    expect(compare(`${low} ${load}.global.f16 ${some(8)}, [g], e;`, { inPlace: false }).stop[0]).toBe("trap");
  });

  it("a load of a line that is not initialised, but not a store", () => {
    const at = `[x+${4 * WORDS - 512}]`;
    expect(compare(`${load}.shared.f16 ${some(8)}, ${at};`, { inPlace: false, left: 256 }).findings).not.toEqual([]);
    compare(`${store}.shared.f16 ${at}, ${some(4)}; ld.shared.u32 r9, [x+${4 * WORDS - 4}];`, { left: 256 });
  });

  it("a store to what may not be written", () => {
    const text = program(`${store}.f16 [s], ${some(4)};`).replace("cvta.shared.u64 s, s;", "mov.u64 s, fixed;");
    const withConstant = text.replace(".entry", ".const .align 128 .b8 fixed[1024];\n.entry");
    const expected = results(withConstant, javascript);
    expect(expected.stop[0]).toBe("trap");
    expect(results(withConstant, compiled)).toEqual(expected);
  });

  it("a warp whose lanes are apart, and a guard that some of them do not pass", () => {
    const whole = `${load}.shared.f16 ${some(8)}, [x];`;
    compare(`@p bra one; add.u32 r9, r9, 1; bra two; one: add.u32 r10, r10, 1; two: ${whole}`);
    expect(compare(`@p ${whole}`, { inPlace: false }).stop[1]).toBe("PTX3014");
    compare(`@q ${whole}`);
    compare(`@!q ${whole}`);
  });
});

describe("the race detector", () => {
  const found = (barrier: string, space: string, executor: Executor) => {
    const text = `.version 8.8
      .target sm_90
      .address_size 64
      .entry k(.param .b64 out)
      {
        .reg .b32 t, x, y, e, r<16>; .reg .b64 o; .reg .pred p; .shared .align 128 .b8 tile[2048];
        ld.param.b64 o, [out]; mov.u32 t, %tid.x; mov.u32 x, tile; mov.u32 e, 32; mad.lo.u32 y, t, 4, x;
        ${[0, 256, 512, 768, 1024, 1280, 1536, 1792].map((at) => `st.shared.u32 [y+${at}], t;`).join(" ")} bar.sync 0;
        setp.ge.u32 p, t, 32; @p bra other;
        wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 ${some(8)}, [x], e;
        wmma.load.b.sync.aligned.row.m16n16k16.global.f16 ${some(8)}, [o], e;
      other: ${barrier}
        add.u32 y, x, 992; setp.eq.u32 p, t, 40; @p st.${space}, 7;
        ret;
      }`;
    const device = new Device();
    const kernel = must(must(device.module(text)).kernel("k"));
    const sanitize = { mem: true, init: false, race: true };
    const launch = {
      block: 64,
      args: [device.buffer(new Uint8Array(2048))],
      sanitize,
      executor,
      readableRegisters: false,
    };
    outside.mockClear();
    const { findings } = must(kernel.launch(launch))!;
    return findings.map(({ code, message }) => [code, message]);
  };

  // The last line of the sixteen ends at 992.
  it.each(["shared.u8 [y+-1]", "global.u8 [o+991]"])("hears of loads that the module executes: st.%s", (space) => {
    expect(found("bar.sync 0;", space, compiled)).toEqual([]);
    expect(outside).not.toHaveBeenCalled();
    const race = found("", space, compiled);
    expect(race).toEqual(found("", space, javascript));
    expect(race.map(([code]) => code)).toEqual(["PTX4002"]);
    const behind = space.replace("y+-1", "y").replace("991", "992");
    expect(found("", behind, compiled)).toEqual([]);
  });
});
