import { describe, expect, it } from "vitest";
import { relaxedOption } from "../../../../src/cli/start/start.ts";

describe("relaxed SIMD", () => {
  it("is asked for where V8 has it behind an option, and kernels run", () => {
    expect(relaxedOption("run", "11.3.244.8-node.33")).toBe("--experimental-wasm-relaxed-simd");
    expect(relaxedOption("check", "11.3.244.8-node.33")).toBe("--experimental-wasm-relaxed-simd");
  });

  it("is not asked for elsewhere", () => {
    expect(relaxedOption("help", "11.3.244.8-node.33")).toBeUndefined();
    expect(relaxedOption("run", "12.4.254.21-node.33")).toBeUndefined();
  });
});
