import { factsOf } from "../../../interp/contract/space.ts";
import type { AddressClass, RegisterClass } from "../../../isa/form/operands.ts";
import { specialMeantBy } from "../../../isa/match/other-assemblers.ts";
import { specialRegisters } from "../../../isa/special-registers.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Help } from "../../../source/diagnostic.ts";
import { distance } from "../../../source/nearest.ts";
import { suffixStart } from "../../../source/suffix.ts";
import type { Symbol as Named, Scope } from "../../declaration/scope.ts";
import { nearest } from "../../nearest.ts";
import { reject } from "../../report.ts";
import { fits, showType } from "./register-type.ts";

/** What a place takes: the names that may be meant there, and how a new one is declared. */
export interface Sought {
  /** "register", "label": as a message calls it. */
  readonly what: string;
  readonly kinds: readonly Named["kind"][];
  readonly suits: (symbol: Named) => boolean;
  /** The kinds that a message lists, if not all. */
  readonly listed?: readonly Named["kind"][];
  /** `.reg .f32 NAME;` */
  readonly declaration?: string;
  /** Special registers may stand there. */
  readonly special?: boolean;
  /** It is read there, and not written. */
  readonly read?: boolean;
}

export const aLabel: Sought = { what: "label", kinds: ["label"], suits: () => true };
export const aVariable: Sought = { what: "variable", kinds: ["variable"], suits: () => true };
export const aRegister: Sought = { what: "register", kinds: ["register"], suits: () => true };
export const aPredicate: Sought = {
  what: ".pred register",
  kinds: ["register"],
  suits: (symbol) => symbol.kind === "register" && symbol.type === "pred",
  declaration: ".reg .pred NAME;",
};

/** A register that an instruction can read or write at a place, or a variable whose address is a value there. */
export const aValue = (wanted: RegisterClass): Sought => ({
  what: wanted.symbol ? "register or variable" : "register",
  kinds: wanted.symbol ? ["register", "variable"] : ["register"],
  suits: (symbol) =>
    symbol.kind === "register"
      ? fits(symbol.type, wanted)
      : wanted.space === undefined || (symbol.kind === "variable" && symbol.space === wanted.space),
  declaration: `.reg .${wanted.types[0]} NAME;`,
  ...(wanted.special && { special: true }),
  ...(wanted.access === "read" && { read: true }),
});

/** What may stand in brackets. A name without `%` is a variable's, and in `.param` all names are. */
export function anAddress({ space, narrow }: AddressClass, written: string): Sought {
  const isVariable = space === "param" || !written.startsWith("%");
  const wide = space === "global" || space === "generic";
  return {
    what: !isVariable
      ? "register"
      : space === "param"
        ? "parameter"
        : space === "generic"
          ? "variable"
          : `.${space} variable`,
    kinds: ["variable", "register"],
    listed: [isVariable ? "variable" : "register"],
    suits: (symbol) =>
      symbol.kind === "register"
        ? (wide && !narrow ? /^[bus]64$/ : /^[bus](?:32|64)$/).test(symbol.type)
        : symbol.kind === "variable" &&
          (symbol.space === space || (space === "generic" && factsOf(symbol.space).generic)),
    ...(space === "shared" && isVariable && { declaration: ".shared .align 16 .b8 NAME[1024];" }),
  };
}

/** Names that are looked at: a hostile text may have a million. */
const MOST_NAMES = 1000;
/** Names that a message lists. */
const MOST_LISTED = 6;

/** Reports a name that is not declared here, with the one that was probably meant, or those that could stand there. */
export function undeclared(name: ast.Name, scope: Scope, sought: Sought): undefined {
  const { text } = name;
  const span = { start: name.start, end: name.end };
  const range = scope.rangeOf(text);
  if (range !== undefined && range.span.start < span.start) {
    const count = numberOf(text) + 1;
    const wider = `${range.stem}<${count > MOST_DECLARED ? "N" : count}>`;
    return reject(scope, "PTX1320", name, `${text} is not declared`, {
      expected: range.count === 0 ? "a count of 1 or more" : ends(range.stem, range.count),
      related: [{ span: range.span, message: `this declares ${declares(range.stem, range.count)}` }],
      help: [
        {
          message: `declare ${wider}`,
          ...(count <= MOST_DECLARED && { replace: { span: range.span, text: wider } }),
        },
      ],
    });
  }
  const meant = specialMeant(name, scope) ?? alike(text, scope, sought);
  const hidden = meant === undefined ? scope.declaredElsewhere(text) : undefined;
  if (hidden !== undefined)
    return reject(scope, "PTX1320", name, `${text} is not declared here`, {
      expected: "a declaration before its use, in this block or one around it",
      related: [
        { span: hidden, message: hidden.start > span.start ? "it comes later" : "known only within its block" },
      ],
      help: [{ message: "move the declaration to the beginning of the body" }],
    });
  const idle = meant === undefined && sought.read ? idleLike(name, scope, sought) : undefined;
  if (idle !== undefined) {
    const { line } = scope.source.position(idle.start);
    const message = `did you mean ${idle.name}, which is written on line ${line} and never read?`;
    const declared = sought.declaration?.replace("NAME", text);
    return reject(scope, "PTX1320", name, `${text} is not declared`, {
      help: [
        { message, replace: { span, text: idle.name } },
        ...(declared === undefined ? [] : [{ message: `or declare it: ${declared}` }]),
      ],
    });
  }
  const near = meant ?? nearby(text, scope, sought);
  const literal = near === undefined && sought.kinds.includes("register") ? ofC.get(text) : undefined;
  const help = ways(name, near, literal, scope, sought);
  const listed = suitableNames(scope, { ...sought, kinds: sought.listed ?? sought.kinds });
  const expected =
    listed === "" ? `a ${sought.kinds[0] === "label" ? "label of this body" : `declared ${sought.what}`}` : listed;
  return reject(scope, "PTX1320", name, `${text} is not declared`, {
    ...(near === undefined && literal === undefined && { expected }),
    ...(help.length > 0 && { help }),
  });
}

function ways(
  name: ast.Name,
  near: string | undefined,
  literal: string | undefined,
  scope: Scope,
  { declaration, what }: Sought,
): readonly Help[] {
  const span = { start: name.start, end: name.end };
  if (near !== undefined) return [{ message: `did you mean ${near}?`, replace: { span, text: near } }];
  if (literal !== undefined)
    return [{ message: `PTX has no ${name.text}: write ${literal}`, replace: { span, text: literal } }];
  if (scope.filtered)
    return [
      { message: "Compiler Explorer hides declarations with its filter of directives: untick it, or add the line" },
    ];
  if (/^\$\d+$/.test(name.text) && what !== "label") {
    const number = name.text.slice(1);
    return [{ message: `a constant has no prefix: write ${number}`, replace: { span, text: number } }];
  }
  if (/^%\d+$/.test(name.text))
    return [{ message: `${name.text} is an operand of inline asm; a PTX file has a register here` }];
  if (declaration === undefined || what === "label") return [];
  const memory = what.includes("variable") && declaration.startsWith(".reg") && !name.text.startsWith("%");
  const other = memory ? ` or, for memory, .shared .align 16 .b8 ${name.text}[1024];` : "";
  return [{ message: `declare it first: ${declaration.replace("NAME", name.text)}${other}` }];
}

/** Registers that a help declares at most: beyond it a number is a slip. */
const MOST_DECLARED = 9999;

const numberOf = (name: string): number => Number(name.slice(stemOf(name).length) || 0);

/** A name without the number at its end. */
export const stemOf = (name: string): string => name.slice(0, suffixStart(name, "0123456789"));

/** `%f0 to %f4`. */
const ends = (stem: string, count: number): string => (count === 1 ? `${stem}0` : `${stem}0 to ${stem}${count - 1}`);

const declares = (stem: string, count: number): string => (count === 0 ? "none" : ends(stem, count));

/** What C and C++ call constants. */
const ofC: ReadonlyMap<string, string> = new Map([
  ["NULL", "0"], ["nullptr", "0"], ["true", "1"], ["false", "0"], ["INFINITY", "0f7F800000"], ["NAN", "0f7FC00000"],
]); // biome-ignore format: pairs

/** The special register that a name means: without its `%`, by CUDA's name, or with the component at its end (`%tidx`). */
function specialMeant({ text, end }: ast.Name, { source }: Scope): string | undefined {
  const bare = text.replace(/^%/, "");
  const isVector = (name: string) => specialRegisters.get(name)?.vector === true;
  const [, stem = "", component = "x"] = /^(.*?)[._]?([xyz])$/.exec(bare.toLowerCase()) ?? [];
  const special = isVector(stem)
    ? `%${stem}`
    : (specialMeantBy(bare) ?? (bare === text && specialRegisters.has(text) ? `%${text}` : undefined));
  const named = source.text[end] === ".";
  return special !== undefined && isVector(special.slice(1)) && !named ? `${special}.${component}` : special;
}

/** The visible names that may stand at the place, with what they are; of a range its first and its last. */
function* suitable(scope: Scope, { kinds, suits }: Sought): Iterable<readonly [string, Named]> {
  let seen = 0;
  for (const kind of kinds)
    for (const name of scope.names(kind)) {
      if (++seen > MOST_NAMES) return;
      const symbol = scope.lookup(name);
      if (symbol !== undefined && suits(symbol)) yield [name, symbol];
    }
}

const bare = (name: string): string => name.replace(/^[%$]/, "").toLowerCase();

/** A name that differs by `%`, `$` or capitals only: `%p1` for `p1`. */
function alike(written: string, scope: Scope, sought: Sought): string | undefined {
  const wanted = bare(written);
  for (const [name] of suitable(scope, sought)) {
    if (bare(name) === wanted) return name;
    const range = scope.rangeOf(name);
    if (range === undefined || !/\d$/.test(wanted)) continue;
    const number = numberOf(wanted);
    if (number < range.count && `${bare(range.stem)}${number}` === wanted) return `${range.stem}${number}`;
  }
  return undefined;
}

/** The nearest name that may stand there, or special register. One that differs by its number is another, and not meant. */
function nearby(written: string, scope: Scope, sought: Sought): string | undefined {
  const stem = stemOf(written);
  const names = [...suitable(scope, sought)].flatMap(([name]) => (stemOf(name) === stem ? [] : [name]));
  const special = sought.special ? Array.from(specialRegisters.keys(), (name) => `%${name}`) : [];
  return nearest(written, [...special, ...names]);
}

/** Names like a written one that are looked for in the text. */
const MOST_LOOKED_FOR = 8;
/** Characters before and behind a name in which others are looked for. */
const NEAR = 20_000;

/** A register with a name like this one that the text around writes before it, and has nowhere else. */
function idleLike(
  { text, start }: ast.Name,
  scope: Scope,
  sought: Sought,
): { name: string; start: number } | undefined {
  const number = numberOf(text);
  const most = Math.max(1, Math.floor(text.length / 3));
  const names = new Set<string>();
  for (const [name] of suitable(scope, sought)) {
    const range = scope.rangeOf(name);
    if (range === undefined) names.add(name);
    else if (/\d$/.test(text) && number < range.count) names.add(`${range.stem}${number}`);
  }
  const from = Math.max(0, start - NEAR);
  const around = scope.source.text.slice(from, start + NEAR);
  for (const name of [...names]
    .filter((each) => text.length > 2 && distance(text, each) <= most)
    .slice(0, MOST_LOOKED_FOR)) {
    const declared = scope.lookup(name)?.span;
    const found = placesOf(name, around).filter((at) => at + from !== declared?.start);
    const [at] = found;
    if (at !== undefined && found.length === 1 && at + from < start && isResult(around.slice(0, at)))
      return { name, start: at + from };
  }
  return undefined;
}

/** Where a text has a name as a whole word. */
function placesOf(name: string, text: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!/[\w$]/.test(text.charAt(at + name.length)) && !/[\w$%]/.test(text.charAt(at - 1))) places.push(at);
  return places;
}

/** Whether the first operand of an instruction other than a store follows a text. */
function isResult(before: string): boolean {
  const statement = (before.split(/[;{}\n]/).at(-1) ?? "").trimStart();
  const instruction = statement.replace(/^[\w$]+:(?!:)/, "").trimStart();
  return /^(?:@!?[\w$%]+\s+)?(?!st\b|red\b|bra\b|call\b)[a-z][\w.:]*\s+$/.test(instruction);
}

/** `%f0 to %f4 (.f32)`, `x (.u64)`: the names that may stand at a place, at most six; "" where there is none. */
export function suitableNames(scope: Scope, sought: Sought): string {
  const shown = new Map<string, string>();
  for (const [name, symbol] of suitable(scope, sought)) {
    const range = symbol.kind === "register" ? scope.rangeOf(name) : undefined;
    const key = range === undefined ? name : ends(range.stem, range.count);
    if (!shown.has(key)) shown.set(key, typeOf(symbol));
  }
  const all = [...shown].map(([name, type]) => (type === "" ? name : `${name} (${type})`));
  const some = all.slice(0, MOST_LISTED);
  if (some.length < all.length) return `${some.join(", ")} ...`;
  const last = some.pop() ?? "";
  return some.length === 0 ? last : `${some.join(", ")} or ${last}`;
}

function typeOf(symbol: Named): string {
  if (symbol.kind === "register") return showType(symbol);
  if (symbol.kind !== "variable") return "";
  return /^b8$/.test(symbol.type) && symbol.bytes > 1 ? `.b8[${symbol.bytes}]` : `.${symbol.type}`;
}
