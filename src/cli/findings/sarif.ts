import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { FilePlace, Finding } from "../../present/finding.ts";
import { jsonText } from "../../present/json.ts";
import { codes } from "../../source/codes/index.ts";
import type { Severity } from "../../source/diagnostic.ts";
import { version } from "../../system/version.ts";
import { fingerprints } from "./fingerprint.ts";

/**
 * SARIF 2.1.0, which code scanning reads: a run with the codes that were found as rules, and a result for each finding in a
 * file. What lies in no file (an option that is wrong, a program that cannot be run) is a notification of the invocation.
 * `nameOf` gives a path relative to the repository.
 */
export function sarif(command: string, findings: readonly Finding[], nameOf: (path: string) => string): string {
  const located = findings.filter(({ place }) => place !== undefined);
  const others = findings.filter(({ place }) => place === undefined);
  const names = fingerprints(located, nameOf);
  const used = [...new Set(located.map(({ code }) => code))].toSorted();
  const places = placing(nameOf);
  const run = {
    tool: { driver: { name: "ptxrun", semanticVersion: version, rules: used.map(rule) } },
    // Uploads of two commands for one commit stand beside each other.
    automationDetails: { id: `ptxrun-${command}/` },
    columnKind: "utf16CodeUnits",
    invocations: [
      {
        executionSuccessful: others.every(({ severity }) => severity !== "error"),
        toolExecutionNotifications: others.map(({ code, severity, message }) => ({
          descriptor: { id: code },
          level: severity,
          message: { text: message },
        })),
      },
    ],
    results: located.map((each, at) => ({
      ruleId: each.code,
      ruleIndex: used.indexOf(each.code),
      level: each.severity,
      message: { text: linked(each) },
      locations: each.place === undefined ? [] : [{ physicalLocation: places(each.place) }],
      ...(each.related && {
        relatedLocations: each.related.map(({ message, place }, at) => ({
          id: at + 1,
          message: { text: message },
          physicalLocation: places(place),
        })),
      }),
      ...(each.threads && {
        codeFlows: [
          {
            threadFlows: each.threads.map(({ message, place }) => ({
              locations: [{ location: { message: { text: message }, physicalLocation: places(place) } }],
            })),
          },
        ],
      }),
      ...(each.fixes && {
        fixes: each.fixes.map(({ message, place, text }) => ({
          description: { text: message },
          artifactChanges: [
            {
              artifactLocation: places(place).artifactLocation,
              replacements: [{ deletedRegion: places(place).region, insertedContent: { text } }],
            },
          ],
        })),
      }),
      partialFingerprints: { "ptxrunFinding/v1": names[at] },
    })),
  };
  return `${jsonText({ $schema: SCHEMA, version: "2.1.0", runs: [run] }, 2)}\n`;
}

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** A code's page as a rule. */
function rule(code: string): object {
  const { title = code, why = "", wrong, right } = codes.get(code) ?? {};
  const shown = [
    ...(wrong === undefined ? [] : ["Wrong:", wrong]),
    ...(right === undefined ? [] : [wrong === undefined ? "For example:" : "Right:", right]),
  ];
  const block = (text: string): string => (/:$/.test(text) ? text : `\`\`\`\n${text}\n\`\`\``);
  return {
    id: code,
    shortDescription: { text: title },
    fullDescription: { text: why === "" ? title : why },
    help: { text: [why, ...shown].join("\n\n"), markdown: [why, ...shown.map(block)].join("\n\n") },
    defaultConfiguration: { level: severityOf(code) },
  };
}

/** Advice and doubts are less than errors; each result says what it is by itself. */
const severityOf = (code: string): Severity =>
  /^PTX91/.test(code) ? "warning" : /^PTX9/.test(code) ? "note" : "error";

/** The message with links to the places that it is also about, without which viewers do not show them. */
const linked = ({ message, related = [] }: Finding): string =>
  [message, ...related.map((each, at) => `[${each.message.replace(/[[\]\\]/g, "\\$&")}](${at + 1})`)].join("\n");

const placing = (nameOf: (path: string) => string) => (place: FilePlace) => {
  const { line, column, endLine, endColumn } = place;
  const name = nameOf(place.file);
  return {
    artifactLocation: isAbsolute(name)
      ? { uri: pathToFileURL(name).href }
      : { uri: uriOf(name), uriBaseId: "%SRCROOT%" },
    region: { startLine: line, startColumn: column, endLine, endColumn },
  };
};

const uriOf = (path: string): string =>
  path
    .split(/[\\/]/)
    .map(encodeURIComponent)
    .join("/")
    .replace(/^(\.\/)+/, "");
