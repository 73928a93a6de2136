import type { Execution, Forbidden } from "../outcome.ts";
import { forbidding, graphOf, lookOf } from "./graph.ts";
import type { Column } from "./sheet.ts";

/** An execution in Graphviz's language: a cluster for each thread, which its program order alone makes a column. */
export function pictureAsDot(execution: Execution, threads: readonly Column[], why?: Forbidden): string {
  const { title, clusters, edges, notes } = graphOf(execution, threads, why);
  return [
    "digraph execution {",
    "  graph [fontname=Courier, labelloc=t];",
    "  node [fontname=Courier, shape=box];",
    "  edge [fontname=Courier];",
    `  label=${text([...title, "", ...notes])};`,
    ...clusters.flatMap(({ head, nodes, foot }, at) => [
      `  subgraph cluster_${at} {`,
      `    label=${text([...head, ...foot])};`,
      // Graphviz omits a cluster without nodes.
      ...(nodes.length === 0 ? [`    empty_${at} [style=invis];`] : []),
      ...nodes.map(
        ({ id, lines, forbids }) => `    ${id} [label=${text(lines)}${forbids ? `, color="${forbidding}"` : ""}];`,
      ),
      "  }",
    ]),
    ...edges.map((edge) => {
      const { colour, dash, width } = lookOf(edge);
      const [style, direction] = [dash ? "dashed" : "solid", edge.both ? ", dir=both" : ""];
      const free = edge.name === "po" ? "" : ", constraint=false";
      const look = `color="${colour}", fontcolor="${colour}", style=${style}, penwidth=${width}`;
      return `  ${edge.from} -> ${edge.to} [label=${edge.name}, ${look}${direction}${free}];`;
    }),
    "}\n",
  ].join("\n");
}

/** A label of lines that begin at the left. */
const text = (lines: readonly string[]): string =>
  `"${lines.map((line) => `${line.replace(/["\\]/g, "\\$&")}\\l`).join("")}"`;
