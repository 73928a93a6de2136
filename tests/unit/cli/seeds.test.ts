import { afterAll, describe, expect, it } from "vitest";
import { World } from "./world.ts";

/** The lanes of each warp store their warp's number; the last warp to run leaves its own. */
const last = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 x)
{
  .reg .b32 %r<3>; .reg .b64 %d<2>;
  ld.param.u64 %d1, [x];
  mov.u32 %r1, %tid.x;
  shr.u32 %r2, %r1, 5;
  st.global.u32 [%d1], %r2;
  ret;
}
`;
const world = new World().write("last.ptx", last);
afterAll(() => world.remove());

const seeds = (range: string, ...more: string[]) => world.ptxrun([...more, "--seeds", range]);
const agreeing = ["last.ptx", "--block", "32", "-a", "u32x1"];
const racing = ["last.ptx", "--block", "256", "-a", "u32x1"];

describe("--seeds", () => {
  it("says that all of them end well and alike, apart from the result", async () => {
    const { exit, out, err } = await seeds("3..7", ...agreeing);
    expect([exit, err]).toEqual([0, "note PTX9007: all 5 seeds, 3 to 7, end well and leave the same result\n"]);
    expect(out).toBe("x  u32x1  0\n");
    expect((await seeds("4..4", ...agreeing)).err).toBe("note PTX9007: the only seed, 4, ends well\n");
  });

  it("does not say so with --quiet", async () => {
    expect((await seeds("3..7", ...agreeing, "-q")).err).toBe("");
  });

  it("names the first seed that leaves another result, and the commands that show both", async () => {
    const { exit, err } = await seeds("0..99", ...racing);
    const [, seed] = /^error PTX4010: seed (\d+) leaves another result than seed 0$/m.exec(err) ?? [];
    expect([exit, seed]).toEqual([7, expect.stringMatching(/^\d+$/)]);
    expect(err).toContain(`--schedule random:${seed}\n`);
    expect(err).not.toContain("PTX9007");
    const shown = async (of: string) => (await world.ptxrun([...racing, "--schedule", `random:${of}`])).out;
    expect(await shown(seed ?? "")).not.toBe(await shown("0"));
  });

  it("names the seed that fails", async () => {
    const { exit, err } = await seeds("5..9", "-e", "trap;");
    expect([exit, err.includes("PTX9007")]).toEqual([4, false]);
    expect(err).toContain("ptxrun -e 'trap;' --schedule random:5\n");
  });
});
