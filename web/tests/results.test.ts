import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { share } from "../../tests/share.ts";
import { World } from "../../tests/unit/cli/world.ts";
import type { Inputs } from "../page/client.ts";
import { startWorker } from "./client.ts";
import { openPage } from "./page.ts";

interface Example {
  readonly id: string;
  readonly group: string;
  readonly file: string;
  readonly inputs: Partial<Inputs>;
}

const read = (path: string): string => readFileSync(join(inject("web"), "examples", path), "utf8");
const examples = JSON.parse(read("index.json")) as readonly Example[];
const running = examples.filter(({ id }) => id !== "rejected-rounding");
const world = new World();
beforeAll(() => {
  for (const { file } of examples) world.write(file, read(file));
});
afterAll(() => world.remove());

const empty: Inputs = { entry: "", grid: "", block: "", values: {}, race: false };

/** The command line that does what the page does with these inputs. */
function lineOf(
  file: string,
  { grid = "", block = "", values = {}, race = false }: Partial<Inputs>,
  names: ReadonlyMap<string, string>,
) {
  const option: Record<string, string> = { parameter: "-a", register: "-r", carry: "-r", variable: "--global" };
  return [
    ...[file, "--json"],
    ...(grid === "" ? [] : ["--grid", grid]),
    ...(block === "" ? [] : ["--block", block]),
    ...(race ? ["--sanitize", "mem,init,sync,race"] : []),
    ...Object.entries(values).flatMap(([name, value]) => [option[names.get(name) ?? ""] ?? "-a", `${name}=${value}`]),
  ];
}

describe("a program leaves in the page what it leaves on the command line", () => {
  it("every example", async () => {
    const ask = await startWorker(await openPage());
    for (const { file, inputs } of share(running, 3)) {
      const { demands, problems, fields } = await ask("load", {
        name: file,
        text: read(file),
        inputs: { ...empty, ...inputs },
      });
      expect([file, problems.filter(({ severity }) => severity === "error"), fields]).toEqual([file, [], []]);
      const { stop, printed } = await ask("move", { kind: "run" });
      const line = lineOf(file, inputs, new Map(demands.map(({ name, kind }) => [name, kind])));
      const { out } = await world.ptxrun(line);
      const expected = JSON.parse(out);
      // A debugger stands before the instruction that failed, with nothing of it done.
      if (expected.stop.reason !== "trap")
        expect([file, await ask("finalState")]).toEqual([
          file,
          { steps: expected.steps, threads: expected.threads, buffers: expected.buffers },
        ]);
      expect([file, stop.reason === "fault" ? stop.problem?.code : undefined]).toEqual([file, expected.stop.code]);
      expect([file, printed]).toEqual([file, expected.printed ?? ""]);
    }
  });

  it("what is wrong with a text", async () => {
    const ask = await startWorker(await openPage());
    const texts = [
      read("rejected-rounding.ptx"),
      "add.u32 %r1, %r2;\nmov.u33 a, b;\n",
      ".version 9.0\n.target sm_90\n.entry k( {}",
    ];
    for (const text of texts) {
      world.write("wrong.ptx", text);
      const lines = JSON.parse((await world.ptxrun(["lint", "wrong.ptx", "--json"])).out).diagnostics as {
        code: string;
        message: string;
      }[];
      // The first time, and when it is read again by what follows an edit.
      for (let time = 0; time < 2; time++) {
        const found = await ask("problems", { name: "wrong.ptx", text });
        expect(found.map(({ code, message }) => ({ code, message }))).toEqual(
          lines.map(({ code, message }) => ({ code, message })),
        );
      }
    }
  });
});
