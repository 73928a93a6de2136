import type { MessageConnection } from "vscode-jsonrpc/node";
import { Server } from "../../../src/cli/lsp/server.ts";

/** A server whose client is this test. */
export function serving(answers: unknown = undefined, now = () => 0) {
  const requests = new Map<string, (...given: unknown[]) => unknown>();
  const notices = new Map<string, (...given: unknown[]) => unknown>();
  const told: [string, { uri?: string; version?: number; diagnostics?: { code: string }[]; message?: string }][] = [];
  const asked: unknown[] = [];
  const heard = new Set<() => void>();
  const connection = {
    onRequest: (name: string, act: (...given: unknown[]) => unknown) => void requests.set(name, act),
    onNotification: (name: string, act: (...given: unknown[]) => unknown) => void notices.set(name, act),
    sendNotification: async (name: string, params: object) => {
      told.push([name, params]);
      for (const each of heard) each();
    },
    sendRequest: async (_name: string, params: unknown) => {
      asked.push(params);
      return answers;
    },
  };
  const server = new Server(connection as never as MessageConnection, { settings: { target: "sm_80" }, now });
  const uri = "file:///t.ptx";
  const open = (text: string) =>
    notices.get("textDocument/didOpen")?.({ textDocument: { uri, text, version: 1, languageId: "ptx" } });
  const change = (version: number, text: string) =>
    notices.get("textDocument/didChange")?.({ textDocument: { uri, version }, contentChanges: [{ text }] });
  const codes = (version: number | undefined, at = 0): Promise<string[]> =>
    new Promise((done) => {
      const look = () => {
        const found = told
          .slice(at)
          .find(([name, each]) => name === "textDocument/publishDiagnostics" && each.version === version);
        if (found !== undefined) done(found[1].diagnostics!.map(({ code }) => code));
      };
      heard.add(look);
      look();
    });
  const ask = (method: string, params: object, isCancellationRequested = false) =>
    requests.get(method)?.({ textDocument: { uri }, ...params }, { isCancellationRequested });
  return { server, requests, notices, told, asked, open, change, codes, ask, uri };
}
