import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Device } from "../../../../src/host/index.ts";
import { Source } from "../../../../src/source/source.ts";
import { linesOf, whyText } from "../../why/text.ts";
import type { AskedValue } from "../../why/value.ts";
import { type Begun, whyAgain } from "../../why/why.ts";

/** A launch of a case on a device of its own, `grow` threads more than the buffers have elements. */
function begun(name: string, grow = 0): Begun {
  const text = readFileSync(join(import.meta.dirname, "cases", name), "utf8");
  const device = new Device();
  const kernel = device.module(new Source(name, text)).value?.kernel("k").value;
  const [x, out] = ["x", "out"].map((name) => device.buffer(new Uint8Array(256), { name }));
  if (kernel === undefined || x === undefined || out === undefined) throw new Error(`${name} does not load`);
  x.write(new Uint8Array(new Float32Array(64).map((_, at) => at - 1).buffer));
  const { value: session } = kernel.session({ block: 64 + grow, args: [x, out] });
  if (session === undefined) throw new Error(`${name} does not begin`);
  const places = Object.entries({ x, out }).map(([name, { address, bytes }]) => ({
    name,
    address,
    bytes,
    type: "f32",
  }));
  return { session, places };
}

const told = (name: string, what: Parameters<typeof whyAgain>[1], grow = 0, most?: number): readonly string[] => {
  const why = whyAgain(begun(name, grow), what, {}, most);
  return why === undefined ? [] : linesOf(why).lines.map(({ line, text }) => `${line}: ${text}`);
};

it("explains a value of a launch that is begun anew", () => {
  const { places } = begun("root.ptx");
  const address = (places[1]?.address ?? 0n) + 4n * 3n;
  const asked: AskedValue = {
    text: "out[3]",
    type: "f32",
    target: { kind: "memory", space: "global", address, bytes: 4 },
  };
  expect(told("root.ptx", asked)).toEqual([
    "16: %f3 = nan, thread (3,0,0) of block (0,0,0)",
    "15: sqrt(-2.0) = nan: the square root of a negative number",
    "14: 2.0 - 4.0 = -2.0",
    "13: x[3] = 2.0, as it was given",
  ]);
});

it("explains the fault that another run of the launch has ended with", () => {
  const { session } = begun("root.ptx", 1);
  const stop = session.run();
  session.close();
  if (stop.reason !== "trap") throw new Error("it has not faulted");
  expect(told("root.ptx", { problem: stop.diagnostic }, 1)).toEqual([
    "13: here, thread (64,0,0) of block (0,0,0)",
    "11: &x[0] + 256 = &x[64], past its end",
    "7: x = &x[0], a parameter",
    "10: 64 * 4 = 256",
    "9: %tid.x = 64",
  ]);
});

it("explains a finding, by the step that reported it and not the first execution of its instruction", () => {
  const { session } = begun("barrier.ptx");
  session.run();
  const [finding] = session.findings;
  session.close();
  if (finding === undefined) throw new Error("nothing was found");
  expect(told("barrier.ptx", { problem: finding })).toEqual([
    "24: here, thread (0,0,0) of block (0,0,0)",
    "undefined: nothing has written tile[32] before",
    "22: thread (32,0,0) of block (0,0,0) writes it later: is a barrier missing?",
  ]);
});

it("explains the first NaN, and has nothing to say where nothing is wrong", () => {
  const why = whyAgain(begun("root.ptx"), "first");
  expect(why && whyText(why)[0]).toBe("out[0] = nan");
  expect(whyAgain(begun("wraps.ptx"), "first")).toBeUndefined();
});

it("looks further back for a value than it looks at together, but not for the causes of one", () => {
  const { places } = begun("root.ptx");
  const address = (places[1]?.address ?? 0n) + 4n;
  const asked: AskedValue = {
    text: "out[1]",
    type: "f32",
    target: { kind: "memory", space: "global", address, bytes: 4 },
  };
  // The first of two warps has stored it before the second one has ended.
  expect(told("root.ptx", asked, 0, 2)).toEqual([
    "16: %f3 = nan, thread (1,0,0) of block (0,0,0)",
    "15: sqrt(-4.0) = nan, nothing has written %f2 since step 8, and the run is too long to go back further: the square root of a negative number",
  ]);
});
