import type { Since } from "../isa/define.ts";
import type { Span } from "../source/source.ts";
import { reject } from "./report.ts";
import type { Scope } from "./scope.ts";
import { showVersion } from "./target.ts";

/** Reports PTX1212 or PTX1213 where the module's target or version is too old for `what`; true when it is not. */
export function requireSince(since: Since, at: Span, what: string, scope: Scope, manual?: string): boolean {
  const { version, target } = scope;
  const detail = manual === undefined ? {} : { manual };
  let enough = true;
  if (target.sm < since.sm || (since.only !== undefined && !specific(target.suffix, since.only))) {
    const needed = `sm_${since.sm}${since.only ?? ""}`;
    reject(scope, "PTX1212", at, `${what} needs ${needed}, the target is ${target.name}`, {
      expected: `.target ${needed}${since.only === "a" ? "" : " or later"}`,
      ...detail,
    });
    enough = false;
  }
  if (version < since.ptx) {
    const needed = showVersion(since.ptx);
    reject(scope, "PTX1213", at, `${what} needs PTX ${needed}, the version is ${showVersion(version)}`, {
      expected: `.version ${needed} or later`,
      ...detail,
    });
    enough = false;
  }
  return enough;
}

const specific = (suffix: "" | "a" | "f", only: "a" | "f"): boolean => (only === "f" ? suffix !== "" : suffix === "a");
