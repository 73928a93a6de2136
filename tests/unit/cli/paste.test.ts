import { afterAll, describe, expect, it } from "vitest";
import { World } from "./world.ts";

const text = "mov.u32 a, 5;\n";
/** The text as Windows' shells write it. */
const wide = (littleEndian: boolean): Uint8Array => {
  const words = [0xfeff, ...Array.from(text, (char) => char.charCodeAt(0))];
  return Uint8Array.from(words.flatMap((word) => (littleEndian ? [word & 255, word >> 8] : [word >> 8, word & 255])));
};

const world = new World()
  .write("mark.ptx", `\ufeff//@ case a: -> a=5\n${text}`)
  .write("little.ptx", wide(true))
  .write("big.ptx", wide(false))
  .write("odd.ptx", wide(true).subarray(0, 8 + 1))
  .write("bare.ptx", ".entry k() { ret; }\n")
  .write("wgmma.ptx", ".entry k() { wgmma.fence.sync.aligned; ret; }\n")
  .write("folded.ptx", ".entry k() { call f; ret; }\n");
afterAll(() => world.remove());
const run = (...argv: string[]) => world.ptxrun(argv);

describe("a byte order mark", () => {
  it.each(["mark.ptx", "little.ptx", "big.ptx"])("in %s is a note", async (file) => {
    const { exit, out, err } = await run(file);
    expect([exit, out]).toEqual([0, "a  b32  0x00000005  5\n"]);
    expect(err.match(/(?:note|error) PTX\d+/g)).toEqual(["note PTX1004"]);
  });

  it("does not hide a directive behind it", async () => {
    expect((await run("check", "mark.ptx")).exit).toBe(0);
  });

  it("of UTF-16 is no word about the rest of a file", async () => {
    const { exit, err } = await run("odd.ptx");
    expect([exit, err.includes("PTX1010")]).toEqual([3, true]);
  });
});

describe("a module without a header", () => {
  it("runs with a note, or with what the command line says", async () => {
    const assumed = await run("bare.ptx");
    expect([assumed.exit, assumed.err.match(/PTX\d+/g)]).toEqual([0, ["PTX9010"]]);
    expect(await run("bare.ptx", "--target", "sm_80", "--ptx", "8.0")).toMatchObject({ exit: 0, err: "" });
    expect((await run("bare.ptx", "--target", "sm_81")).exit).toBe(2);
    expect((await run("lint", "wgmma.ptx")).exit).toBe(0);
    expect((await run("lint", "wgmma.ptx", "--target", "sm_80")).exit).toBe(3);
  });

  it("ends with exit code 5 where it calls what is folded away", async () => {
    const { exit, err } = await run("folded.ptx");
    expect(exit).toBe(5);
    expect(err).toContain("note PTX9015");
    expect(err).toContain("nothing defines f");
    expect((await run("lint", "folded.ptx")).exit).toBe(0);
  });
});
