import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "./browser.ts";
import { says } from "./hand.ts";
import { fetchedBy, openPage } from "./page.ts";

/** Goes on by the Tab key until an element has the focus. */
async function tabTo(page: Page, id: string): Promise<void> {
  for (let press = 0; press < 60; press++) {
    if ((await page.evaluate(() => document.activeElement?.id)) === id) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not come to ${id}`);
}

const press = async (page: Page, id: string): Promise<void> => {
  await tabTo(page, id);
  await page.keyboard.press("Enter");
};

const name = (page: Page, file: string) =>
  page.waitForFunction((wanted) => document.querySelector("#name")?.textContent === wanted, file);

describe.skipIf(!hasBrowser)("the tour", () => {
  test("leads through a lesson from its beginning to its end by the keyboard alone", async () => {
    const page = await openPage();
    expect(fetchedBy(page).some(({ path }) => path.startsWith("/tour-"))).toBe(false);
    await press(page, "tour-open");
    await name(page, "race.ptx");
    await tabTo(page, "tour-lesson");
    await page.keyboard.press("ArrowDown");
    await name(page, "off-by-one.ptx");
    await press(page, "tour-show");
    await says(page, "Fault on line 22");
    await press(page, "tour-next");
    await press(page, "tour-show");
    await press(page, "tour-next");
    await press(page, "tour-show");
    await says(page, "next is line 17");
    expect(await page.locator("#tour-text").textContent()).toContain("%last is 31");
    await press(page, "tour-next");
    // The cursor is put on what is wrong, and typing replaces it.
    await press(page, "tour-show");
    await page.keyboard.type("setp.ge");
    await says(page, "ended");
    await page.keyboard.press("F5");
    await page.locator("#tour-verdict", { hasText: "Solved" }).waitFor();
    await press(page, "tour-next");
    await name(page, "deadlock.ptx");
    expect(await page.locator("#tour-lesson option").nth(1).textContent()).toContain("✔");
  });

  test("says what is not right yet, shows the solution, and puts it in", async () => {
    const page = await openPage({ hash: "tour=rounding" });
    await name(page, "rounding.ptx");
    await page.click("#tour-show");
    await page.locator("#tour-verdict", { hasText: "d[2] is 0; it should be 1" }).waitFor();
    await page.click("#tour-solution");
    expect(await page.locator("#tour-answer pre").textContent()).toContain("+   fma.rn.f32 %d, %b, %b, %product;");
    await page.click("#tour-apply");
    await page.locator("#tour-verdict", { hasText: "Solved" }).waitFor();
  });

  test("is left and taken up again where it was, with what was there before", async () => {
    const page = await openPage({ hash: "tour=nan" });
    await name(page, "nan.ptx");
    await page.click("#tour-next");
    await page.click("#tour-close");
    await name(page, "collatz.ptx");
    expect(await page.locator("#tour").isVisible()).toBe(false);
    await page.evaluate(() => {
      location.hash = "";
    });
    await page.reload();
    await page.click("#tour-open");
    await name(page, "nan.ptx");
    expect(await page.locator("#tour-title").textContent()).toBe("Tour, step 2 of 4");
  });
});

test.skipIf(!hasBrowser)(
  "a link to an example or a lesson opens it, and it has run, before anybody has done anything",
  async () => {
    const example = await openPage({ hash: "example=basics-saxpy" });
    await says(example, "Wrote y");
    expect(await example.locator("#name").textContent()).toBe("basics-saxpy.ptx");
    const lesson = await openPage({ hash: "tour=race" });
    await says(lesson, "a race in line");
  },
);
