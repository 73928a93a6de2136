import { describe, expect, it } from "vitest";
import { Device, must } from "../../../src/index.ts";
import { header, load } from "./load.ts";

const errors = (text: string): string[] =>
  load(text)
    .diagnostics.filter(({ severity }) => severity === "error")
    .map(({ code, message }) => `${code} ${message}`);
const notes = (text: string): string[] =>
  load(text)
    .diagnostics.filter(({ severity }) => severity === "note")
    .map(({ code }) => code);

/** A kernel that adds two numbers by a function, as a filter of directives leaves it. */
const filtered = `
.func (.param .b32 func_retval0) add(
 .param .b32 add_param_0,
 .param .align 4 .b8 add_param_1[8]
)
{
 ld.param.f32 %f1, [add_param_0];
 ld.param.f32 %f2, [add_param_1+4];
 add.f32 %f3, %f1, %f2;
 st.param.f32 [func_retval0+0], %f3;
 ret;
}
.visible .entry k(
 .param .u64 k_param_0
)
{
 ld.param.u64 %rd1, [k_param_0];
 ld.global.f32 %f1, [%rd1];
 {
 st.param.f32 [param0+0], %f1;
 st.param.b32 [param1+0], 0;
 st.param.f32 [param1+4], %f1;
 call.uni (retval0),
 add,
 (
 param0,
 param1
 );
 ld.param.f32 %f2, [retval0+0];
 }
 st.global.f32 [%rd1], %f2;
 ret;
}
`;

describe("a text without its declarations", () => {
  it("passes arguments in variables of the function's sizes", () => {
    const device = new Device();
    const x = device.buffer(new Float32Array([1.5]));
    const kernel = must(must(device.module(filtered)).kernel("k"));
    expect(must(kernel.launch({ args: [x] })).stop.reason).toBe("exit");
    expect([...x.toArray("f32")]).toEqual([3]);
    expect(notes(filtered)).toEqual(["PTX9010", "PTX9011"]);
  });

  it("has the functions of the driver", () => {
    const body = `{ st.param.b64 [param0], 32; call (retval0), malloc, (param0); ld.param.b64 %rd1, [retval0]; }
      st.u32 [%rd1], 7; ld.u32 %r1, [%rd1]; { st.param.b64 [param0], %rd1; call free, (param0); } ret;`;
    const text = `.entry k(){ ${body} }`;
    expect(errors(text)).toEqual([]);
    expect(notes(text)).toEqual(["PTX9010", "PTX9011", "PTX9014", "PTX9014"]);
    const kernel = must(must(new Device().module(text)).kernel("k"));
    expect(must(kernel.launch()).stop.reason).toBe("exit");
    // With a header, and with all else declared, it is still known.
    const declared = ".param .b64 a; .param .b64 b; st.param.b64 [a], 32; call (b), malloc, (a);";
    expect(errors(`${header}.entry k(){ ${declared} ret; }`)).toEqual([]);
  });

  it("runs up to a call of what was folded away", () => {
    const call = "{ st.param.b32 [param0+0], %r1; call (retval0), f, (param0); ld.param.b32 %r2, [retval0+0]; }";
    const text = `.entry k(.param .u32 n){ ld.param.u32 %r1, [n]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L; ${call} L: ret; }`;
    expect(errors(text)).toEqual([]);
    expect(notes(text)).toContain("PTX9015");
    const kernel = must(must(new Device().module(text)).kernel("k"));
    expect(must(kernel.launch({ args: [0] })).stop.reason).toBe("exit");
    const { stop } = must(kernel.launch({ args: [1] }));
    expect(stop.reason === "trap" && stop.diagnostic.code).toBe("PTX5001");
    expect(stop.reason === "trap" && stop.diagnostic.message).toContain("nothing defines f");
  });

  it("with a header lacks only C++ functions, not slips of the pen", () => {
    const kernel = (name: string) => `${header}.func helper(){ ret; }\n.entry k(){ call ${name}; ret; }`;
    expect(errors(kernel("helpr"))).toEqual(["PTX1421 no function helpr is declared before this"]);
    expect(errors(kernel("other"))).toEqual(["PTX1421 no function other is declared before this"]);
    expect(errors(kernel("_ZSt4sortPiS_"))).toEqual([]);
    expect(errors(kernel("std::sort(int*, int*)"))).toEqual([]);
  });

  it("does not guess variables, and says where they went", () => {
    const { diagnostics } = load(".entry k(.param .u64 p){ mov.u32 %r1, buf; st.shared.u32 [%r1], 1; ret; }");
    const [error] = diagnostics.filter(({ severity }) => severity === "error");
    expect([error?.code, error?.message, error?.help?.[0]?.message]).toEqual([
      "PTX1320",
      "buf is not declared",
      expect.stringContaining("filter of directives"),
    ]);
  });

  it("may have a body whose head is hidden", () => {
    expect(notes(".entry k(.param .u32 n){ ret; }\n{ ret; }")).toEqual(["PTX9016", "PTX9010"]);
    expect(notes("{ ret; }\n.entry k(.param .u32 n){ ret; }")).toEqual(["PTX9016", "PTX9010"]);
    expect(errors(`${header}{ ret; }`)).toEqual(["PTX1101 a block outside of a function"]);
  });
});
