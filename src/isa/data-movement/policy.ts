import { argument, bits, operation, or, shr, wrap } from "../../numeric/operation/build.ts";
import type { Operation } from "../../numeric/operation/operation.ts";
import { of, registerOf, to } from "../form/classes.ts";
import { compute, type Form, form } from "../form/define.ts";

const primary = ["L2::evict_last", "L2::evict_normal", "L2::evict_first", "L2::evict_unchanged"] as const;
const secondary = ["L2::evict_first", "L2::evict_unchanged"] as const;
const since = { ptx: 74, sm: 80 };
const codes = {
  "L2::evict_normal": 0n,
  "L2::evict_unchanged": 1n,
  "L2::evict_first": 2n,
  "L2::evict_last": 4n,
} as const;

interface Priorities {
  readonly primary: (typeof primary)[number];
  readonly secondary?: (typeof secondary)[number] | undefined;
}

/**
 * A policy's bits are opaque (PTX ISA, createpolicy): ptxrun keeps no caches, so any 64 bits do. These tell the
 * priorities apart and are the same in every run: primary, secondary, and for a fraction the upper half of its f32.
 */
const code = ({ primary, secondary = "L2::evict_unchanged" }: Priorities): bigint =>
  (1n << 60n) | (codes[primary] << 56n) | (codes[secondary] << 48n);

const fixed = (priorities: Priorities): Operation => operation({}, "b64", wrap("b64", code(priorities)));

const size = of("u32");

export const policy: readonly Form[] = [
  form("createpolicy.range{.space}.primary{.secondary}.b64 policy, [a], primarySize, totalSize", {
    where: { space: ["global"], primary, secondary },
    operands: ({ space }) => ({
      policy: to("b64"),
      a: { kind: "address", space: space ?? "generic" },
      primarySize: size,
      totalSize: size,
    }),
    since,
    run: (priorities) => compute(fixed(priorities)),
    check: [
      {
        snippet:
          ".reg .b64 a, d; mov.b64 a, 0; createpolicy.range.L2::evict_last.L2::evict_first.b64 d, [a], 0x1000, 0x2000;",
        gives: { d: 0x1402_0000_0000_0000n },
      },
    ],
  }),
  form("createpolicy.range.fabric.primary{.secondary}.b64 policy, [le, off], primarySize, totalSize", {
    where: { primary, secondary },
    operands: {
      policy: to("b64"),
      le: registerOf("u32"),
      off: registerOf("u64"),
      primarySize: size,
      totalSize: size,
    },
    since: { ptx: 94, sm: 100 },
    run: (priorities) => compute(fixed(priorities)),
    check: [
      {
        snippet:
          ".reg .b64 a, d; .reg .b32 e; mov.b64 a, 0; mov.b32 e, 0; createpolicy.range.fabric.L2::evict_first.b64 d, [e, a], 0x1000, 0x2000;",
        gives: { d: 0x1201_0000_0000_0000n },
      },
    ],
  }),
  form("createpolicy.fractional.primary{.secondary}.b64 policy", {
    where: { primary, secondary },
    operands: { policy: to("b64") },
    since,
    run: (priorities) => compute(fixed(priorities)),
    check: [{ with: ["L2::evict_first"], policy: 0x1201_0000_0000_0000n }],
  }),
  form("createpolicy.fractional.primary{.secondary}.b64 policy, fraction", {
    where: { primary, secondary },
    operands: { policy: to("b64"), fraction: of("f32", { share: true }) },
    since,
    does: (priorities) => wrap("b64", or(code(priorities), shr(bits(argument("fraction")), 16))),
    check: [{ with: ["L2::evict_last"], fraction: 0x3f00_0000, policy: 0x1401_0000_0000_3f00n }],
  }),
  form("createpolicy.cvt.L2.b64 policy, property", {
    operands: { policy: to("b64"), property: of("b64") },
    since,
    run: () => ({ shape: "move" }),
    check: [{ property: 0x10f0_0000_0000_0000n, policy: 0x10f0_0000_0000_0000n }],
  }),
];
