import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isTrusted, makeFolder, userFolder } from "../../system/place.ts";

/** The contents of an executable: files by name (bundle/executable.js), and their checksum. */
declare const FILES: readonly string[];
declare const SUM: string;

/** Node's module for assets embedded in an executable. */
interface Carried {
  getRawAsset(name: string): ArrayBuffer;
}

/**
 * The main script of an executable. Worker threads need files, so the embedded files are unpacked once, into the user's
 * cache folder, or for one run where there is none.
 */
function main(): void {
  const { platform, env } = process;
  const user = process.getuid?.();
  const own = userFolder({ platform, env, user });
  const place = own !== undefined && makeFolder(own, user) ? own : undefined;
  const folder = (place === undefined ? undefined : kept(place, user)) ?? unpackedForNow();
  (createRequire(join(folder, "start.cjs"))("./start.cjs") as { command(): void }).command();
}

/** The folder of the unpacked files, unpacked by this run if no other did. Undefined where that is impossible. */
function kept(place: string, user: number | undefined): string | undefined {
  const folder = join(place, `executable-${SUM}`);
  if (isTrusted(folder, user)) return folder;
  const begun = `${folder}.${process.pid}`;
  try {
    unpack(begun);
    renameSync(begun, folder);
  } catch {
    // Another run was quicker, or the disk is full.
    rmSync(begun, { recursive: true, force: true });
  }
  return isTrusted(folder, user) ? folder : undefined;
}

function unpackedForNow(): string {
  const folder = join(mkdtempSync(join(tmpdir(), "ptxrun-")), "dist");
  unpack(folder);
  process.once("exit", () => rmSync(join(folder, ".."), { recursive: true, force: true }));
  return folder;
}

function unpack(folder: string): void {
  const { getRawAsset } = process.getBuiltinModule("node:sea") as unknown as Carried;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of FILES) writeFileSync(join(folder, name), new Uint8Array(getRawAsset(name)), { mode: 0o600 });
}

main();
