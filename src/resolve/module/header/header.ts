import type * as ast from "../../../parser/ast.ts";
import type { Span } from "../../../source/source.ts";
import { nearest } from "../../nearest.ts";
import { type Report, reject } from "../../report.ts";
import { type Needs, targetFor, versionFor } from "./assumed-header.ts";
import { type Arch, archOf, isVersion, newestVersion, relativeOf, showVersion, targets } from "./target.ts";

/** The content of the first three directives of a module (PTX ISA 11.1). */
export interface Header {
  /** `.version 9.0` is 90. */
  readonly version: number;
  readonly target: Arch;
  readonly texmode: "unified" | "independent";
  /** `.target sm_90a, debug`: what nvcc -G makes. */
  readonly debug?: true;
  /** The text states no version or no target: it is a paste, from which declarations may be missing. */
  readonly assumed?: true;
}

/** Defaults for a `.version` or `.target` that a text lacks. */
export interface HeaderDefaults {
  /** `8.7`, from the command line. */
  readonly version?: string | undefined;
  /** `sm_90`, likewise. */
  readonly target?: string | undefined;
  /** The target counts in place of the one that the text states. */
  readonly override?: boolean | undefined;
  /** The needs of the bodies; called only where they decide. */
  needs(): Needs;
}

/** Used where a header is missing or wrong, so that the rest can be checked: the newest version and target. */
const fallback: Arch = { name: "sm_100a", sm: 100, suffix: "a" };
const options = ["texmode_unified", "texmode_independent", "debug", "map_f64_to_f32"];

/**
 * Reads and checks `.version`, `.target` and `.address_size`; problems are PTX15xx. A directive that stands nowhere is
 * taken from `defaults`; PTX9010 says what was assumed.
 */
export function readHeader(module: ast.Module, report: Report, defaults: HeaderDefaults): Header {
  const stated = new Set(module.items.map(({ kind }) => kind));
  const [first] = module.items;
  // From what stands in the wrong place nothing follows about the rest.
  const late = (kind: "version" | "target"): boolean => stated.has(kind) && first?.kind !== kind;
  const whole = stated.has("version") && stated.has("target");
  if (first === undefined || whole || late("version") || late("target"))
    return readStated(module, report, defaults.override ? defaults.target : undefined);
  return { ...readStated(completed(module, first, report, defaults), report), assumed: true };
}

/** The module with the directives that it lacks. */
function completed(module: ast.Module, first: ast.Item, report: Report, defaults: HeaderDefaults): ast.Module {
  const at = head(first, report);
  const needs = defaults.needs();
  const named = first.kind === "target" ? first.names[0]?.text : defaults.target;
  const version: ast.Version =
    first.kind === "version" ? first : versionItem(defaults.version, versionFor(needs, named), at, report);
  const text = named ?? targetFor(needs, version.major * 10 + version.minor);
  const target: ast.Target = first.kind === "target" ? first : { kind: "target", names: [{ text, ...at }], ...at };
  const missing = [
    ...(first === version || defaults.version !== undefined ? [] : [`.version ${version.major}.${version.minor}`]),
    ...(named === undefined ? [`.target ${text}`] : []),
  ];
  const options = missing.map((each) => (each.startsWith(".v") ? "--ptx" : "--target")).join(" and ");
  if (missing.length > 0)
    reject(report, "PTX9010", at, `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} assumed`, {
      severity: "note",
      expected: `${missing.map((each) => each.split(" ")[0]).join(" and ")} at the start of the text`,
      help: [{ message: `write ${missing.length > 1 ? "them" : "it"} there, or give ${options}` }],
      manual: "ptx-module-directives",
    });
  const others = first === version || first === target ? module.items.slice(1) : module.items;
  return { ...module, items: [version, target, ...others] };
}

/** `--ptx 8.7`, or else `otherwise`, as a directive. */
function versionItem(given: string | undefined, otherwise: number, at: Span, report: Report): ast.Version {
  const parts = /^(\d+)\.(\d+)$/.exec(given ?? showVersion(otherwise));
  if (!parts)
    reject(report, "PTX1503", at, `unknown PTX version ${given}`, {
      expected: `at most ${showVersion(newestVersion)}`,
    });
  const [, major = Math.floor(newestVersion / 10), minor = newestVersion % 10] = parts ?? [];
  return { kind: "version", major: Number(major), minor: Number(minor), ...at };
}

/** `instead` is a target that counts in place of the stated one. */
function readStated(module: ast.Module, report: Report, instead?: string): Header {
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
    reject(report, "PTX1502", at ? head(at, report) : start, "no .target after .version", missing);
  // Several .target directives in a row are accepted; the last one that names an architecture counts.
  for (let item = module.items[next]; item?.kind === "target"; item = module.items[++next])
    target = readTarget(item, version, hasDebugInformation(module), report) ?? target;
  const size = module.items[next];
  if (size?.kind === "addressSize") {
    next++;
    readAddressSize(size, version, report);
  }
  // A directive that is missing at the start and appears further down is one error.
  const reported = new Set([
    ...(first?.kind === "version" ? [] : ["version"]),
    ...(at?.kind === "target" ? [] : ["target"]),
  ]);
  for (const item of next === 0 ? [second, ...others] : module.items.slice(next))
    if (
      item &&
      !reported.has(item.kind) &&
      (item.kind === "version" || item.kind === "target" || item.kind === "addressSize")
    )
      reject(report, "PTX1507", item, `${directive[item.kind]} comes too late`, {
        expected: "it at the start of the module",
      });
  const arch = at?.kind === "target" ? replaced(target.arch, instead, at, report) : target.arch;
  return { version, target: arch, texmode: target.texmode, ...(target.debug && { debug: true }) };
}

/** The target that counts, and PTX9021 where it is not the one of the text. */
function replaced(stated: Arch, instead: string | undefined, { names: [name] }: ast.Target, report: Report): Arch {
  const other = instead === undefined ? undefined : archOf(relativeOf(instead) ?? instead)?.arch;
  if (other === undefined || name === undefined || other.name === stated.name) return stated;
  reject(report, "PTX9021", name, `${other.name} is used instead of ${name.text}, as --target says`, {
    severity: "note",
    manual: "ptx-module-directives-target",
  });
  return other;
}

interface TargetDirective {
  readonly arch: Arch;
  readonly texmode: Header["texmode"];
  readonly debug?: true;
}

const directive = { version: ".version", target: ".target", addressSize: ".address_size" };
const missing = {
  expected: ".version 9.4, then .target sm_100a or another",
  manual: "ptx-module-directives",
};

/** The first word of an item, so that a missing directive does not underline a whole function. */
function head({ start, end }: Span, { source }: Report): Span {
  const [word = ""] = /^\S+/.exec(source.text.slice(start, Math.min(end, start + 32))) ?? [];
  return { start, end: start + word.length };
}

function readVersion({ major, minor, ...span }: ast.Version, report: Report): number {
  if (isVersion(major, minor)) return major * 10 + minor;
  // Minor numbers of one digit: 10.0 is newer than 9.9.
  if (major * 10 + minor > newestVersion && minor < 10)
    reject(
      report,
      "PTX1512",
      span,
      `PTX ${major}.${minor} is newer than ptxrun knows: the text is read as PTX ${showVersion(newestVersion)}`,
      {
        severity: "warning",
        expected: `at most ${showVersion(newestVersion)}`,
        manual: "ptx-module-directives-version",
      },
    );
  else
    reject(report, "PTX1503", span, `unknown PTX version ${major}.${minor}`, {
      expected: `at most ${showVersion(newestVersion)}`,
      manual: "ptx-module-directives-version",
    });
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
  const relative = relativeOf(first.text);
  const known = archOf(relative ?? first.text);
  if (!known) return unknown(first, targets, "unknown target", report);
  if (relative !== undefined)
    reject(
      report,
      "PTX1512",
      first,
      `${first.text} is newer than ptxrun knows: the text runs as ${relative}, of its family`,
      {
        severity: "warning",
        expected: `${relative} or another`,
        manual: "ptx-module-directives-target",
      },
    );
  if (version < known.since)
    reject(report, "PTX1505", first, `PTX ${showVersion(version)} does not support ${first.text}`, {
      expected: `.version ${showVersion(known.since)} or later`,
      manual: "ptx-module-directives-target",
    });
  let texmode: ast.Name | undefined;
  for (const name of directive.names.slice(1)) {
    // ptxas accepts further architectures silently and uses the first one.
    if (!options.includes(name.text)) {
      if (!archOf(name.text)) unknown(name, options, "unknown target option", report);
      continue;
    }
    if (name.text === "map_f64_to_f32" && known.arch.sm >= 13)
      reject(report, "PTX1506", name, `map_f64_to_f32 cannot be combined with ${first.text}`, {
        expected: "a target below sm_13",
      });
    if (name.text === "debug" && !debug)
      reject(report, "PTX1506", name, "debug is given and the module has no DWARF data", {
        expected: "a .section .debug_...",
      });
    if (!name.text.startsWith("texmode")) continue;
    if (texmode && texmode.text !== name.text)
      reject(report, "PTX1506", name, `${name.text} contradicts ${texmode.text}`, {
        related: [{ span: texmode, message: `${texmode.text} is here` }],
      });
    texmode = name;
  }
  return {
    arch: known.arch,
    texmode: texmode?.text === "texmode_independent" ? "independent" : "unified",
    ...(directive.names.some(({ text }) => text === "debug") && { debug: true }),
  };
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
  reject(report, "PTX1508", span, bits === 32 ? "32-bit modules are not supported" : `invalid address size ${bits}`, {
    expected: ".address_size 64",
    ...(bits === 32 && { help: [{ message: "ptxas refuses them, too: compile the source with nvcc -m64" }] }),
    manual: "ptx-module-directives-address-size",
  });
}
