import { Graph, layout } from "@dagrejs/dagre";
import type { Cluster, Edge } from "./graph.ts";

/** In px. */
export const sizes = { letter: 12, line: 16, pad: 10 } as const;

/** Letters of all monospaced fonts that systems have are at most this wide. */
export const widthOf = (lines: readonly string[]): number =>
  Math.max(0, ...lines.map(({ length }) => length)) * sizes.letter * 0.61;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Position is the centre. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface Drawing {
  /** By the ids of nodes. */
  readonly boxes: ReadonlyMap<string, Box>;
  /** One for each cluster. */
  readonly columns: readonly Box[];
  /** From corner to corner; the middles of labels. */
  readonly lines: readonly { readonly edge: Edge; readonly points: readonly Point[]; readonly label: Point }[];
  readonly width: number;
  readonly height: number;
}

/** Dagre's graph during layout. */
interface Ranks {
  node(id: string): { order: number };
}

/** Dagre needs at least two ranks between nodes. */
const ranks = 4;

/**
 * Dagre's ranks, from the left, are a cluster and then those of the gutter beside it: an edge that passes a cluster
 * gets a position between its nodes, and one within a cluster passes through the gutter. Program order, which dagre
 * sees as the order of nodes in a rank, goes straight down.
 */
export function drawingOf(clusters: readonly Cluster[], edges: readonly Edge[]): Drawing {
  const place = new Map(clusters.flatMap(({ nodes }, column) => nodes.map(({ id }, row) => [id, { column, row }])));
  const columnOf = (id: string): number => place.get(id)!.column;
  const isDown = ({ name, from, to }: Edge): boolean =>
    name === "po" && columnOf(from) === columnOf(to) && place.get(to)!.row === place.get(from)!.row + 1;
  const graph = new Graph({ multigraph: true }).setGraph({
    rankdir: "LR",
    ranker: "none",
    nodesep: 30,
    edgesep: 18,
    ranksep: 44,
  });
  const constraints = clusters.flatMap(({ head, nodes, foot }, column) => {
    const text = [...head, ...nodes.flatMap(({ lines }) => lines), ...foot];
    const shape = { rank: ranks * column, width: widthOf(text) + 2 * sizes.pad };
    // A cluster without nodes has a place, too.
    if (nodes.length === 0) graph.setNode(`column ${column}`, { ...shape, height: 0 });
    for (const { id, lines } of nodes) {
      const ends = edges.filter((edge) => !isDown(edge) && (edge.from === id || edge.to === id)).length;
      graph.setNode(id, { ...shape, height: Math.max(lines.length * sizes.line, ends * 12) + sizes.pad });
    }
    return nodes.slice(1).map(({ id }, row) => ({ left: nodes[row]!.id, right: id }));
  });
  // The first pass through the ranks does not sort the last one.
  graph.setNode("end", { rank: ranks * clusters.length, width: 0, height: 0 });
  for (const [at, edge] of edges.entries()) {
    const { from, to } = edge;
    if (isDown(edge)) continue;
    if (columnOf(from) < columnOf(to)) graph.setEdge(from, to, {}, `${at}`);
    else if (columnOf(from) > columnOf(to)) graph.setEdge(to, from, {}, `${at}`);
    else {
      graph.setNode(`by ${at}`, { rank: ranks * columnOf(from) + ranks / 2 });
      for (const id of [from, to]) graph.setEdge(id, `by ${at}`, {}, `${at}`);
    }
  }
  layout(graph, {
    customOrder: (ranked: Ranks, order: (ranked: Ranks, how: object) => void) => {
      order(ranked, { constraints });
      // Dagre drops constraints between nodes that have no edges on the side that it processes.
      for (const { nodes } of clusters) {
        const places = nodes.map(({ id }) => ranked.node(id).order).sort((a, b) => a - b);
        for (const [row, { id }] of nodes.entries()) ranked.node(id).order = places[row]!;
      }
    },
  });

  const boxes = new Map([...place.keys()].map((id): [string, Box] => [id, graph.node(id)]));
  const columns = clusters.map(({ nodes }, column): Box => graph.node(nodes[0]?.id ?? `column ${column}`));
  const routes = edges.map((edge, at) => {
    const [first, last] = [columnOf(edge.from), columnOf(edge.to)];
    if (isDown(edge)) return { edge, via: [] };
    if (first === last) return { edge, via: [graph.node(`by ${at}`) as Point] };
    const [v, w] = first < last ? [edge.from, edge.to] : [edge.to, edge.from];
    const via = (graph.edge(v, w, `${at}`).points as Point[]).slice(1, -1).flatMap((point, index) => {
      if (index % 2 === 0) return [];
      // Past a cluster it is horizontal, so that it crosses no node.
      const passed = columns[Math.min(first, last) + (index + 1) / ranks];
      return passed ? [-1, 1].map((side) => ({ x: passed.x + (side * passed.width) / 2, y: point.y })) : [point];
    });
    return { edge, via: first < last ? via : via.reverse() };
  });
  return { ...graph.graph(), boxes, columns, lines: lined(routes, boxes) };
}

interface Route {
  readonly edge: Edge;
  /** Its points between nodes; empty if straight down. */
  readonly via: readonly Point[];
}

/** Adds the points at nodes: edges at one side of a node are spread out, ordered by their direction. */
function lined(routes: readonly Route[], boxes: ReadonlyMap<string, Box>): Drawing["lines"] {
  const ends = routes.flatMap(({ edge, via }) =>
    [[edge.from, via[0]] as const, [edge.to, via.at(-1)] as const].flatMap(([id, next]) => {
      const box = boxes.get(id)!;
      return next ? [{ edge, box, next, side: next.x < box.x ? -1 : 1 }] : [];
    }),
  );
  const port = (edge: Edge, id: string): Point => {
    const box = boxes.get(id)!;
    const end = ends.find((each) => each.edge === edge && each.box === box)!;
    const beside = ends
      .filter((each) => each.box === box && each.side === end.side)
      .sort((a, b) => a.next.y - b.next.y);
    const part = (beside.indexOf(end) + 1) / (beside.length + 1) - 0.5;
    return { x: box.x + (end.side * box.width) / 2, y: box.y + part * box.height };
  };
  return routes.map(({ edge, via }) => {
    if (via[0]) return { edge, points: [port(edge, edge.from), ...via, port(edge, edge.to)], label: via[0] };
    const [from, to] = [boxes.get(edge.from)!, boxes.get(edge.to)!];
    const [start, end] = [from.y + from.height / 2, to.y - to.height / 2];
    return {
      edge,
      points: [start, end].map((y) => ({ x: from.x, y })),
      label: { x: from.x + 14, y: (start + end) / 2 },
    };
  });
}
