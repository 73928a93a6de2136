import { parseArgs } from "node:util";
import { check } from "./property.ts";

const { values } = parseArgs({
  options: {
    commands: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    session: { type: "string", default: "100" },
    only: { type: "string" },
  },
});
const started = performance.now();
const [commands, seed, session] = [Number(values.commands), Number(values.seed), Number(values.session)];
try {
  const carriedOut = check({ commands, seed, session, only: values.only }, console.log);
  console.log(`${carriedOut} commands in ${((performance.now() - started) / 1000).toFixed(0)} s, none unexplained`);
} catch (failure) {
  console.log(String(failure));
  process.exitCode = 1;
}
