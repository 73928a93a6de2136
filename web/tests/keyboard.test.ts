import { describe, expect, test } from "vitest";
import { hasBrowser } from "./browser.ts";
import { BREAKPOINT, currentLine, openProgram, register, says, status } from "./hand.ts";
import { openPage } from "./page.ts";

const CALLS = `.version 8.0
.target sm_80
.address_size 64
.func twice()
{
  .reg .b32 %a; mov.u32 %a, 1;
  ret;
}
.visible .entry k()
{
  .reg .b32 %r;
  call twice, ();
  mov.u32 %r, 2;
  ret;
}
`;

describe.skipIf(!hasBrowser)("by the keyboard alone", () => {
  test("a program is run, stepped back, looked at and changed", async () => {
    const page = await openPage();
    await page.keyboard.press("F10");
    await says(page, "line 6");
    await page.keyboard.press("F11");
    await says(page, "line 7");
    expect(await register(page, "%n")).toEqual(["● %n", "b32", "0x00000001", "1"]);
    await page.keyboard.press("Shift+F10");
    await says(page, "line 6");
    expect(await currentLine(page)).toContain("add.u32");
    await page.keyboard.press("F5");
    await says(page, "ended");
    await page.keyboard.press("Shift+F8");
    await says(page, "line 5");
    await page.keyboard.press("F8");
    await says(page, "ended");
    await page.keyboard.press("Control+Shift+F5");
    await says(page, "line 5");

    await page.keyboard.press("Alt+3");
    expect(await page.locator("#tab-lanes").getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Alt+2");
    await page.locator("#tab-registers").focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("tab-lanes");
    await page.keyboard.press("End");
    expect(await page.locator("#tab-inputs").getAttribute("aria-selected")).toBe("true");

    await page.keyboard.press("Alt+1");
    expect(await page.evaluate(() => document.activeElement?.className)).toContain("cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("mov.u32 %last, 7;");
    await says(page, "ended");
    await page.keyboard.press("Alt+2");
    expect(await register(page, "%last")).toContain("7");
  });

  test("F9 sets a breakpoint at the cursor's line, and takes it away", async () => {
    const page = await openPage();
    await page.keyboard.press("Alt+1");
    await page.keyboard.press("Control+Home");
    for (let line = 1; line < 10; line++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("F9");
    await page.waitForSelector(BREAKPOINT);
    await page.keyboard.press("F5");
    await says(page, "line 10");
    await page.keyboard.press("F9");
    await page.waitForSelector(BREAKPOINT, { state: "detached" });
    await page.keyboard.press("F5");
    await says(page, "ended");
  });

  test("the help has every key, and Escape closes it", async () => {
    const page = await openPage();
    await page.setViewportSize({ width: 900, height: 300 });
    await page.keyboard.press("F1");
    const help = page.locator("#help-dialog");
    expect(await help.isVisible()).toBe(true);
    // It opens at its top, though its first link is far below.
    expect(
      await help.evaluate(({ scrollTop, scrollHeight, clientHeight }) => [scrollTop, scrollHeight > clientHeight]),
    ).toEqual([0, true]);
    const keys = await help.locator("kbd").allTextContents();
    for (const key of ["F5", "F10", "F11", "Shift+F10", "Shift+F11", "Shift+F5", "F9", "Ctrl+Space"])
      expect(keys).toContain(key);
    expect(await help.textContent()).toContain("load the page again");
    // The program is loaded beside all that.
    await says(page, "ended");
    const before = await status(page);
    await page.keyboard.press("F10");
    expect(await status(page)).toBe(before);
    await page.keyboard.press("Escape");
    expect(await help.isVisible()).toBe(false);
  });

  test("F10 goes over a call, F11 into it, Shift+F11 out of it, and Shift with F10 back over it", async () => {
    const page = await openPage();
    await openProgram(page, "calls.ptx", CALLS);
    await page.keyboard.press("F11");
    await says(page, "line 6");
    await page.keyboard.press("Shift+F11");
    await says(page, "line 13");
    await page.keyboard.press("Shift+F10");
    await says(page, "line 12");
    await page.keyboard.press("F10");
    await says(page, "line 13");
    await page.keyboard.press("Control+F11");
    await says(page, "line 7");
  });

  test("reloading is the browser's, and Shift+F5 where nothing runs", async () => {
    const page = await openPage();
    const taken = (
      key: string,
      modifier: "ctrlKey" | "shiftKey" | "metaKey" = "metaKey",
      is = false,
    ): Promise<boolean> =>
      page.evaluate(
        ([name, held, down]) => {
          const event = new KeyboardEvent("keydown", { key: name, cancelable: true, bubbles: true, [held]: down });
          return !document.body.dispatchEvent(event);
        },
        [key, modifier, is] as const,
      );
    expect(await taken("F5")).toBe(true);
    await says(page, "ended");
    expect(await taken("r", "ctrlKey", true)).toBe(false);
    expect(await taken("F5", "ctrlKey", true)).toBe(false);
    expect(await taken("F5", "shiftKey", true)).toBe(false);
    expect(await taken("Escape")).toBe(false);
  });

  test("Tab goes through the page in the order in which it is read, and out of the editor", async () => {
    const page = await openPage();
    const seen: string[] = [];
    for (let press = 0; press < 40; press++) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => document.activeElement?.id || document.activeElement?.className || "");
      seen.push(at);
    }
    const order = [
      "skip",
      "examples",
      "share",
      "theme",
      "help",
      "do-run",
      "do-step",
      "cm-content",
      "splitter code",
      "tab-registers",
      "splitter state",
      "tab-result",
    ];
    const places = order.map((wanted) => seen.findIndex((each) => each.includes(wanted)));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });
});
