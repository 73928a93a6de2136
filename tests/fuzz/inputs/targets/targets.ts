import type { Target } from "../input.ts";
import { container } from "./container.ts";
import { dap } from "./dap.ts";
import { forms } from "./forms.ts";
import { lsp } from "./lsp.ts";
import { pages } from "./pages.ts";
import { ptx } from "./ptx.ts";
import { repl } from "./repl.ts";
import { sidecar } from "./sidecar.ts";
import { object, visa } from "./visa.ts";

/** What is fed, by the names of the command line. */
export const targets: Readonly<Record<string, Target>> = {
  forms,
  ptx,
  visa,
  object,
  sidecar,
  repl,
  dap,
  lsp,
  pages,
  container,
};
