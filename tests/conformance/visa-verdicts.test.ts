import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/source/diagnostic.ts";
import { Source } from "../../src/source/source.ts";
import { loadVisa, parseVisa, platformNamed, printFile, usual } from "../../src/visa/index.ts";
import { share } from "../share.ts";

const data = join(import.meta.dirname, "../data/visa");
const read = <T>(file: string): T[] =>
  readFileSync(join(data, file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

interface Line {
  readonly id: number;
  readonly line: string;
  readonly accepted: string;
  readonly canonical?: string;
}
interface Whole {
  readonly id: number;
  readonly note: string;
  readonly text: string;
  readonly accepted: boolean;
}

const platforms = ["SKL", "TGLLP", "DG2", "PVC", "XE2"];
const types = ["ud", "d", "uw", "w", "ub", "b", "uq", "q", "df", "f", "hf", "bf"];
const others = [
  ".decl P1 v_type=P num_elts=8",
  ".decl P2 v_type=P num_elts=16",
  ".decl P3 v_type=P num_elts=32",
  ".decl Ps v_type=P num_elts=1",
  ".decl A0 v_type=A num_elts=1",
  ".decl A8 v_type=A num_elts=8",
  ".decl A16 v_type=A num_elts=16",
];

/** What ptxrun does otherwise on purpose: tests/data/visa/README.md. */
const decided: ReadonlySet<string> = new Set([
  ...platforms.flatMap((platform) => [`227 ${platform}`, `567 ${platform}`]),
  ...["TGLLP", "DG2", "PVC", "XE2"].flatMap((platform) => [`426 ${platform}`, `427 ${platform}`]),
]);

function textOf(line: string, platform: string): string {
  const variables = types
    .filter((type) => type !== "bf" || ["DG2", "PVC", "XE2"].includes(platform))
    .map((type) => `.decl V${type} v_type=G type=${type} num_elts=256 align=GRF`);
  return `.version 3.8\n.kernel "t"\n${[...variables, ...others].join("\n")}\n    ${line}\n    ret (M1, 1)\n`;
}

function verdict(text: string, platform: string): { accepted: boolean; diagnostics: readonly Diagnostic[] } {
  const source = new Source("test.visaasm", text);
  const { value, diagnostics } = loadVisa(source, { platform: platformNamed(platform) ?? usual });
  const all = [...diagnostics, ...(value?.lint() ?? [])];
  return { accepted: !all.some(({ severity }) => severity === "error"), diagnostics: all };
}

describe("lines of add", () => {
  const lines = read<Line>("add-text.jsonl");

  it("has all of them", () => expect(lines).toHaveLength(436));

  it.each(share(platforms, 8))("have the verdict of Intel's tool on %s", (platform) => {
    const column = platforms.indexOf(platform);
    const unlike = lines.filter(({ id, line, accepted }) => {
      const same = verdict(textOf(line, platform), platform).accepted === (accepted[column] === "y");
      return same === decided.has(`${id} ${platform}`);
    });
    expect(unlike.map(({ id, line }) => `${id} ${line}`)).toEqual([]);
  });

  it("are printed as Intel's tool prints them", () => {
    // Decimal digits beyond 32 bits (306) are taken whole here. Its numbers for predicates and addresses count those of its own declarations.
    const numbered = (text: string): string => text.replace(/\((!?)P\w+/g, "($1P").replace(/r\[A\d+/g, "r[A");
    const unlike = lines.filter(({ line, canonical, accepted }) => {
      if (canonical === undefined || !accepted.includes("y")) return false;
      const { value } = parseVisa(new Source("test.visaasm", textOf(line, "PVC")));
      const printed = printFile(value)
        .split("\n")
        .map((each) => each.trim());
      return !printed.some((each) => numbered(each) === numbered(canonical));
    });
    expect(unlike.map(({ id }) => id)).toEqual([306]);
  });

  it("are printed so that they read the same again", () => {
    for (const { line, accepted } of lines) {
      if (!accepted.includes("y")) continue;
      const once = printFile(parseVisa(new Source("a", textOf(line, "DG2"))).value);
      expect(printFile(parseVisa(new Source("b", once)).value)).toBe(once);
    }
  });
});

describe("whole files", () => {
  const files = read<Whole>("files.jsonl");
  const otherwise: ReadonlySet<number> = new Set([51, 103, 129]);

  it.each(files)("$id: $note", ({ id, text, accepted }) => {
    const got = verdict(text, "PVC");
    expect(got.accepted, got.diagnostics.map(({ message }) => message).join("; ")).toBe(accepted !== otherwise.has(id));
  });

  it("are as many as were measured", () => expect(files).toHaveLength(130));
});
