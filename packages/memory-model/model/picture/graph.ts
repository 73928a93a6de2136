import type { Execution, Forbidden } from "../outcome.ts";
import { arrowsOf } from "./arrows.ts";
import { finalWords, raceWords, registerWords, steps } from "./says.ts";
import { type Box, type Column, sheetOf } from "./sheet.ts";
import { type ArrowName, arrowNames, arrowWords, placeWords, plain, wrapped } from "./words.ts";

/** The content of a drawing: the same for Graphviz and for our own SVG. */
export interface Graph {
  /** The title, then the cycle if the execution is forbidden. */
  readonly title: readonly string[];
  /** Initial writes, if some are touched, then the threads from the left. */
  readonly clusters: readonly Cluster[];
  readonly edges: readonly Edge[];
  /** The final memory, races, and the meanings of edge names. */
  readonly notes: readonly string[];
}

export interface Cluster {
  /** Name and place of a thread, or `initially`. */
  readonly head: readonly string[];
  /** In program order. */
  readonly nodes: readonly { readonly id: string; readonly lines: readonly string[]; readonly forbids: boolean }[];
  /** Registers at the end. */
  readonly foot: readonly string[];
}

export interface Edge {
  readonly name: ArrowName;
  /** Ids of nodes. */
  readonly from: string;
  readonly to: string;
  /** It is a step of the cycle that forbids the execution. */
  readonly forbids: boolean;
  readonly both: boolean;
  /** `a -rf-> b: what that means`. */
  readonly says: string;
}

interface Look {
  readonly colour: string;
  /** A dash pattern, for readers who do not distinguish colours, in SVG's syntax. */
  readonly dash?: string;
  readonly width: number;
}

const looks: Readonly<Record<ArrowName, Look>> = {
  po: { colour: "#6a7482", width: 1.4 },
  rf: { colour: "#0b7a3b", width: 1.6 },
  co: { colour: "#7d5200", width: 1.4, dash: "9 4" },
  fr: { colour: "#a8480a", width: 1.4, dash: "9 3 2 3" },
  sw: { colour: "#1b59c9", width: 2.4 },
  sc: { colour: "#7336b8", width: 2, dash: "3 3" },
  cause: { colour: "#3d4450", width: 2, dash: "1 3" },
  dep: { colour: "#00697a", width: 1.4, dash: "5 3" },
  rmw: { colour: "#8f1f7d", width: 1.4 },
  loop: { colour: "#c4002f", width: 2.4, dash: "6 3" },
};

/** Marks the cycle that forbids an execution. */
export const forbidding = "#c4002f";

export const lookOf = ({ name, forbids }: Pick<Edge, "name" | "forbids">): Look =>
  forbids ? { colour: forbidding, width: 3 } : looks[name];

export function graphOf(execution: Execution, threads: readonly Column[], why?: Forbidden): Graph {
  const sheet = sheetOf(execution, threads);
  const fold = threads.length <= 2 ? 42 : threads.length === 3 ? 32 : 24;
  const folded = (lines: readonly string[], indent: number) => lines.flatMap((line) => wrapped(line, fold, indent));
  const onCycle = new Set(why?.cycle.flatMap(({ from, to }) => [sheet.boxOf[from], sheet.boxOf[to]]));
  const id = (box: Box | undefined) => `e${box?.events[0]}`;
  const nodes = (boxes: readonly Box[]) =>
    boxes.map((box) => ({ id: id(box), lines: folded(box.lines, 5), forbids: onCycle.has(box) }));
  const placements = threads.map(({ placement }) => placement);
  const edges = new Map<string, Edge>();
  for (const { name, from, to, forbids, both } of arrowsOf(execution, sheet, why)) {
    const ends = { from: id(sheet.boxOf[from]), to: id(sheet.boxOf[to]) };
    const says = `${sheet.names[from]} ${both ? "<" : ""}-${name}-> ${sheet.names[to]}: ${arrowWords[name].means}`;
    // The elements of a vector that are all read from one place get one edge.
    const key = `${name} ${ends.from} ${ends.to}`;
    const edge = edges.get(key) ?? { name, ...ends, says, both, forbids };
    edges.set(key, { ...edge, forbids: edge.forbids || forbids });
  }
  const used = arrowNames.filter((name) => [...edges.values()].some((edge) => edge.name === name));
  return {
    title: why
      ? [
          `${why.open ? "Left open" : "Forbidden"} by ${plain(why.axiom)} (PTX ISA ${plain(why.section)})`,
          steps(why, sheet),
        ]
      : ["Execution that the memory model allows"],
    clusters: [
      ...(sheet.initial.length > 0 ? [{ head: ["initially"], nodes: nodes(sheet.initial), foot: [] }] : []),
      ...sheet.columns.map(({ name, placement, thread, boxes }) => ({
        head: folded([name, placeWords(placement, placements)], 2),
        nodes: nodes(boxes),
        foot: folded(registerWords(execution, thread), 2),
      })),
    ],
    edges: [...edges.values()],
    notes: [
      ...[...finalWords(execution), ...raceWords(execution, sheet)].map((line) => line.replace(/ {2,}/, ": ")),
      ...used.map((name) => `${name.padEnd(6)}${arrowWords[name].means} (${arrowWords[name].section})`),
    ],
  };
}
