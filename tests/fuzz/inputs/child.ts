import { Coverage } from "./coverage.ts";
import type { Input } from "./input.ts";
import { targets } from "./targets/targets.ts";

/** What the process that feeds is asked, one thing after the other. */
export interface Asked {
  readonly target: string;
  readonly input: Input;
  readonly coverage: boolean;
}

/** What came of it. */
export interface Answer {
  readonly failure?: string;
  /** Bytes that the process has had at most, of the machine's memory. */
  readonly memory: number;
  /** Which parts of ptxrun it has gone through, as numbers; empty unless asked. */
  readonly shapes: readonly number[];
}

let coverage: Coverage | undefined;
process.on("message", async ({ target, input, coverage: wanted }: Asked) => {
  if (wanted) coverage ??= new Coverage();
  coverage?.shapes();
  let failure: string | undefined;
  try {
    failure = await targets[target]?.attempt(input);
  } catch (error) {
    failure = `thrown: ${error instanceof Error ? error.message : String(error)}`;
  }
  const answer: Answer = {
    ...(failure !== undefined && { failure }),
    memory: process.resourceUsage().maxRSS * 1024,
    shapes: coverage?.shapes() ?? [],
  };
  process.send?.(answer);
});
// Whoever throws where nobody waits for it would have ended the command.
for (const event of ["uncaughtException", "unhandledRejection"] as const)
  process.on(event, (error: unknown) => {
    const failure = `thrown aside: ${error instanceof Error ? error.message : String(error)}`;
    process.send?.({ failure, memory: 0, shapes: [] }, () => process.exit(1));
  });
process.on("disconnect", () => process.exit(0));
