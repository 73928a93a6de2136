import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { launchOptions, readLaunch } from "../../packages/debugger/dap/protocol/launch-arguments.ts";
import { World } from "../../tests/unit/cli/world.ts";
import { grammarFiles } from "../language/grammars.ts";
import { loadExtension, StandIn, Uri } from "./stand-in.ts";

const folder = join("editors", "vscode");
const { contributes, ...manifest } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const [debuggerOf] = contributes.debuggers;

const activated = async (standIn = new StandIn()): Promise<StandIn> => {
  await (await loadExtension(standIn)).activate(standIn.context);
  return standIn;
};

test("activate registers all that package.json contributes", async () => {
  const standIn = await activated();
  const commands = contributes.commands.map(({ command }: { command: string }) => command);
  expect([...standIn.commands.keys()].sort()).toEqual([...commands].sort());
  expect([...standIn.adapters.keys()]).toEqual([debuggerOf.type]);
  expect([...standIn.providers.keys()]).toEqual([debuggerOf.type]);
  expect(standIn.controller).toBeDefined();
  const [client] = standIn.clients;
  expect(client?.running).toBe(true);
  const languages = contributes.languages.map(({ id }: { id: string }) => id);
  expect(client?.options.documentSelector.map(({ language }) => language)).toEqual(languages);
  expect(contributes.grammars.map(({ language }: { language: string }) => language)).toEqual(languages);
});

test("every file that package.json names is there, or is made by the build", () => {
  const made = [...grammarFiles().keys()].map((file) => `./syntaxes/${file}`);
  const named = [
    ...contributes.languages.map(({ configuration }: { configuration: string }) => configuration),
    ...contributes.snippets.map(({ path }: { path: string }) => path),
    ...contributes.grammars.map(({ path }: { path: string }) => path),
  ];
  expect(named.filter((path) => !made.includes(path) && !existsSync(join(folder, path)))).toEqual([]);
  for (const { scopeName, path } of contributes.grammars)
    expect(JSON.parse(grammarFiles().get(path.slice("./syntaxes/".length)) ?? "{}").scopeName).toBe(scopeName);
  expect(manifest.main).toBe("./dist/extension.cjs");
});

test("a setting has a default, and is one that the extension or the server reads", () => {
  const sources = ["commands", "debugging", "language", "ptxrun", "checks/explorer"]
    .map((name) => readFileSync(join(folder, "src", `${name}.ts`), "utf8"))
    .join("");
  const ofServer = ["target", "ptx", "platform", "trace.server"];
  for (const [name, { default: otherwise }] of Object.entries<{ default: unknown }>(
    contributes.configuration.properties,
  )) {
    const own = name.replace(/^ptxrun\./, "");
    expect(otherwise, name).toBeDefined();
    expect(ofServer.includes(own) || sources.includes(`"${own}"`), name).toBe(true);
  }
});

test("both servers run in the node of VS Code, or are what ptxrun.path says", async () => {
  const bundled = join("/extension", "dist", "ptxrun", "bin", "ptxrun.js");
  const standIn = await activated();
  const adapter = standIn.adapters.get("ptxrun")?.createDebugAdapterDescriptor();
  expect(adapter).toMatchObject({ command: process.execPath, args: [bundled, "dap"] });
  expect(adapter?.options.env).toEqual({ ELECTRON_RUN_AS_NODE: "1" });
  expect(standIn.clients[0]?.server).toMatchObject({ command: process.execPath, args: [bundled, "lsp"], transport: 0 });
  standIn.settings.set("ptxrun.path", "/usr/bin/ptxrun");
  expect(standIn.adapters.get("ptxrun")?.createDebugAdapterDescriptor()).toMatchObject({
    command: "/usr/bin/ptxrun",
    args: ["dap"],
    options: { env: {} },
  });
});

test("restarting ends the old client and starts another", async () => {
  const standIn = await activated();
  await standIn.commands.get("ptxrun.restart")?.();
  expect(standIn.clients.map(({ running }) => running)).toEqual([false, true]);
});

test("the schema of a launch has what the adapter takes, and nothing else", () => {
  const own = Object.keys(debuggerOf.configurationAttributes.launch.properties);
  // What every editor supplies by itself.
  const ofEditors = ["cwd", "noDebug"];
  expect([...own, ...ofEditors].sort()).toEqual([...launchOptions].sort());
});

test("initial configurations and snippets are launches that the adapter takes", () => {
  const bodies = debuggerOf.configurationSnippets.map(({ body }: { body: object }) => body);
  for (const body of [...debuggerOf.initialConfigurations, ...bodies]) {
    const plain = JSON.parse(
      JSON.stringify(body)
        .replace(/\$\{\d+:([\w.]+)\}/g, "$1")
        .replace(/\^\\"(.*?)\\"/g, "$1"),
    );
    expect(readLaunch(plain, {} as never).showing.program).toBeDefined();
  }
  const { launch, attach } = debuggerOf.configurationAttributes;
  expect(Object.keys(attach.properties).filter((name) => launch.properties[name] === undefined)).toEqual([]);
});

test("a golden check is debugged as it stands", async () => {
  const standIn = await activated();
  await standIn.commands.get("ptxrun.debug")?.({ uri: "file:///workspace/a.ptx", case: "one" });
  expect(standIn.asked).toBe(0);
  expect(standIn.sessions[0]?.configuration).toMatchObject({ program: "/workspace/a.ptx", case: "one" });
});

test("F5 without launch.json debugs the file that is open, and says what is missing where none is", async () => {
  const standIn = await activated();
  const provider = standIn.providers.get("ptxrun");
  expect(provider?.resolveDebugConfiguration(undefined, {})).toBeUndefined();
  expect(standIn.messages.join()).toContain("Open a PTX");
  standIn.active = { document: { uri: Uri.file("/w/a.ptx"), languageId: "ptx" } };
  expect(provider?.resolveDebugConfiguration(undefined, {})).toMatchObject({
    type: "ptxrun",
    request: "launch",
    program: "/w/a.ptx",
    stopOnEntry: true,
  });
  const launch = { type: "ptxrun", request: "launch", name: "x" };
  expect(provider?.resolveDebugConfiguration(undefined, launch)).toMatchObject({ program: "${file}" });
  expect(provider?.resolveDebugConfiguration(undefined, { ...launch, text: "ret;" })).not.toHaveProperty("program");
  expect(provider?.provideDebugConfigurations()).toEqual(debuggerOf.initialConfigurations);
});

test("run and debug use the configuration that is about the kernel", async () => {
  const standIn = await activated();
  standIn.settings.set("launch.configurations", [
    { type: "node", request: "launch", program: "/workspace/a.ptx" },
    { type: "ptxrun", request: "launch", program: "${workspaceFolder}/a.ptx", entry: "other" },
    { type: "ptxrun", request: "launch", program: "${workspaceFolder}/a.ptx", entry: "one", grid: 4 },
  ]);
  const lens = { uri: "file:///workspace/a.ptx", kernel: "one" };
  await standIn.commands.get("ptxrun.run")?.(lens);
  await standIn.commands.get("ptxrun.debug")?.(lens);
  expect(standIn.asked).toBe(0);
  expect(standIn.sessions.map(({ configuration, options }) => [configuration["grid"], options])).toEqual([
    [4, { noDebug: true }],
    [4, { noDebug: false }],
  ]);
});

test("without a configuration the arguments are asked for, and remembered", async () => {
  const standIn = await activated();
  const lens = { uri: "file:///workspace/a.ptx", kernel: "one" };
  const debug = standIn.commands.get("ptxrun.debug");
  await debug?.(lens);
  expect(standIn.sessions).toEqual([]);
  standIn.typed = '--grid 4 -a "x=@my file.bin"';
  await debug?.(lens);
  standIn.typed = "(as it stands)";
  await debug?.(lens);
  for (const { configuration } of standIn.sessions)
    expect(configuration).toMatchObject({ entry: "one", args: ["--grid", "4", "-a", "x=@my file.bin"] });
  expect(standIn.sessions).toHaveLength(2);
});

test("commands of the palette are about the open file", async () => {
  const standIn = await activated();
  await standIn.commands.get("ptxrun.run")?.();
  expect(standIn.messages).toEqual(["Open a PTX or vISA file first."]);
  standIn.active = { document: { uri: Uri.file("/w/a.ptx"), languageId: "ptx" } };
  standIn.typed = "";
  await standIn.commands.get("ptxrun.run")?.();
  expect(standIn.sessions[0]?.configuration).toMatchObject({ program: "/w/a.ptx", args: [] });
  await standIn.commands.get("ptxrun.terminal")?.();
  expect(standIn.terminals).toMatchObject([{ shellPath: process.execPath, shellArgs: [expect.anything(), "repl"] }]);
});

test("snippets are PTX without a diagnostic", async () => {
  const snippets: Record<string, { body: string[] }> = JSON.parse(
    readFileSync(join(folder, "snippets/ptx.json"), "utf8"),
  );
  const expanded = (name: string): string =>
    (snippets[name]?.body.join("\n") ?? "").replace("$0", "").replace(/\$\{\d+:([\w.=-]+)\}/g, "$1");
  const whole = ["Module", "Function", "Kernel over an array"].map(expanded).join("\n");
  const world = new World();
  try {
    const { exit, out, err } = await world.write("snippets.ptx", whole).ptxrun(["lint", "snippets.ptx"]);
    expect([exit, out, err]).toEqual([0, "1 file: 0 errors, 0 warnings, 0 notes\n", ""]);
  } finally {
    world.remove();
  }
});
