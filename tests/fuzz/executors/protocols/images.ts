import type { ModifierValues } from "../../../../src/isa/index.ts";
import { handleOf, images, type Kept } from "../images.ts";
import { written } from "../instruction.ts";
import type { Random } from "../random.ts";
import { classesOf, type Spelling } from "../spelling.ts";
import { f32Literal } from "../values.ts";
import type { Protocol, ProtocolPlace } from "./protocol.ts";

/** Images that an instruction of these words may name; of each kind one in twenty is another one, which is a fault. */
function imageFor(kind: Kept["as"], mods: ModifierValues, random: Random): Kept | undefined {
  const { geom } = mods as { readonly geom?: string };
  const fit = images.filter((each) => each.as === kind && (geom === undefined || each.geometry === geom));
  return random.chance(4) || fit.length === 0 ? random.any(images) : random.any(fit);
}

/** A lookup, an access or a question through a handle in a register. */
function lines(spelling: Spelling, place: ProtocolPlace): readonly string[] | undefined {
  const { random, pointers, together, target } = place;
  const { form, name, mods } = spelling;
  const classes = classesOf(spelling);
  const handle = classes.a;
  const kind =
    handle?.kind === "handle" ? random.any(handle.of) : random.any(["texref", "samplerref", "surfref"] as const);
  const image = imageFor(kind, mods, random);
  if (image === undefined) return undefined;
  const before = [`mov.b64 %at, 0x${handleOf(image).toString(16)};`];
  const isSurface = image.as === "surfref";
  const samplers = images.filter(({ as }) => as === "samplerref");
  const separate = classes.b?.kind === "handle" && random.chance(25);
  if (separate) before.push(`mov.b64 %da, 0x${handleOf(random.any(samplers)).toString(16)};`);
  const bracketed = handle?.kind === "handle" && handle.bracketed === true;
  const coordinates = (name: "c" | "dPdx" | "dPdy" | "e"): string | undefined => {
    const wanted = classes[name];
    if (wanted?.kind !== "tuple") return undefined;
    const length = random.any(wanted.lengths);
    const items = Array.from({ length }, (_, at) => {
      const { type } = wanted.of[Math.min(at, wanted.of.length - 1)]!;
      if (type === "f32") return float(random);
      // Along a row of a surface bytes are counted, behind the layer.
      const alongRow = isSurface && at === (image.geometry?.startsWith("a") ? 1 : 0);
      return alongRow && random.chance(85) ? `${random.any([0, 0, 4, 8])}` : whole(random, isSurface ? 3 : 5);
    });
    return `{${items.join(", ")}}`;
  };
  const operands = {
    a: bracketed ? "[%at]" : "%at",
    b: handle !== undefined && classes.b?.kind === "handle" ? (separate ? "%da" : undefined) : undefined,
    c: coordinates("c"),
    lod: classes.lod?.kind !== "register" ? undefined : classes.lod.type === "f32" ? float(random) : whole(random, 3),
    dPdx: coordinates("dPdx"),
    dPdy: coordinates("dPdy"),
    ...(classes.e?.kind === "tuple" && random.chance(30) && { e: coordinates("e") }),
  };
  const lines = written({ form, name, mods }, { random, pointers, together, target }, { operands });
  return lines && [...before, ...lines];
}

/** Near an edge of a small image, or anything. */
function float(random: Random): string {
  if (random.chance(25)) return `%f${random.below(2)}`;
  if (random.chance(15)) return f32Literal(random);
  const value = (random.below(96) - 16) / random.any([1, 2, 8, 16, 64]);
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return `0f${view.getUint32(0).toString(16).padStart(8, "0").toUpperCase()}`;
}

const whole = (random: Random, most: number): string =>
  random.chance(12) ? `%r${random.below(8)}` : `${random.below(most) - (random.chance(8) ? 2 : 0)}`;

export const lookups: Protocol = {
  draws: ({ mnemonic }) => ["tex", "tld4", "txq", "suq", "suld", "sust", "sured", "istypep"].includes(mnemonic),
  fits: (mods, name) =>
    !("geom" in mods) ||
    images.some((each) => each.geometry === mods["geom"] && each.as === (name.startsWith("t") ? "texref" : "surfref")),
  lines,
};
