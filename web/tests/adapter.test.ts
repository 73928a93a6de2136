import { expect, it } from "vitest";
import { fetchedBy, openPage } from "./page.ts";

it("debugs by the Debug Adapter Protocol in the worker", async () => {
  const page = await openPage();
  await page.waitForLoadState("networkidle");
  const file = fetchedBy(page).find(({ path }) => path.startsWith("/worker-"))?.path ?? "";
  const said = await page.evaluate(async (url) => {
    const worker = new Worker(url);
    const all: Record<string, unknown>[] = [];
    let heard = (): void => {};
    worker.onmessage = ({ data }) => {
      all.push(data.dap);
      heard();
    };
    const until = async (holds: (message: Record<string, unknown>) => boolean) => {
      const from = all.length;
      while (!all.slice(from).some(holds))
        await new Promise<void>((done) => {
          heard = done;
        });
    };
    let seq = 0;
    const send = (command: string, given: object = {}) => {
      seq += 1;
      worker.postMessage({ dap: { seq, type: "request", command, arguments: given } });
    };
    const stops = () => until(({ event }) => event === "stopped");
    send("initialize", { adapterID: "ptx" });
    send("launch", { text: "mov.u32 a, 5;\nadd.u32 b, a, 2;\n", stopOnEntry: true });
    await until(({ event }) => event === "initialized");
    send("configurationDone");
    await stops();
    for (const command of ["stepIn", "stepIn", "stepBack"]) {
      send(command, { threadId: 1, granularity: "instruction" });
      await stops();
    }
    send("evaluate", { expression: "a + 1", context: "repl" });
    await until(({ command }) => command === "evaluate");
    return all;
  }, file);
  expect(said.filter(({ success }) => success === false)).toEqual([]);
  expect(said.find(({ command }) => command === "evaluate")?.["body"]).toMatchObject({
    result: expect.stringContaining("6"),
  });
});
