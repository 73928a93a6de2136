import { count, of } from "../../form/classes.ts";
import { type Form, form, type ModifierValues, ptxas } from "../../form/define.ts";
import { access, hint } from "../../form/memory-access.ts";
import type { AddressClass, LiteralClass, OperandClass } from "../../form/operands.ts";
import { least } from "../../form/since.ts";

const since = { ptx: 70, sm: 80 };
const where = {
  cop: ["ca", "cg"],
  dst: ["shared", "shared::cta"],
  hint,
  prefetch: ["L2::64B", "L2::128B", "L2::256B"],
} as const;

const shared: AddressClass = { kind: "address", space: "shared" };
const global: AddressClass = { kind: "address", space: "global" };
/** `.ca` copies 4, 8 or 16 bytes, `.cg` always 16. */
const bytes = (cop: "ca" | "cg"): LiteralClass => ({
  kind: "literal",
  bits: 32,
  among: cop === "cg" ? [16] : [4, 8, 16],
});
/** ptxas takes a constant here, unlike elsewhere. */
const policy = (hint: string | undefined): OperandClass =>
  hint === undefined ? { kind: "absent", unless: ".L2::cache_hint" } : of("b64");
const words = ({ hint, prefetch }: ModifierValues) =>
  least(since, (hint ?? prefetch) === undefined ? undefined : { ptx: 74, sm: 80 });

const before = ".reg .b64 g; .reg .b32 d, e; .shared .align 16 .b32 s[4]; st.shared.b32 [s+4], 9;";
const buffers = { g: [7, 8, 0, 0] };
const after = "cp.async.wait_all; ld.shared.b32 d, [s]; ld.shared.b32 e, [s+4];";

/** Asynchronous copies of a thread, and waiting for them. */
export const copies: readonly Form[] = [
  form("cp.async.cop.dst.global{.hint}{.prefetch} [d], [a], n{, policy}", {
    where,
    operands: ({ cop, hint }) => ({ d: shared, a: global, n: bytes(cop), policy: policy(hint) }),
    since: words,
    run: () => ({ shape: "copy async" }),
    check: [
      { snippet: `${before} cp.async.ca.shared.global [s], [g], 8; ${after}`, buffers, gives: { d: 7, e: 8 } },
      { snippet: `${before} cp.async.ca.shared.global [s], [g], 4; ${after}`, buffers, gives: { d: 7, e: 9 } },
    ],
  }),
  form("cp.async.cop.dst.global{.hint}{.prefetch} [d], [a], n, size{, policy}", {
    where,
    operands: ({ cop, hint }) => ({
      d: shared,
      a: global,
      n: bytes(cop),
      size: count({ least: 0, most: 16 }),
      policy: policy(hint),
    }),
    since: words,
    run: () => ({ shape: "copy async", fills: "size" }),
    check: [
      // Bytes that are not read are filled with zeros.
      { snippet: `${before} cp.async.ca.shared.global [s], [g], 8, 4; ${after}`, buffers, gives: { d: 7, e: 0 } },
    ],
  }),
  form("cp.async.cop.dst.global{.hint}{.prefetch} [d], [a], n, ignore{, policy}", {
    where,
    operands: ({ cop, hint }) => ({
      d: shared,
      a: global,
      n: bytes(cop),
      ignore: { kind: "predicate", access: "read", negatable: true },
      policy: policy(hint),
    }),
    since: (mods) => least(words(mods), { ptx: 75, sm: 80 }),
    run: () => ({ shape: "copy async", fills: "predicate" }),
    check: [
      {
        snippet: `.reg .pred p; ${before} setp.eq.u32 p, 1, 1; cp.async.ca.shared.global [s], [g], 8, p; ${after}`,
        buffers,
        gives: { d: 0, e: 0 },
      },
      {
        snippet: `.reg .pred p; ${before} setp.eq.u32 p, 1, 1; cp.async.ca.shared.global [s], [g], 8, !p; ${after}`,
        buffers,
        gives: { d: 7, e: 8 },
      },
    ],
  }),
  form("cp.async.commit_group", {
    operands: {},
    since,
    run: () => ({ shape: "commit group", line: "cp.async" }),
    check: [
      {
        snippet: `${before} cp.async.ca.shared.global [s], [g], 4; cp.async.commit_group; cp.async.ca.shared.global [s+4], [g+4], 4; cp.async.commit_group; cp.async.wait_group 1; ld.shared.b32 d, [s]; cp.async.wait_group 0; ld.shared.b32 e, [s+4];`,
        buffers,
        gives: { d: 7, e: 8 },
      },
    ],
  }),
  form("cp.async.wait_group n", {
    operands: { n: { kind: "literal", bits: 32 } },
    since,
    run: () => ({ shape: "wait group", line: "cp.async" }),
    check: [
      {
        snippet: `${before} cp.async.ca.shared.global [s], [g], 8; cp.async.commit_group; cp.async.wait_group 0; ld.shared.b32 d, [s]; ld.shared.b32 e, [s+4];`,
        buffers,
        gives: { d: 7, e: 8 },
      },
    ],
  }),
  form("cp.async.wait_all", {
    operands: {},
    since,
    run: () => ({ shape: "wait group", line: "cp.async" }),
    check: [
      { snippet: `${before} cp.async.cg.shared.global [s], [g], 16, 8; ${after}`, buffers, gives: { d: 7, e: 8 } },
    ],
  }),
  form("cp.async.mbarrier.arrive{.noinc}{.ss}.b64 [a]", {
    where: { ss: ["shared", "shared::cta"] },
    operands: ({ ss }) => ({
      a: { kind: "address", space: access(ss), ...(ss === undefined ? { narrow: true } : {}) },
    }),
    since: ({ ss }) => least(since, ss),
    run: ({ noinc, ss }) => ({ shape: "copies arrive", space: access(ss), counted: noinc }),
    facts: [ptxas("without .shared, a register of 32 bits is taken as an address of shared memory")],
    check: [
      {
        snippet: `${before} .shared .align 8 .b64 m; .reg .pred p; mbarrier.init.shared.b64 [m], 1; cp.async.ca.shared.global [s], [g], 8; cp.async.mbarrier.arrive.noinc.shared.b64 [m]; L: mbarrier.test_wait.parity.shared.b64 p, [m], 0; @!p bra L; ld.shared.b32 d, [s];`,
        buffers,
        gives: { d: 7 },
      },
      {
        snippet: `${before} .shared .align 8 .b64 m; .reg .pred p; mov.u32 e, m; mbarrier.init.shared.b64 [m], 1; cp.async.ca.shared.global [s], [g], 8; cp.async.mbarrier.arrive.noinc.b64 [e]; L: mbarrier.test_wait.parity.shared.b64 p, [m], 0; @!p bra L; ld.shared.b32 d, [s];`,
        buffers,
        gives: { d: 7 },
      },
    ],
  }),
];
