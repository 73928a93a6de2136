import type { LineCount } from "../../host/stats/line-counts.ts";
import { printable } from "../text/escape.ts";
import type { Palette } from "../text/palette.ts";
import { dearness, ratio } from "./line-stats.ts";

/** Lines that are told. */
const MOST = 8;
/** Sectors beyond the fewest that are not worth a word: an array that begins beside a sector. */
const SLACK = 1.3;

/** What lines cost that another order of the same accesses would save, a sentence each, the dearest first. */
export function renderCosts(lines: readonly LineCount[], palette: Palette): string {
  const told = [...lines]
    .sort((a, b) => dearness(b) - dearness(a))
    .flatMap((sums) => {
      const text = costsOf(sums).join("; ");
      return text === ""
        ? []
        : [`${palette.strong(`line ${sums.line}`)}  ${text}  ${palette.faint(printable(sums.text))}\n`];
    });
  return told.slice(0, MOST).join("");
}

function costsOf({ parts, passes, conflicts, transfers, sectors, fewest, divergent }: LineCount): readonly string[] {
  const each = ratio(passes, parts);
  const conflict = /\./.test(each) ? `bank conflicts, ${each} passes for each access` : `a ${each}-way bank conflict`;
  return [
    ...(conflicts > 0 ? [conflict] : []),
    ...(sectors > fewest * SLACK
      ? [`${ratio(sectors, transfers)} sectors a request, of which ${ratio(fewest, transfers)} would do`]
      : []),
    ...(divergent > 0 ? [`parts its warp ${divergent === 1 ? "once" : `${divergent} times`}`] : []),
  ];
}
