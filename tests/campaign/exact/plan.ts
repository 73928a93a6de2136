import { sweptForms } from "./spellings.ts";

/** Random inputs of each spelling that has too many for all of them. */
const COUNT = "20K";

/** The campaign that compares every spelling with exact arithmetic: 2^16 inputs at most are all taken. */
export function exactPlan(): string {
  const jobs = sweptForms().flatMap(({ spellings }) =>
    spellings.map(({ name, bits }) => ({
      name,
      sweep: bits <= 16 ? [name, "--all"] : [name, "--count", COUNT, "--seed", "1"],
    })),
  );
  return `${JSON.stringify({ schema: "ptxrun.campaign/1", name: "exact", jobs })}\n`;
}
