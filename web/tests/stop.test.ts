import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { encode } from "../page/link.ts";
import { openPage } from "./page.ts";

const project = (text: string) =>
  encode({ name: "text.ptx", text, inputs: { entry: "", grid: "", block: "", values: {}, race: false } });

const press = (page: Page, name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();
const says = (page: Page, text: RegExp): Promise<void> => page.locator("#status", { hasText: text }).waitFor();

const isBusy = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => document.body.classList.contains("busy"));
};

it("stops an endless loop, and goes on with it", async () => {
  const page = await openPage({ hash: await project("mov.u32 %a, 0;\nloop: add.u32 %a, %a, 1;\nbra loop;\n") });
  // Its worker is not ended, however late it answers.
  await page.evaluate(() => {
    const { setTimeout } = window;
    Object.assign(window, { setTimeout: (act: () => void, after = 0) => (after < 1000 ? setTimeout(act, after) : 0) });
  });
  // By itself it goes no further than so far.
  await says(page, /stopped after 1,000,000 warp instructions/i);
  await press(page, "Continue");
  await isBusy(page);
  // Meanwhile the page draws.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 20; frame++) await new Promise((done) => requestAnimationFrame(done));
  });
  await isBusy(page);
  await press(page, "Stop");
  await says(page, /stopped after [\d,]+ warp instructions, next/i);
  await press(page, "Step back");
  await says(page, /next is line/);
  await press(page, "Run");
  await isBusy(page);
  await press(page, "Stop");
  await says(page, /stopped after/i);
});

it("puts another worker in the place of one that is stuck", async () => {
  // A worker that hangs when it is asked to step over a call.
  const hang = `;{const before=self.onmessage;self.onmessage=(event)=>{
    if(event.data.method==="move"&&event.data.values[0].kind==="over")for(;;);
    before(event);}}`;
  const page = await openPage({
    hash: await project("mov.u32 %a, 1;\nadd.u32 %a, %a, 1;\n"),
    change: (path, text) => (path.startsWith("/worker-") ? text + hang : text),
  });
  await press(page, "Step");
  await says(page, /next is line 2/);
  await press(page, "Over");
  await isBusy(page);
  await press(page, "Stop");
  await says(page, /had to be ended/);
  expect(await page.locator(".cm-content").textContent()).toContain("add.u32");
  await press(page, "Run");
  await says(page, /ended after 3 warp instructions/i);
});
