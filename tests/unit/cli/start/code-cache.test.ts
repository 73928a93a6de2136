import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodeCache } from "../../../../src/cli/start/start.ts";
import { isOwn, makeFolder, userFolder } from "../../../../src/system/place.ts";

const user = process.getuid?.();
const parts = [new Uint8Array([1, 2, 3]), new Uint8Array([4])];
const read = (cache: CodeCache) => cache.read().map((part) => [...part]);

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ptxrun-code-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Where a checkout's folder would be. */
const none = () => join(root, "dist/code");

describe("where compiled code is kept", () => {
  const folder = (platform: string, env: Record<string, string>) => userFolder({ platform, env, user });

  it("is the platform's folder for caches", () => {
    expect(folder("linux", { HOME: "/home/ada" })).toBe("/home/ada/.cache/ptxrun");
    expect(folder("linux", { HOME: "/home/ada", XDG_CACHE_HOME: "/var/ada" })).toBe("/var/ada/ptxrun");
    expect(folder("darwin", { HOME: "/Users/ada" })).toBe("/Users/ada/Library/Caches/ptxrun");
  });

  it("is nowhere without a home, and a relative path is none", () => {
    expect(folder("linux", {})).toBeUndefined();
    expect(folder("linux", { HOME: "", XDG_CACHE_HOME: "" })).toBeUndefined();
    expect(folder("linux", { HOME: "here", XDG_CACHE_HOME: "there" })).toBeUndefined();
    expect(folder("win32", { HOME: "/home/ada" })).toBeUndefined();
  });
});

describe("kept code", () => {
  it("is read again, by the same name alone", () => {
    const own = join(root, ".cache/ptxrun");
    new CodeCache("one", none(), own, user).write(() => parts);
    expect(read(new CodeCache("one", none(), own, user))).toEqual([[1, 2, 3], [4]]);
    expect(read(new CodeCache("two", none(), own, user))).toEqual([]);
    expect(readdirSync(own)).toEqual(["one.code"]);
    expect([statSync(own).mode & 0o777, statSync(join(own, "one.code")).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it("goes into the first folder that is there, or that can be made", () => {
    const [shipped, own] = [join(root, "shipped"), join(root, "own")];
    new CodeCache("one", shipped, own, user).write(() => parts);
    expect([existsSync(shipped), existsSync(own)]).toEqual([false, true]);
    mkdirSync(shipped, { mode: 0o700 });
    new CodeCache("two", shipped, own, user).write(() => parts);
    expect(readdirSync(shipped)).toEqual(["two.code"]);
    expect(read(new CodeCache("one", shipped, own, user))).toHaveLength(2);
  });

  it("is not made where it cannot be written", () => {
    writeFileSync(join(root, "file"), "");
    let made = 0;
    const cache = new CodeCache("one", none(), join(root, "file/ptxrun"), user);
    cache.write(() => {
      made++;
      return parts;
    });
    expect([made, read(cache)]).toEqual([0, []]);
    mkdirSync(join(root, "dist"));
    new CodeCache("one", none(), undefined, user).write(() => parts);
    expect(readdirSync(join(root, "dist"))).toEqual([]);
  });

  it("makes nobody a home", () => {
    new CodeCache("one", none(), join(root, "home/.cache/ptxrun"), user).write(() => parts);
    expect(existsSync(join(root, "home"))).toBe(false);
  });

  it("is taken from no folder and no file that others can write", () => {
    const own = join(root, "own");
    const cache = new CodeCache("one", none(), own, user);
    cache.write(() => parts);
    for (const [path, mode] of [
      [own, 0o700],
      [join(own, "one.code"), 0o600],
    ] as const) {
      for (const others of [0o020, 0o002]) {
        chmodSync(path, mode | others);
        expect(read(cache), `${path} ${others}`).toEqual([]);
      }
      chmodSync(path, mode);
      expect(read(cache)).toHaveLength(2);
    }
    chmodSync(own, 0o770);
    expect(existsSync(join(own, "two.code"))).toBe(false);
    new CodeCache("two", none(), own, user).write(() => parts);
    expect(existsSync(join(own, "two.code"))).toBe(false);
  });

  it("is taken from nobody else", () => {
    expect(isOwn({ uid: 1000, mode: 0o700 }, 1000)).toBe(true);
    expect(isOwn({ uid: 1000, mode: 0o700 }, 0)).toBe(false);
    const own = join(root, "own");
    new CodeCache("one", none(), own, user).write(() => parts);
    expect(read(new CodeCache("one", none(), own, 12345))).toEqual([]);
    expect(makeFolder(join(root, "others/ptxrun"), 12345)).toBe(false);
    expect(existsSync(join(root, "others"))).toBe(false);
  });

  it("is taken through no link to a folder", () => {
    const own = join(root, "own");
    new CodeCache("one", none(), own, user).write(() => parts);
    renameSync(own, join(root, "moved"));
    symlinkSync(join(root, "moved"), own);
    expect(read(new CodeCache("one", none(), own, user))).toEqual([]);
  });

  it("is taken from nothing but a file of a likely size", () => {
    const own = join(root, "own");
    const cache = new CodeCache("one", none(), own, user);
    cache.write(() => parts);
    rmSync(join(own, "one.code"));
    execFileSync("mkfifo", ["-m", "600", join(own, "one.code")]);
    expect(read(cache)).toEqual([]);
    rmSync(join(own, "one.code"));
    symlinkSync("/dev/zero", join(own, "one.code"));
    expect(read(cache)).toEqual([]);
    rmSync(join(own, "one.code"));
    writeFileSync(join(own, "one.code"), "", { mode: 0o600 });
    truncateSync(join(own, "one.code"), 2 ** 33);
    expect(read(cache)).toEqual([]);
  });

  it("leaves nothing behind when making it fails", () => {
    const own = join(root, "own");
    new CodeCache("one", none(), own, user).write(() => {
      throw new Error("no code");
    });
    expect(readdirSync(own)).toEqual([]);
  });

  it("does not grow without end: the oldest go", () => {
    const own = join(root, "own");
    mkdirSync(own, { mode: 0o700 });
    for (let at = 0; at < 60; at++) {
      const path = join(own, `old${at}.code${at % 2 === 0 ? "" : ".123"}`);
      writeFileSync(path, "");
      utimesSync(path, at + 1, at + 1);
    }
    writeFileSync(join(own, "notes.txt"), "mine");
    new CodeCache("one", none(), own, user).write(() => parts);
    const left = readdirSync(own);
    expect(left).toHaveLength(41);
    expect(left).toEqual(expect.arrayContaining(["one.code", "notes.txt", "old58.code"]));
    expect(left).not.toContain("old0.code");
  });
});
