import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bashReply } from "../../../src/cli/completion/command.ts";
import { growth, LINEAR } from "../../cost.ts";
import { looking, World } from "./world.ts";

const entries = ["_Z6matmulIfEvPT_i", "_Z6matmulIdEvPT_i", "_ZN2ns1kEPi", "_Z5scalej", "_Z5scalef", "plain"];
const head = ".version 8.0\n.target sm_80\n.address_size 64\n";
const module = (names: readonly string[]): string =>
  head + names.map((name) => `.visible .entry ${name}() { ret; }\n`).join("");
const many = (length: number): string => module(Array.from({ length }, (_, at) => `_Z6kernelILi${at}EEvv`));
const world = new World()
  .write("k.ptx", module(entries))
  .write("a file.ptx", module(["spaced"]))
  .write("broken.ptx", ".version 8.0 .entry k( {")
  .write("300.ptx", many(300))
  .write("3000.ptx", many(3000));
afterAll(() => world.remove());

async function offers(shell: string, line: string): Promise<string[]> {
  const { exit, out, err } = await world.ptxrun(["kernels-for", shell, line], { now: looking(0) });
  expect([exit, err]).toEqual([0, ""]);
  return out.split("\n").filter((each) => each !== "");
}

describe("kernels for a line that is typed", () => {
  it.each([
    [
      "ptxrun run k.ptx --entry ",
      ["matmul<float>", "matmul<double>", "k", "scale(unsigned int)", "scale(float)", "plain"],
    ],
    ["ptxrun k.ptx --entry mat", ["matmul<float>", "matmul<double>"]],
    ["ptxrun k.ptx --entry=pl", ["plain"]],
    ["ptxrun trace -a x=1 --block 2 k.ptx -q --entry ns::", ["ns::k"]],
    ["ptxrun k.ptx --entry 'scale(u", ["scale(unsigned int)"]],
    ["ptxrun repl 'a file.ptx' --entry ", ["spaced"]],
    ["ptxrun repl a\\ file.ptx --entry ", ["spaced"]],
    ["ptxrun k.ptx --entry _Z6", ["_Z6matmulIfEvPT_i", "_Z6matmulIdEvPT_i"]],
    ["ptxrun k.ptx --entry void", ["void matmul<float>(float*, int)", "void matmul<double>(double*, int)"]],
  ])("%s", async (line, expected) => {
    expect(await offers("fish", line)).toEqual(expected);
  });

  it.each([
    "",
    "ptxrun",
    "ptxrun --entry ",
    "ptxrun nothing.ptx --entry ",
    "ptxrun - --entry ",
    "ptxrun . --entry ",
    "ptxrun broken.ptx --entry ",
    "ptxrun -e 'not.b32 a, b;' --entry ",
    "ptxrun k.ptx --entry zzz",
    "ptxrun /dev/zero --entry ",
  ])("are none, and nothing is said, for: %s", async (line) => {
    expect(await offers("bash", line)).toEqual([]);
  });

  it("are not more than anybody reads", async () => {
    expect(await offers("zsh", "ptxrun 3000.ptx --entry ")).toHaveLength(200);
  });

  it("are found in time in proportion to how many there are", async () => {
    const find = async (count: number): Promise<void> =>
      expect(await offers("zsh", `ptxrun ${count}.ptx --entry 'kernel<${count - 1}`)).toEqual([`kernel<${count - 1}>`]);
    expect(await growth(find, [300, 3000])).toBeLessThan(LINEAR);
  });
});

describe("a name for bash", () => {
  it.each([
    ["matmul<float>", "mat", undefined, "matmul\\<float\\>"],
    ["k(int*, int)", "", undefined, "k\\(int\\*,\\ int\\)"],
    ["ns::k<A>", "ns::", undefined, "k\\<A\\>"],
    ["ns::k<A>", "ns::k\\<", undefined, "k\\<A\\>"],
    ["ns::k<A>", "--entry=ns:", undefined, ":k\\<A\\>"],
    ["k<A>", "--entry=", undefined, "k\\<A\\>"],
    ["k(int*, int)", "'k(", "'", "k(int*, int)"],
    ["$_0::k", '"', '"', "\\$_0::k"],
  ] as const)("%s in the place of %s", (name, typed, open, reply) => {
    expect(bashReply(name, typed, open)).toBe(reply);
  });
});

const bash = spawnSync("bash", ["--version"]).status === 0;

/** What bash offers where ptxrun answers with the line that it is asked about. */
function bashOffers(line: string, words: readonly string[]): string {
  const lines = [
    `source ${join(world.folder, "ptxrun.bash")}`,
    `COMP_WORDS=(${words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ")})`,
    `COMP_CWORD=${words.length - 1}`,
    `COMP_LINE='${line.replaceAll("'", "'\\''")}'`,
    `COMP_POINT=\${#COMP_LINE}`,
    `_ptxrun ${join(world.folder, "answering")}`,
    `printf "%s\\n" "\${COMPREPLY[@]}"`,
  ];
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", lines.join("\n")], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout;
}

describe.runIf(bash)("bash", () => {
  beforeAll(async () => {
    world.write("ptxrun.bash", (await world.ptxrun(["completion", "bash"])).out);
    world.write("answering", '#!/bin/sh\necho "$1 $2 [$3]"\necho noise >&2\n');
    chmodSync(join(world.folder, "answering"), 0o755);
  });

  // The words as bash parts them, at : and = too.
  it.each([
    ["ptxrun run k.ptx --entry ", ["ptxrun", "run", "k.ptx", "--entry", ""]],
    ["ptxrun k.ptx --entry ma", ["ptxrun", "k.ptx", "--entry", "ma"]],
    ["ptxrun k.ptx --entry=ma", ["ptxrun", "k.ptx", "--entry", "=", "ma"]],
    ["ptxrun k.ptx --entry ns::", ["ptxrun", "k.ptx", "--entry", "ns", "::"]],
    ["ptxrun k.ptx --entry ns::k", ["ptxrun", "k.ptx", "--entry", "ns", "::", "k"]],
    ["ptxrun k.ptx --entry 'k(int*, ", ["ptxrun", "k.ptx", "--entry", "'k(int*, "]],
  ])("asks ptxrun for %s", (line, words) => {
    expect(bashOffers(line, words)).toBe(`kernels-for bash [${line}]\n`);
  });

  it("asks for nothing behind another option", () => {
    expect(bashOffers("ptxrun k.ptx --entry k --format ", ["ptxrun", "k.ptx", "--entry", "k", "--format", ""])).toBe(
      "text\njson\n",
    );
  });
});
