import type { Since } from "../../../src/isa/index.ts";
import { newestVersion, showVersion } from "../../../src/resolve/module/header/target.ts";

/** The target and version that a text is written in. */
export interface Language {
  readonly target: string;
  readonly version: string;
}

/** What a text without a header is read as. */
export const newest: Language = { target: "sm_100a", version: showVersion(newestVersion) };

/** A target and a version that have a form: the newest, an architecture-specific one, or the last that still had it. */
export function languageOf({ ptx, sm, only }: Since, until: Since | undefined): Language {
  if (until !== undefined)
    return sm < 70
      ? { target: "sm_61", version: "6.3" }
      : { target: `sm_${sm}`, version: `${Math.floor(ptx / 10)}.${ptx % 10}` };
  return only === undefined ? newest : { ...newest, target: `sm_${sm}${only}` };
}

/** What a text needs around its lines. */
export interface Around {
  readonly language: Language;
  /** Device functions that the lines call. */
  readonly functions?: string;
  /** Blocks of a cluster. */
  readonly cluster?: number;
}

/** The lines as they are, or as the body of a kernel where they need a header, functions or a cluster. */
export function textOf(lines: readonly string[], { language, functions, cluster }: Around): string {
  const isNewest = language.target === newest.target && language.version === newest.version;
  if (isNewest && functions === undefined && cluster === undefined) return `${lines.join("\n")}\n`;
  const required = cluster === undefined ? "" : ` .explicitcluster .reqnctapercluster ${cluster}`;
  return [
    `.version ${language.version}`,
    `.target ${language.target}`,
    ".address_size 64",
    "",
    ...(functions === undefined ? [] : [functions, ""]),
    `.visible .entry example()${required}`,
    "{",
    ...lines.map((line) => `  ${line}`),
    "  ret;",
    "}",
    "",
  ].join("\n");
}
