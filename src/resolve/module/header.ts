import type * as ast from "../../parser/ast.ts";
import type { Span } from "../../source/source.ts";
import { nearest } from "../nearest.ts";
import { type Report, reject } from "../report.ts";
import { type Arch, archOf, isVersion, newestVersion, showVersion, targets } from "./target.ts";

/** What the first three directives of a module say (PTX ISA 11.1). */
export interface Header {
  /** `.version 9.0` is 90. */
  readonly version: number;
  readonly target: Arch;
  readonly texmode: "unified" | "independent";
}

/** Used where a header is missing or wrong, so that the rest can be checked: the newest version and target. */
const fallback: Arch = { name: "sm_100a", sm: 100, suffix: "a" };
const options = ["texmode_unified", "texmode_independent", "debug", "map_f64_to_f32"];

/** Reads and checks `.version`, `.target` and `.address_size`; problems are PTX15xx. */
export function readHeader(module: ast.Module, report: Report): Header {
  const [first, second, ...others] = module.items;
  const start = { start: module.start, end: Math.min(module.start + 1, module.end) };
  let version = newestVersion;
  let next = 0;
  if (first?.kind === "version") {
    version = readVersion(first, report);
    next = 1;
  } else
    reject(report, "PTX1501", first ? head(first, report) : start, "the module does not begin with .version", missing);

  let target: TargetDirective = { arch: fallback, texmode: "unified" };
  const at = first?.kind === "version" ? second : first;
  if (at?.kind !== "target")
    reject(report, "PTX1502", at ? head(at, report) : start, "no .target behind .version", missing);
  // Several .target directives in a row are accepted; the last one that names an architecture counts.
  for (let item = module.items[next]; item?.kind === "target"; item = module.items[++next])
    target = readTarget(item, version, hasDebugInformation(module), report) ?? target;
  const size = module.items[next];
  if (size?.kind === "addressSize") {
    next++;
    readAddressSize(size, version, report);
  }
  for (const item of next === 0 ? [second, ...others] : module.items.slice(next))
    if (item && (item.kind === "version" || item.kind === "target" || item.kind === "addressSize"))
      reject(report, "PTX1507", item, `${directive[item.kind]} stands too late`, {
        expected: "it at the start of the module",
      });
  return { version, target: target.arch, texmode: target.texmode };
}

interface TargetDirective {
  readonly arch: Arch;
  readonly texmode: Header["texmode"];
}

const directive = { version: ".version", target: ".target", addressSize: ".address_size" };
const missing = {
  expected: ".version 9.0, then .target sm_100a or another",
  help: [{ message: "a text without .version, .entry and .func runs as a snippet" }],
  manual: "ptx-module-directives",
};

/** The first word of an item, so that a missing directive does not underline a whole function. */
function head({ start, end }: Span, { source }: Report): Span {
  const [word = ""] = /^\S+/.exec(source.text.slice(start, Math.min(end, start + 32))) ?? [];
  return { start, end: start + word.length };
}

function readVersion({ major, minor, ...span }: ast.Version, report: Report): number {
  if (isVersion(major, minor)) return major * 10 + minor;
  const newer = major * 10 + minor > newestVersion;
  reject(
    report,
    "PTX1503",
    span,
    newer ? `PTX ${major}.${minor} is newer than ptxrun knows` : `there is no PTX ${major}.${minor}`,
    {
      expected: `at most ${showVersion(newestVersion)}`,
      manual: "ptx-module-directives-version",
    },
  );
  return newestVersion;
}

/** Reads one `.target`; `debug` says whether the module has what that option asks for. */
export function readTarget(
  directive: ast.Target,
  version: number,
  debug: boolean,
  report: Report,
): TargetDirective | undefined {
  const [first] = directive.names;
  if (!first) return undefined;
  const known = archOf(first.text);
  if (!known) return unknown(first, targets, "there is no target", report);
  if (version < known.since)
    reject(report, "PTX1505", first, `PTX ${showVersion(version)} does not know ${first.text}`, {
      expected: `.version ${showVersion(known.since)} or later`,
      manual: "ptx-module-directives-target",
    });
  let texmode: ast.Name | undefined;
  for (const name of directive.names.slice(1)) {
    // ptxas accepts further architectures silently and uses the first one.
    if (!options.includes(name.text)) {
      if (!archOf(name.text)) unknown(name, options, "there is no target option", report);
      continue;
    }
    if (name.text === "map_f64_to_f32" && known.arch.sm >= 13)
      reject(report, "PTX1506", name, `map_f64_to_f32 does not go with ${first.text}`, {
        expected: "a target below sm_13",
      });
    if (name.text === "debug" && !debug)
      reject(report, "PTX1506", name, "debug is asked for and the module has no DWARF data", {
        expected: "a .section .debug_...",
      });
    if (!name.text.startsWith("texmode")) continue;
    if (texmode && texmode.text !== name.text)
      reject(report, "PTX1506", name, `${name.text} contradicts ${texmode.text}`, {
        related: [{ span: texmode, message: `${texmode.text} stands here` }],
      });
    texmode = name;
  }
  return { arch: known.arch, texmode: texmode?.text === "texmode_independent" ? "independent" : "unified" };
}

const hasDebugInformation = ({ items }: ast.Module): boolean => items.some(({ kind }) => kind === "section");

function unknown(name: ast.Name, names: readonly string[], what: string, report: Report): undefined {
  const near = nearest(name.text, names);
  return reject(report, "PTX1504", name, `${what} ${name.text}`, {
    ...(near && {
      help: [{ message: `did you mean ${near}?`, replace: { span: { start: name.start, end: name.end }, text: near } }],
    }),
    manual: "ptx-module-directives-target",
  });
}

function readAddressSize({ bits, ...span }: ast.AddressSize, version: number, report: Report): void {
  if (version < 23)
    reject(report, "PTX1509", span, `.address_size is newer than PTX ${showVersion(version)}`, {
      expected: ".version 2.3 or later",
    });
  if (bits === 64) return;
  reject(
    report,
    "PTX1508",
    span,
    bits === 32 ? "32-bit modules are not supported" : `there is no address size ${bits}`,
    {
      expected: ".address_size 64",
      manual: "ptx-module-directives-address-size",
    },
  );
}
