import { noFiles } from "../../src/environment/files.ts";
import type { Io } from "../../src/environment/io.ts";
import { unobserved } from "../../src/environment/slicing.ts";
import { type RunOutcome, runOnce } from "../../src/launch/once.ts";
import type { RunCommandOptions } from "../../src/launch/options.ts";
import { Source } from "../../src/source/source.ts";
import type { Project } from "../page/client.ts";
import { programOf } from "./example/program.ts";

/** Runs a project as the page and the command line do, and gives all that came of it. */
export function ran({ name, text, inputs }: Project): Promise<RunOutcome> {
  const { parameters, dispatchSlot } = programOf(text);
  const taken = new Set(parameters.map((each) => each.name));
  const values = Object.entries(inputs.values);
  const written = (pairs: typeof values): string[] => pairs.map(([key, value]) => `${key}=${value}`);
  const options: RunCommandOptions = {
    reg: written(values.filter(([key]) => !taken.has(key))),
    arg: written(values.filter(([key]) => taken.has(key))),
    ...(inputs.grid === "" ? {} : { grid: extent(inputs.grid) }),
    ...(inputs.block === "" ? {} : { block: extent(inputs.block) }),
    // Without a choice, what vISA's thread has in its variables is shown.
    dump:
      dispatchSlot !== undefined
        ? []
        : ["regs", ...values.filter(([, value]) => /^[usfb]\d+x\d/.test(value)).map(([key]) => key)],
    thread: [0, 0],
    sanitize: { mem: true, init: true, race: inputs.race },
    format: "text",
    color: "never",
  };
  return runOnce(new Source(name, text), options, page, unobserved(page.now), false);
}

function extent(text: string): [number, number, number] {
  const [x = 1, y = 1, z = 1] = text.split(",").map(Number);
  return [x, y, z];
}

/** A place without files and terminals. */
const page: Io = {
  out: () => undefined,
  err: () => undefined,
  input: () => ({ wrong: "there is no standard input" }),
  env: {},
  cwd: "",
  files: noFiles,
  terminal: { out: false, err: false },
  now: () => performance.now(),
};
