import { describe, expect, it } from "vitest";
import { pictureAsDot } from "../../../model/picture/dot.ts";
import { iriw, meeting, mp, mpForbidden, sbForbidden } from "./classics.ts";
import { crowded, ladder, lonely, sparse } from "./drawings.ts";
import { type Example, made, step } from "./executions.ts";

interface Statement {
  /** `e3`, `e1 -> e2`, `node`, or the name that something is given to. */
  readonly of: string;
  /** Of the cluster around it. */
  readonly cluster: string | undefined;
  readonly attributes: ReadonlyMap<string, string>;
}

/** Reads what of DOT is written here, and nothing else: statements on lines of their own, and labels in quotes. */
function statements(text: string): Statement[] {
  const [first, ...lines] = text.trimEnd().split("\n");
  expect(first).toBe("digraph execution {");
  expect(lines.pop()).toBe("}");
  const id = String.raw`[\w.]+|"(?:[^"\\]|\\.)*"`;
  const one = new RegExp(String.raw`^(\w+(?: -> \w+)?) \[((?:\w+=(?:${id})(?:, )?)*)\];$`);
  const given = new RegExp(`^(label)=(${id});$`);
  let cluster: string | undefined;
  return lines.flatMap((each): Statement[] => {
    const line = each.trim();
    const opened = /^subgraph (cluster_\d+) \{$/.exec(line);
    if (opened || line === "}") {
      expect(cluster === undefined).toBe(opened !== null);
      cluster = opened?.[1];
      return [];
    }
    const found = one.exec(line) ?? given.exec(line);
    expect(found, line).not.toBeNull();
    const [, of = "", list = ""] = found!;
    const attributes = new Map(
      [...list.matchAll(new RegExp(`(\\w+)=(${id})`, "g"))].map(([, key = "", value = ""]) => [key, value]),
    );
    return [{ of, cluster, attributes: of === "label" ? new Map([["label", list]]) : attributes }];
  });
}

const dot = ({ execution, threads, forbidden }: Example): Statement[] =>
  statements(pictureAsDot(execution, threads, forbidden));
const edges = (all: readonly Statement[]) => all.filter(({ of }) => of.includes("->"));
const nodes = (all: readonly Statement[]) => all.filter(({ of }) => /^e\d+$/.test(of));
const label = ({ attributes }: Statement): string => attributes.get("label") ?? "";

describe("an execution as DOT", () => {
  it("has a cluster for each thread, with its events in program order", () => {
    const all = dot(mp);
    const words = nodes(all).map((node) => `${node.cluster} ${label(node).slice(1).replace(/\\l.*/, "")}`);
    expect(words).toEqual([
      "cluster_0 x = 0",
      "cluster_0 flag = 0",
      "cluster_1 a: W x = 1",
      "cluster_1 b: W flag = 1",
      "cluster_2 c: R flag = 1",
      "cluster_2 d: R x = 1",
    ]);
    const heads = all.filter(({ of, cluster }) => of === "label" && cluster).map(label);
    expect(heads).toEqual([String.raw`"initially\l"`, String.raw`"P0\lblock 0\l"`, expect.stringContaining("r1 = 1")]);
  });

  it("has each edge once, between the nodes that it connects, and with its name", () => {
    const said = edges(dot(mp)).map((edge) => `${label(edge)} ${edge.of}`);
    expect(said.sort()).toEqual(["po e2 -> e3", "po e4 -> e5", "rf e2 -> e5", "rf e3 -> e4", "sw e3 -> e4"]);
  });

  it("lets program order alone say what is above what", () => {
    const free = edges(dot(sbForbidden)).filter(({ attributes }) => attributes.get("constraint") === "false");
    expect([...new Set(free.map(label))].sort()).toEqual(["fr", "rf", "sc", "sw"]);
  });

  it("marks the cycle that forbids it", () => {
    const all = dot(mpForbidden);
    const red = (some: readonly Statement[]) =>
      some.filter(({ attributes }) => attributes.get("color") === '"#c4002f"');
    expect(red(edges(all)).map(label).sort()).toEqual(["fr", "po", "po", "sw"]);
    expect(red(nodes(all))).toHaveLength(4);
    expect(all.find(({ of, cluster }) => of === "label" && !cluster)?.attributes.get("label")).toContain(
      String.raw`"Forbidden by Causality (PTX ISA 8.10.6)\la -po-> b -sw-> c -po-> d -fr-> a\l`,
    );
  });

  it("has arrows of a barrier that point both ways", () => {
    const both = edges(dot(meeting)).filter(({ attributes }) => attributes.get("dir") === "both");
    expect(both.map(label)).toEqual(["sw", "sw"]);
  });

  it("names no node twice, and in edges those that there are", () => {
    for (const example of [iriw, crowded, ladder, lonely, sparse]) {
      const all = dot(example);
      const ids = nodes(all).map(({ of }) => of);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { of } of edges(all)) for (const end of of.split(" -> ")) expect(ids).toContain(end);
    }
  });

  it("is DOT whatever names and instructions hold", () => {
    const odd = String.raw`"]; a -> b [x="\" \N {`;
    const all = dot(made([[step("W", odd, odd, 1n)], []], { names: [odd, "\\"], relations: {} }));
    expect(nodes(all)).toHaveLength(2);
    expect(edges(all)).toHaveLength(0);
  });
});
