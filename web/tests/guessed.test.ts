import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "./browser.ts";
import { openProgram, paste, says, silence, status } from "./hand.ts";
import { openPage } from "./page.ts";

const kernel = (name: string): string => readFileSync(`web/tests/kernels/${name}.ptx`, "utf8");

describe.skipIf(!hasBrowser)("a kernel whose launch nobody has given", () => {
  test("is another program however it came, with a launch of its own", async () => {
    const page = await openPage();
    await says(page, "Ended");
    await page.click(".cm-content");
    await page.keyboard.press("Control+a");
    await silence(page);
    // As an input method or a tool puts it there, which is no paste.
    await page.keyboard.insertText(kernel("transpose"));
    await says(page, "No findings.");
    expect(await page.textContent("#name")).toBe("pasted.ptx");
    expect(await page.inputValue("#examples")).toBe("");
    await page.click("#tab-inputs");
    // A thread for each element of the tile, and none of what the first example was given.
    expect(await page.inputValue("#input-block")).toBe("32,32");
    // What is changed a little is the same program.
    await page.locator("#input-block").fill("16,16");
    await says(page, "Ended");
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+End");
    await silence(page);
    await page.keyboard.type("// mine");
    await says(page, "Ended");
    expect(await page.inputValue("#input-block")).toBe("16,16");
  });

  test("and that is found wrong says that its launch was guessed", async () => {
    const page = await openPage();
    await paste(page, kernel("transpose").replace("bar.sync 0;", ""));
    expect(await status(page)).toMatch(/data race on line \d+.* The launch was guessed: grid 1, block 32,32\.$/);
    await page.click("#tab-inputs");
    await silence(page);
    await page.locator("#input-grid").fill("1");
    await page.locator("#input-block").fill("32,32");
    expect(await says(page, "data race")).not.toContain("guessed");
  });
});

describe.skipIf(!hasBrowser)("what a launch has made", () => {
  test("is what nobody reads, before what is passed on", async () => {
    const page = await openPage();
    const flag = readFileSync("examples/checks/flag.ptx", "utf8");
    await openProgram(page, "flag.ptx", flag, { grid: "2", block: "1" });
    expect(await status(page)).toContain("Wrote seen (2 × u32), data (1 × u32), flag (1 × u32).");
    expect(await page.locator("#panel-result select").first().inputValue()).toBe("seen");
  });

  test("is a picture, as wide as somebody says, whatever its length", async () => {
    const page = await openPage();
    // A stencil leaves the border alone, and its plane has one nevertheless.
    await paste(page, kernel("stencil"));
    const canvas = page.locator("canvas.picture");
    await canvas.waitFor();
    expect(await canvas.getAttribute("aria-label")).toMatch(/^out as a picture, (\d+) by \1:/);
    await openProgram(page, "short.ptx", kernel("stencil"), {
      block: "32,32",
      values: { in: "f32x1024:iota", out: "f32x991", w: "32", h: "32" },
    });
    await page.locator("#panel-result select").nth(2).selectOption("picture");
    await canvas.waitFor();
    expect(await canvas.getAttribute("aria-label")).toMatch(/^out as a picture, 32 by 31:/);
    const width = page.getByLabel("Elements in a row of the picture");
    await width.fill("16");
    await width.press("Enter");
    await expect.poll(() => canvas.getAttribute("aria-label")).toMatch(/^out as a picture, 16 by 62:/);
  });
});
