import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";

/** As much of the `vscode` module as the extension uses, remembering what it was asked for. */
export class StandIn {
  readonly commands = new Map<string, (...args: unknown[]) => unknown>();
  readonly adapters = new Map<string, { createDebugAdapterDescriptor(): Executable }>();
  readonly providers = new Map<string, Provider>();
  readonly sessions: { configuration: Configuration; options: unknown }[] = [];
  readonly clients: { server: Server; options: ClientOptions; running: boolean }[] = [];
  readonly terminals: unknown[] = [];
  readonly messages: string[] = [];
  /** Values of settings, by their whole names. */
  readonly settings = new Map<string, unknown>();
  /** What the user types when asked; undefined is Escape. */
  typed: string | undefined;
  asked = 0;
  /** The folder that is open. */
  folder = "/workspace";
  active: { document: { uri: Uri; languageId: string } } | undefined;
  files: Uri[] = [];
  controller: Controller | undefined;
  readonly state = new Map<string, unknown>();

  readonly context = {
    extensionPath: "/extension",
    subscriptions: [] as { dispose(): void }[],
    workspaceState: {
      get: (key: string, otherwise: unknown) => this.state.get(key) ?? otherwise,
      update: async (key: string, value: unknown) => void this.state.set(key, value),
    },
  };

  /** What `require("vscode")` gives. */
  get module(): object {
    const nothing = { dispose: () => undefined };
    const get = (section: string) => (name: string, otherwise: unknown) =>
      this.settings.get(`${section}.${name}`) ?? otherwise;
    return {
      ...values,
      commands: {
        registerCommand: (name: string, run: () => unknown) => {
          this.commands.set(name, run);
          return nothing;
        },
      },
      debug: {
        registerDebugAdapterDescriptorFactory: (type: string, factory: never) => {
          this.adapters.set(type, factory);
          return nothing;
        },
        registerDebugConfigurationProvider: (type: string, provider: never) => {
          this.providers.set(type, provider);
          return nothing;
        },
        startDebugging: async (_folder: unknown, configuration: Configuration, options: unknown) => {
          this.sessions.push({ configuration, options });
          return true;
        },
      },
      tests: {
        createTestController: () => {
          this.controller = new Controller();
          return this.controller;
        },
      },
      window: this.#watching({
        createTerminal: (options: unknown) => {
          this.terminals.push(options);
          return { show: () => undefined };
        },
        showInformationMessage: (text: string) => void this.messages.push(text),
        showInputBox: async ({ value }: { value: string }) => {
          this.asked++;
          return this.typed === "(as it stands)" ? value : this.typed;
        },
      }),
      workspace: {
        asRelativePath: (uri: Uri) => uri.fsPath,
        createFileSystemWatcher: () => ({
          ...nothing,
          onDidCreate: () => nothing,
          onDidChange: () => nothing,
          onDidDelete: () => nothing,
        }),
        findFiles: async () => this.files,
        fs: { readFile: async (uri: Uri) => readFileSync(uri.fsPath) },
        getConfiguration: (section: string) => ({ get: get(section) }),
        getWorkspaceFolder: () => ({ uri: Uri.file(this.folder) }),
        onDidChangeConfiguration: () => nothing,
        onDidOpenTextDocument: () => nothing,
      },
    };
  }

  /** What `require("vscode-languageclient/node")` gives: clients that only say whether they run. */
  get client(): object {
    const { clients } = this;
    return {
      TransportKind: { stdio: 0 },
      LanguageClient: class {
        readonly #entry: { server: Server; options: ClientOptions; running: boolean };
        constructor(_id: string, _name: string, server: Server, options: ClientOptions) {
          this.#entry = { server, options, running: false };
          clients.push(this.#entry);
        }
        async start(): Promise<void> {
          this.#entry.running = true;
        }
        async dispose(): Promise<void> {
          this.#entry.running = false;
        }
      },
    };
  }

  /** Adds the editor that is active when somebody asks. */
  #watching(window: object): object {
    return Object.defineProperty(window, "activeTextEditor", { get: () => this.active });
  }
}

interface Executable {
  readonly command: string;
  readonly args: readonly string[];
  readonly options: { readonly env: Readonly<Record<string, string>> };
}
interface Server {
  readonly command: string;
  readonly args: readonly string[];
  readonly transport: number;
}
interface ClientOptions {
  readonly documentSelector: readonly { readonly language: string }[];
}
export type Configuration = Readonly<Record<string, unknown>>;
interface Provider {
  provideDebugConfigurations(): Configuration[];
  resolveDebugConfiguration(folder: undefined, configuration: Configuration): Configuration | undefined;
}

export class Uri {
  readonly fsPath: string;
  constructor(path: string) {
    this.fsPath = path;
  }
  get path(): string {
    return this.fsPath;
  }
  toString(): string {
    return `file://${this.fsPath}`;
  }
  static file(path: string): Uri {
    return new Uri(path);
  }
  static parse(text: string): Uri {
    return new Uri(text.replace("file://", ""));
  }
}

class Message {
  expectedOutput: string | undefined;
  actualOutput: string | undefined;
  location: { uri: Uri; at: Position } | undefined;
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
  static diff(message: string, expected: string, actual: string): Message {
    return Object.assign(new Message(message), { expectedOutput: expected, actualOutput: actual });
  }
}

class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

const values = {
  Uri,
  Position,
  TestMessage: Message,
  TestRunProfileKind: { Run: 1 },
  Range: class {
    readonly start: Position;
    constructor(start: Position) {
      this.start = start;
    }
  },
  Location: class {
    readonly uri: Uri;
    readonly at: Position;
    constructor(uri: Uri, at: Position) {
      this.uri = uri;
      this.at = at;
    }
  },
  TestRunRequest: class {
    readonly include: readonly Item[];
    constructor(include: readonly Item[]) {
      this.include = include;
    }
  },
  DebugAdapterExecutable: class {
    readonly command: string;
    readonly args: readonly string[];
    readonly options: unknown;
    constructor(command: string, args: readonly string[], options: unknown) {
      this.command = command;
      this.args = args;
      this.options = options;
    }
  },
};

/** A test of the explorer. */
class Item {
  readonly children: Items = new Items(this);
  parent: Item | undefined;
  range: { start: Position } | undefined;
  readonly id: string;
  readonly label: string;
  readonly uri: Uri;
  constructor(id: string, label: string, uri: Uri) {
    this.id = id;
    this.label = label;
    this.uri = uri;
  }
}

class Items {
  readonly #all = new Map<string, Item>();
  readonly #parent: Item | undefined;
  constructor(parent?: Item) {
    this.#parent = parent;
  }
  get size(): number {
    return this.#all.size;
  }
  get(id: string): Item | undefined {
    return this.#all.get(id);
  }
  add(item: Item): void {
    item.parent = this.#parent;
    this.#all.set(item.id, item);
  }
  delete(id: string): void {
    this.#all.delete(id);
  }
  replace(items: readonly Item[]): void {
    this.#all.clear();
    for (const item of items) this.add(item);
  }
  forEach(each: (item: Item) => void): void {
    for (const item of this.#all.values()) each(item);
  }
}

/** Keeps what its runs have said, as lines such as `passed one`. */
class Controller {
  readonly items: Items = new Items();
  readonly said: string[] = [];
  readonly failures: Message[] = [];
  resolveHandler: ((item?: Item) => Promise<void>) | undefined;
  profile: ((request: { include?: readonly Item[] }, token?: unknown) => Promise<void>) | undefined;
  createTestItem(id: string, label: string, uri: Uri): Item {
    return new Item(id, label, uri);
  }
  createRunProfile(_label: string, _kind: number, run: never): void {
    this.profile = run;
  }
  createTestRun(): object {
    const said =
      (what: string) =>
      (item: Item, messages: Message | readonly Message[] = []): void => {
        this.said.push(`${what} ${item.label}`);
        this.failures.push(...(Array.isArray(messages) ? messages : [messages]));
      };
    return {
      started: () => undefined,
      passed: said("passed"),
      failed: said("failed"),
      errored: said("errored"),
      end: () => void this.said.push("end"),
    };
  }
  dispose(): void {}
}

interface Extension {
  activate(context: unknown): Promise<void>;
  deactivate(): Promise<void>;
}

let code: Promise<string> | undefined;

/** The extension as `editors/vscode/build.js` bundles it, in a world of this stand-in. */
export async function loadExtension(standIn: StandIn): Promise<Extension> {
  code ??= build({
    entryPoints: [join("editors", "vscode", "src", "extension.ts")],
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    external: ["vscode", "vscode-languageclient/node"],
  }).then(({ outputFiles: [file] }) => file?.text ?? "");
  const real = createRequire(import.meta.url);
  const require = (name: string): unknown =>
    name === "vscode" ? standIn.module : name === "vscode-languageclient/node" ? standIn.client : real(name);
  const module = { exports: {} as Extension };
  new Function("require", "module", "exports", await code)(require, module, module.exports);
  return module.exports;
}
