import { precisionToJson } from "../../../packages/lab/precision/json.ts";
import { followPrecision, type PrecisionReport } from "../../../packages/lab/precision/report.ts";
import { renderPrecision } from "../../../packages/lab/precision/words.ts";
import type { Session } from "../../interp/machine/session.ts";
import type { Palette } from "../../present/text/palette.ts";

/** `--precision` of a run, or of the last of several. */
export class Precision {
  #run: { readonly session: Session; readonly report: () => PrecisionReport } | undefined;

  /** Receives a session before it runs. */
  readonly attach = (session: Session): void => {
    this.#run = { session, report: followPrecision(session) };
  };

  /** What there is to say after the run; nothing where nothing ran. */
  text(palette: Palette): string {
    return this.#run === undefined ? "" : renderPrecision(this.#run.report(), this.#run.session.program, palette);
  }

  json(): ReturnType<typeof precisionToJson> | undefined {
    return this.#run && precisionToJson(this.#run.report(), this.#run.session.program);
  }
}
