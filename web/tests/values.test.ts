import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { share } from "../../tests/share.ts";
import { hasBrowser } from "./browser.ts";
import { openProgram, paste, register, restart, run, says } from "./hand.ts";
import { openPage } from "./page.ts";

/** The values beside the lines, by their numbers. */
const values = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page
    .locator(".line-value")
    .evaluateAll((all) =>
      Object.fromEntries(all.map((each) => [(each as HTMLElement).dataset["line"], each.textContent])),
    );

/** Lines whose value lies over a part of the text or over another value, or ends beyond the editor. */
const misplaced = (page: Page): Promise<readonly (string | undefined)[]> =>
  page.locator(".cm-editor").evaluate((editor) => {
    const { right } = editor.getBoundingClientRect();
    const boxOf = (node: Node): DOMRect => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return range.getBoundingClientRect();
    };
    const all = document.createTreeWalker(editor.querySelector(".cm-content") as Element, NodeFilter.SHOW_TEXT);
    const texts: { readonly node: Node; readonly box: DOMRect }[] = [];
    while (all.nextNode()) texts.push({ node: all.currentNode, box: boxOf(all.currentNode) });
    const values = [...editor.querySelectorAll<HTMLElement>(".line-value > span")].filter((value) => {
      const own = boxOf(value);
      const over = ({ node, box }: (typeof texts)[number]): boolean =>
        !value.contains(node) &&
        box.left < own.right - 1 &&
        own.left < box.right - 1 &&
        box.top < own.bottom - 3 &&
        own.top < box.bottom - 3;
      return own.right > right || texts.some(over);
    });
    return values.map((value) => value.parentElement?.dataset["line"]);
  });

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
    // It was of where the launch stood.
    await page.locator(".history").waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.className)).toContain("cm-content");
    await page.keyboard.press("Alt+v");
    await page.locator(".history li button:focus").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".history").waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.className)).toContain("cm-content");
  });

  test("have one history open at most, until somebody turns away or the launch moves", async () => {
    const page = await openPage();
    await open(page);
    await run(page);
    const value = page.locator(".line-value[data-line='2'] > span");
    const history = page.locator(".history");
    const gone = () => history.waitFor({ state: "detached" });
    await value.hover();
    await history.waitFor();
    await page.click("#status");
    await gone();
    await value.hover();
    await history.waitFor();
    await page.keyboard.press("Escape");
    await gone();
    await value.click();
    await history.locator("button:focus").waitFor();
    await value.hover({ position: { x: 3, y: 3 } });
    // As long as a pointer must rest before it is answered.
    await page.waitForTimeout(400);
    expect(await page.locator(".cm-tooltip").count()).toBe(1);
    await page.locator("#slider").fill("5");
    await gone();
    await expect.poll(() => values(page)).toMatchObject({ 2: "%n = 2" });
    await value.click();
    expect(await history.locator("[aria-current]").textContent()).toBe("%n = 2step 5");
    await run(page);
    await gone();
    await value.click();
    await history.waitFor();
    await page.locator(".token-label").first().click();
    await gone();
  });

  test("leave a click beside them to the text", async () => {
    const page = await openPage();
    await open(page);
    await run(page);
    await expect.poll(() => values(page)).toEqual(END);
    const { x = 0, y = 0 } = (await page.locator(".line-value[data-line='2'] > span").boundingBox()) ?? {};
    await page.mouse.click(x - 8, y + 8);
    await page.keyboard.type("//");
    expect(await page.locator(".cm-activeLine").textContent()).toBe("loop: add.u32 %n, %n, 1;//");
    expect(await page.locator(".history").count()).toBe(0);
  });

  test("name a parameter of nvcc's by what tells it apart", async () => {
    const page = await openPage();
    const name = "_Z4copyPf_param_0";
    await paste(
      page,
      `.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry _Z4copyPf(.param .u64 ${name})\n{\n.reg .b64 %a;\n` +
        `ld.param.u64 %a, [${name}];\nst.global.u32 [%a], 5;\nret;\n}\n`,
    );
    await expect.poll(() => values(page)).toMatchObject({ 7: "%a = param_0", 8: "[param_0] ← 5" });
    const status = page.locator("#status");
    expect(await status.textContent()).toContain("Wrote param_0 (");
    expect(await status.getAttribute("title")).toContain(name);
    await page.click("#tab-inputs");
    expect(await page.locator(`label[title="${name}"]`).textContent()).toMatch(/^param_0 /);
    expect(await page.locator("#panel-result option").first().textContent()).toBe("param_0");
  });

  test.each(share([375, 1024, 1440], 3))(
    "lie over no letter of the text, and within the editor, at %i",
    async (width) => {
      const page = await openPage({ width, height: 1000 });
      const lines = Array.from({ length: 13 }, (_, at) => {
        const text = `mov.u32 %r${at}, ${at}; //`;
        return text.padEnd(20 + 10 * at, "-");
      });
      await openProgram(page, "long.ptx", `${lines.join("\n")}\nret;\n`);
      await expect.poll(async () => Object.keys(await values(page)).length).toBe(14);
      expect(await misplaced(page)).toEqual([]);
      // Those of the short lines stand beside them.
      expect(await page.locator(".line-value:not(.below)").count()).toBeGreaterThan(1);
      await page.setViewportSize({ width: Math.round(width * 0.9), height: 1000 });
      await expect.poll(() => misplaced(page)).toEqual([]);
    },
  );

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
