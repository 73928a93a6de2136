import type { Originals } from "../../console/original/originals.ts";
import type { ExitCode } from "../../environment/exit.ts";
import { placeName } from "../../host/place-name.ts";
import type { Traced } from "../../host/trace.ts";
import type { Session } from "../../interp/machine/session.ts";
import { diagnosticToJson } from "../../present/diagnostic.ts";
import { printable, printableLines } from "../../present/escape.ts";
import { jsonText } from "../../present/json.ts";
import type { Palette } from "../../present/palette.ts";
import { tracedToJson } from "../../present/trace.ts";
import { TraceText } from "../../present/trace-text.ts";
import { demangle } from "../../source/demangle/index.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { demangledField } from "../run/kernel-list.ts";

/** How a traced run ended: by itself, in a fault, or because enough lines are written. */
export interface StopJson {
  readonly reason: string;
  readonly code?: string;
}

/** What a trace writes, in either form; each gives whole lines. */
export interface TraceWriter {
  begin(): string;
  instruction(traced: Traced): string;
  /** Text that the program prints. */
  printed(step: number, text: string): string;
  end(stop: StopJson, steps: number, exit: ExitCode, diagnostics: readonly Diagnostic[]): string;
}

/** A line of JSON each; `schema/trace-1.json`. */
export function jsonWriter({ program }: Session): TraceWriter {
  const line = (data: Record<string, unknown>): string => `${jsonText(data)}\n`;
  const { name, source } = program;
  return {
    begin: () => line({ schema: "ptxrun.trace/1", source: source.name, kernel: name, ...demangledField(name) }),
    instruction: (traced) => line(tracedToJson(traced, program)),
    printed: (step, printed) => line({ step, printed }),
    end: (stop, steps, exit, diagnostics) =>
      line({ stop, steps, exit, diagnostics: diagnostics.map(diagnosticToJson) }),
  };
}

/** Text for people; problems stand on standard error, as always. */
export function textWriter(session: Session, originals: Originals, palette: Palette): TraceWriter {
  const { program } = session;
  const text = new TraceText({
    program,
    palette,
    place: (address, space) => placeName(session, address, space),
    original: (location) => originals.text(location),
  });
  const name = demangle(program.name)?.full ?? program.name;
  return {
    begin: () => `${printable([name, program.source.name].filter((each) => each !== "").join(" of "))}\n`,
    instruction: (traced) => text.instruction(traced),
    printed: (_, said) =>
      `prints  ${printableLines(said)
        .replace(/\n(?=.)/g, "\n        ")
        .replace(/\n?$/, "\n")}`,
    end: ({ reason, code }, steps) =>
      `${reason}${code === undefined ? "" : ` ${code}`} after ${steps} warp instructions\n`,
  };
}
