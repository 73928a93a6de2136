import type { MemoryScope } from "../../../interp/contract/memory-consistency.ts";
import type { Plan } from "../../../interp/contract/plan/plan.ts";
import { bringing } from "../../form/bringing.ts";
import { bitsOf, of } from "../../form/classes.ts";
import { type Conflict, form, type ModifierValues, type Section, section } from "../../form/define.ts";
import { access } from "../../form/memory-access.ts";
import type { AddressClass, RegisterClass, VectorClass } from "../../form/operands.ts";
import { scalarOps } from "../../form/updates.ts";

const completion = ["mbarrier::complete_tx::bytes"] as const;
const integers = ["b32", "b64", "u32", "u64", "s32", "s64"] as const;
const types = [...integers, "f32", "f64"] as const;
const small = ["b8", "b16", "u8", "u16", "s8", "s16"] as const;
const numbers = ["u32", "s32", "u64", "s64", "b32"] as const;
const ops = ["add", "inc", "dec", "min", "max", "and", "or", "xor"] as const;
const cluster = ["shared::cluster"] as const;
const global = ["global"] as const;
const scope = ["gpu", "sys"] as const;
const strong = { ptx: 87, sm: 100 };

type Type = (typeof types)[number] | (typeof small)[number] | "b128";
type StoreAsync = Extract<Plan, { readonly shape: "store async" }>;
type Ss = "shared::cluster" | "shared" | "shared::cta" | "global" | undefined;

const place = (ss: Ss): AddressClass => ({ kind: "address", space: access(ss) });

function value({
  vec,
  type,
}: {
  readonly vec?: "v2" | "v4" | undefined;
  readonly type: Type;
}): RegisterClass | VectorClass {
  const part = of(type, type.startsWith("b") ? { immediate: "bits" } : {});
  return vec === undefined ? { ...part, braced: true } : { kind: "vector", count: vec === "v2" ? 2 : 4, of: part };
}

/** Types of each operation (PTX ISA, red.async). */
const typesOf = {
  add: ["u32", "s32", "u64", "s64"],
  inc: ["u32"],
  dec: ["u32"],
  min: ["u32", "s32"],
  max: ["u32", "s32"],
  and: ["b32"],
  or: ["b32"],
  xor: ["b32"],
} as const satisfies Readonly<Record<(typeof ops)[number], readonly (typeof numbers)[number][]>>;

function typeConflict({ op, type }: ModifierValues): Conflict | undefined {
  const there: readonly string[] = typesOf[op as (typeof ops)[number]];
  return there.includes(String(type)) ? undefined : ["", `.${op}.${type}: .${op} is for .${there.join(", .")}`];
}

const vectorConflict = ({
  vec,
  type,
}: {
  readonly vec?: string | undefined;
  readonly type: Type;
}): Conflict | undefined =>
  vec !== undefined && Number(vec.slice(1)) * bitsOf(type) > 128
    ? [vec, `.${type}: a vector holds at most 128 bits`]
    : undefined;

const stored = (ss: Ss, type: Type, scope?: MemoryScope): StoreAsync => ({
  shape: "store async",
  space: access(ss),
  bits: cellBits(type),
  ...(scope !== undefined && { scope }),
});

function updated(ss: Ss, op: (typeof ops)[number], type: (typeof numbers)[number], scope?: MemoryScope): StoreAsync {
  const bits = bitsOf(type) === 64 ? 64 : 32;
  return {
    shape: "store async",
    space: access(ss),
    bits,
    update: { op: scalarOps(op, type)[0], bits },
    ...(scope !== undefined && { scope }),
  };
}

/** A register of 128 bits is two elements. */
function cellBits(type: Type): 8 | 16 | 32 | 64 {
  const bits = bitsOf(type);
  return bits === 128 ? 64 : bits;
}

const everywhere = (plan: StoreAsync): Plan => ({ ...plan, multimem: true });
/** A snippet has no multimem address: tests/unit/host/tensor-map.test.ts works these through. */
const never = (line: string) => ({
  snippet: `.reg .b64 g; .reg .b32 d; .reg .pred p; setp.ne.u32 p, 0, 0; @p ${line} mov.b32 d, 7;`,
  gives: { d: 7 },
});

/** Of two blocks in a cluster, the second writes to the first. */
const remote = (ask: string, fill: number) =>
  `.shared .align 8 .b64 m; .shared .b32 s; .reg .b32 d, x, y, c; .reg .pred p, q; mov.u32 c, %cluster_ctarank; setp.ne.u32 q, c, 0; st.shared.b32 [s], ${fill}; mbarrier.init.shared.b64 [m], 1; mbarrier.arrive.expect_tx.shared.b64 _, [m], 4; barrier.cluster.arrive; barrier.cluster.wait; mov.u32 x, s; mov.u32 y, m; mapa.shared::cluster.u32 x, x, 0; mapa.shared::cluster.u32 y, y, 0; @q ${ask} @q bra E; L: mbarrier.try_wait.parity.shared.b64 p, [m], 0; @!p bra L; E: ld.shared.b32 d, [s]; barrier.cluster.arrive; barrier.cluster.wait;`;

const remote128 =
  ".shared .align 8 .b64 m; .shared .align 16 .b64 s[2]; .reg .b32 x, y, c; .reg .b64 d, e; .reg .b128 w; .reg .pred p, q; mov.u32 c, %cluster_ctarank; setp.ne.u32 q, c, 0; mbarrier.init.shared.b64 [m], 1; mbarrier.arrive.expect_tx.shared.b64 _, [m], 16; barrier.cluster.arrive; barrier.cluster.wait; mov.u32 x, s; mov.u32 y, m; mapa.shared::cluster.u32 x, x, 0; mapa.shared::cluster.u32 y, y, 0; mov.b64 d, 7; mov.b64 e, 9; mov.b128 w, {d, e}; @q st.async.shared::cluster.mbarrier::complete_tx::bytes.b128 [x], w, [y]; @q bra E; L: mbarrier.try_wait.parity.shared.b64 p, [m], 0; @!p bra L; ld.shared.v2.b64 {d, e}, [s]; E: barrier.cluster.arrive; barrier.cluster.wait;";

export const asyncMemory: Section = section(
  { of: "data-movement", name: "async-memory", title: "Asynchronous Stores and Reductions" },
  [
    form("st.async{.weak}{.ss}.completion{.vec}.type [d], b, [mbar]", {
      where: {
        ss: ["shared::cluster", "shared", "shared::cta"],
        completion,
        vec: ["v2", "v4"],
        type: [...types, "b128"],
      },
      operands: (mods) => ({ d: place(mods.ss), b: value(mods), mbar: place(mods.ss) }),
      since: ({ type }) => ({ ptx: type === "b128" ? 92 : 81, sm: 90 }),
      conflict: vectorConflict,
      run: ({ ss, type }) => stored(ss, type),
      check: [
        {
          snippet: remote("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [x], 7, [y];", 1),
          gives: { d: 7 },
          cluster: 2,
        },
        { snippet: remote128, gives: { d: 7n, e: 9n }, cluster: 2 },
      ],
    }),
    form("st.async{.mmio}.release.scope{.ss}.type [d], b", {
      where: { scope, ss: global, type: [...small, ...types] },
      operands: (mods) => ({ d: place(mods.ss), b: value(mods) }),
      since: strong,
      run: ({ ss, type, scope }) => stored(ss, type, scope),
      check: [
        {
          snippet:
            ".reg .b64 g; .reg .b32 d; .reg .pred p; st.async.release.gpu.global.b32 [g], 5; L: ld.acquire.gpu.global.b32 d, [g]; setp.ne.u32 p, d, 5; @p bra L;",
          buffers: { g: [1] },
          gives: { d: 5 },
        },
      ],
    }),
    form("red.async.relaxed.cluster{.ss}.completion.op.type [d], b, [mbar]", {
      where: { ss: cluster, completion, op: ops, type: numbers },
      operands: ({ ss, type }) => ({ d: place(ss), b: value({ type }), mbar: place(ss) }),
      since: { ptx: 81, sm: 90 },
      conflict: typeConflict,
      run: ({ ss, op, type }) => updated(ss, op, type),
      check: [
        {
          snippet: remote(
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [x], 7, [y];",
            1,
          ),
          gives: { d: 8 },
          cluster: 2,
        },
      ],
    }),
    form("red.async{.mmio}.release.scope{.ss}.op.type [d], b", {
      where: { scope, ss: global, op: ops, type: numbers },
      operands: ({ ss, type }) => ({ d: place(ss), b: value({ type }) }),
      since: bringing(strong),
      conflict: typeConflict,
      run: ({ ss, op, type, scope }) => updated(ss, op, type, scope),
      check: [
        {
          snippet:
            ".reg .b64 g; .reg .b32 d; .reg .pred p; red.async.release.gpu.global.add.u32 [g], 5; L: ld.acquire.gpu.global.b32 d, [g]; setp.ne.u32 p, d, 6; @p bra L;",
          buffers: { g: [1] },
          gives: { d: 6 },
        },
      ],
    }),
    form("multimem.st.async.release.scope{.ss}.type [d], b", {
      where: { scope, ss: global, type: [...small, ...types] },
      operands: (mods) => ({ d: place(mods.ss), b: value(mods) }),
      since: { ptx: 93, sm: 100 },
      run: ({ ss, type, scope }) => everywhere(stored(ss, type, scope)),
      check: [never("multimem.st.async.release.gpu.global.b32 [g], 5;")],
    }),
    form("multimem.red.async.release.scope{.ss}.op.type [d], b", {
      where: { scope, ss: global, op: ["add"], type: ["u32", "s32", "u64"] },
      operands: ({ ss, type }) => ({ d: place(ss), b: value({ type }) }),
      since: { ptx: 93, sm: 100 },
      run: ({ ss, op, type, scope }) => everywhere(updated(ss, op, type, scope)),
      check: [never("multimem.red.async.release.gpu.global.add.u32 [g], 5;")],
    }),
  ],
  { "": "st.async multimem.st.async", synchronization: "red.async multimem.red.async" },
);
