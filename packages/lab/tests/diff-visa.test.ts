import { afterAll, expect, it } from "vitest";
import { World } from "../../../tests/unit/cli/world.ts";
import { besides } from "../../visa/tests/archive.ts";

const world = new World();
afterAll(() => world.remove());

/** The dump of a kernel for a device, with its .zeinfo; `change` plants a fault in it. */
function dump(device: string, kernel: string, to: string, change = (text: string): string => text): string {
  for (const [end, bytes] of besides(device, kernel))
    world.write(`${to}.${end}`, end === "visaasm" ? change(new TextDecoder().decode(bytes)) : bytes);
  return `${to}.visaasm`;
}

const launch = ["--grid", "2", "--block", "32", "-a", "a=2.5", "-a", "x=f32x64:iota", "-a", "y=f32x64:fill=3"];
const flipped = (text: string): string => text.replace(/(mad .* V0034\(0,0\)<0;1,0>) /, "$1 (-)");

it("dumps of one kernel by two compilers have the same results, whatever is in their registers", async () => {
  const [one, other] = [dump("igc2/dg2", "saxpy", "dg2"), dump("igc1/pvc", "saxpy", "pvc")];
  const { out, exit } = await world.ptxrun(["diff", one, other, ...launch]);
  expect([out, exit]).toEqual(["equal      dg2.visaasm  pvc.visaasm  2 buffers\n", 0]);
});

it.each(["igc2/dg2", "igc2/bmg"])("of dumps that differ the instruction is named, %s and another", async (device) => {
  const [one, other] = [dump(device, "saxpy", "one"), dump("igc2/bmg", "saxpy", "other", flipped)];
  const { out, exit } = await world.ptxrun(["diff", one, other, ...launch]);
  expect(exit).toBe(1);
  expect(out).toContain("y[1] is 0x40b00000 (5.5) in the first, 0x3f000000 (0.5) in the second; 63 of 64 differ");
  const [, first, second] = /first difference, in thread 1: gets the same.*\n(.*)\n(.*)\n/.exec(out) ?? [];
  expect(first).toMatch(
    /one.visaasm:\d+ {2}mad .* with V0034=0x40200000 V\d+=0x3f800000 V\d+=0x40400000 {2}gives V\d+=0x40b00000/,
  );
  expect(second).toMatch(/other.visaasm:\d+ {2}mad .* \(-\)V.* gives V0074=0x3f000000/);
});
