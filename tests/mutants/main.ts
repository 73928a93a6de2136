import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { draw, filesIn, type Judged, nameOf } from "./draw.ts";
import { SEEN, type Verdict } from "./log.ts";
import { type Mutant, type Place, positionOf } from "./mutation.ts";
import { buildMutants, compiles } from "./native/build.ts";
import { mutationsOfC } from "./native/operators.ts";
import { mutationsOf } from "./operators.ts";
import { rooms } from "./rooms.ts";
import { judgeByTests } from "./watch.ts";

/** The least share of a room's mutants that tests must kill. */
const ENOUGH = 0.85;

export async function main(argv: readonly string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      count: { type: "string", default: "300" },
      seed: { type: "string", default: "1" },
      survivors: { type: "string" },
      again: { type: "string" },
    },
  });
  const [name = ""] = positionals;
  const room = rooms[name];
  if (room === undefined) {
    console.error(`no room ${name}; there are ${Object.keys(rooms).join(", ")}`);
    return 2;
  }
  const judged = JSON.parse(readFileSync("tests/mutants/equivalent.json", "utf8")) as readonly Judged[];
  const equivalent = new Set(judged.map(nameOf));
  const again = values.again === undefined ? undefined : new Set(survivorsIn(values.again));
  const isC = name === "native";
  const mutants = draw(
    filesIn(room.sources, isC ? ".c" : ".ts"),
    {
      count: Number(values.count),
      seed: Number(values.seed),
      wanted: (mutant) => {
        const named = nameOf(mutant.place);
        return !equivalent.has(named) && again?.has(named) !== false && (!isC || compiles(mutant.file, mutant));
      },
    },
    isC ? mutationsOfC : mutationsOf,
  );
  const folder = mkdtempSync(join(tmpdir(), "ptxrun-mutants-"));
  const file = values.survivors ?? `coverage/mutants/${name.replaceAll("/", "-")}.txt`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
  let killed = 0;
  const tell = ({ id, killed: by, files }: Verdict): void => {
    const mutant = mutants[id - 1]!;
    if (by === undefined) appendFileSync(file, `${described(mutant, files)}\n`);
    else killed++;
    console.log(by === undefined ? `survived  ${described(mutant, files)}` : `killed    ${change(mutant)}  by ${by}`);
  };
  try {
    const [log, seen] = [join(folder, "log"), join(folder, "seen")];
    writeFileSync(seen, Buffer.alloc(SEEN));
    const built = isC ? { built: buildMutants(mutants, folder) } : {};
    await judgeByTests({ mutants, tests: filesIn(room.tests, ".test.ts"), log, seen, ...built }, tell);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const share = killed / mutants.length;
  console.log(
    `${name}: ${killed} of ${mutants.length} killed (${(100 * share).toFixed(1)}%), seed ${values.seed}; survivors are in ${file}`,
  );
  return share < ENOUGH ? 1 : 0;
}

/** The names of mutants in a file of survivors. */
const survivorsIn = (file: string): readonly string[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => nameOf(JSON.parse(line.slice(line.indexOf('{"file":'))) as Place));

function change({ file, start, place }: Mutant): string {
  return `${file}:${positionOf(readFileSync(file, "utf8"), start)}  ${place.old}  ->  ${place.new}`;
}

/** A survivor in one line, which begins with what says where it is, and ends with its place for `equivalent.json`. */
function described(mutant: Mutant, files: number): string {
  const how = files === 0 ? "no test comes here" : `${files} test files come here`;
  return `${change(mutant)}  (${how})  ${JSON.stringify(mutant.place)}`;
}
