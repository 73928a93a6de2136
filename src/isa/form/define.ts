import type { AddressMode, ChannelType, FilterMode, OpaqueType } from "../../interp/contract/image.ts";
import type { Plan } from "../../interp/contract/plan/plan.ts";
import { packedType } from "../../numeric/format/named.ts";
import { lanes, type PackedName, packedTypes } from "../../numeric/operation/build.ts";
import type { Fact, Grade } from "../../numeric/operation/grade.ts";
import type { Argument, Operation, Result } from "../../numeric/operation/operation.ts";
import { readsOperand } from "../../numeric/operation/parts.ts";
import { type IntegerName, isSignedType, type TypeName, widthOf } from "../../numeric/operation/type.ts";
import { type ChapterName, chapters, numbering } from "../chapters.ts";
import { Anchors, type NamedSections } from "./anchors.ts";
import type { InstructionType } from "./instruction-type.ts";
import type { OperandClass } from "./operands.ts";
import {
  type Modifier,
  type ModifierNames,
  type ModifiersOf,
  type ModifierWords,
  mnemonicOf,
  type OperandNames,
  type OptionalOperandNames,
  parseSyntax,
  type SelectorNames,
  type Sets,
  type Slot,
} from "./syntax.ts";

type Classes = Readonly<Record<string, OperandClass>>;

/**
 * The plan of a form with an expression: its operands, read by their types, and how the result becomes bits. Where
 * the target is a packed type, the result is that of one lane, and the same on each.
 */
function planOf(classes: Classes, result: Result): Plan {
  const written = Object.values(classes).find(isWritten);
  if (written === undefined) throw new Error("a form that computes has no target");
  const read = Object.entries(classes).flatMap(([name, takes]) => argumentsOf(name, takes));
  const target = written.kind === "predicate" ? "pred" : written.type;
  if (result.into === "carry") return carryPlan(read.map(withoutSign), result.type, result, result.out);
  if (readsCarry(result)) return carryPlan(read, laneType(target), result, false);
  const count = laneCount(target);
  const each: Operation = {
    takes: read.map(({ name, type }) => ({ name, type: laneType(type) })),
    gives: laneType(target),
    result,
  };
  const shares = Object.fromEntries(read.map(({ name, type }) => [name, packedType(type)?.width]));
  const op = count === 1 ? each : lanes(count, each, shares);
  if (written.kind === "predicate" || !written.wider) return { shape: "compute", op };
  // A signed result is extended by its sign into a wider register.
  return { shape: "compute", op, extend: isSignedType(each.gives) ? "sign" : "zero" };
}

/** CC.CF comes in where the expression mentions it. */
function carryPlan(read: readonly Operand[], target: TypeName, result: Result, carryOut: boolean): Plan {
  const carryIn = readsCarry(result);
  const takes = read.map(({ name, type }): Argument => ({ name, type: laneType(type) }));
  const all: Operation = {
    takes: carryIn ? [...takes, { name: "CF", type: "pred" }] : takes,
    gives: target,
    result,
  };
  return { shape: "carry", op: all, carryIn, carryOut };
}

const readsCarry = (result: Result): boolean => "of" in result && readsOperand(result.of, "CF");

/** Operands of `carry` count as unsigned, so that the carry is that of their bits. */
const withoutSign = ({ name, type }: Operand): Operand => ({
  name,
  type: `u${widthOf(laneType(type))}` as IntegerName,
});

interface Operand {
  readonly name: string;
  readonly type: InstructionType | "pred";
}

type Target = Extract<OperandClass, { kind: "register" | "predicate" }>;

const isWritten = (takes: OperandClass): takes is Target =>
  (takes.kind === "register" || takes.kind === "predicate") && takes.access === "write";

/** An operand that is read, with its type; a vector is its elements, `a.x` first. */
function argumentsOf(name: string, takes: OperandClass): readonly Operand[] {
  switch (takes.kind) {
    case "register":
      return takes.access === "read" ? [{ name, type: takes.type }] : [];
    case "predicate":
      return takes.access === "read" ? [{ name, type: "pred" }] : [];
    case "literal":
      return [{ name, type: "u32" }];
    case "vector":
      return [..."xyzw"].slice(0, takes.count).map((part) => ({ name: `${name}.${part}`, type: takes.of.type }));
    case "absent":
      return [];
    default:
      throw new Error(`a ${takes.kind} takes no part in a computation`);
  }
}

const isPacked = (type: string): type is PackedName => type in packedTypes;
const laneCount = (type: InstructionType | "pred"): number => (isPacked(type) ? packedTypes[type][1] : 1);
const laneType = (type: InstructionType | "pred"): TypeName => (isPacked(type) ? packedTypes[type][0] : type);

/**
 * The table's vocabulary. A form is the manual's own syntax line, plus what the line cannot express: which words a
 * placeholder stands for, the operands, the version that introduced it, and its operation. Matching, validation,
 * execution, `ptxrun isa`, completion and the conformance tests read this and nothing else.
 */
export interface Form {
  /** As the manual writes it. */
  readonly syntax: string;
  readonly mnemonic: string;
  readonly modifiers: readonly Modifier[];
  readonly slots: readonly Slot[];
  readonly operands: (mods: ModifierValues) => Readonly<Record<string, OperandClass>>;
  readonly since: (mods: ModifierValues) => Since;
  /** From this PTX version, targets from this one do not have it any more. */
  readonly until: Since | undefined;
  /** Newer texts should not have it. */
  readonly deprecated: Deprecation | undefined;
  /** The word that old texts omit. */
  readonly unsaid: Unsaid | undefined;
  /** The operation; a gap when ptxrun does not implement it. */
  readonly plan: (mods: ModifierValues) => Plan;
  /** False for a gap. */
  readonly executable: boolean;
  /** ptxas accepts it although the manual does not list it. */
  readonly undocumented: boolean;
  /** A combination that the notation cannot exclude: the wrong word ("" for the types), and what it conflicts with. */
  readonly conflict: (mods: ModifierValues) => Conflict | undefined;
  /** Why a word is refused that ptxas accepts: shown as help. */
  readonly refuse: Readonly<Record<string, string>>;
  readonly check: readonly Check[];
  /** Facts that do not follow from the manual's page alone, with their sources. */
  readonly facts: readonly Fact[];
  /** The anchors of its chapter. */
  readonly anchors: Anchors;
  /** Anchor of the manual's section. */
  readonly manual: string;
}

/** Flags are booleans, sets are the chosen word or undefined. */
export type ModifierValues = Readonly<Record<string, string | boolean | undefined>>;

/** Least PTX ISA version (78 is 7.8) and least compute capability (90 is sm_90). */
export interface Since {
  readonly ptx: number;
  readonly sm: number;
  /** Only architecture-specific (`sm_100a`) or also family-specific (`sm_100f`) targets have it. */
  readonly only?: "a" | "f";
  /** With `only`: just these targets, each with its suffix. */
  readonly families?: readonly number[];
  /** A newer version brought it to older targets: these two do as well. */
  readonly or?: { readonly ptx: number; readonly sm: number };
}

/** Since which PTX version (60 is 6.0) a form is deprecated, and what to use. */
export interface Deprecation {
  readonly since: number;
  readonly use: string;
}

/** A word that a form must have, and did not have to have on targets and in versions before these. */
export interface Unsaid {
  readonly word: string;
  readonly until: Since;
}

export type Conflict = readonly [word: string, against: string];

/** Bits of one operand, of a vector's elements, or of memory at an address. */
export type CheckValue = number | bigint | readonly (number | bigint)[];

/** A worked example: shown by `ptxrun isa`, run by the conformance tests on every tier. */
export type Check = OperandCheck | SnippetCheck;

/**
 * Values of read operands before, and of written operands after, the instruction; `with` picks words, the first of each
 * set otherwise.
 */
export interface OperandCheck {
  readonly with?: readonly string[];
  readonly operands: Readonly<Record<string, CheckValue>>;
  readonly carryIn?: 0 | 1;
  readonly carryOut?: 0 | 1;
}

/** A few lines of PTX and the values that registers hold after them, for what needs more than one instruction. */
export interface SnippetCheck {
  /** Device functions that the lines may call, as a module has them. */
  readonly functions?: string;
  readonly snippet: string;
  readonly given?: Readonly<Record<string, number | bigint>>;
  /** Registers that contain addresses of global memory, and the words there. */
  readonly buffers?: Readonly<Record<string, readonly number[]>>;
  /** Threads of the block, which all begin alike; one by default, a warp where one is needed. */
  readonly threads?: number;
  /** Blocks of the cluster that executes them. */
  readonly cluster?: number;
  /** Registers that contain handles, and the objects of those. */
  readonly textures?: Readonly<Record<string, CheckImage>>;
  readonly gives: Readonly<Record<string, number | bigint>>;
  /** The target that the lines are for, where not all new ones have the instruction, and the version. */
  readonly target?: string;
  readonly version?: string;
}

/** A small texture or surface of a worked example. */
export interface CheckImage {
  readonly as: OpaqueType;
  readonly type: ChannelType;
  readonly channels?: 1 | 2 | 4;
  /** Width, then height and depth where it has them. */
  readonly size: readonly number[];
  readonly layers?: number;
  readonly cube?: true;
  readonly levels?: number;
  /** All channels of all texels, level by level. */
  readonly values: readonly number[];
  /** Integers come as fractions; coordinates run from 0 to 1. */
  readonly fraction?: true;
  readonly normalized?: true;
  readonly filter?: FilterMode;
  readonly levelFilter?: FilterMode;
  readonly mode?: AddressMode;
}

/** A check as an entry writes it: operands beside `with`, `cfIn` and `cfOut`. */
type CheckSpec<S extends string, W extends Sets> =
  | ({ readonly with?: readonly ModifierWords<S, W>[]; readonly cfIn?: 0 | 1; readonly cfOut?: 0 | 1 } & {
      readonly [N in Exclude<OperandNames<S>, OptionalOperandNames<S>>]: CheckValue;
    } & { readonly [N in OptionalOperandNames<S>]?: CheckValue })
  | SnippetCheck;

type Operands<S extends string> = { readonly [N in OperandNames<S>]: OperandClass };

export interface FormSpec<S extends string, W extends Sets> {
  /** The words that each placeholder of the line stands for. */
  readonly where?: W & { readonly [K in Exclude<keyof W, ModifierNames<S> | SelectorNames<S>>]: never };
  readonly operands: Operands<S> | ((mods: ModifiersOf<S, W>) => Operands<S>);
  readonly since: Since | ((mods: ModifiersOf<S, W>) => Since);
  /** From this PTX version, targets from this one do not have it any more. */
  readonly until?: Since;
  readonly deprecated?: Deprecation;
  /** Until this version and target a text may leave the word out. */
  readonly unsaid?: Unsaid;
  /**
   * The expression of the operands on the manual's page, and how it becomes bits. For packed types it is the
   * operation of one lane.
   */
  readonly does?: (mods: ModifiersOf<S, W>) => Result;
  /**
   * The plan of a form that does more than compute. Without either, the form is known and checked, and executing it is
   * a gap.
   */
  readonly run?: (mods: ModifiersOf<S, W>) => Plan;
  readonly conflict?: (mods: ModifiersOf<S, W>) => Conflict | undefined;
  readonly undocumented?: true;
  readonly refuse?: Readonly<Record<string, string>>;
  readonly check?: readonly CheckSpec<S, W>[];
  readonly facts?: readonly Fact[];
}

/**
 * One entry of the table. Its line is parsed on first use: a run needs few entries, and loading must not get slower as
 * the table grows. A line that breaks the notation throws then.
 */
export function form<const S extends string, const W extends Sets = Record<never, never>>(
  syntax: S,
  spec: FormSpec<S, W>,
): Form {
  const { operands, since, run, does, conflict } = spec;
  const mods = (values: ModifierValues): ModifiersOf<S, W> => values as ModifiersOf<S, W>;
  const classes = (values: ModifierValues): Operands<S> =>
    typeof operands === "function" ? operands(mods(values)) : operands;
  let line: ReturnType<typeof parseSyntax> | undefined;
  const read = () => {
    line ??= parseSyntax(syntax, (spec.where ?? {}) as Sets);
    return line;
  };
  return {
    syntax,
    mnemonic: mnemonicOf(syntax),
    get modifiers() {
      return read().modifiers;
    },
    get slots() {
      return read().slots;
    },
    operands: classes,
    since: typeof since === "function" ? (values) => since(mods(values)) : () => since,
    until: spec.until,
    deprecated: spec.deprecated,
    unsaid: spec.unsaid,
    plan: (values) => {
      if (does !== undefined) return planOf(classes(values), does(mods(values)));
      return run === undefined ? { shape: "gap", form: syntax } : run(mods(values));
    },
    executable: run !== undefined || does !== undefined,
    undocumented: spec.undocumented === true,
    conflict: conflict === undefined ? () => undefined : (values) => conflict(mods(values)),
    refuse: spec.refuse ?? {},
    get check() {
      return (spec.check ?? []).map((check) => readCheck(check as Readonly<Record<string, unknown>>));
    },
    facts: spec.facts ?? [],
    anchors: nowhere,
    get manual() {
      return this.anchors.of(this);
    },
  };
}

const fact =
  (grade: Grade) =>
  (says: string, when?: Fact["when"]): Fact => ({ grade, says, ...(when && { when }) });
/** Facts of an entry by their grade (numeric/operation/grade.ts). */
export const [manual, ptxas, headers, published, unspecified] = (
  ["manual", "ptxas", "headers", "published", "unspecified"] as const
).map(fact) as [Said, Said, Said, Said, Said];
type Said = (says: string, when?: Fact["when"]) => Fact;

function readCheck({ with: words, cfIn, cfOut, ...operands }: Readonly<Record<string, unknown>>): Check {
  if ("snippet" in operands) return operands as unknown as SnippetCheck;
  return {
    operands: operands as OperandCheck["operands"],
    ...(words === undefined ? {} : { with: words as readonly string[] }),
    ...(cfIn === undefined ? {} : { carryIn: cfIn as 0 | 1 }),
    ...(cfOut === undefined ? {} : { carryOut: cfOut as 0 | 1 }),
  };
}

/** `d, a{, b{, c}}`: one operation for each lane. */
export const compute = (op: Operation): Plan => ({ shape: "compute", op });

/**
 * A chapter of the manual, or a part of one that has a page of its own: its forms, and where the manual has them. One file
 * of this folder each.
 */
export interface Section {
  /** Also the name of its page. */
  readonly name: string;
  /** That of the chapter. */
  readonly number: string;
  readonly title: string;
  readonly anchor: string;
  /** Each once, in the order of the forms. */
  readonly mnemonics: readonly string[];
  readonly forms: readonly Form[];
}

interface Part {
  readonly of: ChapterName;
  readonly name: string;
  readonly title: string;
}

/** Of a form that is in no section yet. */
const nowhere = new Anchors("", {});

/** A section with its forms; `named` are the manual's sections in it that are not called by a mnemonic alone. */
export function section(part: ChapterName | Part, forms: readonly Form[], named: NamedSections = {}): Section {
  const chapter = chapters[typeof part === "string" ? part : part.of];
  const { name, title } = typeof part === "string" ? { name: part, title: chapter.title } : part;
  // Changes the entries, because a copy would parse every line; nothing else has seen them yet.
  const anchors = new Anchors(chapter.prefix, named);
  for (const form of forms as readonly { anchors: Anchors }[]) form.anchors = anchors;
  const mnemonics = [...new Set(forms.map(({ mnemonic }) => mnemonic))];
  return { name, number: `9.7.${chapter.numbers[numbering]}`, title, anchor: chapter.anchor, mnemonics, forms };
}
