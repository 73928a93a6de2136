import { afterEach, expect, it, vi } from "vitest";
import { Device, must } from "../../../../src/host/index.ts";
import { compiled } from "../../../../src/interp/compiled/executor.ts";
import type { Program } from "../../../../src/interp/contract/program.ts";
import { executors } from "../../../../src/interp/create-session.ts";
import type { Executor } from "../../../../src/interp/state/executor.ts";
import type { PoolMessage } from "../../../../src/interp/worker-pool/message.ts";
import { InProcessPool } from "./in-process-pool.ts";
import { kernel, run, work } from "./several-workers.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const text = kernel(`${work} st.global.u32 [%rd3], %r5;`);

/** Launches `text` again and again, as a program with a comment of its own, on one device; `workerPool` helps. */
function launch(program: string, executor: Executor, times: number, workerPool?: InProcessPool): void {
  const device = new Device({ maxMemory: 1 << 24 });
  const loaded = must(must(device.module(program)).kernel("k"));
  const args = [device.buffer(16384)];
  for (let time = 0; time < times; time++)
    must(loaded.launch({ grid: 40, block: 64, args, executor, ...(workerPool && { workerPool }) }));
}

it("sends what the executor has made of a program once, and the program once", () => {
  const sent: PoolMessage[] = [];
  class Watched extends InProcessPool {
    override post(worker: number, message: PoolMessage): void {
      sent.push(message);
      super.post(worker, message);
    }
  }
  const taken: Program[] = [];
  vi.spyOn(compiled, "take").mockImplementation((program) => void taken.push(program));
  launch(`// sent\n${text}`, compiled, 3, new Watched(2));
  const launches = sent.filter((message) => message.kind === "launch");
  const has = launches.map(({ program, made }) => [program !== undefined, made !== undefined]);
  expect(has).toEqual([...Array(2).fill([true, true]), ...Array(4).fill([false, false])]);
  expect(taken.map(({ name }) => name)).toEqual(["k", "k"]);
});

it("sends it later where the executor has made nothing at first", () => {
  const sent: boolean[] = [];
  class Watched extends InProcessPool {
    override post(worker: number, message: PoolMessage): void {
      if (message.kind === "launch") sent.push(message.made !== undefined);
      super.post(worker, message);
    }
  }
  const made = compiled.made!;
  let asked = 0;
  vi.spyOn(compiled, "made").mockImplementation((program) => (asked++ === 0 ? undefined : made(program)));
  launch(`// later\n${text}`, compiled, 3, new Watched(2));
  expect(sent).toEqual([false, false, true, true, false, false]);
});

it("lets a worker run a program without making anything of it", () => {
  const programs: Program[] = [];
  const noted: Executor = {
    link(context, observed) {
      programs.push(context.program);
      return compiled.link(context, observed);
    },
  };
  launch(`// made\n${text}`, noted, 1);
  // What comes over to a thread is a clone, of the program too.
  const program = structuredClone({ ...programs[0]!, origin: undefined }) as Program;
  compiled.take!(program, structuredClone(compiled.made!(programs[0]!)!));
  const module = vi.spyOn(Reflect.get(globalThis, "WebAssembly"), "Module");
  launch(`// made\n${text}`, { link: (context, observed) => compiled.link({ ...context, program }, observed) }, 1);
  expect(module).not.toHaveBeenCalled();
});

it("knows of the executors only those that compile to have made anything", () => {
  expect([...executors].filter(([, { made }]) => made !== undefined).map(([name]) => name)).toEqual(["wasm", "native"]);
  expect(run(text, { executor: compiled }, 2).seen).toEqual(run(text, { executor: compiled }, 0).seen);
});
