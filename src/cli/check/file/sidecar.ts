import { type JsonNode, readJson } from "../../../environment/json-text.ts";
import { problem } from "../../../host/problem.ts";
import type { SpannedText } from "../../../launch/value/assignment.ts";
import type { Diagnostic, Severity, Staged } from "../../../source/diagnostic.ts";
import type { Source, Span } from "../../../source/source.ts";
import type { Marker } from "./directive.ts";
import { outsideQuotes } from "./quoted.ts";

/** The content of `NAME.ptxcheck.json`, the sidecar of NAME.ptx. */
export interface Sidecar {
  /** The texts that would follow `//@`. */
  readonly directives: readonly SpannedText[];
  /** The marks that would follow `//~`. */
  readonly markers: readonly Marker[];
}

/** The sidecar of a PTX file: for text that must not be edited. */
export const sidecarOf = (file: string): string => file.replace(/(\.ptx)?$/, ".ptxcheck.json");

const keys = ["schema", "directives", "errors"];
const severities: readonly string[] = ["error", "warning", "note"];

/**
 * Reads a sidecar, for example
 *
 *     { "schema": "ptxrun.check-sidecar/1",
 *       "directives": ["args: --block 4", "case one: x=f32x1:1 y=f32x1 n=1 -> y=2"],
 *       "errors": [{ "line": 3, "code": "PTX1203" }] }
 *
 * `schema/check-sidecar-1.json` describes it. Directives and messages about them point into the JSON text.
 */
export function readSidecar(source: Source): Staged<Sidecar> {
  const { value: document, diagnostics: broken } = readJson(source);
  const diagnostics: Diagnostic[] = [...broken];
  const directives: SpannedText[] = [];
  const markers: Marker[] = [];
  const wrong = (message: string, span: Span, expected: string) => {
    diagnostics.push(problem("PTX7012", message, { source, span, expected }));
  };
  const value: Sidecar = { directives, markers };
  if (document === undefined) return { value, diagnostics };
  if (document.kind !== "object") {
    wrong("a sidecar is an object", document.span, '{ "schema": "ptxrun.check-sidecar/1", ... }');
    return { value, diagnostics };
  }
  for (const { key, value: node } of document.members) {
    if (!keys.includes(key.text)) wrong(`a sidecar has no ${key.text}`, key.span, keys.join(", "));
    else if (key.text !== "schema" && node.kind !== "array") wrong(`${key.text} is not a list`, node.span, "[ ... ]");
  }
  const schema = member(document, "schema");
  if (schema?.kind !== "string" || schema.text !== "ptxrun.check-sidecar/1") {
    wrong("a sidecar of no known kind", (schema ?? document).span, '"schema": "ptxrun.check-sidecar/1"');
  }
  for (const node of items(document, "directives")) {
    if (node.kind !== "string") wrong("a directive is a text", node.span, '"case NAME: INPUTS -> EXPECTATIONS"');
    else if (node.plain) directives.push({ text: node.text, span: node.span });
    else {
      // The text as JSON writes it, so that an offset in it is an offset in the file; quoted texts undo the
      // escapes.
      const text = source.text.slice(node.span.start, node.span.end);
      if (!outsideQuotes(text).includes("\\")) directives.push({ text, span: node.span });
      else wrong("a directive holds no escape, texts in quotes aside", node.span, "its characters as they are");
    }
  }
  for (const node of items(document, "errors")) {
    const marker = readMarker(node, source);
    if (marker === undefined) wrong("a mark that cannot be read", node.span, '{ "line": 3, "code": "PTX1203" }');
    else markers.push(marker);
  }
  return { value, diagnostics };
}

function readMarker(node: JsonNode, source: Source): Marker | undefined {
  const line = member(node, "line");
  const code = member(node, "code");
  const severity = member(node, "severity") ?? { kind: "string", text: "error" };
  if (node.kind !== "object" || node.members.length > 3) return undefined;
  if (line?.kind !== "number" || !Number.isInteger(line.value) || line.value < 1) return undefined;
  if (code?.kind !== "string" || !/^PTX\d{4}$/.test(code.text)) return undefined;
  if (severity.kind !== "string" || !severities.includes(severity.text)) return undefined;
  return {
    severity: severity.text as Severity,
    code: code.text,
    line: line.value,
    source,
    span: node.span,
    codeSpan: code.span,
  };
}

const member = (node: JsonNode, name: string): JsonNode | undefined =>
  node.kind === "object" ? node.members.find(({ key }) => key.text === name)?.value : undefined;

function items(node: JsonNode, name: string): readonly JsonNode[] {
  const list = member(node, name);
  return list?.kind === "array" ? list.items : [];
}
