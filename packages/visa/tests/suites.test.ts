import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { share } from "../../../tests/share.ts";
import { World } from "../../../tests/unit/cli/world.ts";
import { archived, besides } from "./archive.ts";
import { type Case, cases, type Numbers } from "./suites.ts";

/*
 * Kernels in the style of public suites, by two compilers for several devices: each is launched by the names of its source
 * with all checks on, and its buffers are compared with what the host computes.
 */

const world = new World();
afterAll(() => world.remove());

const hex = (bytes: Uint8Array): string => `hex:${Buffer.from(bytes).toString("hex")}`;
const bytesOf = (of: Numbers): Uint8Array => new Uint8Array(of.buffer, of.byteOffset, of.byteLength);

async function buffersAfter({ kernel, grid = [1], block, args, aggregates = {} }: Case, device: string) {
  for (const [end, bytes] of besides(device, kernel)) world.write(`${kernel}.${end}`, bytes);
  const words = Object.entries(args).flatMap(([name, value]) => {
    if (typeof value === "number") return ["-a", `${name}=${value}`];
    world.write(`${name}.bin`, bytesOf(value));
    return ["-a", `${name}=@${name}.bin`, "--dump", `${name}=@${name}.out`];
  });
  const structs = Object.entries(aggregates).flatMap(([name, bytes]) => ["-a", `${name}=${hex(bytes)}`]);
  const launch = ["run", `${kernel}.visaasm`, "--grid", grid.join(), "--block", block.join()];
  const { out, err, exit } = await world.ptxrun([...launch, "--sanitize", "mem,init,sync,race", ...words, ...structs]);
  // Platforms differ there, and that is said.
  const warnings = err.replace(/^warning PTX8310[\s\S]*?\^\n/gm, "");
  expect([out, warnings, exit]).toEqual(["", "", 0]);
  return new Map(
    Object.entries(args).flatMap(([name, value]): [string, Numbers][] => {
      if (typeof value === "number") return [];
      const bytes = Uint8Array.from(readFileSync(join(world.folder, `${name}.out`)));
      return [[name, new (value.constructor as new (of: ArrayBuffer) => Numbers)(bytes.buffer)]];
    }),
  );
}

describe.each(archived)("kernels of suites on %s", (device) => {
  const own = cases.filter(({ kernel }) => besides(device, kernel).length > 0);

  it("are there, but for doubles and sub-groups where the compiler has none", () => {
    expect(own.length).toBeGreaterThanOrEqual(cases.length - 5);
  });

  it.each(share(own, 60))("$kernel", async (each) => {
    const after = await buffersAfter(each, device);
    for (const [name, wanted] of Object.entries(each.gives)) {
      const got = after.get(name)!;
      expect(got.length, name).toBe(wanted.length);
      for (const [i, value] of [...got].entries()) {
        const exact = wanted[i]!;
        const off =
          typeof value === "bigint" || typeof exact === "bigint" ? (value === exact ? 0 : 1) : distance(value, exact);
        expect(off, `${name}[${i}] is ${value}, not ${exact}`).toBeLessThanOrEqual(each.within ?? 0);
      }
    }
  });
});

/** Relative, and absolute for what is near 0. */
const distance = (value: number, exact: number): number =>
  Object.is(value, exact) || value === exact ? 0 : Math.abs(value - exact) / Math.max(1, Math.abs(exact));
