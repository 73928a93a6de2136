import { describe, expect, test } from "vitest";
import { hasBrowser } from "./browser.ts";
import { run, says, silence } from "./hand.ts";
import { openPage } from "./page.ts";

describe.skipIf(!hasBrowser)("programs", () => {
  test("an example is chosen from the menu and runs with its inputs", async () => {
    const page = await openPage();
    await page.mouse.move(300, 300);
    const menu = page.locator("#examples");
    await menu.locator("option[value=tour-race]").waitFor({ state: "attached" });
    await menu.selectOption("tour-race");
    await says(page, "data race on line");
    expect(await page.locator("#name").textContent()).toBe("tour-race.ptx");
    await menu.selectOption({ label: "Lanes that diverge" });
    await page.waitForFunction(() => document.querySelector("#name")?.textContent === "collatz.ptx");
    await says(page, "ended after 896");
  });

  test("a link holds the changed text and the inputs", async () => {
    const page = await openPage();
    await page.click(".cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// added by hand");
    await says(page, "ended");
    await page.click("#tab-inputs");
    await silence(page);
    await page.locator("#input-block").fill("8");
    await says(page, "ended");
    await page.click("#share");
    await says(page, "link");
    const other = await openPage({ hash: new URL(page.url()).hash.slice(1) });
    await other.waitForFunction(() => document.querySelector(".cm-content")?.textContent?.includes("added by hand"));
    await run(other);
    await other.click("#tab-inputs");
    await other.waitForSelector("#input-block");
    expect(await other.locator("#input-block").inputValue()).toBe("8");
  });

  test("a link that is broken is said to be, and the first example is there", async () => {
    const page = await openPage({ hash: "AQnonsense" });
    await page.waitForFunction(() => document.querySelector("#alert")?.textContent?.includes("broken"));
    expect(await page.locator("#alert").isVisible()).toBe(true);
    expect(await page.locator("#name").textContent()).toBe("collatz.ptx");
  });

  test("a file is opened, and its name says the language", async () => {
    const page = await openPage();
    await page.mouse.move(300, 300);
    const text = "mov.u32 %r, 5;\n";
    await page.locator("#file").setInputFiles({ name: "five.ptx", mimeType: "text/plain", buffer: Buffer.from(text) });
    await page.waitForFunction(() => document.querySelector("#name")?.textContent === "five.ptx");
    await run(page);
    expect(await page.locator("#examples").inputValue()).toBe("");
  });
});
