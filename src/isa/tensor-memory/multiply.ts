import { registerOf } from "../form/classes.ts";
import { form } from "../form/define.ts";
import type { VectorClass } from "../form/operands.ts";
import {
  committed,
  eighteen,
  firstTwo,
  four,
  halves,
  ones,
  quarters,
  sixteen,
  sixtyFour,
  stored,
  twos,
} from "./examples.ts";
import {
  b, collectorA, collectorB, collectorOfB, collects, d, factsOf, idesc, maskLength, matrixA, multiply, p, plainKinds, scaleD, scaledKinds,
  scales, scaleWords, sinceKind, zeros,
} from "./multiply-words.ts"; // biome-ignore format: one thought
import { group, plainAddress, rubin, since } from "./words.ts";

const address = plainAddress;
const mask = (mods: { readonly group: (typeof group)[number] }): VectorClass => ({
  kind: "vector",
  count: maskLength(mods.group),
  of: registerOf("b32"),
});

/** scale-input-d is for two kinds, on sm_100 and its family. */
const scalable = ["kind::f16", "kind::tf32"] as const;
const scaledSince = { ...since, families: [100, 103, 107] } as const;

/** Multiply and accumulate. */
export const multiplications = [
  form("tcgen05.mma.group.kind{.ashift}{.collector}{.collectorB} [d], a, b, idesc, p", {
    where: { group, kind: plainKinds, collector: collectorA, collectorB: collectorOfB },
    operands: ({ ashift }) => ({ d, a: matrixA(ashift), b, idesc, p }),
    since: (mods) => sinceKind(mods.kind, false, mods),
    conflict: collects,
    run: (mods) => multiply(mods, ["d", "a", "b", "idesc", "p"]),
    facts: factsOf.dense,
    check: [
      {
        snippet: committed(halves, "", "tcgen05.mma.cta_group::1.kind::f16 [t], s, s, 0x08020010, 0;"),
        gives: { d: sixteen },
      },
      {
        target: "sm_107f",
        snippet: committed(
          halves,
          "",
          "tcgen05.mma.cta_group::1.kind::f16.collector::a::fill.collector::b::fill [t], s, s, 0x08020010, 0;",
        ),
        gives: { d: sixteen },
      },
      {
        // Eight products of -2 and -2, and eight of 3 and 3.
        target: "sm_107f",
        snippet: committed(
          0x0003_8002,
          "",
          "tcgen05.mma.cta_group::1.kind::ti16.collector::b::discard [t], s, s, 0x08040da0, 0;",
        ),
        gives: { d: 104 },
      },
    ],
  }),
  form("tcgen05.mma.group.kind{.ashift}{.collector}{.collectorB} [d], a, b, idesc, mask, p", {
    where: { group, kind: plainKinds, collector: collectorA, collectorB: collectorOfB },
    operands: (mods) => ({ d, a: matrixA(mods.ashift), b, idesc, mask: mask(mods), p }),
    since: (mods) => sinceKind(mods.kind, false, mods),
    conflict: collects,
    run: (mods) => multiply(mods, ["d", "a", "b", "idesc", "mask", "p"]),
    facts: factsOf.dense,
    check: [
      {
        snippet: committed(
          halves,
          "mov.b32 m0, 1; mov.b32 m1, 0; tcgen05.st.sync.aligned.32x32b.x1.b32 [t], {m0};",
          "tcgen05.mma.cta_group::1.kind::f16 [t], s, s, 0x08020010, {m0, m1, m1, m1}, 0;",
        ),
        gives: { d: 1 },
      },
    ],
  }),
  form("tcgen05.mma.group.kind{.ashift}{.collector}{.collectorB} [d], a, b, idesc, p, scale", {
    where: { group, kind: scalable, collector: collectorA, collectorB: collectorOfB },
    operands: ({ ashift }) => ({ d, a: matrixA(ashift), b, idesc, p, scale: scaleD }),
    since: ({ collectorB }) => (collectorB === undefined ? scaledSince : rubin),
    conflict: collects,
    run: (mods) => multiply(mods, ["d", "a", "b", "idesc", "p", "scale"]),
    facts: factsOf.dense,
    check: [
      {
        snippet: committed(halves, stored(0, four), "tcgen05.mma.cta_group::1.kind::f16 [t], s, s, 0x08020010, 1, 1;"),
        gives: { d: eighteen },
      },
    ],
  }),
  form("tcgen05.mma.group.kind{.ashift}{.collector}{.collectorB} [d], a, b, idesc, mask, p, scale", {
    where: { group, kind: scalable, collector: collectorA, collectorB: collectorOfB },
    operands: (mods) => ({ d, a: matrixA(mods.ashift), b, idesc, mask: mask(mods), p, scale: scaleD }),
    since: ({ collectorB }) => (collectorB === undefined ? scaledSince : rubin),
    conflict: collects,
    run: (mods) => multiply(mods, ["d", "a", "b", "idesc", "mask", "p", "scale"]),
    facts: factsOf.dense,
    check: [
      {
        snippet: committed(
          halves,
          `mov.b32 m1, 0; ${stored(0, four)}`,
          "tcgen05.mma.cta_group::1.kind::f16 [t], s, s, 0x08020010, {m1, m1, m1, m1}, 1, 1;",
        ),
        gives: { d: eighteen },
      },
    ],
  }),
  form("tcgen05.mma.sp.group.kind{.ashift}{.collector}{.collectorB} [d], a, b, [meta], idesc, p", {
    where: { group, kind: plainKinds, collector: collectorA, collectorB: collectorOfB },
    operands: ({ ashift }) => ({ d, a: matrixA(ashift), b, meta: address, idesc, p }),
    since: (mods) => sinceKind(mods.kind, true, mods),
    conflict: collects,
    run: (mods) => multiply(mods, ["d", "a", "b", "meta", "idesc", "p"]),
    facts: factsOf.sparse,
    check: [
      {
        snippet: committed(
          halves,
          stored(8, firstTwo),
          "tcgen05.mma.sp.cta_group::1.kind::f16 [t], s, s, [t+8], 0x08020014, 0;",
        ),
        gives: { d: sixteen },
      },
    ],
  }),
  form("tcgen05.mma.sp.group.kind{.ashift}{.collector}{.collectorB} [d], a, b, [meta], idesc, mask, p", {
    where: { group, kind: plainKinds, collector: collectorA, collectorB: collectorOfB },
    operands: (mods) => ({ d, a: matrixA(mods.ashift), b, meta: address, idesc, mask: mask(mods), p }),
    since: (mods) => sinceKind(mods.kind, true, mods),
    conflict: collects,
    run: (mods) => multiply(mods, ["d", "a", "b", "meta", "idesc", "mask", "p"]),
    facts: factsOf.sparse,
    check: [
      {
        snippet: committed(
          halves,
          `mov.b32 m1, 0; ${stored(8, firstTwo)}`,
          "tcgen05.mma.sp.cta_group::1.kind::f16 [t], s, s, [t+8], 0x08020014, {m1, m1, m1, m1}, 0;",
        ),
        gives: { d: sixteen },
      },
    ],
  }),
  form("tcgen05.mma.sp.group.kind{.ashift}{.collector}{.collectorB} [d], a, b, [meta], idesc, p, scale", {
    where: { group, kind: scalable, collector: collectorA, collectorB: collectorOfB },
    operands: ({ ashift }) => ({ d, a: matrixA(ashift), b, meta: address, idesc, p, scale: scaleD }),
    since: ({ collectorB }) => (collectorB === undefined ? scaledSince : rubin),
    conflict: collects,
    run: (mods) => multiply(mods, ["d", "a", "b", "meta", "idesc", "p", "scale"]),
    facts: factsOf.sparse,
    check: [
      {
        snippet: committed(
          halves,
          stored(0, four) + stored(8, firstTwo),
          "tcgen05.mma.sp.cta_group::1.kind::f16 [t], s, s, [t+8], 0x08020014, 1, 1;",
        ),
        gives: { d: eighteen },
      },
    ],
  }),
  form("tcgen05.mma.sp.group.kind{.ashift}{.collector}{.collectorB} [d], a, b, [meta], idesc, mask, p, scale", {
    where: { group, kind: scalable, collector: collectorA, collectorB: collectorOfB },
    operands: (mods) => ({ d, a: matrixA(mods.ashift), b, meta: address, idesc, mask: mask(mods), p, scale: scaleD }),
    since: ({ collectorB }) => (collectorB === undefined ? scaledSince : rubin),
    conflict: collects,
    run: (mods) => multiply(mods, ["d", "a", "b", "meta", "idesc", "mask", "p", "scale"]),
    facts: factsOf.sparse,
    check: [
      {
        snippet: committed(
          halves,
          `mov.b32 m1, 0; ${stored(0, four)} ${stored(8, firstTwo)}`,
          "tcgen05.mma.sp.cta_group::1.kind::f16 [t], s, s, [t+8], 0x08020014, {m1, m1, m1, m1}, 1, 1;",
        ),
        gives: { d: eighteen },
      },
    ],
  }),
  form("tcgen05.mma.group.kind.block_scale{.scale}{.collector}{.collectorB} [d], a, b, idesc, [sa], [sb], p", {
    where: { group, kind: scaledKinds, scale: scaleWords, collector: collectorA, collectorB: collectorOfB },
    operands: { d, a: matrixA(false), b, idesc, sa: address, sb: address, p },
    since: (mods) => sinceKind(mods.kind, false, mods),
    conflict: scales,
    run: (mods) => multiply(mods, ["d", "a", "b", "idesc", "sa", "sb", "p"]),
    facts: factsOf.scaled,
    check: [
      {
        snippet: committed(
          quarters,
          stored(8, ones) + stored(12, twos),
          "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [t], s, s, 0x08820000, [t+8], [t+12], 0;",
        ),
        gives: { d: sixtyFour },
      },
      {
        // 64 products of 0.5 and 0.5, times scales of 1.0 and 2.0 as ue5m3.
        target: "sm_107f",
        snippet: committed(
          0x1111_1111,
          stored(8, 0x7878_7878) + stored(12, 0x8080_8080),
          "tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16 [t], s, s, 0x09020480, [t+8], [t+12], 0;",
        ),
        gives: { d: 0x4200_0000 },
      },
    ],
  }),
  form(
    "tcgen05.mma.sp.group.kind.block_scale{.scale}{.collector}{.collectorB} [d], a, b, [meta], idesc, [sa], [sb], p",
    {
      where: { group, kind: scaledKinds, scale: scaleWords, collector: collectorA, collectorB: collectorOfB },
      operands: { d, a: matrixA(false), b, meta: address, idesc, sa: address, sb: address, p },
      since: (mods) => sinceKind(mods.kind, true, mods),
      conflict: scales,
      run: (mods) => multiply(mods, ["d", "a", "b", "meta", "idesc", "sa", "sb", "p"]),
      facts: [...factsOf.scaled, ...factsOf.sparse],
      check: [
        {
          snippet: committed(
            quarters,
            stored(8, ones) + stored(12, twos) + stored(16, firstTwo) + stored(17, firstTwo),
            "tcgen05.mma.sp.cta_group::1.kind::mxf8f6f4.block_scale [t], s, s, [t+16], 0x08820004, [t+8], [t+12], 0;",
          ),
          gives: { d: sixtyFour },
        },
      ],
    },
  ),
  form("tcgen05.mma.group.kind::f8f6f4.decompress::lut::b{.collector}{.collectorB} [d], a, b, [lut], idesc, p", {
    where: { group, collector: collectorA, collectorB: collectorOfB },
    operands: { d, a: matrixA(false), b, lut: address, idesc, p },
    since: rubin,
    facts: factsOf.lookup,
  }),
  form("tcgen05.mma.group.kind::f8f6f4.decompress::lut::b{.collector}{.collectorB} [d], a, b, [lut], idesc, mask, p", {
    where: { group, collector: collectorA, collectorB: collectorOfB },
    operands: (mods) => ({ d, a: matrixA(false), b, lut: address, idesc, mask: mask(mods), p }),
    since: rubin,
    facts: factsOf.lookup,
  }),
  form(
    "tcgen05.mma.group.kind::mxf8f6f4.block_scale.decompress::lut::b{.scale}{.collector}{.collectorB} [d], a, b, [lut], idesc, [sa], [sb], p",
    {
      where: { group, scale: ["block32"], collector: collectorA, collectorB: collectorOfB },
      operands: { d, a: matrixA(false), b, lut: address, idesc, sa: address, sb: address, p },
      since: rubin,
      facts: factsOf.lookup,
    },
  ),
  form("tcgen05.mma.ws.group.kind{.collector} [d], a, b, idesc, p", {
    where: { group: ["cta_group::1"], kind: plainKinds, collector: collectorB },
    operands: { d, a: matrixA(false), b, idesc, p },
    since: ({ kind }) => sinceKind(kind, false),
    run: (mods) => multiply(mods, ["d", "a", "b", "idesc", "p"], true),
    facts: factsOf.ws,
    check: [
      {
        snippet: committed(halves, "", "tcgen05.mma.ws.cta_group::1.kind::f16 [t], s, s, 0x08100010, 0;", 64),
        gives: { d: sixteen },
      },
    ],
  }),
  form("tcgen05.mma.ws.group.kind{.collector} [d], a, b, idesc, p, zeros", {
    where: { group: ["cta_group::1"], kind: plainKinds, collector: collectorB },
    operands: { d, a: matrixA(false), b, idesc, p, zeros },
    since: ({ kind }) => sinceKind(kind, false),
    run: (mods) => multiply(mods, ["d", "a", "b", "idesc", "p", "zeros"], true),
    facts: factsOf.ws,
    check: [
      {
        snippet: committed(
          halves,
          "",
          "tcgen05.mma.ws.cta_group::1.kind::f16 [t], s, s, 0x08100010, 0, 0x8100000000;",
          64,
        ),
        gives: { d: 0 },
      },
    ],
  }),
  form("tcgen05.mma.ws.sp.group.kind{.collector} [d], a, b, [meta], idesc, p", {
    where: { group: ["cta_group::1"], kind: plainKinds, collector: collectorB },
    operands: { d, a: matrixA(false), b, meta: address, idesc, p },
    since: ({ kind }) => sinceKind(kind, true),
    run: (mods) => multiply(mods, ["d", "a", "b", "meta", "idesc", "p"], true),
    facts: [...factsOf.ws, ...factsOf.sparse],
    check: [
      {
        snippet: committed(
          halves,
          stored(64, firstTwo),
          "tcgen05.mma.ws.sp.cta_group::1.kind::f16 [t], s, s, [t+64], 0x08100014, 0;",
          128,
        ),
        gives: { d: sixteen },
      },
    ],
  }),
  form("tcgen05.mma.ws.sp.group.kind{.collector} [d], a, b, [meta], idesc, p, zeros", {
    where: { group: ["cta_group::1"], kind: plainKinds, collector: collectorB },
    operands: { d, a: matrixA(false), b, meta: address, idesc, p, zeros },
    since: ({ kind }) => sinceKind(kind, true),
    run: (mods) => multiply(mods, ["d", "a", "b", "meta", "idesc", "p", "zeros"], true),
    facts: [...factsOf.ws, ...factsOf.sparse],
    check: [
      {
        snippet: committed(
          halves,
          stored(64, firstTwo),
          "tcgen05.mma.ws.sp.cta_group::1.kind::f16 [t], s, s, [t+64], 0x08100014, 0, 0x8100000000;",
          128,
        ),
        gives: { d: 0 },
      },
    ],
  }),
];
