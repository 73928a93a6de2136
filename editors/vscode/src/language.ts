import { type ExtensionContext, workspace } from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import { ptxrun } from "./ptxrun.ts";

/** The languages that the server reads. */
export const languages = ["ptx", "visa"] as const;

/** The client of `ptxrun lsp --stdio`, not started yet. */
export function createClient(context: ExtensionContext): LanguageClient {
  const { command, args, env } = ptxrun(context);
  return new LanguageClient(
    "ptxrun",
    "ptxrun",
    {
      command,
      args: [...args, "lsp"],
      options: { env: { ...process.env, ...env } },
      // It adds `--stdio`.
      transport: TransportKind.stdio,
    },
    {
      documentSelector: languages.map((language) => ({ language })),
      initializationOptions: workspace.getConfiguration("ptxrun"),
      synchronize: { configurationSection: "ptxrun" },
    },
  );
}
