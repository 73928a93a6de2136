import { Device } from "../../../host/index.ts";
import { operationOf } from "../../../interp/contract/plan/effects.ts";
import type { Operation } from "../../../numeric/operation/operation.ts";
import { reference } from "../../../numeric/operation/reference.ts";
import { Source } from "../../../source/source.ts";
import type { Change, Replaced } from "./changes.ts";
import type { OneRun } from "./follow.ts";
import type { Ran } from "./step.ts";
import type { Things } from "./things.ts";

/** Times that an instruction was executed that are asked. */
const MOST_ASKED = 24;

/** Steps of one instruction, and the run that has to know what they give. */
export interface Instances {
  readonly run: OneRun;
  readonly there: Things;
  readonly steps: readonly Ran[];
}

/**
 * Says of changes whether what an instruction would then have computed is what the other run has: nothing runs for that.
 */
export class Evidence {
  readonly #operations = new Map<string, Operation | undefined>();
  readonly #target: string;

  constructor(target: string) {
    this.#target = target;
  }

  /** From -2, where what it has computed is known and what it would is not, to 2; 0 where that cannot be said. */
  of({ run, there, steps }: Instances, change: Change): number {
    const asked = steps.filter(({ taken }) => taken).slice(0, MOST_ASKED);
    const [first] = asked;
    if (first === undefined || change.what === "guard") return 0;
    const own = run.program.code[first.pc];
    const operation =
      change.what === "opcode" ? this.#operationOf(change.text) : own === undefined ? undefined : operationOf(own.plan);
    if (
      operation !== undefined &&
      operation.result.into !== "predicate" &&
      operation.takes.length === first.reads.length
    ) {
      const given = asked.map(({ reads, results }) => ({
        before: there.hasValue(run, results[0] ?? 0n),
        after: there.hasValue(run, reference(operation, changed(reads, change))),
      }));
      return 2 * (shareOf(given, ({ after }) => after) - shareOf(given, ({ before }) => before));
    }
    if (change.constant === undefined || first.reads.length < 2) return 0;
    const given = asked.map(({ reads }) => ({
      before: there.hasReads(run, reads),
      after: there.hasReads(run, changed(reads, change)),
    }));
    return 1.2 * (shareOf(given, ({ after }) => after) - shareOf(given, ({ before }) => before));
  }

  /** What an instruction computes, by its text; nothing for one that computes nothing. */
  #operationOf(text: string): Operation | undefined {
    const bare = text.replace(/^@\S+\s*/, "");
    const [opcode = ""] = /^\S+/.exec(bare) ?? [];
    if (this.#operations.has(opcode)) return this.#operations.get(opcode);
    const { value } = new Device().snippet(new Source("", bare), { target: this.#target });
    const [instruction] = value?.program.code ?? [];
    const operation = instruction === undefined ? undefined : operationOf(instruction.plan);
    this.#operations.set(opcode, operation);
    return operation;
  }
}

const shareOf = <T>(list: readonly T[], test: (each: T) => boolean): number => list.filter(test).length / list.length;

function changed(reads: readonly bigint[], { what, constant }: Change): readonly bigint[] {
  const [one, other] = reads;
  if (what === "order" && one !== undefined && other !== undefined) return [other, one, ...reads.slice(2)];
  return constant === undefined ? reads : withConstant(reads, constant);
}

/** Widths of registers that hold a constant, bits. */
const widths = [64, 32, 16, 8];

function withConstant(reads: readonly bigint[], { from, to }: Replaced): readonly bigint[] {
  const [old, fresh] = [bitsOf(from), bitsOf(to)];
  if (old === undefined || fresh === undefined) return reads;
  for (const width of widths) {
    const at = reads.lastIndexOf(BigInt.asUintN(width, old));
    if (at >= 0) return reads.with(at, BigInt.asUintN(width, fresh));
  }
  return reads;
}

function bitsOf(literal: string): bigint | undefined {
  if (/^0[fFdD][\da-fA-F]+$/.test(literal)) return BigInt(`0x${literal.slice(2)}`);
  const digits = literal.replace("-", "").replace(/U$/, "");
  if (!/^(0[xX][\da-fA-F]+|0[bB][01]+|\d+)$/.test(digits)) return undefined;
  return literal.startsWith("-") ? -BigInt(digits) : BigInt(digits);
}
