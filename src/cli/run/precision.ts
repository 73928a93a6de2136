import { precisionToJson } from "../../../packages/lab/precision/json.ts";
import { type PrecisionReport, precisionOf } from "../../../packages/lab/precision/report.ts";
import { PrecisionWatch } from "../../../packages/lab/precision/watch.ts";
import { renderPrecision } from "../../../packages/lab/precision/words.ts";
import type { Session } from "../../interp/machine/session.ts";
import type { Palette } from "../../present/text/palette.ts";

/** `--precision` of a run, or of the last of several. */
export class Precision {
  #run: Run | undefined;

  /** Receives a session before it runs. */
  readonly attach = (session: Session): void => {
    const watch = new PrecisionWatch(session);
    session.observe(watch);
    this.#run = { session, watch };
  };

  /** What there is to say after the run; nothing where nothing ran. */
  text(palette: Palette): string {
    return this.#run === undefined ? "" : renderPrecision(reportOf(this.#run), this.#run.session.program, palette);
  }

  json(): ReturnType<typeof precisionToJson> | undefined {
    return this.#run && precisionToJson(reportOf(this.#run), this.#run.session.program);
  }
}

interface Run {
  readonly session: Session;
  readonly watch: PrecisionWatch;
}

const reportOf = ({ session, watch }: Run): PrecisionReport => precisionOf(session, watch);
