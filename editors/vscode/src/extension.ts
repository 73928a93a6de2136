import { commands, debug, type ExtensionContext, workspace } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { Explorer } from "./checks/explorer.ts";
import { registerCommands } from "./commands.ts";
import { adapterFactory, configurationProvider, TYPE } from "./debugging.ts";
import { createClient } from "./language.ts";

let client: LanguageClient | undefined;

/** Called by VS Code when a PTX or vISA file is opened, or something of ours is asked for. */
export async function activate(context: ExtensionContext): Promise<void> {
  const explorer = new Explorer(context);
  context.subscriptions.push(
    explorer,
    debug.registerDebugAdapterDescriptorFactory(TYPE, adapterFactory(context)),
    debug.registerDebugConfigurationProvider(TYPE, configurationProvider),
    ...registerCommands(context, (uri, name) => explorer.check(uri, name)),
    commands.registerCommand("ptxrun.restart", () => restart(context)),
    workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("ptxrun.path")) await restart(context);
    }),
  );
  await restart(context);
}

/** Starts the language server, anew if it runs. */
async function restart(context: ExtensionContext): Promise<void> {
  await deactivate();
  client = createClient(context);
  await client.start();
}

/** Called by VS Code before it ends. */
export async function deactivate(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.dispose();
}
