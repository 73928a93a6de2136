import { parseArgs } from "node:util";
import { compare } from "../../../packages/memory-model/tests/model/oracle/compare.ts";

const { values } = parseArgs({
  options: {
    tests: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    draws: { type: "string", default: "4" },
    subsets: { type: "string", default: "1" },
    most: { type: "string", default: "6000" },
  },
});
const [tests, first] = [Number(values.tests), Number(values.seed)];
let [skipped, failed] = [0, 0];
for (let seed = first; seed < first + tests; seed++) {
  const said = compare(seed, Number(values.draws), Number(values.subsets), Number(values.most));
  if (said === "skipped") skipped++;
  else if (said !== undefined) {
    failed++;
    console.log(`${said}\n`);
  }
}
console.log(`${tests} tests, ${skipped} too large to try everything, ${failed} on which not all agree`);
process.exitCode = failed === 0 ? 0 : 1;
