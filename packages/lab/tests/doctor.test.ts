import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import schema from "../../../schema/doctor-1.json" with { type: "json" };
import { sample } from "../../../tests/share.ts";
import { violations } from "../../../tests/unit/cli/json-schema.ts";
import { World } from "../../../tests/unit/cli/world.ts";

const kernels = join(import.meta.dirname, "kernels");
const gallery = join(import.meta.dirname, "../../../examples/gallery");
const head = ".version 8.0\n.target sm_80\n.address_size 64\n";
const world = new World();
afterAll(() => world.remove());

interface Found {
  readonly name: string;
  readonly wrong: boolean;
  readonly diagnostic?: { readonly code: string };
  readonly again: string;
  readonly case?: readonly string[];
}

/** What is found in each kernel of a text. */
async function diagnosed(text: string, ...words: readonly string[]) {
  world.write("k.ptx", text);
  const { exit, out, err } = await world.ptxrun(["doctor", "k.ptx", "--json", ...words]);
  const json: { kernels: { found: Found[]; launches: { size: number; command: string }[]; runs: number }[] } =
    JSON.parse(out);
  expect(violations(json, schema)).toEqual([]);
  const found = json.kernels.flatMap((each) => each.found);
  return { exit, err, found, wrong: found.filter((each) => each.wrong), kernels: json.kernels };
}

const text = (...path: readonly string[]): string => readFileSync(join(...path), "utf8");
const names = (folder: string): readonly string[] =>
  readdirSync(folder).flatMap((file) => (file.endsWith(".ptx") ? [file.slice(0, -4)] : []));

/** What the first thing found in each wrong kernel is called, by the first word of its file. */
const called: Readonly<Record<string, RegExp>> = {
  barrier: /barrier/,
  dead: /deadlock|nobody completes/,
  fence: /missing fence|async proxy/,
  layout: /wrong layout|uninitialised/,
  mask: /mask/,
  nan: /NaN/,
  off: /off by one|out of bounds/,
  over: /overflow/,
  prec: /lost precision/,
  race: /data race|still writes/,
};

describe("the doctor", () => {
  it.each(sample(names(join(kernels, "wrong")), 60))("finds what is wrong with %s", async (name) => {
    const { exit, wrong } = await diagnosed(text(kernels, "wrong", `${name}.ptx`));
    expect(exit).toBe(1);
    expect(wrong[0]?.name).toMatch(called[name.split("-")[0] ?? ""] ?? /^$/);
  });

  it.each(sample(names(join(kernels, "right")), 60))("is silent about %s", async (name) => {
    const { exit, found } = await diagnosed(text(kernels, "right", `${name}.ptx`));
    expect([exit, found]).toEqual([0, []]);
  });

  /** Tickets, whose order is the result. */
  const ordered = new Set(["spinlock"]);
  it.each(sample(names(gallery), 90))("finds nothing wrong with the gallery's %s", async (name) => {
    const { exit, found } = await diagnosed(text(gallery, `${name}.ptx`));
    expect([exit, found.filter((each) => each.name !== "order" || !ordered.has(name))]).toEqual([0, []]);
  });
});

/** `out[i] = body` for each i below n, where %v is in[i]; %i is the thread and %p a predicate. */
const each = (type: string, body: string, guard = "ge"): string => `${head}
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)
{
  .reg .pred %p, %q; .reg .b32 %i, %r<8>, %n; .reg .b64 %a, %b; .reg .${type} %v;
  .shared .align 4 .b8 tile[1024];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %i, %r1, %r2, %r3;
  ld.param.u32 %n, [n]; ld.param.u64 %a, [in]; ld.param.u64 %b, [out];
  mad.wide.u32 %a, %i, 4, %a; mad.wide.u32 %b, %i, 4, %b;
  setp.${guard}.s32 %p, %i, %n; @%p ret;
  ld.global.${type} %v, [%a];
  ${body}
  st.global.${type} [%b], %v;
  ret;
}`;
const tooMany = each("f32", "add.f32 %v, %v, %v;", "gt");
const right = each("f32", "add.f32 %v, %v, %v;");
const launchOf = (kernels: readonly { launches: readonly { command: string }[] }[]): string =>
  kernels[0]?.launches[0]?.command ?? "";

describe("what the doctor infers", () => {
  it("is pointers, types, numbers and sizes", async () => {
    const { exit, kernels } = await diagnosed(right);
    expect(exit).toBe(0);
    expect(launchOf(kernels)).toContain("--grid 2 --block 64");
    expect(launchOf(kernels)).toContain("-a 0=f32x128:random:1 -a 1=f32x128 -a 2=128");
    expect(kernels[0]?.launches.map(({ size }) => size)).toEqual([128, 77]);
  });

  it("gives way to what is given", async () => {
    const given = ["--grid", "3", "--block", "8", "-a", "n=5", "-a", "in=f32x24:fill=2"];
    const { exit, kernels, found } = await diagnosed(right, ...given);
    expect(launchOf(kernels)).toContain("--grid 3 --block 8");
    expect(launchOf(kernels)).toContain("-a 0=f32x24:fill=2 -a 1=f32x5 -a 2=5");
    expect([exit, found]).toEqual([0, []]);
    const short = await diagnosed(right, "-a", "in=f32x24:fill=2");
    expect(short.wrong[0]?.diagnostic?.code).toBe("PTX3002");
    const wrong = await world.ptxrun(["doctor", "k.ptx", "-a", "n=x"]);
    expect([wrong.exit, wrong.err]).toEqual([2, expect.stringContaining("--arg:1:3")]);
  });

  it("is every kernel of a file, or the one that is named", async () => {
    const second = right.slice(head.length).replace("entry k", "entry twice");
    const { kernels } = await diagnosed(tooMany + second);
    expect(kernels.map(({ found }) => found.length)).toEqual([1, 0]);
    expect((await diagnosed(tooMany + second, "--entry", "twice")).exit).toBe(0);
  });

  it("has n + 1 places where n rows begin", async () => {
    const rows = each("u32", "ld.global.u32 %r4, [%a+4]; mad.wide.u32 %b, %v, 4, %b; sub.u32 %v, %r4, %v;");
    const { kernels } = await diagnosed(rows);
    expect(launchOf(kernels)).toContain("-a 0=u32x129:");
  });
});

describe("what the doctor says", () => {
  it("is the smallest launch, again and as a check that fails", async () => {
    const { wrong } = await diagnosed(tooMany);
    const [first] = wrong;
    expect(first?.again).toMatch(/--grid 1 --block \d+ /);
    const words = first?.again.split(" ").slice(1) ?? [];
    expect((await world.ptxrun([...words, "-q"])).err).toContain("PTX3002");
    world.write("checked.ptx", `${first?.case?.join("\n")}\n${tooMany}`);
    expect((await world.ptxrun(["check", "checked.ptx"])).exit).toBe(1);
    world.write("checked.ptx", `${first?.case?.join("\n")}\n${right}`);
    expect((await world.ptxrun(["check", "checked.ptx"])).exit).toBe(0);
  });

  it("is a page for people, or what was found alone", async () => {
    world.write("k.ptx", tooMany);
    const { exit, out } = await world.ptxrun(["doctor", "k.ptx"]);
    expect([exit, out]).toEqual([1, expect.stringMatching(/^doctor k.ptx: k$.*^1\. off by one.*^Tried: \d+ runs/ms)]);
    expect((await world.ptxrun(["doctor", "k.ptx", "-q"])).out).toMatch(/^1\. off by one/);
    world.write("k.ptx", right);
    const { out: nothing } = await world.ptxrun(["doctor", "k.ptx"]);
    expect(nothing).toMatch(/^Tried: \d+ runs of sizes \d+ and \d+, on two draws /m);
    expect(nothing).toMatch(
      /\nNothing wrong was found\.\nResults were not judged: .*`ptxrun check`.*`ptxrun diff`\.\n$/,
    );
    expect((await world.ptxrun(["doctor", "k.ptx", "-q"])).out).toBe("");
  });

  // It tries sizes up to a million steps.
  it("is what was tried where the first run hangs, and no mangled name", async () => {
    const spin = `${head}.visible .entry _Z1kPj(.param .u64 out) {
      .reg .pred %p; .reg .b32 %r; .shared .align 4 .b32 _ZZ1kPjE1s;
      L: atom.shared.cas.b32 %r, [_ZZ1kPjE1s], 0, 1; setp.ne.u32 %p, %r, 0; @%p bra L; ret; }`;
    world.write("k.ptx", spin);
    const { out } = await world.ptxrun(["doctor", "k.ptx"]);
    expect(out).toMatch(/^doctor k.ptx: k\(\.\.\.\)$/m);
    expect(out).toMatch(/^Tried: 1 run of size \d+, up to the one that hangs; /m);
    expect(out).not.toContain("Nothing wrong");
    expect(out).toMatch(/ nothing has written k\(unsigned int\*\)::s\[0\] before$/m);
  });

  it("is why no launch begins", async () => {
    world.write("k.ptx", right);
    for (const words of [
      ["doctor", "k.ptx"],
      ["diff", "k.ptx", "k.ptx", "--random", "2"],
    ]) {
      const { exit, err } = await world.ptxrun([...words, "--block", "5000"]);
      expect([exit, err]).toEqual([2, expect.stringContaining("PTX2207")]);
    }
  });

  it("is an error for what is no module", async () => {
    world.write("s.ptx", "add.f32 d, a, b;\n");
    expect((await world.ptxrun(["doctor", "s.ptx"])).exit).toBe(2);
    world.write("s.ptx", `${head}.entry k() { add.f32 d; }\n`);
    expect((await world.ptxrun(["doctor", "s.ptx"])).exit).toBe(3);
  });
});

describe("a missing barrier", () => {
  /** Each thread stores an element of shared memory, and loads another one. */
  const kernel = (between: string, from: string): string => `${head}
.visible .entry k(.param .u64 out, .param .u64 in) {
  .reg .b32 %r<6>, %v; .reg .b64 %a, %b; .shared .align 4 .b32 s[64];
  ld.param.u64 %b, [out]; ld.param.u64 %a, [in]; mov.u32 %r1, %tid.x;
  mad.wide.u32 %a, %r1, 4, %a; mad.wide.u32 %b, %r1, 4, %b; ld.global.u32 %v, [%a];
  mov.u32 %r2, s; mad.lo.u32 %r3, %r1, 4, %r2;
  st.shared.u32 [%r3], %v; ${between}
  ${from} mad.lo.u32 %r4, %r4, 4, %r2;
  ld.shared.u32 %v, [%r4];
  st.global.u32 [%b], %v; ret;
}`;
  const backwards = "sub.u32 %r4, 63, %r1;";
  const next = "add.u32 %r4, %r1, 1; and.b32 %r4, %r4, 63;";

  it.each([backwards, next])(
    "%s: is found with a thread for each element, and its check passes once it is there",
    async (from) => {
      const { found, kernels } = await diagnosed(kernel("", from));
      expect(launchOf(kernels)).toContain("--block 64");
      expect(found.map(({ name }) => name)).toEqual(["missing barrier", "data race"]);
      for (const { case: lines } of found)
        for (const [between, exit] of [
          ["", 1],
          ["bar.warp.sync -1;", 1],
          ["bar.sync 0;", 0],
        ] as const) {
          world.write("checked.ptx", `${lines?.join("\n")}\n${kernel(between, from)}`);
          expect((await world.ptxrun(["check", "checked.ptx"])).exit).toBe(exit);
        }
    },
  );
});
