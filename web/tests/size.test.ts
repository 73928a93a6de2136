import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { fetchedBy, openPage } from "./page.ts";

/** Bytes, compressed, of all that a first visit loads. */
const LIMIT = 300_000;

/** The same of what the first run loads after it: the machine. */
const MOST_MORE = 314_000;

/** Questions with their answers from a click on Run to the end: a launch, a run, and what the panels show. */
const MOST_ASKED = 20;

it("loads little before somebody does something", async () => {
  const page = await openPage();
  await page.locator(".cm-content").waitFor();
  await page.waitForLoadState("networkidle");
  const sizes = fetchedBy(page).map(({ path, body }) => ({ path, size: gzipSync(body(), { level: 9 }).length }));
  const sum = sizes.reduce((all, { size }) => all + size, 0);
  expect(sum, JSON.stringify(sizes)).toBeLessThan(LIMIT);
  // All of it, not only a beginning: the worker has answered.
  expect(sizes.some(({ path }) => path.startsWith("/worker-"))).toBe(true);
  expect(sizes.some(({ path }) => path.startsWith("/arithmetic-"))).toBe(true);
  expect(sizes.some(({ path }) => path.startsWith("/machine-"))).toBe(false);
});

it("runs the first example with few questions to its worker, and little more to load", async () => {
  const page = await openPage();
  await page.waitForLoadState("networkidle");
  const before = fetchedBy(page).length;
  const asked = await page.evaluate(async () => {
    const { postMessage } = Worker.prototype;
    let count = 0;
    Worker.prototype.postMessage = function (this: Worker, ...given: [message: unknown]) {
      count++;
      postMessage.apply(this, given);
    };
    const status = document.querySelector("#status") as HTMLElement;
    status.textContent = "";
    const button = [...document.querySelectorAll("button")].find((each) => each.textContent?.trim() === "Run");
    button?.click();
    while (!status.textContent?.includes("Ended")) await new Promise((done) => setTimeout(done, 5));
    return count;
  });
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(MOST_ASKED);
  const more = fetchedBy(page).slice(before);
  expect(more.reduce((all, { body }) => all + gzipSync(body(), { level: 9 }).length, 0)).toBeLessThan(MOST_MORE);
});
