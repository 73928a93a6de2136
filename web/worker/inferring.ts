import { Bench } from "../../packages/lab/launches/bench.ts";
import { recipeOf } from "../../packages/lab/launches/draw.ts";
import { fitting } from "../../packages/lab/launches/fitting.ts";
import type { GuessedBuffer, GuessedLaunch } from "../../packages/lab/launches/guess.ts";
import { kindOfText } from "../../src/host/index.ts";
import { isCollective } from "../../src/interp/contract/plan/effects.ts";
import type { Sliced } from "../../src/interp/tools/sliced.ts";
import type { RunCommandOptions } from "../../src/launch/options.ts";
import type { Loaded } from "../../src/launch/program.ts";
import type { Source } from "../../src/source/source.ts";
import type { Demand, Inferred } from "../page/client.ts";
import { pageIo } from "./environment.ts";

/** Of the data in buffers. */
const SEED = 1;

/**
 * What fields hold that were left alone, as `ptxrun doctor` finds it out: a shape, buffers and sizes with which the kernel runs. A
 * snippet gets examples. Aggregates are not guessed, since what is in them is nowhere said; nothing is found where `options` is wrong.
 */
export function* inferring(
  source: Source,
  loaded: Loaded,
  options: RunCommandOptions,
  demands: readonly Demand[],
): Sliced<Inferred | undefined> {
  const { entry, arg, global, grid, block, smem } = options;
  if (kindOfText(source) !== "module") {
    // What a warp does as one needs all of it.
    const collective = loaded.kernel.program.code.some(({ plan }) => isCollective(plan));
    return { ...nothing, block: collective ? "32" : "", values: examplesFor(demands) };
  }
  const given = {
    ...(entry !== undefined && { entry }),
    ...(arg !== undefined && { arg }),
    ...(global !== undefined && { global }),
    ...(grid !== undefined && { grid }),
    ...(block !== undefined && { block }),
    ...(smem !== undefined && { smem }),
  };
  const bench = new Bench(
    source,
    loaded,
    given,
    pageIo(() => {}),
  );
  if (bench.inputs(bench.load(), arg ?? []).diagnostics.some(({ severity }) => severity === "error")) return undefined;
  const { value: launch } = yield* fitting(bench);
  return launch && inferredFrom(launch);
}

const nothing: Inferred = { grid: "", block: "", smem: "", values: {} };

/** Examples of different values for what a snippet reads first. */
const examplesFor = (demands: readonly Demand[]): Readonly<Record<string, string>> =>
  Object.fromEntries(demands.filter(({ kind }) => kind !== "variable").map(({ name, example }) => [name, example]));

function inferredFrom({ grid, block, smem, values, size }: GuessedLaunch): Inferred {
  const texts = [...values].flatMap(([parameter, value], index): [string, string][] => {
    if (value.kind === "buffer") return [[parameter.name, bufferText(value, size, SEED + index)]];
    return parameter.aggregate ? [] : [[parameter.name, value.text]];
  });
  return {
    grid: extent(grid),
    block: extent(block),
    smem: smem === 0 ? "" : String(smem),
    values: Object.fromEntries(texts),
  };
}

/** `2,1,1` as `2`. */
const extent = ([x, y, z]: readonly [number, number, number]): string =>
  z > 1 ? `${x},${y},${z}` : y > 1 ? `${x},${y}` : String(x);

/** Whole numbers that each of these floats holds exactly, so that people can check what comes of them. */
const exact: Readonly<Record<string, number>> = { f32: 2 ** 24, f64: 2 ** 24, f16: 2 ** 11, bf16: 2 ** 8 };

function bufferText(buffer: GuessedBuffer, size: number, seed: number): string {
  const { type, count } = buffer;
  const recipe = recipeOf(buffer, size, seed);
  const counts = recipe?.startsWith("random") && count <= (exact[type] ?? 0);
  return `${type}x${count}${recipe === undefined ? "" : counts ? ":iota" : `:${recipe}`}`;
}
