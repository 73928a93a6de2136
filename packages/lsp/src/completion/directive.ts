import { typeNames } from "../../../../src/resolve/declaration/fundamental-types.ts";
import { hasFeature } from "../../../../src/resolve/module/header/feature.ts";
import {
  archOf,
  isVersion,
  newestVersion,
  showVersion,
  targets,
} from "../../../../src/resolve/module/header/target.ts";
import type { Document } from "../document.ts";
import type { Place } from "../text/place.ts";
import { headerOf } from "./header.ts";
import { at, type Completion } from "./item.ts";

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const atTop = words(
  ".version .target .address_size .visible .extern .weak .common .entry .func .global .const .shared .file .alias .pragma .section .nv_intermediate_source_section",
);
const afterLinkage = words(".entry .func .global .const .shared");
const inBodies = words(
  ".reg .shared .local .param .global .const .loc .loc_intermediate .pragma .branchtargets .calltargets .callprototype",
);
const ofKernels = words(
  ".maxntid .reqntid .minnctapersm .maxnreg .reqnctapercluster .explicitcluster .maxclusterrank .blocksareclusters .minperctamemory .language .pragma",
);
const ofFunctions = words(".noreturn .abi_preserve .abi_preserve_control .language .pragma");
const spaces = /^\.(?:reg|global|const(?:\[\d+\])?|shared|local|param)$/;
const opaque = words(".texref .samplerref .surfref");

/** Directives, types and the operands of `.version` and `.target`. */
export function completeDirective(document: Document, place: Place): readonly Completion[] {
  const { before, inBody, whole } = place;
  const item = at(whole);
  const header = headerOf(document);
  const directives = (names: readonly string[]): readonly Completion[] =>
    names.filter((name) => hasFeature(name, header)).map((name) => item("directive", name));
  const declaring = before.map(({ text }) => text);
  if (before.length === 0)
    return directives(!inBody ? atTop : document.kind === "snippet" ? [...inBodies, ...atTop] : inBodies);
  const [first, last] = [declaring[0], declaring.at(-1)] as [string, string];
  if (first === ".version") return versions().map((name) => item("value", name));
  if (first === ".target") return targetNames(document).map((name) => item("value", name));
  if (first === ".address_size") return [item("value", "64"), item("value", "32")];
  if (/^\.(?:visible|extern|weak|common)$/.test(last)) return directives(afterLinkage);
  const space = [...declaring].reverse().find((text) => spaces.test(text));
  const types = (): readonly Completion[] =>
    typeNames
      .map((name) => `.${name}`)
      .filter((name) => hasFeature(name, header))
      .map((name) => item("type", name));
  if (spaces.test(last)) {
    const pred = last === ".reg" ? types() : types().filter(({ label }) => label !== ".pred");
    const more =
      last === ".reg" ? [".v2", ".v4"] : last === ".global" || last === ".param" ? [".align", ...opaque] : [".align"];
    return [...pred, ...directives([...more])];
  }
  if (/^\.v[24]$/.test(last) || declaring.at(-2) === ".align") return types().filter(({ label }) => label !== ".pred");
  if (space === ".param" && /^\.[us]64$|^\.b64$/.test(last)) return directives([".ptr"]);
  if (last === ".ptr") return directives([".global", ".const", ".shared", ".local", ".align"]);
  if ((last === "(" || last === ",") && /^\.(?:visible|weak|extern|entry|func)$/.test(first))
    return directives(declaring.includes(".entry") ? [".param"] : [".param", ".reg"]);
  if (last === ")" && !inBody) return directives(declaring.includes(".entry") ? ofKernels : ofFunctions);
  return [];
}

function versions(): readonly string[] {
  const all: string[] = [];
  for (let version = newestVersion; version >= 10; version--)
    if (isVersion(Math.floor(version / 10), version % 10)) all.push(showVersion(version));
  return all;
}

/** The targets that the text's version knows. */
function targetNames(document: Document): readonly string[] {
  const stated = document.module.value.items.find((item) => item.kind === "version");
  const version = stated?.kind === "version" ? stated.major * 10 + stated.minor : newestVersion;
  return targets.filter((name) => (archOf(name)?.since ?? 0) <= version);
}
