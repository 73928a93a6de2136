import type { Operand } from "../../interp/contract/operand.ts";
import type { Plan } from "../../interp/contract/plan/plan.ts";
import type { Instruction } from "../../interp/contract/program.ts";
import type { Brings, OperandClass } from "../../isa/form/operands.ts";
import { type Candidate, type Match, match } from "../../isa/match/match.ts";
import { a, b, operation, predicate, relation } from "../../numeric/operation/build.ts";
import type * as ast from "../../parser/ast.ts";
import type { Span } from "../../source/source.ts";
import type { Scope } from "../declaration/scope.ts";
import { namesOf } from "../module/names/names-in.ts";
import { reject } from "../report.ts";
import { withBeyond } from "./beyond.ts";
import { resolveCall } from "./call.ts";
import { isLoose, withHoles } from "./holes.ts";
import { isIndexed } from "./operand/array-element.ts";
import { inBrackets } from "./operand/bracket.ts";
import { pointing } from "./operand/opaque-pointer.ts";
import { resolveOperand } from "./operand/operand.ts";
import { OperandChoices } from "./operand/operand-choices.ts";
import { stands } from "./operand/operand-fit.ts";
import { placedPlan } from "./operand/parameter-space.ts";
import { placedOperands } from "./operand/placed-operands.ts";
import { guardOf } from "./operand/predicate.ts";
import { onlyMoved, specialOf } from "./operand/special-register.ts";
import { requireSince, requireUntil } from "./since.ts";
import { bestShape } from "./spelling/best-form.ts";
import { explainMismatch } from "./spelling/mismatch.ts";
import { attached, noteSpelling } from "./spelling/spelling.ts";
import { unknownMnemonic } from "./spelling/unknown-mnemonic.ts";
import { flushing, spelled, withUnsaid } from "./unsaid.ts";

/**
 * Checks one instruction against the table and returns what the interpreter executes; undefined after at least one
 * error (PTX12xx, PTX13xx, PTX16xx). Valid PTX that ptxrun does not implement becomes a gap, which is not an error.
 * With it comes the entry of the table that says what the operands are.
 */
export function resolveInstruction(
  instruction: ast.Instruction,
  scope: Scope,
): { readonly instruction: Instruction; readonly candidate: Candidate | undefined } | undefined {
  scope.current = instruction;
  const { mnemonic, modifiers } = instruction;
  const words = modifiers.map(({ text }) => text);
  const opcode = words.length === 0 ? mnemonic.text : `${mnemonic.text}.${words.join(".")}`;
  const found = match(mnemonic.text, words, opcode);
  const guard = instruction.guard && guardOf(instruction.guard, scope);
  const body = resolveBody(instruction, found, opcode, scope);
  if (body === undefined || (instruction.guard && !guard)) return undefined;
  const { start, end } = instruction;
  const { plan, operands, candidate, opcode: meant = opcode } = body;
  const span = { start, end };
  const made = guard ? { plan, operands, guard, span, opcode: meant } : { plan, operands, span, opcode: meant };
  return { instruction: made, candidate };
}

/** With the entry against which its operands were checked, and the opcode where it is more explicit than the text. */
type ResolvedInstruction = Pick<Instruction, "plan" | "operands"> & {
  readonly candidate?: Candidate;
  readonly opcode?: string;
};

function resolveBody(
  instruction: ast.Instruction,
  found: Match,
  opcode: string,
  scope: Scope,
): ResolvedInstruction | undefined {
  switch (found.kind) {
    case "unknown":
      return unknownMnemonic(instruction, scope);
    case "crowded":
      return tooManyWords(instruction, found.most, scope);
    case "none": {
      const old = withUnsaid(instruction, scope);
      if (old !== undefined) return resolveMeant(instruction, flushing(old, instruction, scope), opcode, scope);
      return countMeant(instruction, explainMismatch(instruction, found.form, found.problems, scope), scope);
    }
    case "forms": {
      if (!attached(instruction, scope)) return undefined;
      noteSpelling(instruction, found, scope);
      const written = bestShape(found.candidates, instruction.operands, scope);
      const meant = flushing(written, instruction, scope);
      return meant === written
        ? resolveForm(instruction, written, opcode, scope)
        : resolveMeant(instruction, meant, opcode, scope);
    }
  }
}

/** Resolves with the explicit opcode: derivations and traces read it. */
function resolveMeant(
  instruction: ast.Instruction,
  meant: Candidate,
  opcode: string,
  scope: Scope,
): ResolvedInstruction | undefined {
  const made = resolveForm(instruction, meant, opcode, scope);
  return made && { ...made, opcode: spelled(meant.form, meant.mods) };
}

function resolveForm(
  instruction: ast.Instruction,
  candidate: Candidate,
  opcode: string,
  scope: Scope,
): ResolvedInstruction | undefined {
  const { mnemonic, modifiers } = instruction;
  const { form, since } = candidate;
  const head = { start: mnemonic.start, end: modifiers.at(-1)?.end ?? mnemonic.end };
  const young =
    requireSince(since, head, opcode, scope, form.manual) && requireUntil(form.until, head, opcode, scope, form.manual);
  if (candidate.classes["f"]?.kind === "callee") return young ? resolveCall(instruction, form, scope) : undefined;
  if (young && takesIndexedAddress(instruction, candidate, scope))
    return {
      plan: {
        shape: "gap",
        form: `${opcode} of an element whose index is a register`,
        names: [...namesOf(instruction)],
      },
      operands: [],
    };
  const choices = new OperandChoices();
  const operands = resolveOperands(instruction, candidate, choices, scope);
  if (operands === undefined || !young || !choices.agree(form, candidate.mods, scope)) return undefined;
  const mods = choices.among(candidate.mods);
  const made = mods === candidate.mods ? candidate.plan() : form.plan(mods);
  const placed = placedPlan(made, instruction, candidate.mods, scope);
  const plan = placed && withBeyond(placed, instruction.operands, operands, scope);
  if (plan && plan.shape !== "move" && operands.some((operand) => operand?.kind === "sink")) {
    const read = instruction.operands.find((operand) => isTimed(operand, scope));
    if (read?.kind === "name") return onlyMoved(read, scope);
  }
  return (
    plan &&
    (changing(instruction, plan, operands, scope) ??
      pointing(instruction, plan, operands, scope) ?? { plan, operands, candidate })
  );
}

/** `mov.u32 d, t[%r1];`: the address of an element whose index is known at run time. Memory instructions accept it. */
const takesIndexedAddress = ({ operands }: ast.Instruction, { form, classes }: Candidate, scope: Scope): boolean =>
  operands.some(
    (operand, index) => classes[form.slots[index]?.name ?? ""]?.kind !== "address" && isIndexed(operand, scope),
  );

/** A wrong number of operands is a mistake of its own beside a wrong spelling. */
function countMeant(instruction: ast.Instruction, meant: Candidate | undefined, scope: Scope): undefined {
  if (meant !== undefined) countFits(instruction, meant, scope);
}

/** True when there are as many operands as the form takes; false after a diagnostic. */
function countFits(instruction: ast.Instruction, candidate: Candidate, scope: Scope): boolean {
  const { form } = candidate;
  const written = instruction.operands;
  const most = form.slots.length;
  if (written.length === most) return true;
  const least = form.slots.filter(({ optional }) => !optional).length;
  if (written.length >= least && written.length < most) return true;
  const surplus = written[most];
  const head = instruction.modifiers.at(-1)?.end ?? instruction.mnemonic.end;
  if (surplus && most === 0 && scope.source.text.slice(head, surplus.start).includes("\n")) {
    // `ret` and, on the next line, `ret;`.
    const help = [{ message: "add it", replace: { span: { start: head, end: head }, text: ";" } }];
    reject(scope, "PTX1102", { start: head - 1, end: head }, "missing `;` after this", {
      expected: "`;`",
      help,
    });
    return false;
  }
  const at = surplus ? { start: surplus.start, end: written.at(-1)?.end ?? surplus.end } : instruction;
  const takes = least === most ? least : `${least} to ${most}`;
  reject(scope, "PTX1301", at, `${count(written.length)} where ${form.mnemonic} takes ${takes}`, {
    expected: form.syntax,
    help: [
      {
        message: surplus
          ? `leave out ${at.end - at.start < MOST_NAMED ? scope.source.text.slice(at.start, at.end) : "what is too much"}`
          : areMissing(lacking(instruction, candidate, least, scope)),
      },
    ],
    manual: form.manual,
  });
  return false;
}

/** Characters of operands that are named. */
const MOST_NAMED = 60;

/** The names of the operands that are missing: of one alone that which lets the others fit best, else the last. */
function lacking(
  { operands }: ast.Instruction,
  { form, classes }: Candidate,
  least: number,
  scope: Scope,
): readonly string[] {
  const names = form.slots.slice(0, least).map(({ name }) => name);
  if (names.length - operands.length !== 1) return names.slice(operands.length);
  const fitting = names.map((_, gone) => {
    const others = names.toSpliced(gone, 1);
    return others.filter((name, at) => {
      const [operand, wanted] = [operands[at], classes[name]];
      return operand !== undefined && wanted !== undefined && stands(operand, wanted, scope);
    }).length;
  });
  return names.slice(fitting.lastIndexOf(Math.max(...fitting))).slice(0, 1);
}

const areMissing = (names: readonly string[]): string =>
  names.length < 2
    ? `the operand ${names.join()} is missing`
    : `the operands ${names.slice(0, -1).join(", ")} and ${names.at(-1)} are missing`;

/**
 * Operands in the order of the syntax line, with undefined for each that is not written; undefined after a diagnostic.
 */
function resolveOperands(
  instruction: ast.Instruction,
  candidate: Candidate,
  choices: OperandChoices,
  scope: Scope,
): readonly (Operand | undefined)[] | undefined {
  const { form, classes } = candidate;
  if (!countFits(instruction, candidate, scope)) return undefined;
  const written = instruction.operands;
  if (isSwapped(form, classes, written)) {
    const [result, address, ...others] = written;
    if (result && address && others.length > 0) return rejectResult(result, address, form, scope);
    return rejectOrder(instruction, "the address first", form, scope);
  }
  if (isAddressFirst(form, classes, written)) return rejectOrder(instruction, "the register first", form, scope);
  const result: (Operand | undefined)[] = [];
  let sound = true;
  const place = (name: string, operand: ast.Operand | undefined): void => {
    const wanted = classes[name];
    const brings = (wanted && "brings" in wanted && wanted.brings) || (operand && lateIn(operand, wanted, scope));
    const young = !operand || !brings || requireSince(brings, operand, `the operand ${name}`, scope, form.manual);
    const resolved = operand && young ? resolveOne(operand, wanted, form.syntax, scope) : undefined;
    if (operand && resolved === undefined) sound = false;
    result.push(resolved);
  };
  const standing = withHoles(placedOperands({ form, classes }, written), form, classes, scope);
  form.slots.forEach((slot, index) => {
    const { name, second, optional } = slot;
    const operand = standing[index];
    if (optional && operand === undefined && !isLoose(classes[name])) {
      // Some modifiers add an optional operand: .L2::cache_hint adds its policy.
      reject(scope, "PTX1301", instruction, `${name} is missing`, { expected: form.syntax, manual: form.manual });
      sound = false;
    }
    if (slot.inside) {
      if (operand?.kind !== "address") {
        reject(scope, "PTX1315", operand ?? instruction, "brackets are needed here", {
          expected: form.syntax,
          manual: form.manual,
        });
        sound = false;
        return;
      }
      const surplus = operand.more[slot.inside.length];
      if (surplus) {
        reject(scope, "PTX1301", surplus, "too much in the brackets", {
          expected: form.syntax,
          manual: form.manual,
        });
        sound = false;
        return;
      }
      for (const { slot: within, operand: inner } of inBrackets(operand, slot)) {
        const last = operand.more.length > 1 && inner === operand.more.at(-1);
        if (inner && last && inner.kind !== "vector" && classes[name]?.kind === "handle") {
          // ptxas reads braces behind a sampler, and nothing else.
          reject(scope, "PTX1307", inner, "braces are needed here", { expected: form.syntax, manual: form.manual });
          sound = false;
        }
        const apart = scope.independent && classes[within.name]?.kind === "handle";
        if (inner === undefined && (!within.optional || apart || !isLoose(classes[within.name]))) {
          const why = apart ? "texmode_independent: the sampler" : within.name;
          reject(scope, "PTX1301", operand, `${why} is missing`, { expected: form.syntax, manual: form.manual });
          sound = false;
        }
        place(within.name, inner);
      }
      return;
    }
    const pair = operand?.kind === "pair" && second ? operand : undefined;
    const first = pair?.first ?? operand;
    const bare = first && choices.take(first, slot, scope);
    if (first && bare === undefined) sound = false;
    place(name, bare);
    if (second && !second.optional && operand && !pair) {
      reject(scope, "PTX1301", operand, `${second.name} is missing`, { expected: form.syntax, manual: form.manual });
      sound = false;
    }
    if (second) place(second.name, pair?.second);
  });
  return sound ? result : undefined;
}

/** An operand that is allowed here, but not in every version: `_`, or a register of its type. */
function lateIn(operand: ast.Operand, wanted: OperandClass | undefined, scope: Scope): Brings | undefined {
  if (wanted?.kind !== "register" || wanted.late === undefined || operand.kind !== "name") return undefined;
  const { text } = operand.name;
  if (text === "_") return wanted.late._;
  const symbol = scope.lookup(text);
  return symbol?.kind === "register" && symbol.type !== "pred" ? wanted.late[symbol.type] : undefined;
}

/** `red.add.u32 d, [a], b;`: a result in front of the address. */
const rejectResult = (
  result: Span,
  address: Span,
  { mnemonic, syntax, manual }: Candidate["form"],
  scope: Scope,
): undefined =>
  reject(scope, "PTX1301", result, `${mnemonic} gives no result`, {
    expected: syntax,
    help: [
      {
        message: `leave out ${scope.source.text.slice(result.start, result.end)}`,
        replace: { span: { start: result.start, end: address.start }, text: "" },
      },
    ],
    manual,
  });

/** The first two operands the other way round. */
function rejectOrder(
  { operands: [a, b], ...instruction }: ast.Instruction,
  what: string,
  { mnemonic, syntax, manual }: Candidate["form"],
  scope: Scope,
): undefined {
  const text = ({ start, end }: Span) => scope.source.text.slice(start, end);
  const swapped = a && b ? `${text(b)}, ${text(a)}` : "";
  const replace = a && b ? { replace: { span: { start: a.start, end: b.end }, text: swapped } } : {};
  return reject(scope, "PTX1315", a ?? instruction, `${mnemonic} takes ${what}`, {
    expected: syntax,
    help: a && b ? [{ message: `write ${swapped}`, ...replace }] : [],
    manual,
  });
}

/** `ld.global.u32 [rd], a;` */
const isAddressFirst = (
  { slots: [first, second] }: Candidate["form"],
  classes: Readonly<Record<string, OperandClass>>,
  [a, b]: readonly ast.Operand[],
): boolean =>
  first !== undefined &&
  second !== undefined &&
  classes[first.name]?.kind === "register" &&
  classes[second.name]?.kind === "address" &&
  a?.kind === "address" &&
  b?.kind === "name";

/** `st.global.u32 a, [rd];` */
const isSwapped = (
  { slots: [first, second] }: Candidate["form"],
  classes: Readonly<Record<string, OperandClass>>,
  [a, b]: readonly ast.Operand[],
): boolean =>
  first !== undefined &&
  second !== undefined &&
  classes[first.name]?.kind === "address" &&
  classes[second.name]?.kind !== "address" &&
  a?.kind !== "address" &&
  a?.kind !== "element" &&
  b?.kind === "address";

function resolveOne(
  operand: ast.Operand,
  wanted: OperandClass | undefined,
  syntax: string,
  scope: Scope,
): Operand | undefined {
  if (wanted === undefined) throw new Error(`${syntax} has an operand without a class`);
  return isChanging(operand, wanted, scope) ? { kind: "sink" } : resolveOperand(operand, wanted, scope);
}

const count = (operands: number): string => `${operands} operand${operands === 1 ? "" : "s"}`;

/** `%clock` where a special register may stand: its value is taken at run time, not when the thread begins. */
function isChanging(operand: ast.Operand, wanted: OperandClass, scope: Scope): boolean {
  if (operand.kind !== "name" || operand.component) return false;
  if ((wanted.kind !== "register" && wanted.kind !== "predicate") || !wanted.special) return false;
  const special = specialOf(operand.name.text);
  if (!special || scope.lookup(operand.name.text)) return false;
  if (special.fixed && special.type !== "pred") return false;
  if (wanted.kind === "register" && wanted.types[0]?.startsWith("f")) return false; // ptxas: no mov.f32 of %clock
  const type = wanted.kind === "predicate" ? "pred" : `u${wanted.bits}`;
  return type === special.type && requireSince(special.since, operand, operand.name.text, scope);
}

/** `%clock`, as an operand of a move. */
const isTimed = (operand: ast.Operand, scope: Scope): boolean =>
  operand.kind === "name" && !scope.lookup(operand.name.text) && specialOf(operand.name.text)?.fixed === false;

/** The operation of a move of a special predicate: it reads a number, 0 or not. */
const differs = operation({ a: "u32", b: "u32" }, "pred", predicate(relation("ne", a, b)));

function changing(
  { operands: written }: ast.Instruction,
  plan: Plan,
  operands: readonly (Operand | undefined)[],
  scope: Scope,
): ResolvedInstruction | undefined {
  const [, source] = written;
  if (plan.shape !== "move" || operands[1]?.kind !== "sink" || source?.kind !== "name") return undefined;
  const special = scope.lookup(source.name.text) ? undefined : specialOf(source.name.text);
  if (special?.type === "pred") {
    const asked = { plan: { shape: "compare", op: differs } } as const;
    return { ...asked, operands: [operands[0], undefined, scope.special(special.name, 32), scope.constant(0n, 32)] };
  }
  return special && { plan: { shape: "special", name: special.name }, operands: [operands[0]] };
}

function tooManyWords({ mnemonic, modifiers }: ast.Instruction, most: number, scope: Scope): undefined {
  const first = modifiers[most] ?? mnemonic;
  const at = { start: first.start, end: modifiers.at(-1)?.end ?? first.end };
  return reject(scope, "PTX1214", at, `${mnemonic.text} has ${modifiers.length} modifiers`, {
    expected: "about a dozen at most",
    manual: "instruction-set",
  });
}
