import { describe, expect, it } from "vitest";
import { Debugger } from "../../../src/host/debugger/debugger.ts";
import { Device, must } from "../../../src/host/index.ts";
import { Source } from "../../../src/source/source.ts";

const text = `.version 8.0
.target sm_80
.address_size 64
.global .u32 word = 3;
.visible .entry k(.param .u64 out, .param .u32 n)
{
  .reg .pred %p; .reg .b32 %r, %n; .reg .b64 %out;
  .shared .u32 tile[2];
  mov.u32 %r, %tid.x;
  add.u32 %r, %r, 1;
  ld.param.u64 %out, [out];
  st.global.u32 [%out], %r;
  setp.eq.u32 %p, %n, 0;
  ret;
}
`;

/** A launch of 40 threads under its debugger, `steps` instructions of thread 0 behind its beginning. */
function start(steps: number) {
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("k"));
  const out = device.buffer(4);
  const debugger_ = must(Debugger.begin({ start: () => kernel.session({ block: 40, args: [out, { bits: 9n }] }) }));
  debugger_.step(steps);
  const thread = { block: 0, warp: 0, lane: 5 };
  const run = (line: string) => debugger_.inject(must(kernel.injected(new Source("line", line))), thread);
  const value = (name: string, lane = 5) =>
    debugger_.registers({ block: 0, warp: 0, lane }).find((register) => register.name === name)?.bits[0];
  return { device, kernel, debugger_, out, run, value };
}

describe("an instruction beside a launch", () => {
  it("is executed for one thread, with its registers, parameters, variables and special registers", () => {
    const { run, value, debugger_, out } = start(1);
    expect(value("%r")).toBe(5n);
    expect(run("mul.lo.u32 %r, %r, %r;")).toBeUndefined();
    expect([value("%r"), value("%r", 4), value("%r", 6)]).toEqual([25n, 4n, 6n]);
    run("ld.param.u32 %n, [n]; st.shared.u32 [tile+4], %n;");
    expect(value("%n")).toBe(9n);
    expect([...debugger_.read("shared", 4n, 4, { block: 0, warp: 1, lane: 0 })]).toEqual([9, 0, 0, 0]);
    run("mov.u32 %n, %tid.x; ld.global.u32 %r, [word]; ld.param.u64 %out, [out]; st.global.u32 [%out], %r;");
    expect([value("%n"), value("%r")]).toEqual([5n, 3n]);
    expect(out.toBits("u32")).toEqual([3n]);
    expect(debugger_.position).toBe(1);
  });

  it("leaves the launch where it was, which goes on with what was changed", () => {
    const { run, debugger_, out, value } = start(1);
    run("mov.u32 %r, 1000;");
    debugger_.step(1);
    expect([value("%r"), value("%r", 6)]).toEqual([1001n, 7n]);
    expect(debugger_.continue().reason).toBe("exit");
    expect(out.toBits("u32")).toEqual([40n]);
  });

  it("is part of history: before it nothing is changed, and behind it all is", () => {
    const { run, debugger_, value } = start(1);
    run("mov.u32 %r, 1000;");
    debugger_.step(1);
    debugger_.goTo(0);
    expect(value("%r")).toBe(0n);
    debugger_.goTo(2);
    expect(value("%r")).toBe(1001n);
  });

  it("reads and sets the thread's own carry flag and predicates", () => {
    const { run, debugger_, value } = start(1);
    run("add.cc.u32 %n, %r, 0xffffffff; setp.eq.u32 %p, %n, 4;");
    expect([5, 4].map((lane) => debugger_.carry({ block: 0, warp: 0, lane }))).toEqual([1, 0]);
    expect([value("%p"), value("%p", 4)]).toEqual([1n, 0n]);
    run("@!%p mov.u32 %n, 7;");
    run("addc.u32 %r, %n, 0;");
    expect([value("%n"), value("%r")]).toEqual([4n, 5n]);
  });

  it("gives the fault that ends it, with what it wrote before, and the launch goes on", () => {
    const { run, debugger_, value } = start(1);
    const fault = run("mov.u32 %n, 77; mov.u64 %out, 0; ld.global.u32 %r, [%out]; mov.u32 %n, 78;");
    expect(fault?.code).toBe("PTX3002");
    expect(fault?.message).toContain("in thread (5,0,0) of block (0,0,0)");
    expect([value("%n"), value("%r")]).toEqual([77n, 5n]);
    expect(debugger_.continue().reason).toBe("exit");
  });

  it("comes back from a loop without end", () => {
    const { run } = start(1);
    expect(run("L: bra L;")?.code).toBe("PTX6001");
  });

  it("keeps registers of its own to itself", () => {
    const { kernel } = start(1);
    const { value } = kernel.injected(new Source("line", "add.u32 %mine, %r, 1;"));
    expect(value?.registers.map(({ name }) => name).sort()).toEqual(["%mine", "%r"]);
    const { diagnostics } = kernel.injected(new Source("line", "add.f64 %r, %r, %r;"));
    expect(diagnostics.map(({ code }) => code)).toContain("PTX1302");
  });
});

describe("a program", () => {
  it("keeps its labels, with the function that they stand in", () => {
    const labelled = `.version 8.0
.target sm_80
.address_size 64
.func f() { IN: ret; }
.visible .entry k() { .reg .pred %p; bra END; A: call f, (); { B: @%p bra A; } END: ret; }`;
    const { program } = must(must(new Device().module(labelled)).kernel("k"));
    expect(program.labels).toEqual([
      { name: "A", pc: 1 },
      { name: "B", pc: 2 },
      { name: "END", pc: 3 },
      { name: "IN", within: "f", pc: 4 },
    ]);
  });
});
