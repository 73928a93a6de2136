import type { Header } from "../../../../src/resolve/module/header/header.ts";
import { archOf, newestVersion } from "../../../../src/resolve/module/header/target.ts";
import type { Document } from "../document.ts";

/** The version and the target that a text is for. */
export type For = Pick<Header, "version" | "target">;

/** What a module says or is assumed to be; a snippet may use all that the newest has, unless it is told. */
export function headerOf(document: Document): For {
  if (document.kind === "module") return document.reading.scope.header;
  const { target = "sm_100a", version } = document.settings;
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(version ?? "") ?? [];
  return {
    version: major === undefined ? newestVersion : Number(major) * 10 + Number(minor),
    target: archOf(target)?.arch ?? { name: "sm_100a", sm: 100, suffix: "a" },
  };
}
