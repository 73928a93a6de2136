import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { launchOptions } from "../../dap/protocol/launch-arguments.ts";
import { Client } from "./client.ts";

const page = readFileSync("docs/dap.md", "utf8");

describe("docs/dap.md", () => {
  it("has a row for each argument of a launch, and no other", () => {
    const rows = [...page.matchAll(/^\| (`[^|]+`) +\|/gm)].flatMap(([, cell = ""]) => cell.match(/\w+/g) ?? []);
    expect(rows.sort()).toEqual([...launchOptions].filter((name) => name !== "cwd").sort());
  });

  it("has a launch that works", async () => {
    const [, text = ""] = /```json\n([^`]*)```/.exec(page) ?? [];
    const given = JSON.parse(text);
    const extension = JSON.parse(readFileSync("editors/vscode/package.json", "utf8"));
    expect(extension.contributes.debuggers.map((each: { type: string }) => each.type)).toEqual([given.type]);
    const client = new Client();
    const program = readFileSync(given.program, "utf8");
    await client.begin({ ...given, text: program });
    expect(await client.stop()).toMatchObject({ reason: "entry" });
  });
});
