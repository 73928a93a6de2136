import type { OperandClass } from "../../../../src/isa/form/operands.ts";
import type { ModifierValues } from "../../../../src/isa/index.ts";
import { written } from "../instruction.ts";
import { classesOf, type Spelling } from "../spelling.ts";
import { type Copied, tensorMaps } from "../tensor-maps.ts";
import { elected, type Protocol, type ProtocolPlace, waited } from "./protocol.ts";

/** Copies that one thread begins, and that complete in their group or at an mbarrier object. */
function lines(spelling: Spelling, place: ProtocolPlace): readonly string[] | undefined {
  const { random, pointers, together, target, label } = place;
  const { form, name, mods } = spelling;
  if (!together && random.chance(80)) return undefined;
  const classes = classesOf(spelling);
  const [object, t] = [pointers.use("mb"), pointers.use("t")];
  const map = classes.t?.kind === "address" ? random.any(mapsFor(mods)) : undefined;
  if (classes.t !== undefined && map === undefined) return undefined;
  const bytes = map === undefined ? random.any([16, 16, 32, 64, 128, 256, 0]) : map.bytes;
  const before: string[] = [];
  const place16 = (): number => 16 * random.below(16);
  const address = (wanted: OperandClass | undefined): string | undefined =>
    wanted?.kind !== "address" ? undefined
      : wanted.space === "shared" ? `[${random.any(["S", "T"])}+${map === undefined ? place16() : 128 * random.below(8)}]`
        : `[A+${place16()}]`; // biome-ignore format: one thought
  const isShared = (wanted: OperandClass | undefined): boolean =>
    wanted?.kind === "address" && wanted.space === "shared";
  const constant = (wanted: OperandClass | undefined, value: number): string | undefined => {
    if (wanted?.kind !== "register") return undefined;
    if (wanted.immediate !== undefined) return `${value}`;
    const register = wanted.bits === 16 ? "%mk" : wanted.bits === 64 ? "%a64" : "%a32";
    before.push(`mov.b${wanted.bits} ${register}, ${value};`);
    return register;
  };
  const atBarrier = classes.mbar !== undefined;
  const hinted = classes.policy?.kind === "register";
  const operands = {
    a: address(classes.a),
    d: address(classes.d),
    mbar: `[${object}]`,
    n: classes.n && `${bytes}`,
    size: classes.size && `${bytes}`,
    left: classes.left && `${random.below(4)}`,
    right: classes.right && `${random.below(4)}`,
    mask: constant(classes.mask, place.paired && random.chance(50) ? 3 : 1),
    bytes: constant(classes.bytes, random.below(65536)),
    ...(hinted && { policy: "%db" }),
    ...(map !== undefined && { t: placeInTensor(spelling, map, place, before) }),
  };
  if (hinted) before.push("createpolicy.fractional.L2::evict_last.b64 %db, 1.0;");
  const multimem = form.mnemonic === "multimem";
  if (multimem) before.push(`setp.ne.u32 %lw, ${random.chance(90) ? 0 : 1}, 0;`);
  const middle = written(
    spelling,
    { random, pointers, together, target },
    { operands, guard: random.chance(97) || multimem ? "@%lw " : "" },
  );
  if (middle === undefined) return undefined;
  const again = label();
  const write = (): string =>
    isShared(classes.d) || classes.d === undefined
      ? `st.shared.b32 [S+${4 * random.below(64)}], %r${random.below(8)};`
      : `st.shared.b32 [${pointers.use("s4")}], %r${random.below(8)};`;
  const read = isShared(classes.d)
    ? `ld.shared.b32 %r${random.below(8)}, [S+${4 * random.below(64)}];`
    : `ld.global.b32 %r${random.below(8)}, [A+${4 * random.below(64)}];`;
  if (!/bulk|reduce/.test(form.syntax)) return [...before, ...middle];
  return [
    elected(t),
    ...(atBarrier ? [`@%lw mbarrier.init.shared.b64 [${object}], 1;`] : []),
    ...(random.chance(50) ? [write()] : []),
    "fence.proxy.async.shared::cta;",
    "bar.sync 0;",
    ...before,
    ...(multimem ? [] : [elected(t)]),
    ...(atBarrier ? [`@%lw mbarrier.arrive.expect_tx.shared.b64 _, [${object}], ${bytes};`] : []),
    ...middle,
    ...(atBarrier && !multimem
      ? waited(object, again)
      : /commit_group|wait_group/.test(name) ? []
        : ["cp.async.bulk.commit_group;", `cp.async.bulk.wait_group${random.chance(40) ? ".read" : ""} ${random.chance(95) ? 0 : 1};`]), // biome-ignore format: one thought
    ...(random.chance(80) ? ["bar.sync 0;", read] : []),
    ...(atBarrier ? ["bar.sync 0;", elected(t), `@%lw mbarrier.inval.shared.b64 [${object}];`] : []),
  ];
}

/** Tensor maps that an instruction of these words may have. */
function mapsFor(mods: ModifierValues): readonly Copied[] {
  const { dim, mode = "tile" } = mods as Readonly<Partial<Record<"dim" | "mode", string>>>;
  return tensorMaps.filter((each) => each.dim === dim && each.modes.includes(mode));
}

/** `[map, {coordinates}]`, with what overrides parts of the map between. */
function placeInTensor(spelling: Spelling, map: Copied, { random, pointers }: ProtocolPlace, before: string[]): string {
  const wanted = classesOf(spelling).t!;
  if (wanted.kind !== "address" || wanted.coordinates === undefined) throw new Error("a tensor has coordinates");
  const small = (): string =>
    random.chance(85) ? `${random.below(4) - (random.chance(15) ? 2 : 0)}` : `%r${random.below(8)}`;
  const coordinates = `{${Array.from({ length: wanted.coordinates.count }, small).join(", ")}}`;
  const overrides = (wanted.overrides ?? []).map((each) => {
    if (each.kind === "register") return each.bits === 64 ? pointers.use("gU") : each.bits === 16 ? "%h0" : "%r0";
    const of = each.of.bits === 16 ? () => `%h${random.below(3)}` : () => `%r${random.below(8)}`;
    return `{${Array.from({ length: each.count }, of).join(", ")}}`;
  });
  before.push(`add.u64 %at, ${pointers.use("maps")}, ${128 * tensorMaps.indexOf(map)};`);
  return `[${["%at", ...overrides, coordinates].join(", ")}]`;
}

export const bulk: Protocol = {
  draws: ({ mnemonic, syntax, executable }) =>
    executable && (mnemonic === "multimem" || /bulk|cp\.reduce/.test(syntax)),
  fits: (mods) => !("dim" in mods) || mapsFor(mods).length > 0,
  lines,
  pairs: 12,
};

/** Fields of tensor maps are replaced, and whole maps copied. */
export const tensorMapChanges: Protocol = {
  draws: ({ mnemonic }) => mnemonic === "tensormap",
  lines: (spelling, { random, pointers, together, target }) => {
    const { form } = spelling;
    const classes = classesOf(spelling);
    if (form.syntax.includes("cp_fenceproxy")) {
      if (!together && random.chance(90)) return undefined;
      const operands = {
        d: `[${pointers.use("maps")}+${128 * random.below(tensorMaps.length)}]`,
        a: `[T+${128 * random.below(4)}]`,
      };
      return written(spelling, { random, pointers, together, target }, { operands, guard: "" });
    }
    const isShared = classes.a?.kind === "address" && classes.a.space === "shared";
    const at = `${128 * random.below(tensorMaps.length)}`;
    const ready = isShared
      ? ["mov.u32 %a32, T;", ...Array.from({ length: 8 }, (_, part) => [
          `ld.global.v2.b64 {%q0, %q1}, [${pointers.use("maps")}+${Number(at) + 16 * part}];`,
          `st.shared.v2.b64 [%a32+${16 * part}], {%q0, %q1};`,
        ]).flat()]
      : [`add.u64 %at, ${pointers.use("maps")}, ${at};`]; // biome-ignore format: one thought
    const operands = {
      a: isShared ? "[%a32]" : "[%at]",
      ...(classes.v?.kind === "register" && random.chance(80) && { v: `${16 * random.below(5)}` }),
    };
    const lines = written(spelling, { random, pointers, together, target }, { operands });
    return lines && [...ready, ...lines];
  },
};
