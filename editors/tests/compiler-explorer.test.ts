import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { looking, World } from "../../tests/unit/cli/world.ts";

const folder = join(import.meta.dirname, "../compiler-explorer");

interface Result {
  readonly args?: readonly string[];
  readonly stdin?: string;
  readonly error?: string;
}

interface Tool {
  runTool(info: object, input: string, args?: string[]): Promise<Result>;
}

/** Of Compiler Explorer's base class what its documentation says of it: what the program would be started with. */
const BASE = `export class BaseTool {
  constructor(options) { this.options = options; }
  createErrorResponse(error) { return { error }; }
  async runTool(info, input, args, stdin) { return { args: [...this.options, ...args, input], stdin }; }
}`;

/** The properties of a tool, without \`tools.NAME.\`. */
const propertiesOf = (file: string): ReadonlyMap<string, string> =>
  new Map(
    [...readFileSync(join(folder, "etc/config", file), "utf8").matchAll(/^tools\.ptxrun\.(\w+)=(.*)$/gm)].map(
      ([, key = "", value = ""]) => [key, value],
    ),
  );

const world = new World();
const compiled = join(world.folder, "compiled");
let tool: Tool;
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [join(folder, "lib/tooling/ptxrun-tool.ts")],
    ...{ bundle: true, write: false, platform: "node", format: "esm" },
    plugins: [
      {
        name: "base-tool",
        setup: (bundler) => {
          bundler.onResolve({ filter: /base-tool\.js$/ }, () => ({ path: "base", namespace: "base" }));
          bundler.onLoad({ filter: /./, namespace: "base" }, () => ({ contents: BASE }));
        },
      },
    ],
  });
  world.write("tool.mjs", outputFiles[0]?.text ?? "");
  const { PtxrunTool } = await import(join(world.folder, "tool.mjs"));
  const properties = propertiesOf("cuda.ptxrun.properties");
  expect(properties.get("class")).toBe(PtxrunTool.key);
  tool = new PtxrunTool((properties.get("options") ?? "").split(" "));
});
afterAll(() => world.remove());

const input = join(compiled, "example.cu");

/** Runs the tool on what a compiler has left in a folder. */
function tooled(files: Readonly<Record<string, string>>, info: object = {}, args?: string[]) {
  rmSync(compiled, { recursive: true, force: true });
  mkdirSync(compiled);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(compiled, name), text);
  return tool.runTool({ code: 0, filters: {}, outputFilename: join(compiled, "output.s"), ...info }, input, args);
}

describe("the tool for Compiler Explorer", () => {
  it("takes what nvcc keeps beside the code of the host, of the newest architecture", async () => {
    const kept = { "output.s": "x86", "example.compute_90.ptx": "old", "example.compute_100.ptx": "new" };
    expect(await tooled(kept, {}, ["--block", "64"])).toEqual({
      args: ["ce", "--block", "64", "--source", input],
      stdin: "new",
    });
  });

  it("takes what clang leaves, and nothing that is no text", async () => {
    expect(await tooled({ "output.s": "ptx" })).toMatchObject({ stdin: "ptx" });
    expect(await tooled({ "output.s": "ELF" }, { filters: { binary: true } })).toEqual({
      error: "<nothing to run: no PTX was made>",
    });
    expect(await tooled({})).toEqual({ error: "<nothing to run: no PTX was made>" });
    expect(await tooled({ "output.s": "" }, { code: 1 })).toEqual({
      error: "<nothing to run: the compilation failed>",
    });
  });

  it("has a command line that ptxrun understands, and gets lines of the source", async () => {
    const text = `.version 8.0\n.target sm_80\n.address_size 64\n.file 1 "/app/example.cu"
.visible .entry k() { .loc 1 7 3\n trap; }\n`;
    const { args = [], stdin = "" } = await tooled({ "example.ptx": text });
    const { exit, out } = await world.ptxrun(args, { stdin, now: looking(0) });
    expect([exit, out]).toEqual([4, expect.stringContaining(`${input}:7:3: error PTX30`)]);
  });

  it("needs no class of its own where the source is PTX", async () => {
    const properties = propertiesOf("ptx.ptxrun.properties");
    expect([properties.get("class"), properties.get("type")]).toEqual(["base-tool", "independent"]);
    world.write("example.ptxas", ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { nop; }\n");
    const { exit, out } = await world.ptxrun([properties.get("options") ?? "", "example.ptxas"], { now: looking(0) });
    expect([exit, out.split("\n")[0]]).toEqual([3, expect.stringMatching(/^example\.ptxas:4:14: error PTX1201: /)]);
  });
});
