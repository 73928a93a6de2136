import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { StoreKey } from "../../../src/index.ts";
import { FileStore } from "../../../src/system/cache.ts";
import { pack, unpack } from "../../../src/system/container.ts";
import { twice, World } from "./world.ts";

const world = new World()
  .write("twice.ptx", twice)
  .write("other.ptx", twice.replace("add.f32 %f2, %f1, %f1", "mul.f32 %f2, %f1, %f1"))
  .write("noted.ptx", "add.u32 d, a, b;\n")
  .write("wrong.ptx", "add.u32 d, a;\n")
  .write("checks/a.ptx", "//@ case it: a=1 -> d=0xfffffffe\nnot.b32 d, a;\n")
  .write("checks/b.ptx", `//@ args: --block 2\n//@ case it: x=f32x2:1,2 y=f32x2 n=2 -> y=2.0,4.0\n${twice}`)
  .write("checks/c.ptx", "add.u32 d, a; //~ error PTX1301\n");
afterAll(() => world.remove());

const folder = join(world.folder, "kept");
const files = (): readonly string[] => readdirSync(folder).map((name) => join(folder, name));
beforeEach(() => rmSync(folder, { recursive: true, force: true }));

const line = ["twice.ptx", "-a", "x=f32x2:1,2", "-a", "y=f32x2", "-a", "n=2", "--block", "2"];
const run = (argv: readonly string[] = line, more: readonly string[] = ["--cache", "kept"]) =>
  world.ptxrun([...argv, ...more]);

describe("--cache", () => {
  it("changes nothing but the time", async () => {
    for (const argv of [
      line,
      ["noted.ptx", "-r", "a=1"],
      ["wrong.ptx"],
      ["-e", "ret;"],
      ["twice.ptx", "--entry", "no"],
    ]) {
      const without = await run(argv, []);
      expect([await run(argv), await run(argv)]).toEqual([without, without]);
    }
    const without = await world.ptxrun(["check", "checks"]);
    expect(without.exit).toBe(0);
    for (let time = 0; time < 2; time++)
      expect(await world.ptxrun(["check", "checks", "--cache", "kept"])).toEqual(without);
  });

  it("reads what was kept, for the same text, name of the file or not", async () => {
    const first = await run();
    const [a, b, ...more] = files();
    expect(more).toEqual([]);
    // The kernel of another module under the name of this one's: what is kept is what runs.
    await run(["other.ptx", ...line.slice(1)]);
    expect(files()).toHaveLength(4);
    world.write("copy.ptx", twice);
    expect(await run(["copy.ptx", ...line.slice(1)])).toEqual(first);
    expect(files()).toHaveLength(4);
    expect([a, b].every((name) => name !== undefined && files().includes(name))).toBe(true);
  });

  it("keeps apart what options and builds make of a text", async () => {
    const sizes: number[] = [];
    for (const more of [[], ["--target", "sm_90"], ["--ptx", "8.0"], ["--max-mem", "1M"]]) {
      await run(["noted.ptx", ...more]);
      sizes.push(files().length);
    }
    await world.ptxrun(["noted.ptx", "--cache", "kept"], { build: "another" });
    expect([...sizes, files().length]).toEqual([1, 2, 3, 4, 5]);
  });

  const damages: Readonly<Record<string, (path: string) => void>> = {
    "is empty": (path) => writeFileSync(path, ""),
    "was cut": (path) => truncateSync(path, 100),
    "has another byte": (path) => {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 4;
      writeFileSync(path, bytes);
    },
    "others can write": (path) => chmodSync(path, 0o666),
    "is a link": (path) => {
      renameSync(path, `${path}.real`);
      symlinkSync(`${path}.real`, path);
    },
    "is a folder": (path) => {
      rmSync(path);
      mkdirSync(path);
    },
    "is for something else": (path) => {
      const [, value = new Uint8Array()] = unpack(readFileSync(path)) ?? [];
      writeFileSync(path, pack([new Uint8Array(32), value]));
    },
    "holds no value": (path) => writeFileSync(path, pack([name(path), new Uint8Array([255, 15, 99, 1, 2, 3])])),
    "holds a number": (path) => writeFileSync(path, pack([name(path), serialize(7)])),
  };
  const name = (path: string): Uint8Array => Buffer.from(/([0-9a-f]{64})\.ptxrun$/.exec(path)?.[1] ?? "", "hex");

  it.each(Object.keys(damages))("passes over a file that %s", async (which) => {
    const compiled = [...line, "--executor", "wasm"];
    const first = await run(compiled);
    // The declarations, the kernel, and what was compiled of it.
    const kept = files();
    expect(kept).toHaveLength(3);
    for (const path of kept) damages[which]?.(path);
    expect(await run(compiled)).toEqual(first);
    // And what was damaged is written again; nobody removes a folder.
    if (which === "is a folder") return;
    for (const path of kept) {
      const [whose, value = new Uint8Array()] = unpack(readFileSync(path)) ?? [];
      expect([lstatSync(path).isFile(), lstatSync(path).mode & 0o777]).toEqual([true, 0o600]);
      expect([Buffer.from(whose ?? []), typeof deserialize(value)]).toEqual([name(path), "object"]);
    }
  });

  it("refuses a folder that others can write in, and one that cannot be", async () => {
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    for (const argv of [line, ["check", "checks"]]) {
      const { exit, err } = await run(argv);
      expect([exit, err]).toEqual([2, expect.stringContaining("somebody else can write there")]);
    }
    expect((await run(line, ["--cache", "twice.ptx/x"])).exit).toBe(2);
    expect(files()).toEqual([]);
  });
});

describe("a folder of programs", () => {
  const user = process.getuid?.();
  const key = (text: string): StoreKey => ({ text, words: ["a"] });
  const open = (room?: { files: number; bytes: number }, who = user) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new FileStore(folder, "test", who, room);
  };

  it("gives what was put there, whoever wrote it last", () => {
    const [one, other] = [open(), open()];
    const value = { n: 1n, map: new Map([["a", undefined]]), bytes: new Uint8Array([1]) };
    for (let at = 0; at < 20; at++) (at % 2 ? one : other).set(key("t"), { ...value, at });
    expect([one.get(key("t")), other.get(key("t"))]).toEqual([
      { ...value, at: 19 },
      { ...value, at: 19 },
    ]);
    expect(one.get(key("u"))).toBeUndefined();
    expect(one.get({ text: "t", words: ["b"] })).toBeUndefined();
    expect(files()).toHaveLength(1);
  });

  it("takes only data", () => {
    open().set(key("t"), { code: () => 1 });
    expect([open().get(key("t")), files()]).toEqual([undefined, []]);
  });

  it("gives and takes nothing where it is another user's", () => {
    open().set(key("t"), {});
    const stranger = open(undefined, (user ?? 0) + 1);
    stranger.set(key("u"), {});
    expect([stranger.get(key("t")), open().get(key("u")), files().length]).toEqual([undefined, undefined, 1]);
  });

  it("does not grow without end, and loses what writers left that died", () => {
    const store = open({ files: 3, bytes: 2 ** 20 });
    writeFileSync(join(folder, `${"0".repeat(64)}.ptxrun.${"0".repeat(12)}`), "");
    writeFileSync(join(folder, "mine.txt"), "");
    for (let at = 0; at < 400; at++) store.set(key(String(at)), {});
    expect(files().length).toBeLessThan(200);
    expect(files().some((path) => path.endsWith("mine.txt"))).toBe(true);
    const small = open({ files: 1000, bytes: 2000 });
    for (let at = 0; at < 200; at++) small.set(key(`b${at}`), { text: "x".repeat(200) });
    expect(files().length).toBeLessThan(150);
  });

  it("does without where nothing can be written", () => {
    const store = open();
    rmSync(folder, { recursive: true });
    store.set(key("t"), {});
    expect(store.get(key("t"))).toBeUndefined();
  });
});
