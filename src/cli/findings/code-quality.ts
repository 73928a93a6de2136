import type { Finding } from "../../present/finding.ts";
import { jsonText } from "../../present/json.ts";
import { fingerprints } from "./fingerprint.ts";

const severities = { error: "critical", warning: "minor", note: "info" } as const;

/** GitLab's report of code quality: an array of issues. What lies in no file cannot stand in it. */
export function codeQuality(findings: readonly Finding[], nameOf: (path: string) => string): string {
  const names = fingerprints(findings, nameOf);
  const issues = findings.flatMap(({ code, severity, message, place }, at) =>
    place === undefined
      ? []
      : [
          {
            description: `${code}: ${message}`,
            check_name: code,
            fingerprint: names[at],
            severity: severities[severity],
            location: { path: nameOf(place.file), lines: { begin: place.line, end: place.endLine } },
          },
        ],
  );
  return `${jsonText(issues, 2)}\n`;
}
