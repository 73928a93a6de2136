import { others, unary, unlike } from "../conformance/half-executors.ts";

/** How many operations one kernel has. */
const GROUP = 100;

const [rounds = "4"] = process.argv.slice(2);
let wrong = 0;
let swept = 0;
for (const [operations, turns] of [
  [unary, [0]],
  [others, [0, 1, 2]],
] as const)
  for (let first = 0; first < Number(rounds); first++)
    for (const turn of turns)
      for (let at = 0; at < operations.length; at += GROUP) {
        const group = operations.slice(at, at + GROUP);
        swept += group.length * 65536;
        for (const found of unlike(group, turn, first)) {
          wrong++;
          console.log(`${found}, from ${first} on`);
        }
      }
console.log(
  `${unary.length + others.length} operations on halves, ${swept} results by each executor, ${wrong} operations differ`,
);
if (wrong > 0) process.exitCode = 1;
