import type { Document } from "../document.ts";
import { moduleNames } from "../names/text-names.ts";
import type { Place } from "../text/place.ts";
import { at, type Completion } from "./item.ts";

/** Directives of golden checks in a comment. */
export function completeComment(document: Document, { within, offset }: Place): readonly Completion[] {
  if (within === undefined || within.kind !== "comment") return [];
  const written = document.text.slice(within.start, offset);
  const begun = /^\/\/@\s*(\w*)$/.exec(written);
  if (begun) {
    const item = at({ start: offset - (begun[1]?.length ?? 0), end: offset });
    return [
      item("directive", "case", { insert: "case ", detail: "case NAME: INPUTS -> EXPECTATIONS" }),
      item("directive", "args", { insert: "args: ", detail: "options of the cases below" }),
      item("directive", "launch", { insert: "launch ", detail: "launch KERNEL OPTIONS: ARGUMENTS" }),
      item("directive", "snapshot", { detail: "compare with NAME.snap" }),
    ];
  }
  const launch = /^\/\/@\s*launch\s+([\w$]*)$/.exec(written);
  const kernels = moduleNames(document).filter(({ kind }) => kind === "kernel");
  if (launch) {
    const item = at({ start: offset - (launch[1]?.length ?? 0), end: offset });
    return kernels.map(({ name }) => item("function", name));
  }
  const inputs = /^\/\/@\s*(?:case|launch|snapshot)\b.*:(?:.*\s)?([\w$]*)$/.exec(written);
  if (!inputs) return [];
  const item = at({ start: offset - (inputs[1]?.length ?? 0), end: offset });
  const heads = document.module.value.items.flatMap((each) =>
    each.kind === "function" && each.entry ? each.parameters : [],
  );
  const names = new Set(heads.flatMap(({ name }) => (name === undefined ? [] : [name.text])));
  return [...names].map((name) => item("parameter", name, { insert: `${name}=` }));
}
