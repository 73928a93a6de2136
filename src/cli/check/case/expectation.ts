import { problem } from "../../../host/problem.ts";
import type { Assignment, SpannedText } from "../../../launch/value/assignment.ts";
import { nearest } from "../../../resolve/nearest.ts";
import type { Diagnostic, Staged } from "../../../source/diagnostic.ts";
import type { Source, Span } from "../../../source/source.ts";
import { isQuote, readQuoted } from "../file/quoted.ts";

/** What a case expects. */
export type Expectation =
  /** `d=0x4000`, `out[2]=1.5`, `y~0x3555 ulp 1`. */
  | ({
      readonly kind: "value";
      /** `2` of `out[2]`. */
      readonly element: number | undefined;
      /** Units in the last place that are tolerated; 0 compares bits. */
      readonly ulp: number;
    } & Assignment)
  /** `fault mem`; `nameSpan` is the span of `mem`. */
  | { readonly kind: "fault"; readonly name: string; readonly span: Span; readonly nameSpan: Span }
  /**
   * `prints "TEXT"`, the complete output, or `prints~"TEXT"`, a part of it; the text is undefined for `?`. `span` is
   * its position.
   */
  | { readonly kind: "prints"; readonly text: string | undefined; readonly part: boolean; readonly span: Span }
  /** `memory`: all memory after the launch equals its record (`--memory`). */
  | { readonly kind: "memory"; readonly span: Span }
  /** `ends`: nothing more than what every case expects, to end without a fault or a finding. */
  | { readonly kind: "ends"; readonly span: Span }
  /** `?`: not known yet; `--update` fills it in. */
  | { readonly kind: "open"; readonly span: Span };

/** Kinds of faults and findings, each with the codes that it covers; a code is also a kind. */
const faults: ReadonlyMap<string, RegExp> = new Map([
  ["mem", /^PTX300[1235]$/],
  ["trap", /^PTX3004$/],
  ["barrier", /^PTX301[02]$/],
  ["deadlock", /^PTX3011$/],
  ["stack", /^PTX3020$/],
  ["assert", /^PTX3025$/],
  ["any", /^PTX3/],
  ["race", /^PTX4002$/],
  ["sync", /^PTX4011$/],
  ["init", /^PTX4001$/],
  ["gap", /^PTX5/],
  ["limit", /^PTX6/],
]);

/** True when `fault NAME` is satisfied by a diagnostic of this code. */
export const isFault = (name: string, code: string): boolean =>
  name === code || (faults.get(name)?.test(code) ?? false);

/** The name of a code in `fault`: its kind, or the code itself where no kind covers it. */
export const kindOfFault = (code: string): string =>
  [...faults].find(([name, codes]) => name !== "any" && codes.test(code))?.[0] ?? code;

/** What was meant by `error=PTX3002` and the like, where no register has the name. */
export function otherExpectation(name: string, value: string): string | undefined {
  if (/^(?:errors?|faults?|findings?|traps?|throws?|fails?|raises?|code)$/i.test(name))
    return faults.has(value) || /^PTX\d{4}$/.test(value) ? `fault ${value}` : "fault KIND";
  if (/^(?:exit|exits|status|returns?|ok|passes)$/i.test(name)) return "ends";
  if (/^(?:output|stdout|out|prints?|says)$/i.test(name)) return `prints "${value}"`;
  if (/^(?:ulps?|tolerance|tol|eps|epsilon)$/i.test(name)) return `NAME~VALUE ulp ${value}`;
  return undefined;
}

/** Reads the right side of a case. */
export function readExpectations(source: Source, parts: readonly SpannedText[]): Staged<readonly Expectation[]> {
  const value: Expectation[] = [];
  const diagnostics: Diagnostic[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as SpannedText;
    const next = parts[at + 1];
    if (part.text === "fault") {
      const name = next?.text ?? "";
      if (faults.has(name) || /^PTX\d{4}$/.test(name)) {
        value.push({ kind: "fault", name, span: part.span, nameSpan: (next ?? part).span });
      } else {
        const meant = nearest(name, faults.keys());
        const help = meant === undefined ? [] : [{ message: `did you mean ${meant}?` }];
        const expected = `fault ${[...faults.keys()].join(", ")} or a code`;
        diagnostics.push(
          problem("PTX7002", `unknown kind of fault: ${name}`, { source, span: (next ?? part).span, expected, help }),
        );
      }
      at += 1;
      continue;
    }
    if (part.text === "prints" || PART.test(part.text)) {
      const read = readPrints(source, part, next);
      if ("code" in read) diagnostics.push(read);
      else value.push(read);
      if (part.text === "prints") at += 1;
      continue;
    }
    if (part.text === "memory") {
      value.push({ kind: "memory", span: part.span });
      continue;
    }
    if (part.text === "ends") {
      value.push({ kind: "ends", span: part.span });
      continue;
    }
    if (part.text === "?") {
      value.push({ kind: "open", span: part.span });
      continue;
    }
    const read = readValue(source, part);
    if (read === undefined) {
      const expected = 'NAME=VALUE, NAME~VALUE ulp N, fault KIND, prints "TEXT", memory, ends or ?';
      diagnostics.push(problem("PTX7002", `${part.text} expects nothing`, { source, span: part.span, expected }));
      continue;
    }
    if (next?.text !== "ulp") {
      value.push(read);
      continue;
    }
    const units = parts[at + 2];
    const ulp = Number(units?.text);
    if (units === undefined || !/^\d+$/.test(units.text) || !part.text.includes("~")) {
      const expected = "NAME~VALUE ulp N";
      diagnostics.push(problem("PTX7002", "a tolerance that cannot be read", { source, span: next.span, expected }));
    }
    value.push({ ...read, ulp });
    at += 2;
  }
  return { value, diagnostics };
}

/** `prints~` and a quote, as it is or as JSON writes it. */
const PART = /^prints~\\?"/;

function readPrints(source: Source, word: SpannedText, next: SpannedText | undefined): Expectation | Diagnostic {
  const part = word.text !== "prints";
  const before = part ? "prints~".length : 0;
  const { text, span } = part ? word : (next ?? { text: "", span: word.span });
  if (!part && text === "?") return { kind: "prints", text: undefined, part, span };
  const quoted = isQuote(text, before) ? readQuoted(text, before) : undefined;
  if (quoted?.end === text.length) return { kind: "prints", text: quoted.text, part, span };
  const help = [{ message: 'a text may hold \\n, \\t, \\r, \\", \\\\, \\xHH and \\u{HEX}' }];
  const expected = 'prints "TEXT", prints~"PART" or prints ?';
  return problem("PTX7002", "a printed text that cannot be read", { source, span, expected, help });
}

function readValue(source: Source, { text, span }: SpannedText): (Expectation & { kind: "value" }) | undefined {
  const found = /^([^=~:]+?)(?:\[(\d+)\])?(?::([^=~]*))?[=~](.+)$/.exec(text);
  if (found === null) return undefined;
  const [, name = "", element, type, value = ""] = found;
  const part = (piece: string, at: number): SpannedText => ({
    text: piece,
    span: { start: span.start + at, end: span.start + at + piece.length },
  });
  return {
    kind: "value",
    source,
    span,
    name: part(name, 0),
    ...(type === undefined ? {} : { type: part(type, text.indexOf(":") + 1) }),
    value: part(value, text.length - value.length),
    element: element === undefined ? undefined : Number(element),
    ulp: 0,
  };
}
