import { targetName } from "../../../isa/form/since.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Code } from "../../../source/codes/index.ts";
import type { Diagnostic, Help, Needed } from "../../../source/diagnostic.ts";
import { has } from "../../instruction/since.ts";
import { type Report, reject } from "../../report.ts";
import type { Needs } from "./assumed-header.ts";
import type { Header } from "./header.ts";
import { archOf, showVersion, targets } from "./target.ts";

type Fitting = Pick<Header, "version" | "target">;

/**
 * What several errors about a header that is too old ask for together, as one note at its `.target`: how many places
 * need which, and the least target and version that have all that the text needs.
 */
export function fittingNote(
  module: ast.Module,
  errors: readonly Diagnostic[],
  needs: () => Needs,
  header: Header,
  report: Report,
): void {
  const lacking = errors.flatMap((error) => (error.needs === undefined ? [] : [{ ...error, needs: error.needs }]));
  const [stated] = module.items.flatMap((item) => (item.kind === "target" ? item.names.slice(0, 1) : []));
  if (lacking.length < 2 || stated === undefined) return;
  const { sinces, until } = needs();
  const found = fitting(header, [...sinces, ...lacking.map(({ needs }) => needs)], until);
  const fixes = found === undefined ? [] : changes(module, stated, header, found);
  const wanted = fixes.map(({ directive }) => directive).join(" and ");
  reject(report, "PTX9022", stated, countsOf(lacking), {
    severity: "note",
    expected: found === undefined ? "several texts: no target has all of it" : `${wanted}, which has all of it`,
    help: fixes.map(({ help }) => help),
    manual: "ptx-module-directives-target",
  });
}

/** `9 places need sm_90, 2 need sm_90a`. */
function countsOf(lacking: readonly { readonly needs: Needed; readonly code: Code }[]): string {
  const counts = new Map<string, number>();
  for (const { needs, code } of lacking) {
    const isVersion = code === "PTX1213" || code === "PTX1509";
    const what = isVersion ? `PTX ${showVersion(needs.ptx)}` : targetName(needs.sm, needs.only);
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const [[what, count] = ["", 0], ...others] = counts;
  return [
    count === 1 ? `1 place needs ${what}` : `${count} places need ${what}`,
    ...others.map(([what, count]) => `${count} need${count === 1 ? "s" : ""} ${what}`),
  ].join(", ");
}

/** The directives to write, and how. */
function changes(
  { items }: ast.Module,
  { text, start, end }: ast.Name,
  header: Header,
  { target, version }: Fitting,
): readonly { readonly directive: string; readonly help: Help }[] {
  const old = items.find((item) => item.kind === "version");
  const newer = `.version ${showVersion(version)}`;
  const message = text === header.target.name ? `write .target ${target.name}` : `give --target ${target.name}`;
  const replace = { span: { start, end }, text: target.name };
  return [
    ...(target.name === header.target.name
      ? []
      : [
          {
            directive: `.target ${target.name}`,
            help: { message, ...(text === header.target.name && { replace }) },
          },
        ]),
    ...(version === header.version || old === undefined
      ? []
      : [
          {
            directive: newer,
            help: { message: `write ${newer}`, replace: { span: { start: old.start, end: old.end }, text: newer } },
          },
        ]),
  ];
}

/** The least target, and with it the least version, that has all of these and has lost none of them. */
function fitting(header: Header, sinces: readonly Needed[], until: Needs["until"]): Fitting | undefined {
  const versions = [...new Set([header.version, ...sinces.map(({ ptx }) => ptx)])];
  for (const name of targets.toReversed()) {
    const known = archOf(name);
    if (known === undefined || known.arch.sm < header.target.sm) continue;
    const fits = [...versions, known.since]
      .filter((version) => version >= Math.max(header.version, known.since))
      .sort((a, b) => a - b)
      .find(
        (version) =>
          sinces.every((each) => has({ version, target: known.arch }, each)) &&
          until.every((each) => has({ version, target: known.arch }, { ptx: 0, sm: 0 }, each)),
      );
    if (fits !== undefined) return { version: fits, target: known.arch };
  }
  return undefined;
}
