import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "./browser.ts";
import { BREAKPOINT, currentLine, FAULTY, openProgram, paste, registers, run, says } from "./hand.ts";
import { openPage } from "./page.ts";

const example = (file: string): string => readFileSync(new URL(`../../examples/${file}`, import.meta.url), "utf8");

describe.skipIf(!hasBrowser)("the text", () => {
  test("has a hover for an instruction and one for a register", async () => {
    const page = await openPage();
    await page.locator(".token-mnemonic", { hasText: "add" }).first().hover();
    const hover = page.locator(".hover");
    await hover.waitFor();
    expect(await hover.textContent()).toContain("add");
    expect(await hover.locator("code").first().textContent()).toMatch(/^add.*d, a, b/);
  });

  test("completes an instruction and then its modifiers, as the table has them", async () => {
    const page = await openPage();
    await openProgram(page, "empty.ptx", "\n");
    await page.click(".cm-content");
    await page.keyboard.type("fm");
    await page.waitForSelector(".cm-tooltip-autocomplete li");
    expect(await page.locator(".cm-tooltip-autocomplete li").first().textContent()).toContain("fma");
    await page.waitForTimeout(100);
    await page.keyboard.press("Enter");
    await page.keyboard.type(".");
    await page.waitForSelector(".cm-tooltip-autocomplete li");
    const modifiers = (await page.locator(".cm-tooltip-autocomplete li").allTextContents()).join(" ");
    expect(modifiers).toContain("rn");
    expect(modifiers).not.toContain("wide");
    expect(await page.locator(".cm-activeLine").first().textContent()).toBe("fma.");
  });

  test("marks what is wrong while somebody types, with what mends it", async () => {
    const page = await openPage();
    await openProgram(page, "rounding.ptx", "add.rz.f16 %d, %a, %b;\n");
    await page.waitForSelector(".cm-lintRange-error");
    expect(await says(page, "Cannot run")).toContain("1 error");
    expect(await page.locator(".mark-error:not([style*='hidden'])").count()).toBe(1);
    await page.click("#tab-messages");
    await page.waitForSelector(".messages .error");
    expect(await page.locator(".messages .error").textContent()).toContain("line 1");
    await page.locator(".messages button", { hasText: "About PTX" }).click();
    await page.waitForSelector(".page h2");
    expect(await page.locator(".page h3").allTextContents()).toEqual(["Wrong", "Right"]);
    await page.click(".cm-content");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("add.rn.f16 %d, %a, %b;");
    await says(page, "ended");
    expect(await page.locator(".cm-lintRange-error").count()).toBe(0);
    await page.locator("article.page").waitFor({ state: "hidden" });
  });

  test("has breakpoints, by a click beside a line", async () => {
    const page = await openPage();
    const gutter = page.locator(".gutter-break");
    const line = await page.locator(".cm-line").nth(13).boundingBox();
    const left = await gutter.boundingBox();
    const at = { x: (left?.x ?? 0) + 8, y: (line?.y ?? 0) + 8 };
    await page.mouse.click(at.x, at.y);
    await page.waitForSelector(BREAKPOINT);
    await page.click("#do-run");
    await says(page, "line 14");
    expect(await currentLine(page)).toContain("add.u32       %steps");
    await page.click("#do-run");
    await page.click("#do-run-back");
    await says(page, "line 14");
    await page.mouse.click(at.x, at.y);
    await page.waitForSelector(BREAKPOINT, { state: "detached" });
    await run(page);
  });

  test("shows a fault below its line, with the page of its code behind it", async () => {
    const page = await openPage();
    await openProgram(page, "faulty.ptx", FAULTY, { block: "4", values: { "%p": "u32x2" } });
    await run(page, "Fault on line 3: st.global.u32 writes 4 bytes");
    const note = page.locator(".fault-note");
    expect(await note.textContent()).toContain("st.global.u32 writes 4 bytes");
    expect(await page.locator(".line-fault").textContent()).toContain("st.global.u32");
    expect(await page.locator("#alert").textContent()).toContain("Fault: st.global.u32 writes");
    await note.locator("button").click();
    await page.waitForSelector(".page h2");
    expect(await page.locator(".page h2").textContent()).toContain("PTX3002");
    await page.click("#do-back");
    await says(page, "line 2");
    expect(await note.count()).toBe(0);
  });

  test("shows a fault from the beginning of its line, and hovers where they do not cover it", async () => {
    const page = await openPage();
    await openProgram(page, "faulty.ptx", `${FAULTY}// ${"long ".repeat(50)}\n`, {
      block: "4",
      values: { "%p": "u32x2" },
    });
    await run(page, "Fault on line 3");
    const scroller = page.locator(".cm-scroller");
    await scroller.evaluate((it) => {
      it.scrollLeft = 400;
    });
    await page.click("#status-act");
    await expect.poll(() => scroller.evaluate((it) => it.scrollLeft)).toBe(0);
    await page.locator(".line-fault .token-mnemonic").hover();
    await page.locator(".hover").waitFor();
    const hover = await page.locator(".cm-tooltip-hover").boundingBox();
    const note = await page.locator(".fault-note").boundingBox();
    expect((hover?.y ?? 0) + (hover?.height ?? 0)).toBeLessThanOrEqual(note?.y ?? 0);
  });

  test("shows a race at both of its places", async () => {
    const page = await openPage();
    await openProgram(page, "missing-barrier.ptx", example("checks/missing-barrier.ptx"), {
      block: "64",
      race: true,
      values: { x: "u32x64:iota", barrier: "0" },
    });
    await page.click("#do-run");
    await page.waitForSelector(".fault-note");
    expect(await page.locator("#status").textContent()).toMatch(/▲ \d finding/);
    expect((await page.locator(".fault-note").allTextContents()).join("\n")).toContain("About PTX4002");
    expect(await page.locator(".line-related, .line-fault").count()).toBeGreaterThan(1);
    // Messages lead to both, and say what helps.
    await page.click("#tab-messages");
    await expect
      .poll(async () => (await page.locator(".messages li p").allTextContents()).join())
      .toMatch(/line \d+ .*help: /);
    await page.locator(".messages li p button").first().click();
  });

  test("may be Intel vISA, also by pasting it", async () => {
    const page = await openPage();
    const text = example("visa/add.visaasm");
    await paste(page, text);
    expect(await page.locator("#name").textContent()).toBe("pasted.visaasm");
    await says(page, "ended");
    await expect.poll(() => page.locator(".token-mnemonic").first().textContent()).toBe("add");
    await page.click("#do-step");
    await says(page, "after 1");
    await expect.poll(async () => (await registers(page)).length).toBeGreaterThan(0);
    await run(page);
    const choices = page.locator("#panel-result select").first().locator("option");
    await expect.poll(() => choices.allTextContents()).not.toEqual([]);
  });
});
