import { expect } from "vitest";
import { Device, type LaunchOptions, must } from "../../../../src/host/index.ts";
import { InProcessPool } from "./in-process-pool.ts";

export const WORDS = 4096;

/** `%rd1`: the buffer's address; `%r1`: the block; `%r2`: the thread; `%r3`: the thread of the grid; `%rd3`: its word's address. */
export const kernel = (body: string, outside = ""): string => `.version 8.0
.target sm_80
.address_size 64
${outside}
.visible .entry k(.param .u64 buffer)
{
  .reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<9>; .shared .align 4 .b32 tile[64];
  ld.param.u64 %rd1, [buffer];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mov.u32 %r4, %ntid.x;
  mad.lo.u32 %r3, %r1, %r4, %r2;
  mul.wide.u32 %rd2, %r3, 4; add.u64 %rd3, %rd1, %rd2;
  mov.u32 %r5, 0;
  ${body}
  ret;
}
`;

/** Some hundred instructions that touch nothing: a block that takes a while. */
export const work = "WORK: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 60; @%p1 bra WORK;";

export function run(text: string, options: LaunchOptions, workers: number, greedy?: number) {
  const device = new Device({ maxMemory: 1 << 24 });
  const data = device.buffer(Uint32Array.from({ length: WORDS }, (_, at) => at * 3));
  // A second one, of which nothing is initialised.
  const raw = device.buffer(4 * WORDS);
  const printed: string[] = [];
  const workerPool = workers === 0 ? undefined : new InProcessPool(workers, greedy);
  const launched = must(
    must(must(device.module(text)).kernel("k")).launch({
      grid: 40,
      block: 64,
      args: [text.includes("// raw") ? raw : data],
      readableRegisters: true,
      print: (line) => printed.push(line),
      ...options,
      ...(workerPool && { workerPool }),
    }),
  )!;
  const { stop, findings, session, teamwork } = launched;
  const registers = [0, 1, 7, 20, 39].map((block) =>
    [0, 1].map((warp) => {
      const thread = { block, warp, lane: 5 };
      return [session.registers(thread), session.carry(thread)];
    }),
  );
  const seen = {
    stop: stop.reason === "trap" ? { ...stop, diagnostic: stop.diagnostic.message } : stop,
    findings: findings.map(({ code, message }) => `${code} ${message}`),
    steps: session.steps,
    data: data.toBits("u32"),
    raw: raw.toBits("u32"),
    printed,
    registers,
  };
  return { seen, teamwork };
}

/** The same with no, one, two and three workers; gives what two workers did. */
export function same(text: string, options: LaunchOptions = {}) {
  const { seen: wanted } = run(text, options, 0);
  // Thousands of words are compared faster as text.
  const all = ({ data, raw, ...seen }: typeof wanted) => ({ ...seen, data: data.join(), raw: raw.join() });
  const expected = all(wanted);
  const [, two] = [1, 2, 3].map((workers) => {
    const { seen, teamwork } = run(text, options, workers);
    expect(all(seen)).toEqual(expected);
    return teamwork!;
  });
  return { ...two!, seen: wanted };
}
