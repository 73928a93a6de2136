// Builds the extension: dist/extension.cjs, dist/ptxrun (the package, with its servers) and syntaxes. `node build.js` of
// the package comes first.
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeLicences } from "../../bundle/licences.js";
import { load } from "../language/build.js";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const root = (path) => at(`../../${path}`);

/** Writes everything that the extension ships beside what stands here. */
export async function buildExtension() {
  if (!existsSync(root("dist/start.cjs"))) throw new Error("there is no package to bundle: npm run build comes first");
  for (const folder of ["dist", "syntaxes"]) rmSync(at(folder), { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: [at("src/extension.ts")],
    absWorkingDir: at("."),
    metafile: true,
    outfile: at("dist/extension.cjs"),
    bundle: true,
    minify: true,
    legalComments: "none",
    platform: "node",
    format: "cjs",
    target: "node20.19",
    external: ["vscode"],
  });
  writeLicences(
    Object.keys(metafile.inputs).map((file) => at(file)),
    at("dist/licences.txt"),
  );
  mkdirSync(at("syntaxes"));
  const { grammarFiles } = await load("grammars.ts");
  for (const [file, text] of grammarFiles()) writeFileSync(at(`syntaxes/${file}`), text);
  for (const path of ["bin", "dist", "package.json", "LICENSE"])
    cpSync(root(path), at(`dist/ptxrun/${path}`), {
      recursive: true,
      // Compiled code is of one machine's node, and types are for those who write programs.
      filter: (source) => !source.startsWith(root("dist/code")) && !source.endsWith(".d.ts"),
    });
  cpSync(root("LICENSE"), at("LICENSE"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildExtension();
