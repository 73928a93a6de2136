import { beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { Device, must } from "../../../../src/index.ts";
import { CompiledProgram } from "../../../../src/interp/compiled/running/runner.ts";
import { compiled, type Executor, javascript } from "../../../../src/interp/index.ts";

/** Instructions that the module leaves to JavaScript. */
let outside: MockInstance<CompiledProgram["outside"]>;
beforeEach(() => {
  outside = vi.spyOn(CompiledProgram.prototype, "outside");
});

const THREADS = 64;

/** Two warps fill a tile each, all of it but its last bytes; `a` is the address of a lane's line, `b` to `e` are registers with numbers. */
const program = (body: string, left = 0): string => `.version 8.8
.target sm_90a
.address_size 64
.entry k(.param .b64 out)
{
  .reg .b32 t, l, w, a, b, c, d, e, i, x, y, z; .reg .b64 o, ww; .reg .pred p, q;
  .shared .align 128 .b8 tile[4096];
  ld.param.b64 o, [out]; mov.u32 t, %tid.x; mov.u32 l, %laneid; mov.u32 x, tile;
  shr.u32 w, t, 5; mad.lo.u32 w, w, 2048, x; mad.lo.u32 x, l, 4, w; mul.lo.u32 y, t, 0x9e3779b1; mov.u32 i, 0;
fill:
  st.shared.u32 [x], y; add.u32 x, x, 128; mad.lo.u32 y, y, 1664525, 1013904223; add.u32 i, i, 128;
  setp.lt.u32 p, i, ${2048 - left}; @p bra fill;
  mul.lo.u32 b, t, 0x01010101; not.b32 c, b; xor.b32 d, b, 0x0f0f0f0f; xor.b32 e, c, 0x33335555;
  xor.b32 a, l, 13; mad.lo.u32 a, a, 32, w; setp.lt.u32 p, l, 16; setp.ge.u32 q, t, 0;
  ${body}
  bar.warp.sync -1;
  mul.wide.u32 ww, t, 96; add.s64 o, o, ww; st.v4.u32 [o], {a, b, c, d}; st.u32 [o+16], e;
  mad.lo.u32 x, l, 4, w; add.u32 i, l, 0;
  ${Array.from({ length: 16 - left / 128 }, (_, at) => `ld.shared.u32 y, [x+${128 * at}]; st.u32 [o+${20 + 4 * at}], y;`).join(" ")}
  ret;
}`;

function results(text: string, executor: Executor) {
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("k"));
  const out = device.buffer(new Uint8Array(96 * THREADS));
  const { stop, session } = must(kernel.launch({ block: THREADS, args: [out], executor }))!;
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

const registers = { x1: "{b}", x2: "{c, b}", x4: "{e, d, c, b}" } as const;
const forms = (["x1", "x2", "x4"] as const).flatMap((num) => ["", ".trans"].map((trans) => [num, trans] as const));

describe.each(forms)("%s%s", (num, trans) => {
  const load = `ldmatrix.sync.aligned.m8n8.${num}${trans}.shared.b16`;
  const store = `stmatrix.sync.aligned.m8n8.${num}${trans}.shared.b16`;

  it("moves lines in any order", () => {
    const plain = compare("");
    expect(compare(`${load} ${registers[num]}, [a];`).out).not.toEqual(plain.out);
    expect(compare(`${store} [a+16], ${registers[num]};`).out).not.toEqual(plain.out);
  });

  it("reads addresses before it writes them, and leaves sinks out", () => {
    compare(`${load} ${registers[num].replace("b", "a")}, [a+64];`);
    if (num !== "x1") compare(`${load} ${registers[num].replace("b", "_")}, [a];`);
  });

  it("stores lines at one place in order", () => {
    compare(`and.b32 a, a, 0xffffff80; ${store} [a], ${registers[num]};`);
  });

  it("asks for no lines of lanes behind the last one", () => {
    const lines = { x1: 8, x2: 16, x4: 32 }[num];
    compare(`setp.ge.u32 p, l, ${lines}; selp.u32 a, 3, a, p; ${load} ${registers[num]}, [a];`);
  });
});

describe("JavaScript executes", () => {
  it.each([
    ["a line that is not aligned", "[a+8]", "PTX3001"],
    ["a line behind the block's shared memory", "[a+2097152]", "PTX3002"],
    ["a line before it", "[a+-4096]", "PTX3002"],
  ])("%s", (_, address, code) => {
    const load = `ldmatrix.sync.aligned.m8n8.x4.shared.b16 {b, c, d, e}, ${address};`;
    expect(compare(load, { inPlace: false }).stop[1]).toBe(code);
    expect(compare(`stmatrix.sync.aligned.m8n8.x1.shared.b16 ${address}, {b};`, { inPlace: false }).stop[1]).toBe(code);
  });

  it("a load of a line that is not initialised, but not a store", () => {
    const at = "setp.eq.u32 p, l, 7; selp.u32 x, 1920, 0, p; add.u32 a, w, x;";
    const load = `${at} ldmatrix.sync.aligned.m8n8.x1.shared.b16 {b}, [a];`;
    expect(compare(load, { inPlace: false, left: 128 }).findings).toHaveLength(1);
    const store = `${at} stmatrix.sync.aligned.m8n8.x1.shared.b16 [a], {b};`;
    compare(`${store} ld.shared.u32 d, [a];`, { left: 128 });
  });

  it("a warp whose lanes are apart, and a guard that some of them do not pass", () => {
    const load = "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {b, c}, [a];";
    compare(`@p bra one; add.u32 d, d, 1; bra two; one: add.u32 e, e, 1; two: ${load}`);
    compare(`@p bra one; add.u32 d, d, 1; one: ${load}`);
    expect(compare(`@p ${load}`, { inPlace: false }).stop[1]).toBe("PTX3014");
    compare(`@q ${load}`);
    compare(`@!q ${load}`);
  });

  it("an address of 64 bits", () => {
    const wide = "cvt.u64.u32 ww, a; cvta.shared.u64 ww, ww;";
    compare(`${wide} ldmatrix.sync.aligned.m8n8.x1.b16 {b}, [ww];`, { inPlace: false });
  });
});
