import {
  instructionFields,
  readInstructionDescriptor,
} from "../../../../src/interp/contract/matrix/instruction-descriptor.ts";
import { shapesOf } from "../../../../src/interp/contract/matrix/tensor-shapes.ts";
import type { TensorKind } from "../../../../src/interp/contract/plan/plan-tensor-memory.ts";
import { type Form, table } from "../../../../src/isa/index.ts";
import { spell, written } from "../instruction.ts";
import type { Random } from "../random.ts";
import { classesOf, type Spelling } from "../spelling.ts";
import { type Protocol, type ProtocolPlace, waited } from "./protocol.ts";
import { matrixAt, metadata } from "./warpgroup.ts";

const all: readonly Form[] = table
  .flatMap(({ forms }) => forms)
  .filter(({ mnemonic, executable }) => mnemonic === "tcgen05" && executable);
const isAsked = ({ syntax }: Form): boolean => /^tcgen05\.(mma|cp|shift)/.test(syntax);
const isAccess = ({ syntax }: Form): boolean => /^tcgen05\.(ld|st)\./.test(syntax);
const multiplications = all.filter(({ syntax }) => syntax.startsWith("tcgen05.mma"));
const accesses = all.filter(isAccess);

/** Columns of D, of an A in tensor memory, of metadata and of scale factors, in an allocation of 128. */
const columns = { d: 0, a: 64, meta: 80, sa: 96, sb: 112 } as const;
const COLUMNS = 128;

/** How many registers an access has. */
const count = (name: string): number => Number(/\.x(\d+)/.exec(name)?.[1] ?? 1);
const isSmall = (name: string): boolean => count(name) <= 8;
const fits = (name: string, paired: boolean): boolean => !name.includes(`cta_group::${paired ? 1 : 2}`);

/** A warp allocates, all warps fill and read, one thread asks for what completes at an mbarrier object. */
function lines(spelling: Spelling, place: ProtocolPlace): readonly string[] | undefined {
  const { random, pointers, together, target, label, paired } = place;
  if (!together && random.chance(95)) return undefined;
  const { form, name } = spelling;
  const any = (forms: readonly Form[]): Spelling | undefined =>
    spell(random, random.any(forms), target, (_, each) => isSmall(each) && fits(each, paired));
  const asked = isAsked(form) ? spelling : isAccess(form) && random.chance(50) ? undefined : any(multiplications);
  const access = isAccess(form) ? spelling : any(accesses);
  const body = [
    ...(asked === undefined ? [] : (committed(asked, spelling, place) ?? [])),
    ...(access === undefined ? [] : (moved(access, place) ?? [])),
  ];
  const group = paired ? "cta_group::2" : "cta_group::1";
  const word = (what: string, otherwise: string): string => (name.startsWith(`tcgen05.${what}`) ? name : otherwise);
  const [others, end] = [label(), label()];
  const slot = "W";
  const fill = Array.from(
    { length: COLUMNS / 8 },
    (_, at) =>
      `tcgen05.st.sync.aligned.32x32b.x8.b32 [%tl+${8 * at}], {%r${random.below(8)}, %r1, %r2, %r3, %r4, %r5, %r6, %r${random.below(8)}};`,
  );
  const legal = random.chance(70)
    ? [
        `mov.b32 %a32, ${metadata(random, 16)};`,
        ...[0, 1, 2, 3].map((at) => `tcgen05.st.sync.aligned.32x32b.x1.b32 [%tl+${columns.meta + at}], {%a32};`),
      ]
    : [];
  const meet = [
    word("fence", "tcgen05.fence::before_thread_sync") + ";",
    ...(paired ? ["barrier.cluster.arrive.aligned;", "barrier.cluster.wait.aligned;"] : ["bar.sync 0;"]),
    "tcgen05.fence::after_thread_sync;",
  ];
  const t = pointers.use("t");
  const tile = pointers.use("tile");
  const exclusive = name.includes("alloc.exclusive") ? ".exclusive" : "";
  const size = exclusive === "" ? COLUMNS : 576;
  const giveUp = random.chance(3) || name.includes("relinquish");
  return [
    `setp.ge.u32 %tw, ${t}, 32;`,
    `setp.eq.u32 %te, ${t}, 0;`,
    `@%te mbarrier.init.shared::cta.b64 [${pointers.use("mb")}], 1;`,
    `@%tw bra ${others};`,
    `${word("alloc", `tcgen05.alloc${exclusive}.${group}.sync.aligned.shared::cta.b32`)} [${slot}], ${size};`,
    ...(giveUp ? [`tcgen05.relinquish_alloc_permit.${group}.sync.aligned;`] : []),
    `${others}:`,
    "fence.proxy.async.shared::cta;",
    ...meet,
    `ld.shared.b32 %tm, [${slot}];`,
    `and.b32 %tl, ${t}, 0x60;`,
    "shl.b32 %tl, %tl, 16;",
    "add.u32 %tl, %tl, %tm;",
    ...fill,
    ...legal,
    `${name.includes("wait::st") ? name : "tcgen05.wait::st.sync.aligned"};`,
    ...meet,
    `shr.u32 %a32, ${tile}, 4;`,
    "cvt.u64.u32 %at, %a32;",
    ...(paired ? ["mov.u32 %a32, %cluster_ctarank;", "setp.eq.and.u32 %te, %a32, 0, %te;"] : []),
    ...body,
    ...meet,
    `@%tw bra ${end};`,
    `${word("dealloc", `tcgen05.dealloc${exclusive}.${group}.sync.aligned.b32`)} %tm, ${size};`,
    `${end}:`,
    `setp.eq.u32 %te, ${t}, 0;`,
    `@%te mbarrier.inval.shared::cta.b64 [${pointers.use("mb")}];`,
  ];
}

/** One thread asks; all wait for the commit behind it. */
function committed(asked: Spelling, wanted: Spelling, place: ProtocolPlace): readonly string[] | undefined {
  const { random, pointers, target, together, label, paired } = place;
  const around = { random, pointers, together, target };
  const mask = "%mk";
  const kind = /kind::(\w+)/.exec(asked.name)?.[1] as TensorKind | undefined;
  const descriptors: string[] = [];
  if (kind !== undefined || asked.name.includes("tcgen05.cp"))
    descriptors.push(
      `add.u64 %da, %at, ${tensor(matrixAt(random, false, 8, 128, 32))};`,
      `add.u64 %db, %at, ${tensor(matrixAt(random, false, 8, 32, 32))};`,
    );
  const isCommit = wanted.form.syntax.startsWith("tcgen05.commit");
  const inTensorMemory = asked.name.includes("ashift") || random.chance(35);
  const operands = {
    d: "[%tm]",
    t: `[%tm${random.chance(60) ? "" : `+${4 * random.below(16)}`}]`,
    a: inTensorMemory ? `[%tm+${columns.a}]` : "%da",
    b: "%db",
    s: "%da",
    meta: `[%tm+${columns.meta}]`,
    sa: `[%tm+${columns.sa}]`,
    sb: `[%tm+${columns.sb}]`,
    zeros: random.chance(70) ? "0x8100000000" : "0",
    ...(kind !== undefined && { idesc: instruction(random, kind, asked) }),
  };
  const trips = random.any([1, 1, 2]);
  const once = Array.from({ length: trips }, () => written(asked, around, { operands, guard: "@%te " }));
  if (once.includes(undefined)) return undefined;
  const group = paired ? "cta_group::2" : "cta_group::1";
  const commit = isCommit ? wanted : undefined;
  const multicast = commit === undefined ? paired : commit.name.includes("multicast");
  const name =
    commit?.name ??
    `tcgen05.commit.${group}.mbarrier::arrive::one.shared::cluster${paired ? ".multicast::cluster" : ""}.b64`;
  const cast32 = commit && classesOf(commit).mask;
  const register = cast32?.kind === "register" && cast32.bits === 32 ? "%a32" : mask;
  return [
    ...descriptors,
    ...once.flatMap((each) => each!),
    ...(multicast ? [`mov.b${register === mask ? 16 : 32} ${register}, ${paired ? 3 : 1};`] : []),
    `@%te ${name} [${pointers.use("mb")}]${multicast ? `, ${register}` : ""};`,
    ...waited(pointers.use("mb"), label()),
    "tcgen05.fence::after_thread_sync;",
    "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%tb0, %tb1, %tb2, %tb3}, [%tl];",
    "tcgen05.wait::ld.sync.aligned;",
    `mov.b32 %r${random.below(8)}, %tb${random.below(4)};`,
    `mov.b32 %r${random.below(8)}, %tb${random.below(4)};`,
  ];
}

/** Descriptors of these instructions have a version. */
const tensor = (text: string): string => `0x${(BigInt(text) | (1n << 46n)).toString(16)}`;

/** A load or a store of columns, and the wait for it. */
function moved(
  spelling: Spelling,
  { random, pointers, together, target }: ProtocolPlace,
): readonly string[] | undefined {
  const classes = classesOf(spelling);
  let taken = 0;
  const registers = (name: "m" | "d" | "x"): string | undefined => {
    const wanted = classes[name];
    if (wanted?.kind === "register") return `%tb${taken++}`;
    if (wanted?.kind !== "vector") return undefined;
    const items = Array.from({ length: wanted.count }, () => `%tb${taken++}`);
    return `{${items.join(", ")}}`;
  };
  const isLoad = spelling.name.includes(".ld.");
  const operands = {
    t: `[%tl${random.chance(60) ? "" : `+${random.below(8)}`}]`,
    half: `${random.any([0, 1, 2, 8, 16])}`,
    ...(isLoad && { m: registers("m"), d: registers("d"), x: registers("x") }),
  };
  const lines = written(spelling, { random, pointers, together, target }, { operands, guard: "" });
  if (lines === undefined) return undefined;
  const wait = `tcgen05.wait::${isLoad ? "ld" : "st"}.sync.aligned;`;
  const take = isLoad
    ? Array.from({ length: 3 }, () => `mov.b32 %r${random.below(8)}, %tb${random.below(taken)};`)
    : [];
  return [...lines, ...(random.chance(98) ? [wait] : []), ...take];
}

/** The fields of an instruction descriptor, most of them legal. */
function instruction(random: Random, kind: TensorKind, { name, form }: Spelling): string {
  const sparse = form.syntax.includes(".sp.");
  const modifiers = {
    kind,
    ws: form.syntax.includes(".ws"),
    group: name.includes("cta_group::2") ? 2 : 1,
    sparse,
  } as const;
  const scaled = kind.startsWith("mx");
  const type = random.below(2);
  const draw = (m: number, n: number): number => {
    let bits = 0;
    for (const { name: field, from, bits: width, only } of instructionFields[kind]) {
      const most = 2 ** width;
      const chosen =
        field === "sparsity" ? Number(sparse)
          : field === "M" ? m / (scaled ? 128 : 16)
            : field === "N" ? n / 8
              // Products of bf16 are added as f32.
              : kind === "f16" && (field === "atype" || field === "btype" || (field === "dtype" && type === 1)) ? type
              : only !== undefined ? random.any(only)
                : random.chance(field.startsWith("negate") ? 50 : field.startsWith("transpose") ? 75 : 92) ? 0
                  : random.below(most); // biome-ignore format: one thought
      bits = (bits | ((chosen % most) << from)) >>> 0;
    }
    return bits;
  };
  const asked = readInstructionDescriptor(draw(128, 16), kind);
  if (typeof asked === "string") return `0x${draw(128, 16).toString(16)}`;
  const { m, n } = shapesOf(modifiers, asked);
  if (m.length === 0 || n.length === 0) return "0";
  const small = n.filter((each) => each <= 32);
  // Shifted rows are those of a D of all lanes.
  const rows = name.includes("ashift") ? m.filter((each) => each >= 128) : m;
  return `0x${draw(random.any(rows), random.any(small.length > 0 ? small : n.slice(0, 1))).toString(16)}`;
}

export const tensorMemory: Protocol = {
  draws: ({ mnemonic, executable }) => mnemonic === "tcgen05" && executable,
  fits: (_, name, { random, paired }) => fits(name, paired) && (isSmall(name) || random.chance(4)),
  lines,
  threads: [128, 128, 64, 32],
  pairs: 12,
};
