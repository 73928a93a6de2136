import { expect, test } from "vitest";
import { Client } from "./client.ts";

const uri = "file:///s.ptx";
const young = "add.rn.f32x2 d, a, b;";
const codes = async (client: Client, version = 1) => (await client.diagnostics(uri, version)).map(({ code }) => code);

test("the target of texts that state none comes from the command line, from the client, and changes", async () => {
  const client = await (await Client.start(["--target", "sm_80"])).begin();
  await client.open(uri, young);
  expect(await codes(client)).toContain("PTX1212");
  await client.connection.sendNotification("workspace/didChangeConfiguration", {
    settings: { ptxrun: { target: "sm_100" } },
  });
  await client.change(uri, 2, []);
  expect(await codes(client, 2)).toEqual([]);
  expect(await client.end()).toBe(0);
});

test("a client is asked for its settings, if it can be", async () => {
  const client = await Client.start();
  client.connection.onRequest("workspace/configuration", () => [{ target: "sm_80" }]);
  await client.begin({ capabilities: { workspace: { configuration: true } }, initializationOptions: { ptx: "7.0" } });
  await client.open(uri, young);
  await expect.poll(() => codes(client)).toContain("PTX1212");
  // A client that goes without a word is no reason to stay.
  await client.connection.sendNotification("exit");
  expect(await client.exited).toBe(2);
  client.connection.dispose();
});
