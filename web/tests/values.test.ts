import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "./browser.ts";
import { openProgram, register, restart, run, says } from "./hand.ts";
import { openPage } from "./page.ts";

/** The values beside the lines, by their numbers. */
const values = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page
    .locator(".line-value")
    .evaluateAll((all) =>
      Object.fromEntries(all.map((each) => [(each as HTMLElement).dataset["line"], each.textContent])),
    );

const LOOP = `      mov.u32 %n, 0;
loop: add.u32 %n, %n, 1;
      setp.lt.u32 %p, %n, 20;
      @%p bra loop;
      @%p mov.u32 %n, 99;
      st.global.u32 [%out+8], %n;
`;

const open = async (page: Page): Promise<void> =>
  openProgram(page, "loop.ptx", LOOP, { values: { "%out": "u32x4:fill=0" } });

const END = {
  1: "%n = 0",
  2: "%n = 20",
  3: "%p = false",
  4: "not taken",
  5: "not executed by this lane",
  6: "[%out+8] ← 20",
};

describe.skipIf(!hasBrowser)("values in the text", () => {
  test("stand beside the lines that the lane has been in, up to the position", async () => {
    const page = await openPage();
    await open(page);
    await restart(page);
    await expect.poll(() => values(page)).toEqual({});
    await page.click("#do-step");
    await expect.poll(() => values(page)).toEqual({ 1: "%n = 0" });
    await run(page);
    await expect.poll(() => values(page)).toEqual(END);
    await page.locator("#slider").fill("5");
    await expect.poll(() => values(page)).toEqual({ 1: "%n = 0", 2: "%n = 2", 3: "%p = true", 4: "taken" });
    // Below each other, and no part of what is read out or copied.
    const lefts = await page
      .locator(".line-value > span")
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
    expect(new Set(lefts.map(Math.round)).size).toBe(1);
    expect(await page.locator(".line-value:not([aria-hidden=true])").count()).toBe(0);
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+c");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(LOOP);
    // They are those of a program that is no more.
    await page.keyboard.press("End");
    await page.keyboard.type(" ");
    expect(await values(page)).toEqual({});
  });

  test("show their history to a pointer, which goes to where a value came from", async () => {
    const page = await openPage();
    await open(page);
    await run(page);
    const value = page.locator(".line-value[data-line='2'] > span");
    await value.hover();
    const history = page.locator(".history");
    await history.waitFor();
    expect(await history.textContent()).toContain("Line 2: 20 times, the last 12");
    const rows = history.locator("li button");
    expect(await rows.count()).toBe(12);
    expect(await rows.first().textContent()).toBe("%n = 20step 59");
    await rows.nth(3).click();
    await says(page, "after 50");
    expect((await register(page, "%n"))[2]).toBe("0x00000011");
    await expect.poll(async () => (await values(page))[2]).toBe("%n = 17");
  });

  test("show their history to the keyboard", async () => {
    const page = await openPage();
    await open(page);
    await run(page);
    await expect.poll(() => values(page)).toEqual(END);
    await page.keyboard.press("Alt+1");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Alt+v");
    await page.locator(".history li button:focus").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await says(page, "after 56");
    await page.keyboard.press("Escape");
    await page.locator(".history").waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.className)).toContain("cm-content");
  });

  test("stay in sight on a phone, and a tap shows the history", async () => {
    const page = await openPage({ width: 375, height: 800 });
    await run(page);
    const value = page.locator(".line-value > span").first();
    await value.waitFor();
    const box = await value.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(375);
    await value.click();
    await page.locator(".history li button:focus").waitFor();
  });
});

describe.skipIf(!hasBrowser)("the gutter", () => {
  test("takes a click anywhere, and says so before", async () => {
    const page = await openPage();
    await open(page);
    const number = page.locator(".cm-lineNumbers .cm-gutterElement", { hasText: /^2$/ });
    await number.hover();
    await page.locator(".mark-possible").waitFor();
    await number.click();
    await page.locator('.mark-breakpoint:not([style*="hidden"])').waitFor();
    expect(await page.locator(".mark-possible").count()).toBe(0);
    await page.click("#do-run");
    await says(page, "breakpoint on line 2");
    const { x = 0, y = 0 } = (await number.boundingBox()) ?? {};
    const place = await page.locator(".gutter-wrong").boundingBox();
    await page.mouse.click((place?.x ?? x) + 4, y + 8);
    await page.locator('.mark-breakpoint:not([style*="hidden"])').waitFor({ state: "detached" });
    await run(page);
  });
});
