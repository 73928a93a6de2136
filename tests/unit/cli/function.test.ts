import { afterAll, describe, expect, it } from "vitest";
import { Device, must } from "../../../src/index.ts";
import { World } from "./world.ts";

const header = ".version 8.0\n.target sm_80\n.address_size 64\n";
const functions = `${header}
.func (.reg .f32 r) lerp(.reg .f32 a, .reg .f32 b, .param .f32 t)
{
  .reg .f32 d, tt;
  ld.param.f32 tt, [t];
  sub.f32 d, b, a;
  fma.rn.f32 r, d, tt, a;
  ret;
}
.func (.param .align 4 .b8 s[12]) three(.param .b64 p)
{
  .reg .b64 q; .reg .b32 x;
  ld.param.u64 q, [p];
  ld.u32 x, [q];   st.param.b32 [s], x;
  ld.u32 x, [q+4]; st.param.b32 [s+4], x;
  st.param.b32 [s+8], 7;
  st.u32 [q], 99;
  ret;
}
.func (.reg .pred q, .reg .v2 .f32 v, .reg .b16 h) many(.reg .pred p, .reg .v2 .f32 w, .reg .b16 n)
{ not.pred q, p; mov.f32 v.x, w.y; mov.f32 v.y, w.x; add.u16 h, n, 1; ret; }
.func (.param .u64 r) factorial(.param .u64 n)
{
  .reg .u64 a, b; .reg .pred p; .param .u64 x; .param .u64 y;
  ld.param.u64 a, [n];
  setp.le.u64 p, a, 1;
  @p bra DONE;
  sub.u64 b, a, 1;
  st.param.u64 [x], b;
  call (y), factorial, (x);
  ld.param.u64 b, [y];
  mul.lo.u64 a, a, b;
DONE:
  st.param.u64 [r], a;
  ret;
}
.func stops(.param .u32 n) .noreturn { exit; }
`;
const fails = `${header}
.func last(.param .b32 n, .param .align 8 .b8 rest[]) { ret; }
.func (.param .align 16 .b8 big[100000]) large() { ret; }
.extern .func (.param .b32 r) outside(.param .b32 n);
`;
const compiled = `${header}
.func (.param .b32 func_retval0) _Z3addff(
	.param .b32 _Z3addff_param_0,
	.param .b32 _Z3addff_param_1
)
{
	.reg .f32 %f<4>;
	ld.param.f32 %f1, [_Z3addff_param_0];
	ld.param.f32 %f2, [_Z3addff_param_1];
	add.f32 %f3, %f1, %f2;
	st.param.f32 [func_retval0+0], %f3;
	ret;
}
`;

const world = new World().write("f.ptx", functions).write("fails.ptx", fails).write("compiled.ptx", compiled);
afterAll(() => world.remove());
const call = (name: string, ...argv: string[]) => world.ptxrun(["f.ptx", "--entry", name, ...argv]);

describe("a function that is run by itself", () => {
  it("takes arguments by order and by name, in registers and in .param, and shows its result", async () => {
    const { exit, out, err } = await call("lerp", "-a", "=1.0", "-a", "=2", "-a", "t=0.25");
    expect([exit, out, err]).toEqual([0, "r  f32  0x3fa00000  1.25\n", ""]);
  });

  it("takes buffers, and returns a struct as what it stores there", async () => {
    const { out } = await call("three", "-a", "=u32x2:5,6");
    expect(out).toBe(
      "s[0]  b32  0x00000005  5\ns[1]  b32  0x00000006  6\ns[2]  b32  0x00000007  7\n\np  u32x2  99 6\n",
    );
    expect((await call("three", "-a", "=u32x2:5,6", "-d", "s")).out).not.toContain("u32x2");
  });

  it("takes and returns predicates, vectors and several results", async () => {
    const { out } = await call("many", "-a", "p=0", "-a", "w=f32x2:1,2", "-a", "n=65535");
    expect(out.split("\n").map((line) => line.replace(/ +/g, " "))).toEqual([
      "q pred 1 true",
      "v.x f32 0x40000000 2.0",
      "v.y f32 0x3f800000 1.0",
      "h b16 0x0000 0",
      "",
    ]);
  });

  it("may call itself, and may exit", async () => {
    expect((await call("factorial", "-a", "n=20")).out).toContain(" 2432902008176640000\n");
    expect(await call("stops", "-a", "n=1")).toMatchObject({ exit: 0, out: "", err: "" });
  });

  it("has the types that are loaded and stored where a compiler declares bits", async () => {
    const { exit, out, err } = await world.ptxrun(["compiled.ptx", "-a", "=1", "-a", "=2.5"]);
    expect([exit, out]).toEqual([0, "func_retval0  f32  0x40600000  3.5\n"]);
    expect(err).toContain("note PTX2212: compiled.ptx has no kernel; its only function, _Z3addff, is called by itself");
  });

  it("needs to be chosen among several, and to have a body", async () => {
    const { exit, err } = await world.ptxrun(["f.ptx"]);
    expect(exit).toBe(2);
    expect(err).toContain("error PTX2204: f.ptx has no kernel and 5 functions");
    expect(err).toContain("--entry lerp, --entry three");
    const outside = await world.ptxrun(["fails.ptx", "--entry", "outside"]);
    expect(outside.err).toContain("error PTX2203: the function outside is declared here and has no body");
    expect((await call("lerb")).err).toContain("did you mean lerp?");
  });

  it("cannot take a list of open length, nor return what nobody could read", async () => {
    expect((await world.ptxrun(["fails.ptx", "--entry", "last"])).err).toContain("error PTX1406: last takes a list");
    expect((await world.ptxrun(["fails.ptx", "--entry", "large"])).err).toContain(
      "error PTX1407: large returns 100000",
    );
  });

  it("names missing arguments, and says who called it when it faults", async () => {
    const { exit, err } = await call("three");
    expect(exit).toBe(4);
    expect(err).toContain("note PTX2205: p is 0, because no value was given");
    expect(err).toContain("three is called here, by the launch of three");
  });

  it("runs in many threads", async () => {
    const { out } = await call("lerp", "-a", "a=1", "-a", "b=2", "-a", "t=1", "--block", "40", "--thread", "0/39");
    expect(out).toBe("r  f32  0x40000000  2.0\n");
  });

  it("gives JSON, and a trace that begins with its call", async () => {
    const { out } = await call("lerp", "-a", "a=1", "-a", "b=2", "-a", "t=1", "--json");
    expect(JSON.parse(out)).toMatchObject({
      kernel: "lerp",
      threads: [{ registers: [{ name: "r", bits: "0x40000000" }] }],
    });
    const traced = await world.ptxrun(["trace", "f.ptx", "--entry", "lerp", "-a", "a=1", "-a", "b=2", "-a", "t=1"]);
    const lines = traced.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[1]).toMatchObject({ opcode: "call lerp", text: ".func (.reg .f32 r) lerp" });
    expect(lines.at(-1)).toMatchObject({ stop: { reason: "exit" }, steps: 6 });
  });

  it("can be stepped through, within an honest frame", async () => {
    const stdin = "step\nwhere\nbreak lerp\nrestart\ncontinue\nfinish\nprint r\n";
    const { out } = await world.ptxrun(["repl", "f.ptx", "--entry", "lerp", "-a", "a=1", "-a", "b=2", "-a", "t=1"], {
      stdin,
    });
    expect(out).toContain("#0  lerp, lerp: 8  ld.param.f32 tt, [t];\n#1  the launch of lerp,");
    expect(out).toContain("breakpoint 1 at lerp: 8  ld.param.f32 tt, [t];");
    expect(out).toContain("$1 = 2.0 (f32 0x40000000)");
  });

  it("can be checked by its results", async () => {
    const check = async (entry: string, cases: string) => {
      world.write("checked.ptx", `//@ args: --entry ${entry}\n${cases}\n${functions}`);
      return (await world.ptxrun(["check", "checked.ptx"])).out;
    };
    expect(await check("lerp", "//@ case a: a=1 b=2 t=0.25 -> r=1.25")).toContain("1 passed");
    expect(await check("lerp", "//@ case a: a=1 b=2 t=0.25 -> r=1.5")).toContain("r is 0x3fa00000 (1.25)");
    expect(await check("lerp", "//@ case a: a=1 b=2 t=0.25 -> ?")).toContain("expected r=0x3fa00000");
    expect(await check("lerp", "//@ case a: a=1 b=2 -> r=1")).toContain("case a gives no t");
    expect(await check("three", "//@ case a: p=u32x2:1,2 -> s=1,2,7 s[1]=2 s:u16=1,0,2,0,7,0 p=99,2")).toContain(
      "1 passed",
    );
    expect(await check("three", "//@ case a: p=u32x2:1,2 -> s[1]=3")).toContain("s[1] is 0x00000002 (2)");
  });

  it("can be launched by the library", () => {
    const module = must(new Device().module(functions));
    expect([module.entries, module.functions]).toEqual([[], ["lerp", "three", "many", "factorial", "stops"]]);
    const { session } = must(must(module.kernel("lerp")).launch({ args: [1, 2, 0.5] }));
    expect(session.program).toMatchObject({ calls: "lerp", results: [{ name: "r" }] });
    expect(session.registers({ block: 0, warp: 0, lane: 0 })).toMatchObject([{ name: "r", bits: [0x3fc00000n] }]);
  });
});

describe("the body of a function without its head", () => {
  const body = `ld.param.f32 %f1, [_Z3addff_param_0];
ld.param.f32 %f2, [_Z3addff_param_1];
setp.lt.f32 %p1, %f1, 0f00000000;
@%p1 ret;
add.f32 %f3, %f1, %f2;
st.param.f32 [func_retval0+0], %f3;
ret;
`;
  world.write("body.ptx", body);

  it("shows its result, and all registers when asked", async () => {
    const run = (...argv: string[]) => world.ptxrun(["body.ptx", "-a", "=1.5", "-a", "=2", ...argv]);
    expect(await run()).toEqual({ exit: 0, out: "func_retval0  f32  0x40600000  3.5\n", err: "" });
    expect((await run("--dump", "regs")).out).toMatch(/^%f1 .*\n%f2 .*\n%p1 .*\n%f3 .*\nfunc_retval0 .* 3\.5\n$/);
    const steps = `//@ case one: _Z3addff_param_0=1.5 _Z3addff_param_1=2 -> ?\n`;
    world.write("case.ptx", `${steps}${body}`);
    expect((await world.ptxrun(["check", "case.ptx", "--update"])).out).toContain("? is now func_retval0=0x40600000");
  });

  it("says that a lane returned without writing it", async () => {
    const { exit, out, err } = await world.ptxrun(["body.ptx", "-a", "=-1.5", "-a", "=2"]);
    expect([exit, out]).toEqual([0, "func_retval0  f32  0x00000000  0.0\n"]);
    expect(err).toMatch(/^note PTX4001: ret reads 4 bytes at 0x0, which nothing has written, in thread/);
    expect(err).toContain("body.ptx:6:15");
  });
});

describe("a result that is not written", () => {
  world.write(
    "unwritten.ptx",
    `${header}
.func (.reg .b32 r, .reg .b32 s) register() { mov.b32 s, 1; ret; }
.func (.param .b64 r) memory(.param .u32 n)
{
  .reg .u32 a; .reg .pred p;
  ld.param.u32 a, [n];
  setp.eq.u32 p, a, 0;
  @p ret;
  st.param.b32 [r+4], a;
  setp.eq.u32 p, a, 1;
  @!p st.param.b32 [r], a;
  ret;
}
.func (.reg .b32 r) other() { mov.b32 r, 5; ret; }
.func (.reg .b32 r) passed() { call (r), other; ret; }
.func (.reg .pred p, .reg .v2 .b32 v) several() { setp.eq.u32 p, 1, 1; mov.b32 v.y, 1; ret; }
`,
  );
  const run = (...argv: string[]) => world.ptxrun(["unwritten.ptx", "--entry", ...argv]);

  it("is a note: of a register always", async () => {
    const { exit, err } = await run("register");
    expect(exit).toBe(0);
    expect(err).toMatch(/^note PTX4001: register returns r, and nothing in it writes that\n/);
    expect(err).not.toContain("returns s");
    for (const name of ["passed", "several"]) expect((await run(name)).err).toBe("");
  });

  it("is a note: of memory in the run that shows it", async () => {
    expect((await run("memory", "-a", "=2")).err).toBe("");
    expect((await run("memory", "-a", "=0")).err).toContain(
      "note PTX4001: ret leaves memory, and nothing has written its result, in thread (0,0,0)",
    );
    const { exit, err } = await run("memory", "-a", "=1");
    expect([exit, err]).toEqual([0, expect.stringContaining("nothing has written 4 of the 8 bytes of its result")]);
    expect((await run("memory", "-a", "=0", "--sanitize", "mem")).err).toBe("");
  });
});
