import { describe, expect, it } from "vitest";
import { findDemangled } from "../../../src/lexer/index.ts";
import { parse, parseSnippet, print } from "../../../src/parser/index.ts";
import { Source } from "../../../src/source/source.ts";
import { growth, LINEAR } from "../../cost.ts";

const namesIn = (text: string): string[] =>
  [...(findDemangled(text) ?? [])].map(([start, length]) => text.slice(start, start + length));

describe("C++ names where PTX has names", () => {
  it.each([
    [".visible .entry square(int*, int)(\n.param .u64 x\n)\n{", ["square(int*, int)"]],
    [".entry nop()()\n{", ["nop()"]],
    [".entry void add<float, 4>(float const*)(.param .u64 x) {", ["void add<float, 4>(float const*)"]],
    [".entry (anonymous namespace)::k(int*)() .maxntid 4 {", ["(anonymous namespace)::k(int*)"]],
    [".entry fp(void (*)(int), int (&) [4])(\n.param .u64 x)", ["fp(void (*)(int), int (&) [4])"]],
    [".entry k(char const*, ...)(\n.param .u64 x)", ["k(char const*, ...)"]],
    [".entry f[abi:cxx11](int)(\n.param .u64 x)", ["f[abi:cxx11](int)"]],
    [
      ".entry void ap<launch(int*)::{lambda(int)#1}>(launch(int*)::{lambda(int)#1}, int*)(\n.param .u64 x)",
      ["void ap<launch(int*)::{lambda(int)#1}>(launch(int*)::{lambda(int)#1}, int*)"],
    ],
    [".entry void h<(E)2, (char)97, (3>2)>()()\n{", ["void h<(E)2, (char)97, (3>2)>()"]],
    [
      ".func  (.param .b32 func_retval0) ns::A<int>::operator()(int) const\n(\n.param .b32 x\n)\n;",
      ["ns::A<int>::operator()(int) const"],
    ],
    [".func operator<<(B, int)(\n.param .b32 x)", ["operator<<(B, int)"]],
    [".func A::operator[](int)(\n.param .b32 x)", ["A::operator[](int)"]],
    [".func bool operator< <int>(A<int>, A<int>)(\n.param .b32 x)", ["bool operator< <int>(A<int>, A<int>)"]],
    [".func A::operator new[](unsigned long)(\n.param .b32 x)", ["A::operator new[](unsigned long)"]],
    [".func A::~A()\n(\n)\n;", ["A::~A()"]],
    ["{ ld.param.u64 %rd1, [k(int, long)_param_0+4]; }", ["k(int, long)_param_0"]],
    [".param .align 4 .b8 k(A<int, 2>)_param_0[16],", ["k(A<int, 2>)_param_0"]],
    [".param .u64 .ptr .global .align 8 k(int)_param_1\n)", ["k(int)_param_1"]],
    [".global .align 4 .b8 ns::table[16] = {1, 2};", ["ns::table"]],
    [
      ".global .align 8 .u64 vtable for ns::A[3] = {0, A::f(), non-virtual thunk to A::g(int)};",
      ["vtable for ns::A", "A::f()", "non-virtual thunk to A::g(int)"],
    ],
    [".global .b32 guard variable for f()::x;", ["guard variable for f()::x"]],
    [".global .b32 vtable for A[4]; mov.u64 %rd1, vtable for A+16;", ["vtable for A", "vtable for A"]],
    [".shared .align 4 .b8 void k<int>(int)::buf[16];", ["void k<int>(int)::buf"]],
    ["call.uni (retval0), \nf(float, float), \n(\nparam0, \nparam1\n);", ["f(float, float)"]],
    ["call f(), (a);", ["f()"]],
    ["mov.u64 %rd1, ns::f(int); mov.u64 %rd2, ns::g;", ["ns::f(int)", "ns::g"]],
    [".global .u64 ns::t[2] = {generic(ns::x), ns::f(int)};", ["ns::t", "ns::x", "ns::f(int)"]],
  ])("%j", (text, names) => expect(namesIn(text)).toEqual(names));

  it.each([
    ".entry k(\n.param .u64 x\n)\n{ .reg .b32 %r<4>, %q<2>; .reg .pred p<3>, q<4>; call (r), f, (a, b); ret; }",
    ".func (.reg .f64 r) f(.reg .pred p, .reg .u16 n) { ret; }",
    "fence.proxy.tensormap::generic.acquire.gpu [a], 128; ld.shared::cta.u32 a, [b];",
    "{ cp.async.bulk.shared::cluster.global [a], [b], 4, [c]; }",
    ".global .u64 t[2] = {generic(a), 0xFF(b)}; .global .attribute(.managed, .unified(1, 2)) .u32 g;",
    ".entry k() { ret; } // square(int*)::x",
    ".entry k() .maxntid 4 { ret; }",
    "add.u32 %r1, foo(%r2), 3;",
    "mov.u32 a, max(b, c);",
  ])("are none in %j", (text) => expect(findDemangled(text)).toBeUndefined());

  it("are names of the tree, with their places, and printed as they stand", () => {
    const text = `.version 8.0
.target sm_80
.global .b32 ns::table[4];
.func (.param .b32 func_retval0) add(float, ...)(
	.param .b32 add(float, ...)_param_0
)
{
	ret;
}
.visible .entry (anonymous namespace)::k(int*)(
	.param .u64 (anonymous namespace)::k(int*)_param_0
)
{
	.shared .b32 (anonymous namespace)::k(int*)::buf[4];
	mov.u64 %rd1, ns::table;
	ld.param.u64 %rd2, [(anonymous namespace)::k(int*)_param_0+0];
	call.uni (retval0), add(float, ...), (param0);
	ret;
}
`;
    const { value, diagnostics } = parse(new Source("a.ptx", text));
    expect(diagnostics).toEqual([]);
    const kernel = value.items.at(-1);
    if (kernel?.kind !== "function") throw new Error("no kernel");
    expect(kernel.name.text).toBe("(anonymous namespace)::k(int*)");
    expect(text.slice(kernel.name.start, kernel.name.end)).toBe(kernel.name.text);
    const printed = print(value);
    expect(printed).toContain("call.uni (retval0), add(float, ...), (param0);");
    expect(print(parse(new Source("b.ptx", printed)).value)).toBe(printed);
  });

  it("are found in a body when only that has them", () => {
    const text =
      ".version 8.0\n.target sm_80\n.entry k()\n{\n.shared .b32 k::buf[4];\nmov.u64 %rd1, k::buf;\nret;\n}\n";
    expect(parse(new Source("a.ptx", text)).diagnostics).toEqual([]);
    expect(parseSnippet(new Source("a.ptx", "ld.param.u64 %rd1, [square(int*, int)_param_0];")).diagnostics).toEqual(
      [],
    );
  });

  it("do not hide a mistake beside them", () => {
    const text = ".version 8.0\n.target sm_80\n.entry k(int)()\n{\nadd.u32 a, b c;\nret;\n}\n";
    expect(parse(new Source("a.ptx", text)).diagnostics.map(({ code }) => code)).toEqual(["PTX1103"]);
  });

  it.each([
    [".entry a(", 100_000],
    ["call (", 200_000],
    ["[a(a<", 20_000],
    [".func ( .", 100_000],
    ["(anonymous namespace)::", 50_000],
    [".param .attribute(", 50_000],
    [",a::b", 200_000],
    [", operator", 100_000],
    [`${". ".repeat(4000)}[a(`, 200],
  ])("are searched for in linear time: %j %i times", async (part, times) => {
    expect(await growth((count) => findDemangled(part.repeat(count)), [times / 10, times])).toBeLessThan(LINEAR);
  });
});
