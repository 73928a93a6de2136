import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { World } from "./world.ts";

/** Lanes 0 to 4 go one way and the others another, then all meet at a barrier; a comment and a file that look like markup. */
const parted = `.version 8.0
.target sm_80
.address_size 64
.file 1 "far/away/parted.cu"
.file 2 "gone<img src=x>.cu"
.visible .entry k(.param .u64 x)
{
  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<4>;
  .shared .align 256 .b8 s[8192];
  .loc 1 2 1
  mov.u32 %r1, %tid.x; // </script><script>alert(1)</script>
  ld.param.u64 %rd1, [x];
  mul.wide.u32 %rd2, %r1, 128;
  add.u64 %rd2, %rd1, %rd2;
  setp.lt.u32 %p1, %r1, 5;
  @%p1 bra few;
  .loc 1 4 1
  ld.global.u32 %r2, [%rd2];
  mul.lo.u32 %r3, %r1, 8;
  st.shared.u32 [%r3], %r2;
few:
  .loc 2 1 1
  bar.sync 0;
  ret;
}
`;
const long = `.version 8.0
.target sm_80
.entry k()
{
  .reg .pred p; .reg .b32 n;
  mov.b32 n, 0;
again:
${"  add.u32 n, n, 1;\n".repeat(3000)}  setp.lt.u32 p, n, 6000;
  @p bra again;
  ret;
}
`;
const world = new World()
  .write("parted.ptx", parted)
  .write("parted.cu", "// <b>one</b>\nint lane = threadIdx.x;\n\nuse(lane);\n")
  .write("long.ptx", long);
afterAll(() => world.remove());
const at = (name: string): string => join(world.folder, name);
const argv = ["parted.ptx", "--block", "32", "-a", "x=u32x1024:fill=0", "-d", "none"];

interface Data {
  readonly places: readonly (readonly [pc: number, text: string, barrier: 0 | 1])[];
  readonly strips: readonly (readonly (readonly number[])[])[];
}
const dataIn = (page: string): Data =>
  JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? "{}");

let page: string;
beforeAll(async () => {
  const { exit, out, err } = await world.ptxrun([...argv, "--report", "page.html"]);
  expect([exit, out, err]).toEqual([0, "", ""]);
  page = readFileSync(at("page.html"), "utf8");
});

describe("the page of a launch", () => {
  it("asks for nothing, and lets nothing be asked for", () => {
    expect(page).toContain(
      `content="default-src 'none';style-src 'unsafe-inline';script-src 'unsafe-inline';img-src data:"`,
    );
    expect(page).not.toMatch(/https?:|<[^>"]* src=|@import|url\(|fetch|href="(?!data:)/);
  });

  it("shows text as text", () => {
    expect(page).toContain("&lt;/script&gt;&lt;script&gt;alert(1)");
    expect(page).toContain("&lt;b&gt;one&lt;/b&gt;");
    expect(page).toContain("gone&lt;img src");
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script>/g)).toHaveLength(2);
  });

  it("has the lines of both texts with their counts, and what they have in common", () => {
    expect(page).toContain("<h3>parted.cu</h3>");
    expect(page).toMatch(
      /data-s="0:2" style="--h:1\.00" title="line 2: 6 executions[^>]*><b>2<\/b><i>6<\/i><code>int lane/,
    );
    expect(page).toMatch(/data-s="0:4"[^>]*><b>18<\/b><i>1<\/i><code> {2}ld\.global\.u32/);
    expect(page).not.toContain("<code>  .loc");
  });

  it("says what was counted by hand", () => {
    // 27 lanes, each with a sector of its own, and their 108 bytes would fit in four.
    expect(page).toContain("27 sectors a request, 4 would do");
    expect(page).toContain("1 divergent branch");
    expect(page).toMatch(/<s class="sync">barrier<\/s>/);
  });

  it("says where a text was not found", () => expect(page).toContain("Its text was not found"));

  it("has the lanes of each step", () => {
    const { places, strips } = dataIn(page);
    const texts = new Map(places.map(([pc, text, barrier]) => [pc, { text, barrier }]));
    const steps = (strips[0] ?? []).map(([pc = -1, active = 0, taken = 0, ...rest]) => ({
      text: texts.get(pc)?.text ?? "",
      barrier: texts.get(pc)?.barrier,
      active,
      taken,
      rest,
    }));
    expect(strips).toHaveLength(1);
    const step = (word: string) => steps.find(({ text }) => text.includes(word));
    expect(step("bra few")).toMatchObject({ active: 0xffff_ffff, taken: 0x1f });
    expect(step("ld.global")).toMatchObject({ active: 0xffff_ffe0, taken: 0xffff_ffe0, rest: [27, 4] });
    expect(step("ld.global")?.text).toContain("line 18 (parted.cu:4)");
    // Every second bank, so lanes 16 apart want the same one: 5 and 21, and so on.
    expect(step("st.shared")).toMatchObject({ rest: [0, 0, 1, 2] });
    expect(step("bar.sync")).toMatchObject({ barrier: 1 });
  });

  it("is of a launch that ended in a fault, too", async () => {
    const { exit } = await world.ptxrun(["-e", "mov.u32 a, 1; trap;", "--report", "trap.html"]);
    expect(exit).toBe(4);
    expect(readFileSync(at("trap.html"), "utf8")).toContain("trap stops the launch, in thread (0,0,0)");
  });

  it("leaves out what --stats prints, unless that is asked for", async () => {
    const { err } = await world.ptxrun([...argv, "--report", "page.html", "--stats"]);
    expect(err).toContain("1 of them divergent");
    const { out } = await world.ptxrun([...argv, "--report", "page.html", "--json"]);
    expect(JSON.parse(out)).not.toHaveProperty("stats");
  });
});

describe("a large launch", () => {
  it("gives a page that can still be opened, which says what it leaves out", async () => {
    const { exit } = await world.ptxrun(["long.ptx", "--grid", "20", "--report", "long.html", "-d", "none"]);
    expect(exit).toBe(0);
    const large = readFileSync(at("long.html"), "utf8");
    expect(large.length).toBeLessThan(2_000_000);
    expect(large).toContain("the first 1000 of 6,006 steps");
    expect(large).toContain("The 16 warps that ran first, of 20.");
    expect(large).toMatch(/1,\d{3} lines of fewer executions are not marked/);
    expect(dataIn(large).strips.map(({ length }) => length)).toEqual(Array(16).fill(1000));
  });
});

describe("a line number that no text has", () => {
  it("is shown as it is", async () => {
    world.write(
      "far.ptx",
      `.version 8.0\n.target sm_80\n.file 1 "far.cu"\n.entry k() {\n.loc 1 2000000000 1\ntrap; }\n`,
    );
    expect((await world.ptxrun(["far.ptx", "--report", "far.html"])).exit).toBe(4);
    expect(readFileSync(at("far.html"), "utf8")).toContain("<b>2000000000</b><i>1</i>");
  });
});

describe("where the page is written", () => {
  it("is no file of somebody else, and the run does not begin", async () => {
    writeFileSync(at("mine.html"), "<!doctype html><p>mine");
    const { exit, out, err } = await world.ptxrun([...argv, "-d", "regs", "--report", "mine.html"]);
    expect([exit, out]).toEqual([2, ""]);
    expect(err).toContain("cannot write mine.html: it is there, and no page of --report");
    expect(readFileSync(at("mine.html"), "utf8")).toBe("<!doctype html><p>mine");
  });

  it("may be a page of an earlier run, or an empty file", async () => {
    writeFileSync(at("empty.html"), "");
    for (const name of ["page.html", "empty.html"])
      expect((await world.ptxrun([...argv, "--report", name])).exit).toBe(0);
    expect(readFileSync(at("empty.html"), "utf8")).toBe(readFileSync(at("page.html"), "utf8"));
  });

  it.each([
    ["a folder", "folder", "it is a folder"],
    ["in a folder that is not there", "nowhere/page.html", "there is no such file"],
  ])("is not %s", async (_, name, why) => {
    mkdirSync(at("folder"), { recursive: true });
    const { exit, err } = await world.ptxrun([...argv, "--report", name]);
    expect(exit).toBe(2);
    expect(err).toContain(`error PTX2013: cannot write ${name}: ${why}`);
  });
});
