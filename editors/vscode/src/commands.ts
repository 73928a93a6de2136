import {
  commands,
  type DebugConfiguration,
  type Disposable,
  debug,
  type ExtensionContext,
  Uri,
  window,
  workspace,
} from "vscode";
import { firstConfiguration, TYPE } from "./debugging.ts";
import { ptxrun, wordsOf } from "./ptxrun.ts";

/** What a code lens of the language server gives its command; all of it is missing for the command palette. */
export interface Lens {
  readonly uri: string;
  readonly kernel?: string;
  readonly case?: string;
}

/** Runs the golden checks of a file, or the one of this name. */
export type Check = (uri: Uri, name: string | undefined) => Promise<void>;

/** The commands behind the code lenses "run", "debug" and "check", which the command palette has as well. */
export function registerCommands(context: ExtensionContext, check: Check): Disposable[] {
  return [
    commands.registerCommand("ptxrun.run", (lens?: Lens) => launch(context, lens, false)),
    commands.registerCommand("ptxrun.debug", (lens?: Lens) => launch(context, lens, true)),
    commands.registerCommand("ptxrun.check", async (lens?: Lens) => {
      const uri = uriOf(lens);
      if (uri !== undefined) await check(uri, lens?.case);
    }),
    commands.registerCommand("ptxrun.terminal", () => {
      const { command, args, env } = ptxrun(context);
      window
        .createTerminal({ name: "ptxrun", shellPath: command, shellArgs: [...args, "repl"], env: { ...env } })
        .show();
    }),
  ];
}

function uriOf(lens: Lens | undefined): Uri | undefined {
  if (lens !== undefined) return Uri.parse(lens.uri);
  const uri = window.activeTextEditor?.document.uri;
  if (uri === undefined) window.showInformationMessage("Open a PTX or vISA file first.");
  return uri;
}

async function launch(context: ExtensionContext, lens: Lens | undefined, debugging: boolean): Promise<void> {
  const uri = uriOf(lens);
  if (uri === undefined) return;
  // A golden check says itself what is launched.
  const configuration =
    lens?.case === undefined
      ? (configured(uri, lens?.kernel) ?? (await asked(context, uri, lens?.kernel)))
      : { ...firstConfiguration(uri.fsPath), case: lens.case };
  if (configuration === undefined) return;
  await debug.startDebugging(workspace.getWorkspaceFolder(uri), configuration, { noDebug: !debugging });
}

/** The configuration of launch.json that is about this kernel. */
function configured(uri: Uri, kernel: string | undefined): DebugConfiguration | undefined {
  const all = workspace.getConfiguration("launch", uri).get<readonly DebugConfiguration[]>("configurations", []);
  const folder = workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? "";
  return all.find(({ type, request, program, entry }) => {
    if (type !== TYPE || request !== "launch" || typeof program !== "string") return false;
    const path = program.replace("${workspaceFolder}", folder).replace("${file}", uri.fsPath);
    return path === uri.fsPath && (entry === undefined || kernel === undefined || entry === kernel);
  });
}

/** Without a configuration, the arguments are asked for in the words of the command line, and remembered. */
async function asked(
  context: ExtensionContext,
  uri: Uri,
  kernel: string | undefined,
): Promise<DebugConfiguration | undefined> {
  const key = `arguments ${uri.toString()} ${kernel ?? ""}`;
  const line = await window.showInputBox({
    title: `Launch ${kernel ?? uri.path.split("/").at(-1)}`,
    prompt: "Options of ptxrun run. A configuration in launch.json is used without asking.",
    placeHolder: "--grid 4 --block 32 -a x=f32x128:iota",
    value: context.workspaceState.get<string>(key, ""),
  });
  if (line === undefined) return undefined;
  await context.workspaceState.update(key, line);
  return { ...firstConfiguration(uri.fsPath), ...(kernel !== undefined && { entry: kernel }), args: wordsOf(line) };
}
