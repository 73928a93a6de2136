// What several threads gain, after `npm run build`, on Linux: for each kernel and length the wall time of a launch on one thread
// and on several, which take turns, and
//   wall       how many times as fast, the least of several rounds on both sides. Only an otherwise idle machine tells it.
//   even       the same of processor time: what the launch's own thread did, and an even part of what the workers did. It
//              hardly depends on what else runs.
//   16 cores   counted on paper: the same if there were 16 such workers.
//   extra      processor time of all threads together, beside that of one.
// `warm` is a worker pool that has run before, `cold` one whose threads start within the launch, as in `ptxrun run`.
//
//   node tests/bench/threads.js [--jobs 2] [--rounds 5] [PART OF A NAME]
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import { Device, must } from "../../dist/index.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { jobs: { type: "string", default: "2" }, rounds: { type: "string", default: "5" } },
});
const [part = ""] = positionals;
const [jobs, rounds] = [Number(values.jobs), Number(values.rounds)];
// As `ptxrun run` does.
setFlagsFromString("--experimental-wasm-relaxed-simd");

/** Rounds that a worker can note. */
const NOTES = 4096;
/** Nanoseconds of processor time of this thread. */
const used = () => Number(readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[0]);

/** A worker pool as `Kernel.launch` takes one. */
class Workers {
  size = jobs;
  // As `ptxrun run --jobs 2` has it.
  worth = 1340;
  failure = undefined;
  logs = Array.from({ length: jobs }, () => new Float64Array(new SharedArrayBuffer(8 * NOTES)));
  started = new Int32Array(new SharedArrayBuffer(4));
  threads = [];
  ranges = Array(jobs).fill(0);
  now = () => performance.now();
  get ready() {
    return this.started[0] === jobs;
  }
  start() {
    if (this.threads.length > 0) return;
    this.threads = this.logs.map((log) => {
      const workerData = { started: this.started, log };
      return new Worker(new URL("threads/worker.js", import.meta.url), { workerData });
    });
    for (const thread of this.threads) thread.unref();
  }
  post(worker, message) {
    this.threads[worker].postMessage(message);
    if (message.kind === "range") this.ranges[worker] += 1;
  }
  /** Workers note what they have had a little after the launch knows that they are done. */
  async settle() {
    while (this.logs.some((log, worker) => Math.max(1, log[0]) - 1 < this.ranges[worker]))
      await new Promise((resume) => setTimeout(resume, 2));
  }
  ended() {
    return false;
  }
  end() {
    return Promise.all(this.threads.map((thread) => thread.terminate()));
  }
}

const floats = (device, length) => device.buffer(Float32Array.from({ length }, (_, at) => (at % 1000) * 0.25));
const words = (device, length) => device.buffer(new Uint32Array(length));
const product = (device, n) => {
  const result = words(device, n * n);
  const grid = [Math.ceil(n / 16), Math.ceil(n / 16)];
  return { grid, block: [16, 16], args: [floats(device, n * n), floats(device, n * n), result, n], result };
};

/** For each kernel its lengths, and what a launch of one length is. */
const kernels = {
  // A picture of 512 x 512 points takes as long as its points may iterate.
  mandel: {
    sizes: [1000, 5000],
    launch: (device, most) => {
      const result = words(device, 512 * 512);
      return { grid: [32, 32], block: [16, 16], args: [result, 512, 512, most], result };
    },
  },
  sgemm_naive: { sizes: [384, 640], launch: product },
  sgemm_tiled: { sizes: [512, 1024], launch: product },
  saxpy: {
    sizes: [2 ** 20, 2 ** 24],
    launch: (device, length) => {
      const result = floats(device, length);
      // By 0, so that each launch leaves the same.
      return { grid: length / 256, block: 256, args: [floats(device, length), result, 0, length], result };
    },
  },
  // Heads of 512 tokens.
  attention: {
    module: "attention.sm_80.O3",
    sizes: [4, 16],
    launch: (device, heads) => {
      const count = heads * 512 * 64;
      // bf16 between 1 and 2.
      const inputs = [1, 2, 3].map((seed) =>
        device.buffer(Uint16Array.from({ length: count }, (_, at) => 0x3f80 + (((at + seed) * 40503) & 0x7f))),
      );
      const result = words(device, count);
      const sums = device.buffer(heads * 512 * 4);
      return { grid: [512 / 64, heads], block: 128, args: [...inputs, result, sums, 512, 1, 0], result };
    },
  },
};

/** A launch of `name` on data of its own. */
function prepare(name, size) {
  const { module: built, launch } = kernels[name];
  const bytes = readFileSync(
    new URL(built ? `../data/kernels/${built}.ptx.gz` : `../data/bench/${name}.sm80.ptx`, import.meta.url),
  );
  const device = new Device();
  const text = (built ? gunzipSync(bytes) : bytes).toString("utf8");
  const kernel = must(must(device.module({ name, text })).kernel(name));
  const { result, ...options } = launch(device, size);
  return { result, run: (workerPool) => must(kernel.launch({ ...options, ...(workerPool && { workerPool }) })) };
}

async function timed(run, workerPool) {
  const noted = workerPool?.logs.map((log) => Math.max(1, log[0])) ?? [];
  const [wall, own] = [performance.now(), used()];
  const { teamwork, session } = run(workerPool);
  const [took, mine] = [performance.now() - wall, (used() - own) / 1e6];
  await workerPool?.settle();
  const work = workerPool?.logs.map((log, at) => (log[log[0]] - log[noted[at]]) / 1e6) ?? [];
  return { took, mine, all: sum(work), teamwork, steps: session.steps };
}

const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);
const least = (runs, of) => Math.min(...runs.map(of));
const row = (cells) =>
  console.log(
    cells
      .map((cell, at) => (at < 2 ? cell.padEnd(at === 0 ? 18 : 8) : cell.padStart(10)))
      .join("")
      .trimEnd(),
  );

console.log(`node ${process.version}, ${cpus().length} processors, load ${loadavg()[0].toFixed(1)}, ${jobs} threads`);
row(["kernel", "workers", "one, ms", "wall, ms", "wall", "even", "16 cores", "extra", "own, ms", "rounds"]);
for (const [name, { sizes }] of Object.entries(kernels)) {
  if (!name.includes(part)) continue;
  for (const size of sizes) {
    const { run, result } = prepare(name, size);
    const one = [];
    const several = { warm: [], cold: [] };
    run();
    const wanted = Buffer.from(result.read());
    const warm = new Workers();
    warm.start();
    while (!warm.ready) await new Promise((resume) => setTimeout(resume, 10));
    // Workers get to know a program once that has paid.
    for (let time = 0; time < 8; time++) {
      run(warm);
      await warm.settle();
    }
    for (let round = 0; round < rounds; round++) {
      one.push(await timed(run));
      several.warm.push(await timed(run, warm));
      const cold = new Workers();
      several.cold.push(await timed(run, cold));
      await cold.end();
      if (!wanted.equals(result.read())) throw new Error(`${name}: several threads give something else`);
    }
    await warm.end();
    const alone = least(one, ({ took }) => took);
    const busy = least(one, ({ mine }) => mine);
    for (const [workerPool, runs] of Object.entries(several)) {
      const wall = least(runs, ({ took }) => took);
      const shared = (count) => (busy / least(runs, ({ mine, all }) => mine + all / count)).toFixed(2);
      const extra = (least(runs, ({ mine, all }) => mine + all) / busy - 1) * 100;
      const numbers = [alone.toFixed(0), wall.toFixed(0), (alone / wall).toFixed(2), shared(jobs), shared(16)];
      const own = least(runs, ({ mine }) => mine).toFixed(0);
      row([
        `${name} ${size}`,
        workerPool,
        ...numbers,
        `${extra.toFixed(0)}%`,
        own,
        String(runs.at(-1).teamwork.rounds),
      ]);
    }
  }
}
console.log(`load at the end: ${loadavg()[0].toFixed(1)}`);
