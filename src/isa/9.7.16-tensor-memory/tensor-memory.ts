import { form, type Section, section } from "../form/define.ts";
import { bringing, open } from "../form/open.ts";

const group = ["cta_group::1", "cta_group::2"] as const;
const shape = ["16x64b", "16x128b", "16x256b", "32x32b"] as const;
const num = ["x1", "x2", "x4", "x8", "x16", "x32", "x64", "x128"] as const;
const since = { ptx: 86, sm: 100, only: "f" } as const;
const reducing = { ptx: 88, sm: 103, only: "f" } as const;
const kind = [
  "kind::f16",
  "kind::tf32",
  "kind::f8f6f4",
  "kind::i8",
  "kind::mxf8f6f4",
  "kind::mxf4",
  "kind::mxf4nvf4",
] as const;
const scale = ["scale_vec::1X", "scale_vec::2X", "scale_vec::4X", "block16", "block32"] as const;

/** 9.7.16: the fifth generation's tensor memory. */
export const tensorMemory: Section = section("9.7.16", "TensorCore 5th Generation Family", "tcgen05-instructions", [
  form("tcgen05.alloc.group.sync.aligned{.ss}.b32 [d], n", {
    where: { group, ss: ["shared::cta"] },
    operands: { d: open, n: open },
    since,
  }),
  form("tcgen05.dealloc.group.sync.aligned.b32 t, n", { where: { group }, operands: { t: open, n: open }, since }),
  form("tcgen05.relinquish_alloc_permit.group.sync.aligned", { where: { group }, operands: {}, since }),
  form("tcgen05.commit.group.arrive{.ss}{.multicast}.b64 [mbar]{, mask}", {
    where: { group, arrive: ["mbarrier::arrive::one"], ss: ["shared::cluster"], multicast: ["multicast::cluster"] },
    operands: { mbar: open, mask: open },
    since,
  }),
  form("tcgen05.shift.group.down [t]", { where: { group }, operands: { t: open }, since }),
  form("tcgen05.cp.group.shape{.multicast}{.dst}{.src} [t], s", {
    where: {
      group,
      shape: ["128x256b", "4x256b", "128x128b", "64x128b", "32x128b"],
      multicast: ["warpx2::02_13", "warpx2::01_23", "warpx4"],
      dst: ["b8x16"],
      src: ["b4x16_p64", "b6x16_p32"],
    },
    operands: { t: open, s: open },
    since,
  }),
  form("tcgen05.ld.sync.aligned.shape.num{.pack}.b32 d, [t]", {
    where: { shape, num, pack: ["pack::16b"] },
    operands: { d: open, t: open },
    since,
  }),
  form("tcgen05.ld.sync.aligned.16x32bx2.num{.pack}.b32 d, [t], half", {
    where: { num, pack: ["pack::16b"] },
    operands: { d: open, t: open, half: open },
    since,
  }),
  form("tcgen05.ld.red.sync.aligned.shape.num.redOp{.abs}{.NaN}.type d, x, [t]", {
    where: { shape: ["32x32b"], num, redOp: ["min", "max"], type: ["u32", "s32", "f32"] },
    operands: { d: open, x: open, t: open },
    since: reducing,
  }),
  form("tcgen05.ld.red.sync.aligned.16x32bx2.num.redOp{.abs}{.NaN}.type d, x, [t], half", {
    where: { num, redOp: ["min", "max"], type: ["u32", "s32", "f32"] },
    operands: { d: open, x: open, t: open, half: open },
    since: reducing,
  }),
  form("tcgen05.st.sync.aligned.shape.num{.unpack}.b32 [t], b", {
    where: { shape, num, unpack: ["unpack::16b"] },
    operands: { t: open, b: open },
    since,
  }),
  form("tcgen05.st.sync.aligned.16x32bx2.num{.unpack}.b32 [t], half, b", {
    where: { num, unpack: ["unpack::16b"] },
    operands: { t: open, half: open, b: open },
    since,
  }),
  form("tcgen05.wait.sync.aligned", { where: { wait: ["wait::ld", "wait::st"] }, operands: {}, since }),
  form("tcgen05.fence", {
    where: { fence: ["fence::before_thread_sync", "fence::after_thread_sync"] },
    operands: {},
    since,
  }),
  form(
    "tcgen05.mma{.sp}{.ws}.group.kind{.block_scale}{.scale}{.ashift}{.collector} [d], a, b{, e}{, f}{, g}{, h}{, i}{, j}",
    {
      where: {
        group,
        kind,
        scale,
        collector: ["collector::a::fill", "collector::a::use", "collector::a::lastuse", "collector::a::discard"],
      },
      operands: { d: open, a: open, b: open, e: open, f: open, g: open, h: open, i: open, j: open },
      since: bringing(since),
    },
  ),
]);
