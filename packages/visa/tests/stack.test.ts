import { cpSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { World } from "../../../tests/unit/cli/world.ts";
import { besides } from "./archive.ts";

/*
 * `opencl/call.cl` with -cl-opt-disable: its function is called by the stack, and is in a dump of its own beside the kernel's.
 * IGC 2 has it for bmg, and IGC 1 for dg2.
 */

const world = new World();
afterAll(() => world.remove());
cpSync(resolve(import.meta.dirname, "../../../tests/data/visa/unoptimised"), world.folder, { recursive: true });
for (const [end, bytes] of besides("igc2/dg2", "call")) world.write(`optimised.${end}`, bytes);

const weight = (x: number, y: number): number => (Math.imul(x, 31) + (y ^ (x >> 3))) | 0;
const wanted = Array.from({ length: 40 }, (_, i) => {
  let v = 7 * i;
  for (let k = 0; k < (i & 3); k++) v = weight(v, k);
  return weight(v, i);
});
const input = `s32x40:${wanted.map((_, i) => 7 * i).join()}`;

const launch = ["--block", "40", "-a", `a=${input}`, "-a", "out=s32x40"];

describe.each(["bmg", "dg2"])("functions that kernels for %s call by the stack", (device) => {
  it("have arguments, results and variables of their own", async () => {
    const words = ["run", `call.${device}.visaasm`, ...launch, "--sanitize", "mem,sync,race", "--dump", "out:all"];
    const { out, err, exit } = await world.ptxrun(words);
    expect([err, exit]).toEqual(["", 0]);
    expect(
      [...out.matchAll(/^ *\[.*\](.*)$/gm)].flatMap(([, row = ""]) => row.trim().split(/\s+/).map(Number)),
    ).toEqual(wanted);
  });

  it("are known by name only where their dump is missing", async () => {
    for (const end of ["visaasm", "zeinfo"])
      world.write(`alone.${end}`, readFileSync(join(world.folder, `call.${device}.${end}`)));
    const { err, exit } = await world.ptxrun(["run", "alone.visaasm", ...launch]);
    expect(err).toContain("fcall is not implemented yet");
    expect(exit).toBe(5);
  });
});

it("diff finds no difference between a kernel without optimisation and with it", async () => {
  const { out, exit } = await world.ptxrun(["diff", "call.bmg.visaasm", "optimised.visaasm", ...launch]);
  expect([out, exit]).toEqual(["equal      call.bmg.visaasm  optimised.visaasm  2 buffers\n", 0]);
});
