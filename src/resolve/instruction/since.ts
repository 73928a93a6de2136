import type { Since } from "../../isa/form/define.ts";
import { orLater, targetName } from "../../isa/form/since.ts";
import type { Span } from "../../source/source.ts";
import type { Scope } from "../declaration/scope.ts";
import { showVersion } from "../module/header/target.ts";
import { reject } from "../report.ts";

/** Reports PTX1212 or PTX1213 where the module's target or version is too old for `what`; true when it is not. */
export function requireSince(least: Since, at: Span, what: string, scope: Scope, manual?: string): boolean {
  const { version, target } = scope;
  const { or } = least;
  const since = counting(least, version);
  const detail = manual === undefined ? {} : { manual };
  const young = version < since.ptx;
  if (!isOn(target, since)) {
    const needed = targetName(since.sm, since.only);
    const also = young ? ` and .version ${showVersion(since.ptx)}` : "";
    const other = or !== undefined && since !== or && target.sm >= or.sm;
    reject(scope, "PTX1212", at, `${what} needs ${needed}, the target is ${target.name}`, {
      expected: `.target ${needed}${also}${orOthers(since)}${other ? `, or .version ${showVersion(or.ptx)}` : ""}`,
      needs: since,
      ...(scope.infers && { help: [{ message: `give --target ${needed}: the text has no .target of its own` }] }),
      ...detail,
    });
    return false;
  }
  if (young) {
    const needed = showVersion(since.ptx);
    reject(scope, "PTX1213", at, `${what} needs PTX ${needed}, the version is ${showVersion(version)}`, {
      expected: `.version ${needed} or later`,
      needs: since,
      ...detail,
    });
    return false;
  }
  return true;
}

/** What a text says of itself at its top. */
type Header = Pick<Scope, "version" | "target">;

/** True where the version and the target have what came with `least` and, where that is given, went with `until`. */
export function has({ version, target }: Header, least: Since, until?: Since): boolean {
  const since = counting(least, version);
  const gone = until !== undefined && version >= until.ptx && target.sm >= until.sm;
  return version >= since.ptx && isOn(target, since) && !gone;
}

/** Of two ways to have it the newer version is the one that counts as soon as the module has that. */
const counting = (least: Since, version: number): Since =>
  least.or !== undefined && version >= least.or.ptx ? least.or : least;

const isOn = (target: Scope["target"], { sm, families, only }: Since): boolean =>
  target.sm >= sm &&
  (families === undefined || families.includes(target.sm)) &&
  (only === undefined || specific(target.suffix, only));

/** The other targets that have it. */
const orOthers = (since: Since): string =>
  since.families?.map((family) => (family === since.sm ? "" : `, sm_${family}${since.only}`)).join("") ??
  orLater(since);

const specific = (suffix: "" | "a" | "f", only: "a" | "f"): boolean => (only === "f" ? suffix !== "" : suffix === "a");

/** Reports PTX1511 where the module's target and version do not have `what` any longer; true when they do. */
export function requireUntil(until: Since | undefined, at: Span, what: string, scope: Scope, manual: string): boolean {
  if (until === undefined || has(scope, { ptx: 0, sm: 0 }, until)) return true;
  const since = showVersion(until.ptx);
  reject(scope, "PTX1511", at, `${what} was removed for sm_${until.sm} and later in PTX ${since}`, {
    expected: `a target below sm_${until.sm}, or a .version below ${since}`,
    help: [
      {
        message: what.includes(".sync")
          ? `write ${what.replace(".sync", ".sync.aligned")}`
          : `write ${what.replace(".", ".sync.")} with a membermask`,
      },
    ],
    manual,
  });
  return false;
}
