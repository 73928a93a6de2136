import type * as ast from "../../parser/ast.ts";
import type { Needs } from "../../resolve/module/assumed-header.ts";
import type { Findings } from "../../resolve/module/findings.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Source, Span } from "../../source/source.ts";
import { type Edit, growth, moved } from "../text/edit.ts";

/**
 * A function or a section of the text, and what is known of it as long as no edit touches it. All that is known follows
 * from its text alone, except the findings, which are forgotten when something that they depend on has changed.
 */
export interface Part extends Span {
  /** What `lint` says of it; its spans are those of the text of now. */
  readonly findings?: Findings | undefined;
  /** Some name is declared nowhere: the findings depend on these, which other bodies call. */
  readonly lacks?: string | undefined;
  /** What the parser alone says of it, asked for where the module's own syntax is wrong. */
  readonly syntax?: readonly Diagnostic[] | undefined;
  /** The names of what it calls. */
  readonly called?: readonly string[] | undefined;
  /** What a header has to have for it, where the text states none. */
  readonly needs?: Needs | undefined;
}

/** The part after an edit that does not touch it: all its places move. */
export function movedPart(part: Part, edit: Edit): Part {
  const whole = part.start >= edit.end ? growth(edit) : 0;
  const place = ({ start, end }: Span): Span => {
    if (start >= part.start && end <= part.end) return { start: start + whole, end: end + whole };
    const from = moved(start, edit);
    return { start: from, end: Math.max(from, moved(end, edit)) };
  };
  const { findings, syntax } = part;
  // What stands before the edit and says nothing of what is behind it stays as it is.
  if (whole === 0 && !findings?.diagnostics.some(hasRelated)) return part;
  return {
    ...part,
    start: part.start + whole,
    end: part.end + whole,
    findings: findings && {
      diagnostics: findings.diagnostics.map((each) => movedDiagnostic(each, place)),
      gaps: findings.gaps.map((gap) => ({ ...gap, span: place(gap.span) })),
    },
    syntax: syntax?.map((each) => movedDiagnostic(each, place)),
  };
}

const hasRelated = ({ related }: Diagnostic): boolean => related !== undefined;

function movedDiagnostic(diagnostic: Diagnostic, place: (span: Span) => Span): Diagnostic {
  const { related, help } = diagnostic;
  return {
    ...diagnostic,
    span: place(diagnostic.span),
    ...(related && { related: related.map((each) => ({ ...each, span: place(each.span) })) }),
    ...(help && {
      help: help.map((each) =>
        each.replace === undefined ? each : { ...each, replace: { ...each.replace, span: place(each.replace.span) } },
      ),
    }),
  };
}

/** A diagnostic of an earlier text as one of this text, in which its places lie already. */
export const inSource = (source: Source, diagnostic: Diagnostic): Diagnostic =>
  diagnostic.source === source
    ? diagnostic
    : {
        ...diagnostic,
        source,
        ...(diagnostic.related && { related: diagnostic.related.map((each) => ({ ...each, source })) }),
      };

/** What of a module has findings of its own. */
export type Item = ast.Section | (ast.Func & { readonly body: Span });

export const isPart = (item: ast.Item): item is Item =>
  item.kind === "section" || (item.kind === "function" && item.body !== undefined);
