import { createHash } from "node:crypto";
import type { Finding } from "../../present/finding.ts";

/**
 * Names a finding for those who compare two runs: by its code, its file and the text of its line, so that it stays when
 * lines before it come or go, and when values in its message do; of several alike, by which of them it is.
 */
export function fingerprints(findings: readonly Finding[], nameOf: (path: string) => string): readonly string[] {
  const seen = new Map<string, number>();
  return findings.map(({ code, message, place }) => {
    const where = place === undefined || place.text === "" ? message : place.text;
    const key = [code, place === undefined ? "" : nameOf(place.file), where].join("\0");
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return createHash("sha256").update(`${key}\0${before}`).digest("hex").slice(0, 32);
  });
}
