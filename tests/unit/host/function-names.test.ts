import { describe, expect, it } from "vitest";
import { FunctionNames } from "../../../src/host/module/function-names.ts";
import { growth, LINEAR } from "../../cost.ts";

const kernels = [
  "_Z6matmulIfEvPT_i", // void matmul<float>(float*, int)
  "_Z6matmulIdEvPT_i", // void matmul<double>(double*, int)
  "_ZN2ns1kEPKi", // ns::k(int const*)
  "_Z1kPj", // k(unsigned int*)
  "_Z5scaleILj16EEvPfS0_", // void scale<16u>(float*, float*)
  "saxpy",
  "saxpy2",
  "square(int*, int)",
  "_ZN12_GLOBAL__N_16hiddenIcEEvv", // void (anonymous namespace)::hidden<char>()
];
const names = new FunctionNames(kernels, ["_Z4lerpfff", "saxpy_helper"]);
const means = (written: string): string | readonly string[] | undefined => {
  const meaning = names.meaning(written);
  return meaning.kind === "one" ? meaning.name : meaning.kind === "several" ? meaning.names : meaning.meant;
};

describe("what is written for a kernel", () => {
  it.each([
    ["the mangled name", "_Z6matmulIfEvPT_i", 0],
    ["the declaration", "void matmul<float>(float*, int)", 0],
    ["what it takes", "matmul<float>(float*, int)", 0],
    ["its arguments of the template", "matmul<double>", 1],
    ["spaces as one likes", "  void   matmul< float >( float * ,int )", 0],
    ["a short name as messages have it", "matmul<float>(...)", 0],
    ["a part of the mangled name", "matmulId", 1],
    ["a part of the declaration", "<flo", 0],
    ["a namespace", "ns::k", 2],
    ["const in front, as people write it", "ns::k(const int *)", 2],
    ["unsigned for unsigned int", "k(unsigned *)", 3],
    ["a number without its suffix", "scale<16>", 4],
    ["no arguments of a template", "scale", 4],
    ["a name that begins another", "saxpy", 5],
    ["a name that is declared in the text", "square( int*,int )", 7],
    ["the beginning of it", "square", 7],
    ["the mangled name of what is declared in the text", "_Z6squarePii", 7],
    ["no namespace", "hidden", 8],
    ["a namespace that has no name", "(anonymous namespace)::hidden<char>()", 8],
  ])("may be %s", (_, written, index) => {
    expect(means(written)).toBe(kernels[index]);
  });

  it("may be several", () => {
    expect(means("matmul")).toEqual(kernels.slice(0, 2));
    expect(means("k(")).toEqual(kernels.slice(2, 4));
  });

  it("may be none: a close one is named as it can be written", () => {
    expect(names.meaning("matmul<flot>")).toEqual({ kind: "none", meant: "matmul<float>" });
    expect(names.meaning("sxapy")).toEqual({ kind: "none", meant: "saxpy" });
    expect(names.meaning("scael")).toEqual({ kind: "none", meant: "scale" });
    expect(names.meaning("nothing_like_it")).toEqual({ kind: "none" });
    for (const empty of ["", "  "]) expect(names.meaning(empty)).toEqual({ kind: "none" });
  });

  it("is a device function only if it is no kernel", () => {
    expect(means("lerp")).toBe("_Z4lerpfff");
    expect(means("saxpy_")).toBe("saxpy_helper");
    expect(means("axpy2")).toBe("saxpy2");
    expect(new FunctionNames(["_Z3addi"], ["_Z3addf"]).meaning("add")).toEqual({ kind: "one", name: "_Z3addi" });
  });
});

describe("the shortest name", () => {
  it.each([
    [0, "matmul<float>"],
    [2, "ns::k"],
    [3, "k"],
    [4, "scale"],
    [5, "saxpy"],
    [7, "square"],
    [8, "hidden"],
  ])("means one kernel and no other: %i", (index, shortest) => {
    const name = kernels[index] ?? "";
    expect(names.shortest(name)).toBe(shortest);
    expect(means(shortest)).toBe(name);
  });

  it("is found among thousands, in linear time", async () => {
    const among = (length: number): void => {
      const many = Array.from({ length }, (_, at) => `_Z6kernelILi${at}EEvPf`);
      const all = new FunctionNames(many);
      expect(all.meaning("kernel<432>")).toEqual({ kind: "one", name: "_Z6kernelILi432EEvPf" });
      expect(all.listed(many, 3)).toEqual({ shown: ["kernel<0>", "kernel<1>", "kernel<2>"], more: length - 3 });
      expect(all.meaning("kernal<1>")).toMatchObject({ kind: "none" });
    };
    expect(await growth(among, [500, 5000])).toBeLessThan(LINEAR);
  });
});
