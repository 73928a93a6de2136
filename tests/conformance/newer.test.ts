import { describe, expect, it } from "vitest";
import { share } from "../share.ts";
import { errorsOf, outcomeOf, readNewer, type Verdict } from "./verdict.ts";

// Forms of PTX 9.1 to 9.4, which no assembler here knows: their verdicts are from the manual and from those who asked a newer ptxas.

const titleOf = ({ text, target, version }: Verdict): string => `${text} ${target} ${version}`;
const told = (verdict: Verdict): string => errorsOf(outcomeOf(verdict))[0]?.message ?? "taken";

describe("what newer versions take and refuse", () => {
  const all = readNewer();

  it("is hundreds of forms, each taken somewhere and refused in older versions", () => {
    expect(new Set(all.filter(({ cat }) => cat === undefined).map(({ text }) => text)).size).toBeGreaterThan(250);
    expect(all.filter(({ cat }) => cat !== undefined).length).toBeGreaterThan(900);
  });

  it.each([
    ["taken", (verdict: Verdict) => verdict.cat === undefined],
    ["refused", (verdict: Verdict) => verdict.cat !== undefined],
  ] as const)("is %s here, too, in 97 of 100", (what, isAsked) => {
    const asked = share(all.filter(isAsked), 8);
    const differing = asked.filter((verdict) => (told(verdict) === "taken") !== (what === "taken"));
    if (process.env["NEWER"]) console.log(`${what}: ${asked.length}, ${differing.length} differ\n${differing.map((each) => `${titleOf(each)}: ${told(each)}`).join("\n")}`); // biome-ignore format: one line
    const shown = differing.slice(0, 20).map((each) => `${titleOf(each)}: ${told(each)}`);
    expect(differing.length, shown.join("\n")).toBeLessThanOrEqual(Math.floor(0.03 * asked.length));
  });
});
