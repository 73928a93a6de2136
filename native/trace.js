// Makes, of what native/cuda defines, functions that say what the driver API was asked and what it answered. The
// library's own functions get other names, by which they call each other: only the program's calls are told.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a pointer leads to once the call has gone well: how it is shown, by its type. */
const results = {
  4: ["int", "unsigned", "CUdevice", "CUgraphNodeType", "CUstreamCaptureStatus", "CUstreamCaptureMode"],
  8: [
    "CUdeviceptr",
    "size_t",
    "CUcontext",
    "CUmodule",
    "CUfunction",
    "CUstream",
    "CUevent",
    "CUlibrary",
    "CUkernel",
    "CUmemoryPool",
    "CUarray",
    "CUmipmappedArray",
    "CUtexObject",
    "CUsurfObject",
    "CUgraph",
    "CUgraphNode",
    "CUgraphExec",
    "CUuserObject",
  ],
};

function kindOf(type) {
  if (/^struct \w+$/.test(type)) return "STRUCT";
  if (type === "const char *") return "TEXT";
  if (/^const \w+ \*$/.test(type)) return "WORD";
  const [, base] = /^(\w+) \*$/.exec(type) ?? [];
  const [bytes] = Object.entries(results).find(([, types]) => types.includes(base)) ?? [];
  return bytes === undefined ? "WORD" : `RESULT${bytes}`;
}

/** `unsigned *count` or `void (*callback)(void *)`: its name, and its type where that is simple. */
function parameter(text) {
  const [, before, name] = /^([^()]*?)(\w+)$/.exec(text) ?? [];
  if (name !== undefined) return { name, kind: kindOf(before.trim()) };
  const [, pointer] = /\(\*(\w+)\)/.exec(text) ?? [];
  if (pointer === undefined) throw new Error(`a parameter that is not understood: ${text}`);
  return { name: pointer, kind: "WORD" };
}

/** Splits at the commas that are in no parentheses. */
function split(text) {
  const parts = [""];
  let depth = 0;
  for (const letter of text) {
    depth += letter === "(" ? 1 : letter === ")" ? -1 : 0;
    if (letter === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.replace(/\s+/g, " ").trim());
}

/** Every function of the preprocessed text, and those that are another one by another name. */
function functions(text) {
  const all = new Map();
  const listed = (list) => list.replace(/\s+/g, " ").trim();
  for (const [, name, list = ""] of text.matchAll(/PUBLIC CUresult (cu\w+)\(([^;{]*)\) \{/g))
    all.set(name, listed(list));
  for (const [, name, other] of text.matchAll(/PUBLIC extern __typeof__\((cu\w+)\) (cu\w+) /g)) {
    const list = all.get(name);
    if (list === undefined) throw new Error(`${other} is ${name}, which no file defines`);
    all.set(other, list);
  }
  return [...all].map(([name, list]) => ({
    name,
    list,
    parameters: list === "void" ? [] : split(list).map(parameter),
  }));
}

const shown = ({ name, kind }) => `{"${name}", ${kind}, ${kind === "STRUCT" ? "0" : `(uint64_t)(uintptr_t)${name}`}}`;

function wrapper({ name, list, parameters }) {
  const values = parameters.map((each) => each.name).join(", ");
  const told = parameters.length === 0 ? "{{NULL, WORD, 0}}" : `{${parameters.map(shown).join(", ")}}`;
  return `CUresult ours_${name}(${list});
API CUresult ${name}(${list});
API CUresult ${name}(${list}) {
  CUresult result = ours_${name}(${values});
  if (is_traced()) {
    struct shown all[] = ${told};
    trace_call("${name}", result, all, ${parameters.length});
  }
  return result;
}
`;
}

/** Writes names.h, which renames, and traced.c, for C files that `preprocess` makes one text of; gives their paths. */
export function writeTraced(out, files, preprocess) {
  const together = join(out, "all.c");
  writeFileSync(together, files.map((name) => `#include "${name}"\n`).join(""));
  preprocess(["-w", "-Wno-error", "-DAPI=PUBLIC", "-E", "-P", "-o", join(out, "all.i"), together]);
  const all = functions(readFileSync(join(out, "all.i"), "utf8"));
  const renaming = join(out, "names.h");
  const source = join(out, "traced.c");
  writeFileSync(renaming, all.map(({ name }) => `#define ${name} ours_${name}\n`).join(""));
  writeFileSync(source, `#include "driver.h"\n#include "trace.h"\n${all.map(wrapper).join("")}`);
  return { renaming, source };
}
