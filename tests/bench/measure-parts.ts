import { Device, must } from "../../src/index.ts";
import type { Executor } from "../../src/interp/state/executor.ts";
import { digits, least, row } from "./time.ts";

/** Rounds of a loop in each kernel. */
const ROUNDS = 64;

/** A kernel: `text` in a loop, or only the kernel's end. */
interface Part {
  readonly grid: number;
  readonly block: number;
  /** Instructions of the loop; without them the kernel ends at once. */
  readonly text?: string;
}

const many = { grid: 64, block: 256 };

/** Each is measured against another one, from which it differs by so many of what is measured. */
const parts: Readonly<Record<string, Part & { readonly against?: string; readonly count: number }>> = {
  "a block": { grid: 16384, block: 32, count: 16384 },
  "a warp more": { grid: 16384, block: 64, count: 16384, against: "a block" },
  "a round": { ...many, text: "", count: 64 * 8 * ROUNDS },
  "a turn": { ...many, text: "bar.sync 0;", count: 64 * 8 * ROUNDS, against: "a round" },
  // Nobody reads what is loaded: only the check remains.
  "a check": { ...many, text: "ld.global.f32 f, [row];", count: 64 * 8 * ROUNDS, against: "a round" },
  "a shared check": { ...many, text: "ld.shared.f32 f, [at];", count: 64 * 8 * ROUNDS, against: "a round" },
  "a load": { ...many, text: "ld.global.f32 f, [row]; add.f32 g, g, f;", count: 64 * 8 * ROUNDS, against: "a round" },
  scattered: { ...many, text: "ld.global.f32 f, [far]; add.f32 g, g, f;", count: 64 * 8 * ROUNDS, against: "a round" },
  "a store": { ...many, text: "st.global.f32 [row], g;", count: 64 * 8 * ROUNDS, against: "a round" },
};

const source = (text: string | undefined): string => `.version 8.0
.target sm_80
.address_size 64
.visible .entry part(.param .u64 rows) {
  .reg .b64 memory, row, far;
  .reg .b32 i, t, at;
  .reg .f32 f, g;
  .reg .pred p;
  .shared .b32 words[256];
${
  text === undefined
    ? ""
    : `  ld.param.u64 memory, [rows];
  mov.u32 t, %tid.x;
  mad.wide.u32 row, t, 4, memory;
  mad.wide.u32 far, t, 20, memory;
  shl.b32 at, t, 2;
  st.shared.b32 [at], t;
  mov.f32 g, 0f00000000;
  mov.u32 i, ${ROUNDS};
again:
  ${text}
  sub.u32 i, i, 1;
  setp.ne.u32 p, i, 0;
  @p bra again;
  st.global.f32 [row], g;`
}
  ret;
}`;

/** What launches are made of: nanoseconds of CPU time of one block, of one warp's turn, of one access of a warp, and so on. */
export function measureParts(part: string, executors: ReadonlyMap<string, Executor | undefined>, rounds: number): void {
  if (!"parts".includes(part)) return;
  row("part", ...[...executors.keys()].map((name) => `${name} ns`));
  const found = [...executors.values()].map((executor) => {
    const runs = Object.entries(parts).map(([name, { grid, block, text }]) => {
      const device = new Device();
      const memory = device.buffer(new Float32Array(5 * 256));
      const kernel = must(must(device.module({ name, text: source(text) })).kernel("part"));
      const options = { grid, block, args: [memory], readableRegisters: false, ...(executor && { executor }) };
      return (): void => {
        const { stop } = must(kernel.launch(options))!;
        if (stop.reason !== "exit") throw new Error(`${name} ends by ${stop.reason}`);
      };
    });
    return least(rounds, runs);
  });
  const names = Object.keys(parts);
  for (const [at, [name, { against, count }]] of Object.entries(parts).entries()) {
    const nanoseconds = found.map((times) => {
      const without = against === undefined ? 0 : times[names.indexOf(against)]!;
      return digits(((times[at]! - without) / count) * 1e9);
    });
    row(name, ...nanoseconds);
  }
}
