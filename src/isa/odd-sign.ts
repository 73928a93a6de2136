import { bf16, f16, f32, f64, fabs, fneg, iabs, ineg, type Op, pair } from "../numeric/index.ts";
import { of, to } from "./classes.ts";
import { compute, type Form, form } from "./define.ts";
import { least } from "./since.ts";

const op = ["finite", "infinite", "number", "notanumber", "normal", "subnormal"] as const;
const type = ["f32", "f64", "f16", "f16x2", "bf16", "bf16x2", "s16", "s32", "s64"] as const;
type Type = (typeof type)[number];

const flushed: ReadonlySet<Type> = new Set<Type>(["f32", "f16", "f16x2"]);
const noFtz = ({ ftz, type: word }: { readonly ftz: boolean; readonly type: Type }) =>
  ftz && !flushed.has(word) ? (["ftz", word] as const) : undefined;

const sinceOf = (word: Type, half: number) => {
  if (word.startsWith("bf16")) return { ptx: 70, sm: 80 };
  return word.startsWith("f16") ? { ptx: half, sm: 53 } : { ptx: 10, sm: 10 };
};

function opOf(word: Type, float: typeof fneg, integer: typeof ineg, ftz: boolean): Op {
  switch (word) {
    case "f32":
      return float(f32, { ftz });
    case "f64":
      return float(f64);
    case "f16":
      return float(f16, { ftz });
    case "f16x2":
      return pair(float(f16, { ftz }));
    case "bf16":
      return float(bf16);
    case "bf16x2":
      return pair(float(bf16));
    default:
      return integer(word);
  }
}

/** ptxas takes the words of testp on neg and abs, and makes the same code as without them. */
export const oddSigns: readonly Form[] = [
  form("neg.op{.ftz}.type d, a", {
    where: { op, type },
    operands: ({ type: word }) => ({ d: to(word), a: of(word) }),
    since: ({ type: word, ftz }) => least(sinceOf(word, 51), ftz && "ftz"),
    conflict: noFtz,
    undocumented: true,
    run: ({ type: word, ftz }) => compute(opOf(word, fneg, ineg, ftz)),
    check: [
      { with: ["notanumber", "f32"], a: 0x3f80_0000, d: 0xbf80_0000 },
      { with: ["finite", "s32"], a: 1, d: 0xffff_ffff },
      { with: ["normal", "bf16x2"], a: 0x3f80_8000, d: 0xbf80_0000 },
    ],
  }),
  form("abs.op{.ftz}.type d, a", {
    where: { op, type },
    operands: ({ type: word }) => ({ d: to(word), a: of(word) }),
    since: ({ type: word, ftz }) => least(sinceOf(word, 65), ftz && "ftz"),
    conflict: noFtz,
    undocumented: true,
    run: ({ type: word, ftz }) => compute(opOf(word, fabs, iabs, ftz)),
    check: [
      { with: ["infinite", "f64"], a: 0xbff0_0000_0000_0000n, d: 0x3ff0_0000_0000_0000n },
      { with: ["subnormal", "ftz", "f16x2"], a: 0x8001_bc00, d: 0x0000_3c00 },
      { with: ["number", "bf16"], a: 0xbf80, d: 0x3f80 },
    ],
  }),
];
