import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { sourceFiles } from "../folders.ts";

/** Where each room is, as a path from the project with a slash behind it. */
const folders: Record<string, string> = {};
/** What each room may import besides itself, as the table of ARCHITECTURE.md has it. */
const allowed = roomsOf(readFileSync(resolve(import.meta.dirname, "../../ARCHITECTURE.md"), "utf8"));

/** The rows of the table: `lexer, source`, `as resolve and visa, not lexer`; each names rooms above it alone. */
function roomsOf(text: string): Readonly<Record<string, readonly string[]>> {
  const rooms: Record<string, readonly string[]> = {};
  for (const [, folder = "", may = ""] of text.matchAll(
    /^\| `((?:src|packages)\/[\w/-]+)` +\|[^|]*\| ([^|]*?) +\|$/gm,
  )) {
    // A package of one room is called by its own name: packages/visa/src is visa.
    const [room = ""] = folder
      .split("/")
      .filter((name) => name !== "src")
      .slice(-1);
    folders[room] = `${folder}/`;
    const [named = "", not = ""] = may.split(", not ");
    const direct = named === "nothing" ? [] : named.replace(/^as /, "").split(/, | and /);
    const strange = [...direct, ...not.split(", ").filter(Boolean)].filter((each) => !(each in rooms));
    if (strange.length > 0) throw new Error(`${room} may import what is no room above it: ${strange}`);
    const whole = named.startsWith("as ") ? direct.flatMap((each) => [each, ...(rooms[each] ?? [])]) : direct;
    rooms[room] = [...new Set(whole)].filter((each) => !not.split(", ").includes(each));
  }
  return rooms;
}

/**
 * The rooms of interp in the order in which they build on each other, and what each may import besides itself. Nothing
 * but the doors at the top knows both an executor and who uses one: the machine, the warps and the tools see the
 * interface in `state/executor.ts` alone.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  "tensor-map": ["contract"],
  memory: ["contract"],
  texture: ["contract"],
  async: ["contract", "memory"],
  state: ["contract", "memory", "async"],
  access: ["contract", "memory", "async", "state"],
  warp: ["contract", "memory", "state"],
  driver: ["contract", "memory", "state", "access", "warp"],
  schedule: ["contract", "memory", "async", "state", "warp"],
  machine: ["contract", "memory", "async", "state", "warp", "schedule"],
  tools: ["contract", "async", "state", "warp", "schedule", "machine"],
  "worker-pool": ["contract", "memory", "state", "schedule", "machine"],
  javascript: ["contract", "tensor-map", "texture", "memory", "async", "state", "access", "warp", "driver"],
  compiled: ["contract", "memory", "async", "state", "access", "warp", "driver", "javascript"],
  weak: ["contract", "state", "warp", "driver", "javascript"],
};
/** The rooms of the compiled executor, likewise; `executor.ts` and `warming.ts` stand above them. */
const compiledRooms: Readonly<Record<string, readonly string[]>> = {
  boundary: [],
  frame: [],
  segment: ["boundary"],
  "segment-code": ["boundary", "frame", "segment"],
  lanes: ["boundary", "frame"],
  matrix: [],
  judging: ["boundary", "segment"],
  copies: ["boundary", "frame", "judging"],
  "round-robin": ["boundary"],
  block: ["boundary", "frame", "segment", "segment-code", "lanes", "matrix", "copies", "judging", "round-robin"],
  module: ["boundary", "segment", "matrix", "copies", "judging", "round-robin", "block"],
  running: ["boundary", "copies", "block", "module"],
};
/** The rooms of the host, likewise; "" is `problem.ts`, beside the doors that stand above them. */
const hostRooms: Readonly<Record<string, readonly string[]>> = {
  memory: [""],
  container: [""],
  launch: ["", "memory"],
  module: ["", "memory", "launch", "container"],
  stats: [],
  debugger: [],
};
/** The packages that each folder may use; `node:` belongs to the command line alone. */
const packages: Readonly<Record<string, readonly RegExp[]>> = {
  visa: [/^chevrotain$/],
  system: [/^node:/],
  clients: [/^node:/],
  campaign: [/^node:/],
  diff: [/^node:/],
  hunt: [/^node:/],
  lexer: [/^chevrotain$/],
  parser: [/^chevrotain$/],
  model: [/^@dagrejs\/dagre$/],
  environment: [/^chalk$/],
  dap: [/^@vscode\/debugprotocol$/],
  cli: [/^node:/, /^commander$/, /^vscode-languageserver/, /^vscode-jsonrpc/, /^@modelcontextprotocol\/sdk\//],
};
/** Files at the top of `src` are the package's doors and may name any room but the command line. */
const doors = Object.keys(allowed).filter((folder) => folder !== "cli");

const root = resolve(import.meta.dirname, "../..");
/** The sources of the package, as paths from the project. */
const files = sourceFiles;

interface Import {
  readonly file: string;
  readonly typeOnly: boolean;
  readonly target: string;
}

function importsOf(file: string, home = root): Import[] {
  const text = readFileSync(join(home, file), "utf8");
  const pattern =
    /^\s*(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm;
  return [...text.matchAll(pattern)].map((found) => ({
    file,
    typeOnly: found[1] !== undefined,
    target: found[2] ?? found[3] ?? "",
  }));
}

const roomOf = (file: string): string =>
  Object.keys(folders).find((room) => file.startsWith(folders[room] ?? "?")) ?? (/^src\/[^/]+$/.test(file) ? "" : file);
const all = files.flatMap((file) => importsOf(file));

describe("the order of folders", () => {
  it("finds the imports at all", () => {
    expect(files.length).toBeGreaterThan(20);
    expect(all.some(({ file, target }) => file.startsWith("src/interp/") && /^(\.\.\/)+numeric\//.test(target))).toBe(
      true,
    );
  });

  it("knows every folder", () => {
    expect(files.map(roomOf).filter((room) => room !== "" && !(room in allowed))).toEqual([]);
    expect(Object.keys(allowed).filter((room) => !files.some((file) => roomOf(file) === room))).toEqual([]);
  });

  it("goes one way only", () => {
    const wrong = all
      .filter(({ target }) => target.startsWith("."))
      .map(({ file, target }) => ({ file, to: relative(root, resolve(root, dirname(file), target)) }))
      .filter(({ file, to }) => {
        const [from, into] = [roomOf(file), roomOf(to)];
        return from !== into && into !== "" && !(from === "" ? doors : (allowed[from] ?? [])).includes(into);
      })
      .map(({ file, to }) => `${file} -> ${to}`);
    expect(wrong).toEqual([]);
  });

  it("gives the memory model nothing of the interpreter but what all of that agrees on", () => {
    const taken = all.filter(
      ({ file, target }) => file.startsWith("packages/memory-model/model/") && target.includes("/interp/"),
    );
    expect(taken.filter(({ target }) => !target.includes("/interp/contract/"))).toEqual([]);
    expect(taken.length).toBeGreaterThan(0);
  });

  /** What goes against the order of the rooms of a folder, and the rooms that there are. A folder within one belongs to it. */
  function against(
    home: string,
    order: Readonly<Record<string, readonly string[]>>,
  ): { wrong: string[]; there: Set<string> } {
    const room = (file: string): string => file.slice(home.length).split("/").slice(0, -1)[0] ?? "";
    const wrong = all
      .filter(({ file, target }) => file.startsWith(home) && room(file) !== "" && target.startsWith("."))
      .map(({ file, target }) => ({ file, to: relative(root, resolve(root, dirname(file), target)) }))
      .filter(({ file, to }) => to.startsWith(home) && room(file) !== room(to))
      .filter(({ file, to }) => !(order[room(file)] ?? []).includes(room(to)))
      .map(({ file, to }) => `${file} -> ${to}`);
    return { wrong, there: new Set(files.filter((file) => file.startsWith(home)).map(room)) };
  }

  it.each([
    ["interp", "src/interp/", rooms],
    ["the host", "src/host/", hostRooms],
    ["the compiled executor", "src/interp/compiled/", compiledRooms],
  ])("goes one way within %s", (_, home, order) => {
    const { wrong, there } = against(home, order);
    expect(wrong).toEqual([]);
    expect(there).toEqual(new Set(["", ...Object.keys(order)]));
  });

  it("takes only the syntax tree's types from the parser into the table", () => {
    const wrong = all.filter(
      ({ file, target, typeOnly }) => file.startsWith("src/isa/") && /\/parser\//.test(target) && !typeOnly,
    );
    expect(wrong).toEqual([]);
  });

  it("keeps the sections of the table apart: they share what lies in form, and nothing of each other", () => {
    const section = (file: string): string | undefined => /^src\/isa\/(?!form\/|match\/)([^/]+)\//.exec(file)?.[1];
    const wrong = all
      .filter(({ file, target }) => section(file) !== undefined && target.startsWith("."))
      .map(({ file, target }) => ({ file, to: relative(root, resolve(root, dirname(file), target)) }))
      .filter(({ to }) => to.startsWith("src/isa/") && !to.startsWith("src/isa/form/"))
      .filter(({ file, to }) => section(to) !== section(file))
      .map(({ file, to }) => `${file} -> ${to}`);
    expect(wrong).toEqual([]);
    expect(files.filter((file) => section(file) !== undefined).length).toBeGreaterThan(40);
  });

  it("keeps the machinery of the table free of its sections", () => {
    const wrong = all.filter(
      ({ file, target }) => file.startsWith("src/isa/form/") && /^\.\.\/(?!\.\.\/|chapters\.ts$)/.test(target),
    );
    expect(wrong).toEqual([]);
  });

  it("keeps packages and node: where they belong", () => {
    const wrong = all
      .filter(({ target }) => !target.startsWith("."))
      .filter(({ file, target }) => !(packages[roomOf(file)] ?? []).some((pattern) => pattern.test(target)))
      .map(({ file, target }) => `${file} -> ${target}`);
    expect(wrong).toEqual([]);
  });
});

/** Files that import each other in a circle, types included, each circle as a sorted list (Tarjan's algorithm). */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const lower = (file: string, to: number): void => void low.set(file, Math.min(low.get(file) ?? to, to));
  const visit = (file: string): void => {
    order.set(file, order.size);
    lower(file, order.size - 1);
    open.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lower(file, low.get(next) ?? 0);
    }
    if (low.get(file) !== order.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1) found.push(circle.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found;
}

describe("imports", () => {
  it("are searched for circles", () => {
    const graph = new Map([
      ["a", ["b", "c"]],
      ["b", ["d"]],
      ["c", ["a"]],
      ["d", ["b", "e"]],
      ["e", []],
    ]);
    expect(circles(graph).sort()).toEqual([
      ["a", "c"],
      ["b", "d"],
    ]);
  });

  it.each(["src", "packages", "web", "editors", "bundle", "generate"])(
    "make no circle in %s, types included",
    (folder) => {
      const home = resolve(root, folder);
      const own = readdirSync(home, { recursive: true, encoding: "utf8" }).filter(
        (file) => /\.[jt]s$/.test(file) && !/(^|\/)(?:node_modules|dist)\//.test(file),
      );
      const graph = new Map(
        own.map((file) => [
          file,
          importsOf(file, home)
            .filter(({ target }) => target.startsWith("."))
            .map(({ target }) => relative(home, resolve(home, dirname(file), target)))
            .filter((target) => !target.startsWith("..")),
        ]),
      );
      expect(graph.size).toBeGreaterThan(2);
      expect(circles(graph)).toEqual([]);
    },
  );
});

describe("includes", () => {
  const native = resolve(root, "native");
  /** `cuda/state` for `cuda/state.c` and `cuda/state.h`, which are one. */
  const unit = (path: string): string => relative(native, path).replace(/\.[ch]$/, "");

  it("make no circle in native; a file and the header of its name count as one", () => {
    const graph = new Map<string, string[]>();
    const sources = readdirSync(native, { recursive: true, encoding: "utf8" }).filter(
      (file) => /\.[ch]$/.test(file) && !file.startsWith("tests/"),
    );
    for (const path of sources.map((file) => join(native, file))) {
      const named = [...readFileSync(path, "utf8").matchAll(/^\s*#\s*include\s+"([^"]+)"/gm)];
      const targets = named.map(([, target = ""]) => unit(resolve(dirname(path), target)));
      const others = targets.filter((target) => target !== unit(path));
      graph.set(unit(path), [...(graph.get(unit(path)) ?? []), ...others]);
    }
    expect(new Set([...graph.keys()].map((name) => dirname(name)))).toEqual(
      new Set([".", "cuda", "cuda/graph", "cudart", "cudart/graph", "nvjitlink", "redirect"]),
    );
    expect([...graph.values()].flat().filter((target) => !graph.has(target))).toEqual([]);
    expect(circles(graph)).toEqual([]);
  });
});

describe("the files", () => {
  it("have names that say what is in them", () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|misc|manager)[./]/.test(file))).toEqual([]);
  });

  it("start threads of their own code only, and those in pools alone", () => {
    const wrong = files.filter((file) => /worker_threads|new Worker\(/.test(readFileSync(join(root, file), "utf8")));
    expect(wrong.sort()).toEqual([
      "src/cli/check/worker.ts",
      "src/system/node-worker-pool.ts",
      "src/system/pool.ts",
      "src/system/worker.ts",
    ]);
  });

  it("run no text as a program but the package's own, and start no process and open no socket but what `exec`, `campaign`, `hunt`, `dap`, `man` at a terminal and `--executor native` are asked for", () => {
    const wrong = files.filter((file) =>
      /\beval\(|\bnew Function\(|child_process|node:(?:net|http|https|vm)\b/.test(
        readFileSync(join(root, file), "utf8"),
      ),
    );
    expect(wrong.sort()).toEqual([
      "packages/lab/campaign/execute.ts",
      "packages/lab/hunt/compiler.ts",
      "src/cli/dap/command.ts",
      "src/cli/exec/command.ts",
      "src/cli/man/pager.ts",
      "src/cli/start/start.ts",
      "src/system/native-compiler.ts",
    ]);
  });

  it("cite the manual's instructions by names: each version numbers its chapters anew", () => {
    const texts = ["src", "packages", "generate", "docs", "native", "web", "editors", "tests", "examples"]
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
      )
      .concat(readdirSync(root))
      .filter(
        (file) =>
          /\.(?:ts|js|md|html|ptx|cu|py)$/.test(file) &&
          !/(?:node_modules|dist|tests\/data)\/|\.generated\./.test(file),
      );
    // What ptxrun prints has the numbers of src/isa/chapters.ts: a copy of it, and what tests expect.
    const printed = [
      "docs/coverage.md",
      "tests/unit/isa/table.test.ts",
      "tests/unit/cli/line-stats.test.ts",
      "packages/lsp/tests/hover.test.ts",
    ];
    const wrong = texts.filter((file) => /\b9\.7\.\d/.test(readFileSync(join(root, file), "utf8")));
    expect(wrong.sort()).toEqual(printed.sort());
    expect(texts.length).toBeGreaterThan(1500);
  });
});
