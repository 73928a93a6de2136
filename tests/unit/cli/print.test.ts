import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { World } from "./world.ts";

const world = new World();
afterAll(() => world.remove());
const compiled = gunzipSync(readFileSync(new URL("../../data/nvcc/calls.O3.ptx.gz", import.meta.url)));
world.write("calls.ptx", compiled);
const hello = ["calls.ptx", "--entry", "hello", "--block", "2", "-a", "0=0xffffffff", "-d", "none"];
const lines = [0, 1].map(
  (t) => `thread ${t} of 2: ${t === 0 ? " 0.00" : " 1.50"}|abc   |x|123456789abc|(nil)|%|3.333333e-01\n`,
);

describe("what device printf prints", () => {
  it("goes to the standard output, in order", async () => {
    expect(await world.ptxrun(hello)).toEqual({ exit: 0, out: lines.join(""), err: "" });
  });

  it("is a field of JSON, and is shown once for many seeds", async () => {
    const { out } = await world.ptxrun([...hello, "--json"]);
    expect(JSON.parse(out)).toMatchObject({ exit: 0, printed: lines.join("") });
    expect((await world.ptxrun([...hello, "--seeds", "1..3"])).out).toBe(lines.join(""));
  });
});

describe("--stack", () => {
  const deep = `.version 8.0\n.target sm_80\n.address_size 64\n.func f(.reg .b32 n) { .reg .pred p; setp.eq.u32 p, n, 0; @p ret; sub.u32 n, n, 1; call f, (n); ret; }
.entry k() { .reg .b32 n; mov.b32 n, 2000; call f, (n); ret; }\n`;

  it("makes room for a deep recursion, where 16 KiB end in a fault", async () => {
    world.write("deep.ptx", deep);
    const narrow = await world.ptxrun(["deep.ptx"]);
    expect([narrow.exit, narrow.err.split(":")[0]]).toEqual([4, "error PTX3020"]);
    expect((await world.ptxrun(["deep.ptx", "--stack", "64K"])).exit).toBe(0);
  });
});
