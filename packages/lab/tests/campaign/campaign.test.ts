import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DOMParser } from "@xmldom/xmldom";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import planSchema from "../../../../schema/campaign-1.json" with { type: "json" };
import reportSchema from "../../../../schema/campaign-report-1.json" with { type: "json" };
import { codes } from "../../../../src/source/index.ts";
import type { CommandIo } from "../../../../src/system/command-io.ts";
import { draws } from "../../../../tests/share.ts";
import { World } from "../../../../tests/unit/cli/world.ts";
import {
  type Head,
  type Outcomes,
  partHead,
  partUnit,
  readPart,
  readShardText,
  shardText,
} from "../../campaign/shard-file.ts";

const world = new World();
afterAll(() => world.remove());

const plan = {
  schema: "ptxrun.campaign/1",
  name: "a night's <work>",
  jobs: [
    { name: "half", sweep: ["add.f16", "--against", "sub.f16", "--count", "4K"], parts: 7 },
    { name: "order", run: ["-e", "add.u32 d, a, b;", "-r", "a=1", "-r", "b=2"], seeds: "0..9", parts: 3 },
    { name: "golden", check: ["golden"], parts: 2 },
    { name: "pairs", diff: ["old", "new", "-a", "out=u32x1"], parts: 2 },
    { name: "other", command: ["sh", "-c", "echo found {first}-{last}; test {part} != 2"], seeds: "10..19", parts: 3 },
  ],
};
const snippet = (text: string, expected: string): string => `${text}\n//@ case one: a=1 -> d=${expected}\n`;
world
  .write("plan.json", JSON.stringify(plan, null, 2))
  .write("golden/right.ptx", snippet("not.b32 d, a;", "0xfffffffe"))
  .write("golden/wrong.ptx", snippet("not.b32 d, a;", "0"));
const kernel = (op: string): string => `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .b64 %rd<2>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [out]; mov.u32 %r1, 5; ${op}
  st.global.u32 [%rd1], %r1; ret;
}
`;
for (const name of ["a.ptx", "b.ptx"])
  world.write(`old/${name}`, kernel("")).write(`new/${name}`, kernel(name === "a.ptx" ? "" : "add.u32 %r1, %r1, 1;"));

const shards = join(world.folder, "out");
afterEach(() => rmSync(shards, { recursive: true, force: true }));
const seen = new Set<string>();
async function campaign(words: readonly string[], io: Partial<CommandIo> = {}) {
  const outcome = await world.ptxrun(["campaign", ...words], io);
  for (const [code] of outcome.err.matchAll(/PTX25\d\d/g)) seen.add(code);
  return outcome;
}
const run = (shard: string, io: Partial<CommandIo> = {}) =>
  campaign(["run", "plan.json", "--output", "out", "--shard", shard], io);
/** Does all shards and gives the merged report as JSON, byte for byte. */
async function whole(count: number): Promise<string> {
  for (let index = 1; index <= count; index++) expect((await run(`${index}/${count}`)).exit).toBeLessThan(2);
  const { out, err, exit } = await campaign(["merge", "out", "--reporter", "json"]);
  expect([err, exit]).toEqual(["", 1]);
  return out;
}
const file = (name: string): string => join(shards, name);
const refused = async (): Promise<string> => {
  const { out, err, exit } = await campaign(["merge", "out"]);
  expect([out, exit]).toEqual(["", 2]);
  return err;
};

/** The outcomes of all parts. */
function parsedShard(): { readonly head: Head; readonly outcomes: Outcomes } {
  const read = readShardText(readFileSync(file("shard-1-of-1.jsonl"), "utf8"));
  if ("wrong" in read) throw new Error(read.wrong);
  return read;
}

describe("campaign", () => {
  it("gives the same bytes for any number of shards, done in any order", async () => {
    const one = await whole(1);
    rmSync(shards, { recursive: true });
    const three = await whole(3);
    rmSync(shards, { recursive: true });
    const parts = draws(4, 17);
    for (let at = 0; at < parts; at++) await run(`${1 + ((5 * at + 2) % parts)}/${parts}`);
    const { out: many } = await campaign(["merge", "out", "--reporter", "json"]);
    expect([three, many]).toEqual([one, one]);
  });

  it("counts each part of each job, and says what was found where", async () => {
    const { jobs, passed, name } = JSON.parse(await whole(2));
    expect([name, passed]).toEqual([plan.name, false]);
    const by = Object.fromEntries(jobs.map((job: { name: string }) => [job.name, job]));
    // The same sweep in one piece.
    const sweep = JSON.parse((await world.ptxrun(["sweep", ...plan.jobs[0]!.sweep!, "--json"])).out);
    expect(by["half"]).toMatchObject({ parts: 7, failed: 7, counts: { cases: 4000, differ: sweep.differ } });
    expect(by["half"].worst.ulps).toBe(sweep.worst.ulps);
    expect(by["order"]).toMatchObject({ passed: true, counts: { passed: 3 } });
    expect(by["golden"]).toMatchObject({ passed: false, counts: { passed: 1, failed: 1 } });
    expect(by["golden"].findings[0].text).toContain("golden/wrong.ptx:2 one: PTX7005");
    expect(by["pairs"]).toMatchObject({ counts: { equal: 1, different: 1 } });
    expect(by["pairs"].findings).toEqual([{ part: 2, text: "old/b.ptx and new/b.ptx: different" }]);
    expect(by["other"].findings).toEqual([{ part: 2, text: "found 13-15" }]);
  });

  it("finds that parts of one job leave different states", async () => {
    await run("1/1");
    const { head, outcomes } = parsedShard();
    const different = new Map(outcomes);
    different.set(8, { ...outcomes.get(8)!, digest: "0".repeat(64) });
    writeFileSync(file("shard-1-of-1.jsonl"), shardText(head, different));
    const { out } = await campaign(["merge", "out"]);
    expect(out).toContain("no  order: passed 3 (3 parts, 1 with findings)");
    expect(out).toContain("part 2: leaves another state than part 1: results depend on the order of threads");
    const xml = (await campaign(["merge", "out", "--reporter", "junit"])).out;
    expect(xml).toContain('<testsuite name="order" tests="3" failures="1" errors="0">');
    expect(xml).toContain('<failure message="leaves another state than part 1');
  });

  it("reports in text, XML and HTML that others read", async () => {
    await whole(2);
    const words = ["merge", "out", "--reporter", "text", "--reporter", "junit=r.xml", "--reporter", "html=r.html"];
    const { out, exit } = await campaign([...words, "--reporter", "json=r.json"]);
    expect(exit).toBe(1);
    expect(out).toContain("ok  order: passed 3 (3 parts)");
    expect(out).toContain("no  other: passed 2, failed 1 (3 parts, 1 with findings)\n        part 2: found 13-15\n");
    expect(out).toContain("5 jobs, 4 with findings");
    const read = (name: string): string => readFileSync(join(world.folder, name), "utf8");
    const xml = new DOMParser({ onError: (_, message) => expect.fail(message) }).parseFromString(
      read("r.xml"),
      "text/xml",
    );
    expect(xml.documentElement?.getAttribute("tests")).toBe("17");
    expect(xml.getElementsByTagName("failure").length).toBe(7 + 1 + 1 + 1);
    const html = read("r.html");
    expect(html).toContain("<h1>a night's &lt;work&gt;</h1>");
    expect(html).not.toMatch(/https?:|<script|src=/);
    const ajv = new Ajv2020();
    expect(ajv.validate(reportSchema, JSON.parse(read("r.json"))), ajv.errorsText()).toBe(true);
    expect(ajv.validate(planSchema, plan), ajv.errorsText()).toBe(true);
    expect(ajv.validate(planSchema, JSON.parse(readFileSync(file("plan.json"), "utf8"))), ajv.errorsText()).toBe(true);
  });
});

describe("a shard that was killed", () => {
  const part = file("shard-1-of-1.jsonl.part");
  const final = file("shard-1-of-1.jsonl");

  it("goes on behind what is whole, wherever its file was cut", async () => {
    await run("1/1");
    const expected = readFileSync(final, "utf8");
    const { head, outcomes } = parsedShard();
    const lines = [...outcomes].slice(0, 12).map(([unit, outcome]) => partUnit(unit, outcome));
    const begun = Buffer.from(partHead(head) + lines.join(""));
    for (let cut = 0; cut <= begun.length; cut += draws(1970, 797)) {
      rmSync(final, { force: true });
      writeFileSync(part, begun.subarray(0, cut));
      expect((await run("1/1")).exit).toBe(1);
      expect(readFileSync(final, "utf8")).toBe(expected);
      expect(readdirSync(shards)).toEqual(["plan.json", "shard-1-of-1.jsonl"]);
    }
  });

  it("does again what cannot be read, and only that", async () => {
    await run("1/1");
    const expected = readFileSync(final, "utf8");
    const head = expected.split("\n", 1)[0]!;
    writeFileSync(part, `0000000000000000 ${head}\n`);
    rmSync(final);
    await run("1/1");
    expect(readFileSync(final, "utf8")).toBe(expected);
    // What is done is not done again: nobody looks at the time but the line of progress, as it begins.
    let looks = 0;
    const again = await run("1/1", { now: () => looks++ });
    expect([again.exit, readFileSync(final, "utf8"), looks]).toEqual([1, expected, 2]);
  });

  it("is done again when its file is damaged", async () => {
    await run("1/1");
    const expected = readFileSync(final, "utf8");
    writeFileSync(final, expected.replace('"cases":', '"cases":1'));
    expect(await refused()).toContain("PTX2508");
    await run("1/1");
    expect(readFileSync(final, "utf8")).toBe(expected);
  });
});

describe("merge refuses", () => {
  const shard = (index: number): string => file(`shard-${index}-of-3.jsonl`);
  let kept: readonly (readonly [name: string, bytes: Buffer])[] | undefined;
  /** All shards of three: they are run once, and then placed as they were. */
  const all = async (): Promise<void> => {
    if (kept === undefined) {
      for (const index of [1, 2, 3]) await run(`${index}/3`);
      kept = readdirSync(shards).map((name) => [name, readFileSync(file(name))]);
    }
    mkdirSync(shards, { recursive: true });
    for (const [name, bytes] of kept) writeFileSync(file(name), bytes);
  };

  it("a missing shard", async () => {
    await all();
    rmSync(shard(2));
    expect(await refused()).toContain("error PTX2505: 1 of 3 shards are missing: 2");
  });

  it("a shard twice, under another name or of another division", async () => {
    await all();
    writeFileSync(file("copy.jsonl"), readFileSync(shard(2)));
    expect(await refused()).toContain("error PTX2506: out/shard-2-of-3.jsonl is shard 2 again, as out/copy.jsonl");
    rmSync(file("copy.jsonl"));
    await run("1/2");
    expect(await refused()).toContain("PTX2506");
  });

  it("a shard of another plan, another build, other files", async () => {
    await all();
    const text = readFileSync(shard(2), "utf8");
    world.write("other.json", JSON.stringify({ ...plan, name: "another" }));
    const other = await campaign(["run", "other.json", "--output", "out", "--shard", "2/3"]);
    expect([other.exit, other.err]).toEqual([
      2,
      expect.stringContaining("error PTX2503: out/plan.json is there already"),
    ]);
    await campaign(["run", "other.json", "--output", "elsewhere", "--shard", "2/3"]);
    renameSync(join(world.folder, "elsewhere/shard-2-of-3.jsonl"), shard(2));
    expect(await refused()).toContain("PTX2507: out/shard-2-of-3.jsonl is foreign: it is of another plan (another)");
    rmSync(shard(2));
    await run("2/3", { build: "another" });
    expect(await refused()).toContain("another ptxrun made it (0.1.0, build another, and not 0.1.0, build sources)");
    rmSync(shard(2));
    world.write("golden/right.ptx", `${snippet("not.b32 d, a;", "0xfffffffe")}\n`);
    await run("2/3");
    expect(await refused()).toContain("the files that the plan names were others there");
    world.write("golden/right.ptx", snippet("not.b32 d, a;", "0xfffffffe"));
    rmSync(shard(2));
    await run("2/3");
    expect(readFileSync(shard(2), "utf8")).toBe(text);
  });

  it("any byte that was changed, and an end that is missing", async () => {
    await all();
    const bytes = readFileSync(shard(1));
    for (let at = 0; at < bytes.length; at += draws(410, 83)) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      writeFileSync(shard(1), changed);
      expect(await refused()).toMatch(/PTX250[78]/);
    }
    for (const end of [0, 1, 100, bytes.length - 1]) {
      writeFileSync(shard(1), bytes.subarray(0, end));
      expect(await refused()).toContain("PTX2508");
    }
  });

  it("a shard with a right sum that says what no shard can", async () => {
    await run("1/3");
    const text = readFileSync(shard(1), "utf8");
    const [head, first, ...rest] = text.split("\n").slice(0, -2);
    const sealed = (lines: readonly unknown[]): string => {
      const body = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
      return `${body}${JSON.stringify({ sha256: createHash("sha256").update(body).digest("hex") })}\n`;
    };
    const [parsedHead, line] = [JSON.parse(head!), JSON.parse(first!)];
    expect(sealed([head, first, ...rest])).toBe(text);
    const { counts: _, ...uncounted } = line;
    const { findings: __, ...unfound } = line;
    for (const odd of [
      ...[
        "null",
        '"abc"',
        "[]",
        "7",
        "{",
        uncounted,
        unfound,
        { ...line, counts: null },
        { ...line, counts: { cases: "1" } },
      ],
      ...[
        { ...line, counts: { cases: -1 } },
        { ...line, exit: null },
        { ...line, exit: "1" },
        { ...line, findings: [null] },
      ],
      ...[
        { ...line, worst: { ulps: "x", text: "" } },
        { ...line, worst: null },
        { ...line, digest: 7 },
      ],
      ...[
        { ...line, unit: null },
        { ...line, unit: 0.5 },
      ],
    ]) {
      writeFileSync(shard(1), sealed([head, odd, ...rest]));
      expect(await refused()).toMatch(
        /PTX2508: out\/shard-1-of-3\.jsonl is damaged: its line 2 is not an outcome of a part/,
      );
    }
    for (const unit of [-1, -3, 1, 99999999999, 99999999999 * 3]) {
      writeFileSync(shard(1), sealed([head, { ...line, unit }, ...rest]));
      expect(await refused()).toContain(`is damaged: unit ${unit} is none of shard 1 of 3`);
    }
    writeFileSync(shard(1), sealed([head, ...rest]));
    expect(await refused()).toContain("is damaged: it has 5 of its 6 parts");
    writeFileSync(shard(1), sealed([head, first, first, ...rest]));
    expect(await refused()).toContain("its line 3 is unit 0 again");
    for (const odd of [
      null,
      "abc",
      { ...parsedHead, shard: undefined },
      { ...parsedHead, name: {} },
      { ...parsedHead, shard: { index: 1, count: 1e9 } },
      { ...parsedHead, shard: { index: 0, count: 3 } },
    ]) {
      writeFileSync(shard(1), sealed([odd, first, ...rest]));
      expect(await refused()).toContain("is damaged: it is not a shard of a campaign");
    }
    for (const seal of ["null\n", "7\n", '"x"\n', '{"sha256":7}\n']) {
      writeFileSync(shard(1), text.slice(0, text.lastIndexOf("{")) + seal);
      expect(await refused()).toContain("is damaged: its end is missing");
    }
    // Whoever does it again finds none of it done.
    writeFileSync(shard(1), sealed([head, { ...line, unit: -3 }, ...rest]));
    await run("1/3");
    expect(readFileSync(shard(1), "utf8")).toBe(text);
  });

  it.skipIf(process.platform === "win32")("what is no file, without waiting for it", async () => {
    await run("1/3");
    execFileSync("mkfifo", [shard(2)]);
    expect(await refused()).toContain("PTX2011: cannot read out/shard-2-of-3.jsonl: it is a pipe");
    expect((await run("2/3")).err).toContain("PTX2013: cannot keep the shard in out: it is a pipe");
    rmSync(shard(2));
    symlinkSync("/dev/zero", shard(2));
    expect(await refused()).toContain("PTX2011: cannot read out/shard-2-of-3.jsonl: it is a device");
    expect((await run("2/3")).err).toContain("PTX2013: cannot keep the shard in out: it is a device");
    rmSync(file("plan.json"));
    symlinkSync("/dev/zero", file("plan.json"));
    expect(await refused()).toContain("PTX2011: cannot read out/plan.json: it is a device");
    expect((await run("3/3")).err).toContain("PTX2013: cannot keep the shard in out: it is a device");
    expect((await campaign(["plan", "/dev/zero"])).err).toContain("PTX2011: cannot read /dev/zero: it is a device");
    // A sidecar is part of what was tried, if it is a file.
    const sidecar = join(world.folder, "golden/right.ptxcheck.json");
    execFileSync("mkfifo", [sidecar]);
    try {
      rmSync(shards, { recursive: true });
      expect((await run("2/3")).exit).toBeLessThan(3);
    } finally {
      rmSync(sidecar);
    }
  });

  it("a folder without shards, and what is no folder", async () => {
    mkdirSync(shards);
    expect(await refused()).toContain("PTX2011");
    await run("1/1");
    rmSync(file("shard-1-of-1.jsonl"));
    expect(await refused()).toContain("PTX2505: there are no shards in out");
    expect((await campaign(["merge", "plan.json"])).err).toContain("plan.json is not a folder");
  });
});

describe("campaign run refuses", () => {
  it("a plan that is wrong, at its place", async () => {
    world.write(
      "bad.json",
      '{\n  "schema": "ptxrun.campaign/1", "name": "n",\n  "jobs": [{ "sweep": "add.f16" }]\n}\n',
    );
    const { err, exit } = await campaign(["run", "bad.json"]);
    expect([exit, err]).toEqual([2, expect.stringContaining("error PTX2501: sweep takes the words of a command line")]);
    expect(err).toContain("bad.json:3:24");
    expect((await campaign(["run", "nowhere.json"])).err).toContain("PTX2011");
  });

  it("a part whose command line is wrong, and keeps what others have found", async () => {
    const wrong = { ...plan, jobs: [plan.jobs[1], { name: "wrong", sweep: ["addd.f16"], parts: 2 }] };
    world.write("wrong.json", JSON.stringify(wrong));
    const { err, exit } = await campaign(["run", "wrong.json", "--output", "out"]);
    expect(exit).toBe(2);
    expect(err).toContain("error PTX2504: part 1 of wrong cannot be done: error PTX2301");
    expect(err).toContain("ptxrun sweep addd.f16 --shard 1/2 --json");
    const part = readPart(readFileSync(file("shard-1-of-1.jsonl.part"), "utf8"));
    expect(part?.outcomes.size).toBe(3);
  });

  it("a shard that nobody numbers, and options of another action", async () => {
    expect((await run("auto")).err).toContain("PTX2502");
    expect((await campaign(["merge", "out", "--shard", "1/2"])).err).toContain(
      "--shard does not apply to campaign merge",
    );
    expect((await campaign(["run", "plan.json", "--slurm"])).err).toContain("campaign plan --slurm");
  });

  it("a folder that cannot be written", async () => {
    const { err, exit } = await campaign(["run", "plan.json", "--output", "plan.json/x"]);
    expect([exit, err]).toEqual([2, expect.stringContaining("PTX2013")]);
  });
});

it("every code of campaigns is provoked here", () => {
  expect([...seen].sort()).toEqual([...codes.keys()].filter((code) => code.startsWith("PTX25")).sort());
});
