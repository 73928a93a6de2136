import { expect, it } from "vitest";
import { Device, type LaunchOptions, must } from "../../../../src/host/index.ts";
import { launchAlone } from "../../../../src/interp/worker-pool/team.ts";
import { kernel } from "./several-workers.ts";

/** Why a launch is one worker's. */
function why(text: string, options: LaunchOptions = {}, device = new Device({ maxMemory: 1 << 20 })): string {
  const data = device.buffer(256);
  const session = must(must(must(device.module(text)).kernel("k")).session({ grid: 2, args: [data], ...options }))!;
  return launchAlone(session);
}

it("blocks are several workers' unless something speaks against it", () => {
  expect(why(kernel(""))).toBe("");
  expect(why(kernel(""), { async: { when: "late" } })).toBe("");
  expect(why(kernel("activemask.b32 %r6;"))).toBe("");
  expect(why(kernel(""), { grid: 1 })).toBe("it has one block");
});

it("they are one worker's where memory of several devices is one range of addresses", () => {
  const device = new Device({ maxMemory: 1 << 20 });
  device.multicast(256, { devices: 2 });
  expect(why(kernel(""), {}, device)).toBe("the device has multimem memory");
});

it.each(["malloc", "free"])("they are one worker's where they ask for %s of one heap", (name) => {
  const isMalloc = name === "malloc";
  const outside = isMalloc
    ? ".extern .func (.param .b64 r) malloc (.param .b64 n);"
    : ".extern .func free (.param .b64 n);";
  const call = isMalloc ? "call (r), malloc, (n);" : "call free, (n);";
  const text = kernel(`{ .param .b64 n; .param .b64 r; st.param.b64 [n], 0; ${call} }`, outside);
  expect(why(text)).toBe("it uses the device heap");
});

it("they are one worker's where the memory does not hold the launch, or cannot be shared", () => {
  const small = new Device({ maxMemory: 1 << 16 });
  expect(why(kernel(""), { block: 1024 }, small)).toBe("it has not begun");
  const device = new Device({ maxMemory: 1 << 20 });
  const data = device.buffer(256);
  const session = must(must(must(device.module(kernel(""))).kernel("k")).session({ grid: 2, args: [data] }))!;
  Object.defineProperty(session.state!.context.memory.linear, "wasm", { value: undefined });
  expect(launchAlone(session)).toBe("its memory cannot be shared");
});
