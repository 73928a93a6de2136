import { whyText } from "../../../packages/debugger/why/text.ts";
import type { Diagnosis, Found } from "../../../packages/lab/doctor/diagnose.ts";
import { diagnosticToJson } from "../../present/diagnostic.ts";
import { caseOf, commandLine } from "../repeat.ts";

/** What was found, by `schema/doctor-1.json`. */
export const toJson = (file: string, diagnoses: readonly Diagnosis[]): object => ({
  schema: "ptxrun.doctor/1",
  file,
  kernels: diagnoses.map((each) => kernelToJson(file, each)),
});

function kernelToJson(file: string, { program, launches, runs, found }: Diagnosis): object {
  const entry = program.name;
  return {
    entry,
    launches: launches.map((launch) => ({
      size: launch.size,
      command: commandLine([file], entry, { launch, way: { data: "ordinary", seed: 1 } }),
    })),
    runs,
    found: found.map((each, index) => foundToJson(each, index, file, entry)),
  };
}

function foundToJson(
  { name, wrong, problem, message, place, run, other, why }: Found,
  index: number,
  file: string,
  entry: string,
) {
  return {
    name,
    wrong,
    ...(problem && { diagnostic: diagnosticToJson(problem) }),
    ...(message !== undefined && { message }),
    ...(why && { why: whyText(why) }),
    ...(place && { element: `${place.parameter.name}[${place.index}]` }),
    again: commandLine([file], entry, run),
    ...(other && { other: commandLine([file], entry, other) }),
    ...(wrong && { case: caseOf(`doctor ${index + 1}`, entry, run) }),
  };
}
