import type { Header } from "../../../../src/resolve/module/header/header.ts";
import { archOf, newestVersion } from "../../../../src/resolve/module/header/target.ts";
import type { Document } from "../document.ts";

/** The version and the target that a text is for. */
export type For = Pick<Header, "version" | "target">;

/**
 * The version and target that a module states or is assumed to have; a snippet may use everything of the
 * newest, unless the settings say otherwise.
 */
export function headerOf(document: Document): For {
  if (document.kind === "module") return document.reading.scope.header;
  const { target = "sm_100a", version } = document.settings;
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(version ?? "") ?? [];
  return {
    version: major === undefined ? newestVersion : Number(major) * 10 + Number(minor),
    target: archOf(target)?.arch ?? { name: "sm_100a", sm: 100, suffix: "a" },
  };
}
