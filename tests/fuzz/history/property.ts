import fc from "fast-check";
import { type Command, command } from "./commands.ts";
import { Drive } from "./drive.ts";
import { type Subject, subjects } from "./programs.ts";

/** How many commands are carried out, from which seed, and at most how many of them in one session. */
export interface Extent {
  readonly commands: number;
  readonly seed: number;
  readonly session: number;
  /** The one program that is meant. */
  readonly only?: string | undefined;
}

/** Bytes for going back: enough for everything, or for hardly any checkpoint. */
const rooms = [1 << 28, 1];

/**
 * Carries out random commands on every program. Gives how many it has carried out; throws with the shortest sequence that
 * fails, as lines for the REPL.
 */
export function check({ commands, seed, session, only }: Extent, tell: (text: string) => void = () => {}): number {
  let carriedOut = 0;
  const runs = Math.max(1, Math.ceil((2 * commands) / (session * subjects.length)));
  for (const [index, subject] of subjects.entries()) {
    if (only !== undefined && subject.name !== only) continue;
    const list = fc.array(command, { minLength: 1, maxLength: session, size: "max" });
    const property = fc.property(fc.constantFrom(...rooms), list, (room, all) => {
      carriedOut += runOnce(subject, room, all);
    });
    const details = fc.check(property, { numRuns: runs, seed: seed + index, unbiased: true });
    if (details.failed) {
      const [room, all] = details.counterexample ?? [];
      throw new Error(
        `${subject.name} (${subject.argv.join(" ")}), ${room} bytes: ${String(details.errorInstance)}\n${linesOf(subject, room ?? 0, all ?? [])}`,
      );
    }
    tell(`${subject.name}: ${carriedOut} commands so far`);
  }
  return carriedOut;
}

function runOnce(subject: Subject, room: number, all: readonly Command[]): number {
  const drive = new Drive(subject, room);
  try {
    for (const each of all) drive.carryOut(each);
    drive.compareOutput();
  } finally {
    drive.close();
  }
  return all.length;
}

/** The lines of a sequence that fails. */
function linesOf(subject: Subject, room: number, all: readonly Command[]): string {
  const drive = new Drive(subject, room);
  try {
    for (const each of all) drive.carryOut(each);
  } catch {
    // The sequence is known to fail.
  } finally {
    drive.close();
  }
  return drive.lines.join("\n");
}
