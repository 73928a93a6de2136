import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Device, must } from "../../../src/host/index.ts";
import { everything } from "../../../tests/share.ts";
import { type Diagnosis, diagnose, type Found } from "../doctor/diagnose.ts";

const gallery = join(import.meta.dirname, "../../../examples/gallery");
const head = ".version 8.0\n.target sm_80\n.address_size 64\n";

function diagnosed(text: string): Diagnosis {
  const name = must(new Device().module({ name: "k.ptx", text })).entries[0]!;
  return diagnose(() => {
    const device = new Device();
    return { device, kernel: must(must(device.module({ name: "k.ptx", text })).kernel(name)) };
  });
}

/** `out[i] = body` for each i below n, where %v is in[i]; %i is the thread and %p a predicate. */
const each = (type: string, body: string, guard = "ge"): string => `${head}
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)
{
  .reg .pred %p, %q; .reg .b32 %i, %r<8>, %n; .reg .b64 %a, %b; .reg .${type} %v;
  .shared .align 4 .b8 tile[1024];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %i, %r1, %r2, %r3;
  ld.param.u32 %n, [n]; ld.param.u64 %a, [in]; ld.param.u64 %b, [out];
  mad.wide.u32 %a, %i, 4, %a; mad.wide.u32 %b, %i, 4, %b;
  setp.${guard}.s32 %p, %i, %n; @%p ret;
  ld.global.${type} %v, [%a];
  ${body}
  st.global.${type} [%b], %v;
  ret;
}`;

/** A word of the block's shared memory for this thread, in %r4, and for its neighbour, in %r5. */
const neighbours = "mov.u32 %r4, tile; mad.lo.u32 %r4, %r3, 4, %r4; xor.b32 %r5, %r4, 128;";
const said = (found: Found): string => (found.kind === "problem" ? found.problem.code : found.kind);

describe("the doctor", () => {
  it.each([
    ["an element too many", each("f32", "add.f32 %v, %v, %v;", "gt"), "PTX3002"],
    ["a missing barrier", each("u32", `${neighbours} st.shared.u32 [%r4], %v; ld.shared.u32 %v, [%r5];`), "PTX4002"],
    [
      "a barrier that some threads miss",
      each("u32", "and.b32 %r4, %i, 1; setp.eq.u32 %q, %r4, 0; @%q bra SKIP; bar.sync 0; SKIP: bar.sync 0;"),
      "PTX3010",
    ],
    ["shared memory that nothing has written", each("u32", `${neighbours} ld.shared.u32 %v, [%r5];`), "PTX4001"],
    ["a root of what is negative", each("f32", "sub.f32 %v, %v, 2.0; sqrt.rn.f32 %v, %v;"), "strange"],
    ["a lane that is not in the mask", each("u32", "shfl.sync.bfly.b32 %v, %v, 1, 31, 0xffff;"), "PTX3013"],
    ["a word at no multiple of four", each("u32", "add.u64 %a, %a, 2; ld.global.u32 %v, [%a];"), "PTX3001"],
  ])("finds %s", (_, text, code) => {
    const { found } = diagnosed(text);
    expect(found.map(said)).toContain(code);
  });

  it("shows the smallest launch with the problem", () => {
    const { found } = diagnosed(each("f32", "add.f32 %v, %v, %v;", "gt"));
    const first = found.find((one) => said(one) === "PTX3002");
    expect(first?.run.launch.block[0]).toBeLessThan(33);
  });

  it("infers pointers, types, numbers and sizes", () => {
    const { launches } = diagnosed(each("f32", "add.f32 %v, %v, %v;"));
    const [launch] = launches;
    expect([...(launch?.values ?? [])].map(([{ name }, value]) => [name, value])).toMatchObject([
      ["in", { kind: "buffer", type: "f32", count: 128, reads: true, writes: false }],
      ["out", { kind: "buffer", type: "f32", count: 128, reads: false, writes: true }],
      ["n", { kind: "value", text: "128" }],
    ]);
  });

  const right = [
    "reduce",
    "matmul",
    "transpose",
    "fft",
    "histogram",
    "mandelbrot",
    "nbody",
    "dynamic",
    "ballot",
    "int128",
  ];
  it.each(everything ? right : right.slice(0, 2))("is silent about %s", (name) => {
    const { found, runs } = diagnosed(readFileSync(join(gallery, `${name}.ptx`), "utf8"));
    expect(found.map(said)).toEqual([]);
    expect(runs).toBeGreaterThan(5);
  });
});
