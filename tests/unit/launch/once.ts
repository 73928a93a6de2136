import { type Files, noFiles } from "../../../src/environment/files.ts";
import type { Slicing } from "../../../src/environment/slicing.ts";
import { unobserved } from "../../../src/environment/slicing.ts";
import { runOnce } from "../../../src/launch/once.ts";
import type { RunCommandOptions } from "../../../src/launch/options.ts";
import { Source } from "../../../src/source/source.ts";
import { zlib } from "../../../src/system/files.ts";
import { silent } from "../cli/world.ts";

const none = { mem: false, init: false, sync: false, race: false, bounds: false };
export type Given = Partial<RunCommandOptions>;

/** Files that are read by their names, and those that are written. */
function files(given: Readonly<Record<string, Uint8Array>>, written: Map<string, Uint8Array>): Files {
  return {
    ...noFiles,
    zlib,
    resolve: (...parts) => parts.at(-1) ?? "",
    read: (path, ...how) => (given[path] === undefined ? noFiles.read(path, ...how) : { bytes: given[path] }),
    write: (path, contents) => {
      written.set(path, typeof contents === "string" ? new TextEncoder().encode(contents) : contents);
      return undefined;
    },
  };
}

/** Runs a text once: what was said, with the part of an option or of the text that it is about, and what there is to show. */
export async function run(
  text: string,
  options: Given,
  given: Readonly<Record<string, Uint8Array>> = {},
  slicing: Slicing = unobserved(() => 0),
) {
  const written = new Map<string, Uint8Array>();
  const io = { ...silent, cwd: "/", files: files(given, written) };
  const all = { sanitize: none, format: "text", color: "never", ...options } as const;
  const { diagnostics, exit, result } = await runOnce(new Source("t.ptx", text), all, io, slicing, false);
  const said = diagnostics.map(({ code, severity, message, source, span, expected, help }) => ({
    code,
    severity,
    message,
    expected,
    at: source === undefined || span === undefined ? undefined : source.text.slice(span.start, span.end),
    help: help?.map((each) => each.message),
  }));
  const threads = result?.state.threads.map(({ block, thread, registers }) => ({
    block,
    thread,
    registers: Object.fromEntries(registers.map(({ name, bits }) => [name, bits])),
  }));
  return { said, exit, threads, buffers: result?.state.buffers, written };
}
