import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Io } from "../../environment/io.ts";
import { problem } from "../../host/problem.ts";
import type { Staged } from "../../source/diagnostic.ts";

/** The file that a folder with our libraries must contain. */
const LIBRARY: string = process.platform === "darwin" ? "libptxrun.dylib" : "libptxrun.so";

/** The folder with our libraries: PTXRUN_NATIVE, or the one of the package. */
export function findLibraries({ env, home, cwd }: Pick<Io, "env" | "home" | "cwd">): Staged<string | undefined> {
  const named = env.PTXRUN_NATIVE;
  const folders =
    named !== undefined && named !== ""
      ? [resolve(cwd, named)]
      : home === undefined
        ? []
        : [join(home, "native/build"), join(home, "native")];
  const found = folders.find((folder) => existsSync(join(folder, LIBRARY)));
  if (found !== undefined) return { value: found, diagnostics: [] };
  const missing = problem("PTX2250", `no ${LIBRARY} in ${folders.join(" or ") || "the package"}`, {
    expected: "the libraries of ptxrun, which a C compiler makes from its sources",
    help: [
      { message: "in a checkout of ptxrun: npm run native" },
      { message: "PTXRUN_NATIVE names the folder, where they are elsewhere" },
    ],
  });
  return { value: undefined, diagnostics: [missing] };
}
