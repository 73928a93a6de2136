import { Device, must } from "../../src/index.ts";
import { executors } from "../../src/interp/create-session.ts";
import type { RegisterClass } from "../../src/isa/form/operands.ts";
import { table } from "../../src/isa/index.ts";
import { type Spelling, spellings } from "./spellings.ts";

/**
 * Every value of 16 bits as one operand of every operation on halves, singly and in both places of a pair, against values of
 * the others that are chosen for their corners: through both executors, whole warps at once.
 */

/** Halves and bfloat16 side by side: zeros, subnormals, ones, numbers between, the largest, infinities, NaNs. */
const spread = [
  0x0000, 0x8000, 0x0001, 0x03ff, 0x8400, 0x3c00, 0xbc01, 0x3555, 0x7bff, 0xfc00, 0x7c01, 0x7e00, 0x0080, 0x3f80, 0xbeab,
  0x7f7f,
]; // biome-ignore format: a table

const isHalf = (type: string): boolean => /^b?f16(x2)?$/.test(type);

const sections = new Set([
  "floating-point", "half-precision", "mixed-precision", "comparison-selection", "logic-shift", "data-movement",
]); // biome-ignore format: a list

/** Operations that compute and touch 16-bit floats, with registers and predicates alone. */
const all = table
  .filter(({ name }) => sections.has(name))
  .flatMap(({ forms }) => forms)
  .filter(({ executable, slots, modifiers }) => executable && slots.length >= 2 && modifiers.length < 9)
  .flatMap((form) => [...spellings(form)])
  .filter(({ form, mods }) => {
    if (
      form.until !== undefined ||
      form.undocumented ||
      form.since(mods).only !== undefined ||
      form.since(mods).sm > 100
    )
      return false;
    if (form.plan(mods).shape === "gap") return false;
    const classes = Object.values(form.operands(mods));
    const registers = classes.filter((each): each is RegisterClass => each.kind === "register");
    const fits = classes.every(({ kind }) => kind === "register" || kind === "predicate" || kind === "absent");
    return fits && registers.some(({ type }) => isHalf(type));
  });

const pool = { 16: "h", 32: "r", 64: "q" } as const;

/** The instruction and what adds its results to the thread's sum in `%t0`. */
function lines({ words, mods, form }: Spelling): string[] | undefined {
  const classes = form.operands(mods);
  const texts: string[] = [];
  const sums: string[] = [];
  let read = 0;
  for (const { name, optional, second } of form.slots) {
    for (const each of [name, ...(second === undefined || second.optional ? [] : [second.name])]) {
      const wanted = classes[each]!;
      if (wanted.kind === "absent" || (optional && wanted.kind !== "register")) break;
      if (wanted.kind === "predicate") {
        texts.push(wanted.access === "write" ? "%p0" : "%p1");
        if (wanted.access === "write") sums.push("selp.u32 %t1, 1, 0, %p0;");
        continue;
      }
      if (wanted.kind !== "register" || (wanted.bits !== 16 && wanted.bits !== 32 && wanted.bits !== 64))
        return undefined;
      const bank = pool[wanted.bits];
      if (wanted.access === "read") texts.push(`%${bank}${read++}`);
      else {
        texts.push(`%${bank}9`);
        if (wanted.bits === 16) sums.push("cvt.u32.u16 %t1, %h9;");
        else
          sums.push(
            wanted.bits === 32
              ? "mov.b32 %t1, %r9;"
              : "cvt.u32.u64 %t1, %q9; shr.u64 %q9, %q9, 32; cvt.u32.u64 %t2, %q9; xor.b32 %t1, %t1, %t2;",
          );
      }
    }
  }
  return [`${words.join(".")} ${texts.join(", ")};`, ...sums.map((sum) => `${sum} mad.lo.u32 %t0, %t0, 1664525, %t1;`)];
}

/** One kernel for many operations: a thread for each value, which is the operand that `turn` names; a word of sums each. */
function moduleOf(operations: readonly Spelling[], turn: number): string {
  const load = [0, 1, 2].map((operand) => {
    // The swept value stands low and high in a pair, beside its neighbour in the spread.
    const place = operand === turn ? `mov.b32 %r${operand}, %t3; prmt.b32 %r${operand}, %r${operand}, %t4, ${operand === 1 ? "0x1054" : "0x5410"};`
      : `mov.b32 %r${operand}, %t${4 + operand}; prmt.b32 %r${operand}, %r${operand}, %t4, 0x5410;`; // biome-ignore format: two cases
    return `${place} cvt.u16.u32 %h${operand}, %r${operand}; mul.wide.u32 %q${operand}, %r${operand}, 0x9E3779B1;`;
  });
  const body = operations.flatMap((each) => lines(each) ?? []);
  return `.version 9.0
.target sm_100a
.address_size 64
.global .align 4 .b32 spread[${spread.length}] = {${spread.join(", ")}};
.visible .entry sweep(.param .u64 out, .param .u32 first)
{
  .reg .pred %p<2>; .reg .b16 %h<10>; .reg .b32 %r<10>; .reg .b64 %q<10>; .reg .b32 %t<9>; .reg .b64 %a<3>;
  ld.param.u32 %t7, [first];
  mov.u32 %t1, %tid.x; mov.u32 %t2, %ctaid.x; mad.lo.u32 %t3, %t2, 256, %t1;
  mov.u64 %a1, spread;
  ${[4, 5, 6].map((to, at) => `add.u32 %t8, %t3, %t7; mad.lo.u32 %t8, %t8, ${[5, 3, 7][at]}, ${at}; and.b32 %t8, %t8, 15; mad.wide.u32 %a2, %t8, 4, %a1; ld.global.u32 %t${to}, [%a2];`).join("\n  ")}
  setp.lt.u32 %p1, %t8, 8;
  ${load.join("\n  ")}
  mov.u32 %t0, 0;
  ${body.join("\n  ")}
  ld.param.u64 %a1, [out]; mul.wide.u32 %a2, %t3, 4; add.u64 %a1, %a1, %a2; st.global.u32 [%a1], %t0;
  ret;
}`;
}

function sweep(operations: readonly Spelling[], turn: number, first: number): readonly Buffer[] {
  return [...executors.values()].map((executor) => {
    const device = new Device();
    const out = device.buffer(new Uint32Array(65536));
    const kernel = must(must(device.module(moduleOf(operations, turn))).kernel("sweep"));
    const { stop } = must(kernel.launch({ grid: 256, block: 256, args: [out, first], executor }))!;
    if (stop.reason !== "exit") throw new Error(`the sweep ends by ${stop.reason}`);
    return Buffer.from(out.read());
  });
}

/**
 * The operations of a list that differ when all values of operand `turn` meet the spread from `first` on. A group that differs
 * is halved until they stand alone.
 */
export function unlike(operations: readonly Spelling[], turn: number, first: number): string[] {
  const [one, two] = sweep(operations, turn, first);
  if (one!.equals(two!)) return [];
  if (operations.length === 1) return [`${operations[0]!.words.join(".")}, operand ${turn}`];
  const half = operations.length >> 1;
  return [operations.slice(0, half), operations.slice(half)].flatMap((part) => unlike(part, turn, first));
}

const runnable = all.filter((each) => lines(each) !== undefined);
/** Those with one operand that is no predicate, and the others. */
export const unary: readonly Spelling[] = runnable.filter(
  (each) => !lines(each)!.some((line) => /%[rhq]1\b/.test(line)),
);
export const others: readonly Spelling[] = runnable.filter((each) => !unary.includes(each));
