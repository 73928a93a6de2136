import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { fetchedBy, openPage } from "./page.ts";

/** Bytes, compressed, of all that a first visit loads. */
const LIMIT = 250_000;

it("loads little before somebody does something", async () => {
  const page = await openPage();
  await page.locator(".cm-content").waitFor();
  await page.waitForLoadState("networkidle");
  const sizes = fetchedBy(page).map(({ path, body }) => ({ path, size: gzipSync(body, { level: 9 }).length }));
  const sum = sizes.reduce((all, { size }) => all + size, 0);
  expect(sum, JSON.stringify(sizes)).toBeLessThan(LIMIT);
  // All of it, not only a beginning: the worker has answered.
  expect(sizes.some(({ path }) => path.startsWith("/worker-"))).toBe(true);
  expect(sizes.some(({ path }) => path.startsWith("/arithmetic-"))).toBe(true);
  expect(sizes.some(({ path }) => path.startsWith("/machine-"))).toBe(false);
});

it("runs the first example within a second", async () => {
  const page = await openPage();
  await page.waitForLoadState("networkidle");
  // As many instructions of JavaScript take so long here: a machine that is busy has as much more time.
  const slower = await page.evaluate(() => {
    const began = performance.now();
    for (let at = 0, sum = 0; at < 2e7; at++) sum = (sum + at) | 0;
    return (performance.now() - began) / 20;
  });
  const took = await page.evaluate(async () => {
    const began = performance.now();
    const button = [...document.querySelectorAll("button")].find((each) => each.textContent?.trim() === "Run");
    button?.click();
    while (!document.querySelector("#status")?.textContent?.includes("has ended"))
      await new Promise((done) => setTimeout(done, 5));
    return performance.now() - began;
  });
  expect(took).toBeLessThan(1000 * Math.max(1, slower));
});
