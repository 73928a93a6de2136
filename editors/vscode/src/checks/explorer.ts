import { dirname, resolve } from "node:path";
import {
  type CancellationToken,
  type Disposable,
  type ExtensionContext,
  Location,
  Position,
  Range,
  type TestController,
  type TestItem,
  TestMessage,
  type TestRun,
  TestRunProfileKind,
  TestRunRequest,
  tests,
  Uri,
  workspace,
} from "vscode";
import { ptxrun } from "../ptxrun.ts";
import { runCheck } from "./command.ts";
import { findChecks } from "./find.ts";
import { type Failure, type FileReport, outcomesOf } from "./results.ts";

/** The test explorer: a file with golden checks is an item, each of its checks one below it. */
export class Explorer implements Disposable {
  readonly controller: TestController;
  readonly #context: ExtensionContext;
  readonly #held: Disposable[] = [];

  constructor(context: ExtensionContext) {
    this.#context = context;
    this.controller = tests.createTestController("ptxrun", "ptxrun check");
    this.controller.resolveHandler = async (item) => {
      if (item === undefined) await this.discover();
    };
    this.controller.refreshHandler = () => this.discover();
    this.controller.createRunProfile(
      "Check",
      TestRunProfileKind.Run,
      (request, token) => this.run(request, token),
      true,
    );
    const pattern = workspace.getConfiguration("ptxrun").get<string>("check.files", "**/*.{ptx,visaasm}");
    const watcher = workspace.createFileSystemWatcher(pattern);
    this.#held.push(
      watcher,
      watcher.onDidCreate((uri) => this.#read(uri)),
      watcher.onDidChange((uri) => this.#read(uri)),
      watcher.onDidDelete((uri) => this.controller.items.delete(uri.toString())),
      workspace.onDidOpenTextDocument(({ uri, languageId }) => {
        if (languageId === "ptx" || languageId === "visa") this.#read(uri);
      }),
    );
  }

  dispose(): void {
    for (const each of this.#held) each.dispose();
    this.controller.dispose();
  }

  /** Looks for checks in all files of the workspace. */
  async discover(): Promise<void> {
    const pattern = workspace.getConfiguration("ptxrun").get<string>("check.files", "**/*.{ptx,visaasm}");
    for (const uri of await workspace.findFiles(pattern, "**/node_modules/**")) await this.#read(uri);
  }

  /** Checks a file, or one of its cases: what the code lens does. */
  async check(uri: Uri, name: string | undefined): Promise<void> {
    await this.#read(uri);
    const file = this.controller.items.get(uri.toString());
    const item = name === undefined ? file : file?.children.get(idOf(uri, name));
    if (item !== undefined) await this.run(new TestRunRequest([item]));
  }

  /** Runs what is asked for; files one after the other, so that each shows its results as soon as it has them. */
  async run(request: TestRunRequest, token?: CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    const stop = new AbortController();
    token?.onCancellationRequested(() => stop.abort());
    const items: TestItem[] = [];
    if (request.include !== undefined) items.push(...request.include);
    else this.controller.items.forEach((item) => void items.push(item));
    for (const item of items) {
      if (stop.signal.aborted) break;
      if (!request.exclude?.includes(item)) await this.#runItem(run, item, stop.signal);
    }
    run.end();
  }

  async #runItem(run: TestRun, item: TestItem, signal: AbortSignal): Promise<void> {
    const { uri } = item;
    if (uri === undefined) return;
    const file = item.parent ?? item;
    const one = item.parent === undefined ? undefined : item;
    const started = one === undefined ? childrenOf(item) : [item];
    for (const each of started) run.started(each);
    try {
      const cwd = workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? dirname(uri.fsPath);
      const args = workspace.getConfiguration("ptxrun").get<readonly string[]>("check.arguments", []);
      const report = await runCheck(ptxrun(this.#context), {
        files: [uri.fsPath],
        args,
        cwd,
        signal,
        ...(one !== undefined && { filter: one.label }),
      });
      for (const each of report.files) this.#show(run, each, { file, one, cwd });
    } catch (error) {
      const message = new TestMessage(error instanceof Error ? error.message : String(error));
      for (const each of started.length > 0 ? started : [item]) run.errored(each, message);
    }
  }

  /** Shows a file's results; a case that is only in its sidecar becomes an item now. */
  #show(
    run: TestRun,
    report: FileReport,
    { file, one, cwd }: { file: TestItem; one: TestItem | undefined; cwd: string },
  ): void {
    const { whole, cases } = outcomesOf(report);
    const messages = (failures: readonly Failure[]): TestMessage[] => failures.map((each) => messageOf(each, cwd));
    if (whole.length > 0) run.errored(one ?? file, messages(whole));
    for (const { name, source, line, failures } of cases) {
      const uri = Uri.file(resolve(cwd, source));
      const item = this.#item(file, uri, name, line);
      // A filter takes every case whose name holds the text.
      if (one !== undefined && item.id !== one.id) continue;
      if (failures.length === 0) run.passed(item);
      else run.failed(item, messages(failures));
    }
  }

  #item(file: TestItem, uri: Uri, name: string, line: number): TestItem {
    const id = idOf(file.uri ?? uri, name);
    const item = file.children.get(id) ?? this.controller.createTestItem(id, name, uri);
    item.range = new Range(new Position(line, 0), new Position(line, 0));
    file.children.add(item);
    return item;
  }

  async #read(uri: Uri): Promise<void> {
    const text = new TextDecoder().decode(await workspace.fs.readFile(uri));
    const found = findChecks(text);
    const id = uri.toString();
    if (found.length === 0) {
      this.controller.items.delete(id);
      return;
    }
    const file =
      this.controller.items.get(id) ?? this.controller.createTestItem(id, workspace.asRelativePath(uri), uri);
    this.controller.items.add(file);
    file.children.replace([]);
    for (const { name, line } of found) this.#item(file, uri, name, line);
  }
}

const idOf = (file: Uri, name: string): string => `${file.toString()}#${name}`;

function childrenOf(item: TestItem): TestItem[] {
  const children: TestItem[] = [];
  item.children.forEach((child) => void children.push(child));
  return children;
}

function messageOf({ message, expected, actual, source, line, column }: Failure, cwd: string): TestMessage {
  const made =
    expected === undefined || actual === undefined
      ? new TestMessage(message)
      : TestMessage.diff(message, expected, actual);
  made.location = new Location(Uri.file(resolve(cwd, source)), new Position(line, column));
  return made;
}
