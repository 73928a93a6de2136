import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Originals } from "../../../packages/debugger/console/original/originals.ts";
import { filesFrom } from "../../../src/system/files.ts";
import { repl } from "./conversation.ts";
import { World } from "./world.ts";

const world = new World();
afterAll(() => world.remove());

/** A kernel that stores beyond a buffer, from line 3 of a program. */
const ptx = (file: string, column = 5): string => `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 y) {
  .reg .b64 %rd<2>;
  .loc 1 2 1
  ld.param.u64 %rd1, [y];
  .loc 1 3 ${column}
  st.global.u32 [%rd1+4], 7;
  ret;
}
.file 1 "${file}"
`;
const program = "__global__ void k(int *y)\n{\n    y[1] = 7;\n}\n";

const failing = (file: string, ...more: string[]) => world.ptxrun(["run", file, "-a", "y=u32x1", ...more]);

describe("a fault", () => {
  it("shows the line that it was compiled from, beside the PTX", async () => {
    world.write("beside/k.ptx", ptx("/home/somebody/k.cu")).write("beside/k.cu", program);
    const { exit, err } = await failing("beside/k.ptx");
    expect(exit).toBe(4);
    expect(err).toContain(" ::: k.cu:3:5\n  |\n3 |     y[1] = 7;\n  |     --------- compiled from here\n");
    expect(err).not.toContain("compiled from /home");
  });

  it("shows it from --source-dir, by as much of its name as is there", async () => {
    world.write("far/k.ptx", ptx("src/gpu/k.cu", 0)).write("tree/gpu/k.cu", program).write("tree/k.cu", "wrong\n");
    const { err } = await failing("far/k.ptx", "--source-dir", "nowhere", "--source-dir", "tree");
    expect(err).toContain(" ::: k.cu:3:5\n");
    expect(err).toContain("y[1] = 7;");
  });

  it("names the line where the program was not found, or has become shorter", async () => {
    world.write("gone/k.ptx", ptx("/home/somebody/k.cu"));
    expect((await failing("gone/k.ptx")).err).toContain("help: compiled from /home/somebody/k.cu:3:5");
    world.write("gone/k.cu", "one line\n");
    expect((await failing("gone/k.ptx")).err).toContain("help: compiled from /home/somebody/k.cu:3:5");
  });
});

describe("a name in a file", () => {
  it("does not lead out of the folders, nor to what is no file", () => {
    world.write("out/secret.cu", "secret\n").write("in/here.cu", "here\n");
    mkdirSync(join(world.folder, "in", "folder.cu"));
    symlinkSync("/dev/zero", join(world.folder, "in", "zero.cu"));
    const originals = new Originals(filesFrom(world.folder), [join(world.folder, "in")]);
    expect(originals.find("/anywhere/here.cu")?.text).toBe("here\n");
    expect(originals.find("C:\\work\\here.cu")?.text).toBe("here\n");
    for (const name of ["../out/secret.cu", join(world.folder, "out", "secret.cu"), "folder.cu", "zero.cu", "", "a\0b"])
      expect(originals.find(name), name).toBeUndefined();
  });
});

describe("the REPL", () => {
  it("says what is missing for source lines", async () => {
    world.write("bare.ptx", ptx("k.cu").replaceAll(/ {2}\.loc.*\n/g, ""));
    const bare = await repl(world, ["bare.ptx", "-a", "y=u32x1"], ["step --source"]);
    expect(bare.text).toContain("PTX2407: the program does not say what it was compiled from");
    world.write("alone/k.ptx", ptx("far/k.cu"));
    const alone = await repl(world, ["alone/k.ptx", "-a", "y=u32x1"], ["break k.cu:3", "list k.cu:3"]);
    expect(alone.text).toContain("breakpoint 1 at k+1: 9  st.global.u32 [%rd1+4], 7;");
    expect(alone.text).toContain("PTX2405: k.cu was not found");
    const beyond = await repl(world, ["alone/k.ptx", "-a", "y=u32x1"], ["break k.cu:4"]);
    expect(beyond.text).toContain("PTX2405: nothing was compiled from line 4 or after it");
  });

  it("watches accesses of memory only", async () => {
    const { text } = await repl(world, ["alone/k.ptx", "-a", "y=u32x1"], ["awatch %rd1"]);
    expect(text).toContain("PTX2403: %rd1 is not memory");
  });

  it.each([
    ["up", "this is the kernel, which nothing has called"],
    ["down", "this is the innermost function"],
    ["frame 3", "this is the kernel, which nothing has called"],
  ])("has nothing for %s in a kernel alone", async (line, said) => {
    const { text, exit } = await repl(world, ["alone/k.ptx", "-a", "y=u32x1"], [line]);
    expect([exit, text.includes(said)]).toEqual([2, true]);
  });
});
