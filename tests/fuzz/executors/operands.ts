import type {
  AddressClass,
  OperandClass,
  PredicateClass,
  RegisterClass,
  RegisterType,
} from "../../../src/isa/form/operands.ts";
import { baseFor, type Pointers } from "./pointers.ts";
import type { Random } from "./random.ts";
import { f32Literal, f64Literal, integerLiteral } from "./values.ts";

/** Registers by type that instructions read and write as they like: name and how many. */
const pools: Readonly<Partial<Record<RegisterType, readonly [name: string, count: number]>>> = {
  b8: ["b", 2], b16: ["h", 5], u16: ["hu", 1], s16: ["hs", 1], f16: ["hf", 1],
  b32: ["r", 8], u32: ["u", 1], s32: ["s", 1], f32: ["f", 2], f16x2: ["hh", 1],
  b64: ["q", 6], u64: ["qu", 1], s64: ["qs", 1], f64: ["d", 2], b128: ["x", 2],
}; // biome-ignore format: by width

/** Registers that the structure of a program uses: addresses under way, counters of loops. */
const scratch: readonly (readonly [type: string, name: string, count?: number])[] = [
  ["b32", "a32"], ["b32", "am"], ["b32", "o"], ["b32", "i", 3], ["b32", "n", 3], ["b64", "a64"],
  ["pred", "ol"], ["pred", "l", 3], ["pred", "p", 5], ["b64", "v"], ["b32", "w", 2], ["pred", "lw"], ["f32", "mf", 4],
  ["b32", "tm"], ["b32", "tl"], ["b64", "da"], ["b64", "db"], ["b64", "at"], ["b16", "mk"], ["pred", "tw"], ["pred", "te"],
]; // biome-ignore format: by width

/** Registers of which a function has as many as it mentions: those of large fragments, of any width. */
const fragments: readonly (readonly [type: string, name: string])[] = [
  ["b32", "tb"], ["f32", "tf"], ["b32", "th"],
]; // biome-ignore format: by width

/** Declarations of those registers that the lines mention. */
export function declarations(lines: readonly string[]): string[] {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  for (const line of lines)
    for (const [, name = "", number = ""] of line.matchAll(/%([a-z]+)(\d*)/g)) {
      used.add(name);
      used.add(name + number);
      counts.set(name, Math.max(counts.get(name) ?? 0, Number(number) + 1));
    }
  const large = fragments.map(([type, name]) => [type, name, counts.get(name)] as const);
  const all = [
    ...Object.entries(pools).map(([type, [name, count]]) => [type, name, count] as const),
    ...scratch,
    ...large,
  ];
  return all.flatMap(([type, name, count]) => {
    if (!used.has(name)) return [];
    return `.reg .${type} %${name}${count === undefined ? "" : `<${count}>`};`;
  });
}

/** How often a constant stands where one may, percent. */
const CONSTANTS = 18;

const fixed32 = [
  "%tid.x", "%tid.y", "%ntid.x", "%ctaid.x", "%nctaid.x", "%laneid", "%warpid", "%nwarpid", "%smid", "%lanemask_lt",
  "%lanemask_ge", "%lanemask_eq", "%dynamic_smem_size", "%total_smem_size",
]; // biome-ignore format: a list
/** Their values follow from how many instructions have run. */
const changing32 = ["%clock", "%clock_hi", "%globaltimer_lo"];
const changing64 = ["%clock64", "%globaltimer"];

/** Where the operands of one instruction come from. */
export interface Around {
  readonly random: Random;
  readonly pointers: Pointers;
  /** Lines that have to stand before the instruction. */
  readonly before: string[];
  /** Bytes that a memory instruction moves. */
  readonly bytes: number;
  /** Whether a special register that changes may be read. */
  readonly changing: boolean;
  /** Whether all lanes of the warp are here together. */
  readonly together: boolean;
}

/** An operand's text; undefined where nothing that the fuzzer knows fits. */
export function operandText(name: string, wanted: OperandClass, around: Around): string | undefined {
  const { random } = around;
  switch (wanted.kind) {
    case "register":
      if (name === "membermask") return membermask(around);
      return registerText(wanted, around);
    case "predicate":
      return predicateText(wanted, random);
    case "address":
      return addressText(wanted, around);
    case "vector": {
      // The elements of a vector have one width: now and then a wider one, where that may be.
      const wide = wanted.of.wider && random.chance(20) ? random.any(wider(wanted.of)) : undefined;
      const taken = new Set<string>();
      const items: string[] = [];
      for (let at = 0; at < wanted.count; at++) {
        const own = wanted.each?.[at] ?? wanted.of;
        const each = { ...own, wider: false, ...(wide !== undefined && { types: [wide] }) };
        let item = registerText(each, { ...around, changing: false });
        for (let more = 0; each.access === "write" && item !== undefined && taken.has(item) && more < 12; more++)
          item = registerText(each, around);
        if (item === undefined) return undefined;
        taken.add(item);
        items.push(item);
      }
      return `{${items.join(", ")}}`;
    }
    case "literal":
      if (wanted.only !== undefined) return String(wanted.only);
      if (wanted.among !== undefined) return String(random.any(wanted.among));
      if (wanted.power !== undefined) return String(2 ** random.below(Math.log2(wanted.power) + 1));
      return multipleOf(
        random,
        wanted,
        integerLiteral(random, wanted.bits, wanted.least, wanted.most ?? 2 ** wanted.bits - 1),
      );
    case "tuple": {
      const { of, lengths } = wanted;
      const items = Array.from({ length: random.any(lengths) }, (_, at) =>
        registerText(of[Math.min(at, of.length - 1)]!, around),
      );
      return items.includes(undefined) ? undefined : `{${items.join(", ")}}`;
    }
    case "absent":
      return wanted.sink ? "_" : undefined;
    default:
      return undefined;
  }
}

function multipleOf(random: Random, { multiple, most }: { multiple?: number; most?: number }, text: string): string {
  if (multiple === undefined) return text;
  return String(multiple * random.below(Math.max(1, Math.floor((most ?? 16 * multiple) / multiple))));
}

function predicateText({ access, negatable, sink, immediate, most }: PredicateClass, random: Random): string {
  if (access === "write" && sink && random.chance(8)) return "_";
  if (immediate && random.chance(5)) return String(random.below((most ?? 1) + 1));
  return `${negatable && random.chance(30) ? "!" : ""}%p${random.below(5)}`;
}

function registerText(wanted: RegisterClass, { random, pointers, changing }: Around): string | undefined {
  const { access, immediate, least, most, multiple, among, sink, type, bits } = wanted;
  if (access === "read") {
    if (among !== undefined && immediate) return String(random.any(among));
    if (immediate !== undefined && random.chance(CONSTANTS)) {
      if (immediate === "f32") return f32Literal(random);
      if (immediate === "f64") return f64Literal(random);
      if (immediate === "bits" && bits >= 32 && random.chance(40))
        return bits === 32 ? f32Literal(random) : f64Literal(random);
      return multipleOf(
        random,
        { ...(multiple && { multiple }), ...(most && { most }) },
        integerLiteral(random, bits, least, most),
      );
    }
    if (wanted.special && random.chance(10)) {
      if (bits === 32 && /^[bus]/.test(type)) return random.any(changing ? [...fixed32, ...changing32] : fixed32);
      if (bits === 64 && /^[bu]/.test(type) && changing) return random.any(changing64);
    }
    if (wanted.symbol && bits >= 32 && random.chance(6)) return pointers.variable(wanted.space);
  } else if (sink && random.chance(6)) return "_";
  const types = wanted.wider && random.chance(25) ? wider(wanted) : wanted.types;
  const known = types.filter((each) => pools[each] !== undefined);
  if (known.length === 0) return undefined;
  const bitsType = known.find((each) => each.startsWith("b"));
  const [pool, count] = pools[bitsType !== undefined && random.chance(75) ? bitsType : random.any(known)]!;
  return `%${pool}${random.below(count)}`;
}

const widths: readonly RegisterType[] = ["b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64"];
const wider = ({ bits, type, types }: RegisterClass): readonly RegisterType[] =>
  type.startsWith("f") ? types : widths.filter((each) => Number(each.slice(1)) >= bits);

/** Lanes that an instruction among lanes waits for: those that are here, unless it is a mistake. */
function membermask({ random, before, together }: Around): string {
  if (together && random.chance(70)) return random.any(["-1", "0xffffffff"]);
  if (random.chance(2)) return random.any(["%r0", "0", "0x0f0f0f0f", "0xffff", "-1"]);
  before.push("activemask.b32 %am;");
  return "%am";
}

function addressText({ space, coordinates }: AddressClass, around: Around): string | undefined {
  if (coordinates !== undefined) return undefined;
  const { random, bytes } = around;
  const { text, room } = baseFor(space, around);
  const step = random.chance(94) ? bytes : random.any([1, 2, 4, 8]);
  let offset = room < step ? 0 : step * random.below(Math.floor(room / step));
  if (random.chance(2)) offset = random.any([-4, -16, 4096, 65536, 1, 100000]);
  return offset === 0 ? `[${text}]` : `[${text}+${offset}]`;
}
