import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { World } from "../../../../tests/unit/cli/world.ts";
import { outcomeOf } from "../../campaign/outcome.ts";
import { readCompiler } from "../../hunt/compiler.ts";

const world = new World();
afterAll(() => world.remove());

describe("ptxrun hunt", () => {
  it("reads compilers with their levels", () => {
    expect(readCompiler("llc-19:O0,O3")).toEqual({ program: "llc-19", kind: "llc", levels: ["O0", "O3"] });
    expect(readCompiler("/opt/cuda/bin/nvcc")?.levels).toEqual(["O0", "O1", "O2", "O3"]);
    for (const wrong of ["gcc", "llc-19:O4", "llc-19:", ""]) expect(readCompiler(wrong), wrong).toBeUndefined();
  });

  it("says which compiler is not there, and how one is named", async () => {
    const { exit, err } = await world.ptxrun(["hunt", "--with", "llc-nowhere:O3"]);
    expect(exit).toBe(2);
    expect(err).toContain("PTX2251: cannot run llc-nowhere:");
    expect(err).toContain("cannot run opt-nowhere:");
    expect(err).toContain("--with llc-19:O0,O3");
    const without = await world.ptxrun(["hunt"]);
    expect([without.exit, without.err]).toEqual([2, expect.stringContaining("--with")]);
  });

  it("is a job of a campaign, whose parts share out the seeds", async () => {
    // Asked for its version alone: C++ has no name for what these seeds draw.
    world.write("bin/nvcc", "#!/bin/sh\necho 'release 13.0, V13.0.1'\n");
    chmodSync(join(world.folder, "bin/nvcc"), 0o755);
    const words = ["--with", "bin/nvcc:O0", "--programs", "1"];
    const jobs = [{ hunt: words, seeds: "6..9", parts: 2 }];
    world.write("plan.json", JSON.stringify({ schema: "ptxrun.campaign/1", name: "night", jobs }));
    expect((await world.ptxrun(["campaign", "run", "plan.json", "-o", "done"])).exit).toBe(0);
    const { out } = await world.ptxrun(["campaign", "merge", "done", "--reporter", "json"]);
    expect(JSON.parse(out).jobs[0]).toMatchObject({ kind: "hunt", counts: { modules: 4, programs: 4 } });
  });

  it("tells a campaign each cause", () => {
    const findings = [{ name: "wrong-1", cause: "shl.b32 became shr.u32", programs: {}, places: ["3/k1", "4/k2"] }];
    const out = JSON.stringify({ modules: 2, programs: 8, functions: 20, findings });
    expect(outcomeOf("hunt", { exit: 1, out, err: "" })).toEqual({
      exit: 1,
      counts: { modules: 2, programs: 8, functions: 20 },
      findings: ["shl.b32 became shr.u32: 3/k1"],
    });
  });
});
