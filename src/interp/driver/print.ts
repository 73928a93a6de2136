import { ThreadMemory } from "../access/thread-memory.ts";
import type { BuiltinCall } from "../warp/builtin-call.ts";
import { answer, eachLane, long } from "./argument-word.ts";
import { format } from "./print-format.ts";
import { textOf } from "./text.ts";

/** Bytes of one format or string, and of one printed line: the size of CUDA's whole buffer. */
const MAX_PRINTED_BYTES = 1 << 20;

/**
 * `vprintf(format, arguments)`: device printf. The second argument points to a buffer in which each value lies at its
 * natural alignment, small integers as int and floats as double. Returns how many values were printed, -1 for no
 * format.
 */
export function print(call: BuiltinCall): void {
  const { context, warp } = call;
  eachLane(call, (lane) => {
    const reader = new ThreadMemory(context, warp, lane);
    const text = long(call, 0, lane);
    if (text === 0n) {
      answer(call, lane, 0xffff_ffffn);
      return;
    }
    let at = long(call, 1, lane);
    let values = 0;
    const next = (bytes: 4 | 8): bigint => {
      at = (at + BigInt(bytes - 1)) & ~BigInt(bytes - 1);
      const value = reader.integer(at, bytes, "an argument of printf");
      at += BigInt(bytes);
      values++;
      return value;
    };
    const string = (address: bigint): number[] => reader.string(address, "a string of printf", MAX_PRINTED_BYTES);
    const bytes = format(reader.string(text, "the format", MAX_PRINTED_BYTES), { next, string }, MAX_PRINTED_BYTES);
    if (bytes.length > 0) context.print(textOf(bytes));
    answer(call, lane, BigInt(values));
  });
}
