import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { load } from "../unit/resolve/load.ts";

/** A whole module and whether ptxas 13.0 assembles it for sm_100a. */
interface Probe {
  readonly group: string;
  readonly probe: string;
  readonly module: string;
  readonly accepted: boolean;
}

const probes = gunzipSync(readFileSync(new URL("../data/lexical.jsonl.gz", import.meta.url)))
  .toString("utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Probe);

/** Where ptxrun says otherwise, by the number of the line in the file, and why. */
const differences: ReadonlyMap<number, string> = new Map([
  [172, "ptxas asks for --compile-only, which is no question of the language"],
  [242, "ptxas asks for --compile-only, which is no question of the language"],
  [325, "ptxas asks for .target; ptxrun assumes one, and a note says so"],
  [340, "ptxas was asked to assemble for sm_100a; ptxrun is bound to no GPU"],
  [341, "ptxas was asked to assemble for sm_100a; ptxrun is bound to no GPU"],
  [349, "ptxas takes no byte order mark; ptxrun passes over it, and a note says so"],
  [694, "g+1 as an operand: ptxas adds to the register's bits; it is no language"],
]);

const accepts = (text: string): boolean => load(text).diagnostics.every(({ severity }) => severity !== "error");

describe("verdicts on 723 modules", () => {
  it("agree with ptxas but for the differences that are listed", () => {
    expect(probes).toHaveLength(723);
    const other = probes.flatMap(({ module, accepted, group, probe }, at) =>
      accepts(module) === accepted ? [] : [`${at} ${group}: ${probe}`],
    );
    expect(other.map((line) => Number.parseInt(line, 10))).toEqual([...differences.keys()]);
  });

  it("differ in fewer than two of a hundred", () => expect(differences.size).toBeLessThan(723 * 0.02));
});
