/** The required parameters of a request, by its method; each also names the document. */
const needs: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>> = (() => {
  const position = { position: isPosition };
  const range = { range: isRange };
  return {
    "textDocument/completion": position,
    "textDocument/hover": position,
    "textDocument/signatureHelp": position,
    "textDocument/definition": position,
    "textDocument/documentHighlight": position,
    "textDocument/references": { ...position, context: isObject },
    "textDocument/prepareRename": position,
    "textDocument/rename": { ...position, newName: isText },
    "textDocument/semanticTokens/range": range,
    "textDocument/inlayHint": range,
    "textDocument/rangeFormatting": range,
    "textDocument/codeAction": { ...range, context: isCodeActionContext },
  };
})();

/** The parameter of a request that is missing or has the wrong type; undefined where none is. */
export function wrongIn(method: string, params: unknown): string | undefined {
  if (!isObject(params)) return "parameters are missing";
  if (!isObject(params["textDocument"]) || !isText(params["textDocument"]["uri"]))
    return "textDocument.uri is not a text";
  for (const [name, holds] of Object.entries(needs[method] ?? {}))
    if (!holds(params[name])) return `${name} is not what the protocol says`;
  return undefined;
}

/** The same for notifications that a document was opened, changed or closed. */
export function wrongInNotice(method: "didOpen" | "didChange" | "didClose", params: unknown): string | undefined {
  const wrong = wrongIn(method, params);
  if (wrong !== undefined || !isObject(params)) return wrong;
  const document = params["textDocument"] as Record<string, unknown>;
  if (method === "didOpen" && !isText(document["text"])) return "textDocument.text is not a text";
  if (method !== "didChange") return undefined;
  const changes = params["contentChanges"];
  return Array.isArray(changes) && changes.every(isChange) ? undefined : "contentChanges is not what the protocol says";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;

function isPosition(value: unknown): boolean {
  return isObject(value) && isCount(value["line"]) && isCount(value["character"]);
}

function isRange(value: unknown): boolean {
  return isObject(value) && isPosition(value["start"]) && isPosition(value["end"]);
}

function isChange(value: unknown): boolean {
  return isObject(value) && isText(value["text"]) && (!("range" in value) || isRange(value["range"]));
}

function isCodeActionContext(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { only } = value;
  return only === undefined || only === null || (Array.isArray(only) && only.every(isText));
}
