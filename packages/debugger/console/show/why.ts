import { whyText } from "../../why/text.ts";
import { type LinePart, refuse } from "../expression/refusal.ts";
import { lateness } from "../motion.ts";
import type { Shell } from "../shell.ts";
import { NOTHING_WRONG, whyAsked } from "../why.ts";

/** `why/N`: the causes of a value, or of the first thing that is wrong; N at most. */
export function tellWhy(shell: Shell, argument: LinePart, count: LinePart): void {
  if (!/^\d{0,6}$/.test(count.text))
    throw refuse("PTX2402", `${count.text} is not a count`, count, { expected: "why/N, a whole number" });
  const extent = count.text === "" ? {} : { most: Number(count.text) };
  let interrupted = false;
  const travel = {
    interrupt: (): boolean => {
      interrupted = shell.halts();
      return interrupted;
    },
  };
  const { footing } = shell.subject;
  const why = whyAsked(argument, shell, footing, extent, travel);
  if (interrupted && shell.late) shell.complain(lateness(shell, shell.debugger.stop));
  else if (interrupted) shell.out("interrupted\n");
  else if (why === undefined) shell.out(`${NOTHING_WRONG}\n`);
  else for (const line of whyText(why)) shell.out(`${line}\n`);
}
