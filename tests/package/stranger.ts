// What a stranger writes after `npm install ptxrun`: compiled against the package's types, run through its exports.
import { type Argument, Device, lint, must, parse, print, Source } from "ptxrun";
import { functionOf, match, table } from "ptxrun/isa";
import {
  a,
  b,
  bf16,
  c,
  f16,
  fromBits,
  operation,
  plus,
  reference,
  round,
  scalarOf,
  textOf,
  times,
  toBits,
  ulps,
} from "ptxrun/numeric";

const equal = (what: string, found: unknown, wanted: unknown): void => {
  const show = (value: unknown) =>
    JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `0x${part.toString(16)}` : part));
  if (show(found) !== show(wanted)) throw new Error(`${what}: ${show(found)}, not ${show(wanted)}`);
};

const scale = `
.version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 launches;
.visible .entry scale(.param .u64 x, .param .f32 by, .param .u32 n)
{
  .reg .pred %p; .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .b64 %rd<4>;
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  ld.param.u32 %r5, [n];
  setp.ge.u32 %p, %r4, %r5;
  @%p bra DONE;
  ld.param.u64 %rd1, [x];
  cvta.to.global.u64 %rd1, %rd1;
  mul.wide.u32 %rd2, %r4, 4;
  add.s64 %rd1, %rd1, %rd2;
  ld.global.f32 %f1, [%rd1];
  ld.param.f32 %f2, [by];
  mul.f32 %f1, %f1, %f2;
  st.global.f32 [%rd1], %f1;
  setp.ne.u32 %p, %r4, 0;
  @%p bra DONE;
  ld.global.u32 %r6, [launches];
  add.u32 %r6, %r6, 1;
  st.global.u32 [launches], %r6;
DONE:
  ret;
}
`;

const device = new Device({ maxMemory: 2 ** 24 });
const module = must(device.module({ name: "scale.ptx", text: scale }));
equal("the module's entries", module.entries, ["scale"]);
const kernel = must(module.kernel("scale"));
const x = device.buffer(new Float32Array([1, 2, 3, 4, 5]), { name: "x" });
for (const by of [2, 0.5, 10]) {
  const { stop, findings } = must(kernel.launch({ grid: 2, block: 4, args: [x, by, 5] }));
  equal("the end of a launch", [stop.reason, findings.length], ["exit", 0]);
}
equal("three launches on one memory", x.toArray("f32"), [10, 20, 30, 40, 50]);
const launches = module.variable("launches");
equal("a module variable, read", launches?.toArray("u32"), [3]);
launches?.write(new Uint32Array([40]));
must(
  kernel.launch({
    grid: 1,
    block: 32,
    args: new Map<string, Argument>([
      ["x", x],
      ["by", 1],
      ["n", 5],
    ]),
  }),
);
equal("and written", launches?.toArray("u32"), [41]);

const outside = must(kernel.launch({ block: 8, args: [x, 1, 8] }));
equal("an access outside of a buffer is a fault", outside.stop.reason, "trap");

const snippet = must(device.snippet("add.rn.f16x2 p3, p1, p2;"));
const run = must(
  snippet.launch({
    registers: new Map([
      ["p1", 0x4000_3c00n],
      ["p2", 0x4000_3c00n],
    ]),
  }),
);
const p3 = run.session.registers({ block: 0, warp: 0, lane: 0 }).find(({ name }) => name === "p3");
equal("a snippet's register", p3?.bits, [0x4400_4000n]);

const [mistake] = lint("add.rz.f16 d, a, b;");
equal("a mistake is a value", [mistake?.code, mistake?.severity], ["PTX1203", "error"]);
const tree = parse(new Source("scale.ptx", scale));
equal(
  "the printed tree reads as before",
  lint(print(tree.value)).filter(({ severity }) => severity === "error"),
  [],
);
equal(
  "the table",
  table.some(({ title }) => title === "Half Precision Floating Point"),
  true,
);
equal("the matcher", match("add", ["rn", "f16x2"]).kind === "none", false);
const sum = operation({ a: "f16", b: "f16" }, "f16", round("f16", {}, plus(a, b)));
equal("the arithmetic", reference(sum, [0x3c00n, 0x3c00n]), 0x4000n);
equal("as text", textOf(sum), "d = round.rn.f16(a + b)");
const fused = operation({ a: "bf16", b: "bf16", c: "bf16" }, "bf16", round("bf16", {}, plus(times(a, b), c)));
equal("bf16 fma, rounded once", scalarOf(fused)(0x72c0, 0x1f8d, 0xac72), 0x52d3);
equal("a format", bf16.frac, 7);
const fma: bigint = functionOf("fma.rn.f16")(0x3e94, 0x134cn, 0x3e22);
equal("an instruction as a function", fma, 0x3e23n);
equal("a number's bits and back", [toBits(f16, "0x1.8p0"), fromBits(f16, 0x3e00)], [0x3e00n, 1.5]);
equal("a distance", ulps(f16, fma, 0x3e24n), 1n);
console.log("all as expected");
