import { demangle } from "../../../packages/demangle/src/index.ts";
import type { ExitCode } from "../../environment/exit.ts";
import { decode } from "../../environment/file.ts";
import type { Io } from "../../environment/io.ts";
import { isContainer } from "../../host/container/device-code.ts";
import { isModuleText } from "../../host/index.ts";
import { embeddedModules, type ListedModule, textModules } from "../../host/module/listing.ts";
import type { RunCommandOptions } from "../../launch/options.ts";
import { printable } from "../../present/text/escape.ts";
import type { Staged } from "../../source/diagnostic.ts";
import { Source } from "../../source/source.ts";
import { type ListWords, named, printList } from "./kernel-list.ts";
import { readProgramFile } from "./text.ts";

/** `--list`: every module in the file with its kernels, whether a launch would take it or not; nothing runs. */
export function listModules(
  file: string | undefined,
  options: ListWords & Pick<RunCommandOptions, "eval">,
  io: Io,
): ExitCode {
  const { value, diagnostics } = modulesOf(file, options, io);
  const lists = value && { modules: value.map((module) => ({ ...module, kernels: module.kernels.map(named) })) };
  if (value?.length === 0 && options.quiet !== true) io.err("there is no module\n");
  return printList({ lists: lists ?? {}, text: value?.map(lineOf).join(""), diagnostics }, options, io);
}

function modulesOf(
  file: string | undefined,
  options: Pick<RunCommandOptions, "eval">,
  io: Io,
): Staged<readonly ListedModule[] | undefined> {
  const { value: found, diagnostics } = readProgramFile(file, options, io);
  if (found === undefined) return { value: undefined, diagnostics };
  if (!(found instanceof Source) && isContainer(found.bytes)) return embeddedModules(found.name, found.bytes);
  const source = found instanceof Source ? { value: found, diagnostics } : decode(found.name, found.bytes);
  if (source.value === undefined) return { value: undefined, diagnostics: source.diagnostics };
  return { value: isModuleText(source.value) ? textModules(source.value) : [], diagnostics };
}

function lineOf({ kind, target, version, offset, packing, kernels }: ListedModule): string {
  const packed = packing === "none" ? "" : `, ${packing}`;
  const what = kind === "PTX" ? `PTX ${version ?? ""}` : kind;
  const kept = kind === "machine code" && version !== undefined ? `, with its PTX ${version}` : "";
  const names = kernels.map((name) => `    ${printable(demangle(name)?.signature ?? name)}\n`);
  return `${what.trim()} for ${target}${packed}, at byte ${offset}${kept}\n${names.join("")}`;
}
