import { readFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, inject, it } from "vitest";
import { share } from "../../tests/share.ts";
import { fetchedBy, openPage } from "./page.ts";

/** A page of each kind. */
const kinds = [
  "index.html",
  "manual/index.html",
  "manual/notation.html",
  "manual/visa.html",
  "manual/async-copy.html",
  "messages/index.html",
  "messages/PTX12.html",
  "docs/index.html",
  "docs/check.html",
];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds wrong with the page as it is now, by these rules or all; of many sections alike it looks at the first. */
async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const context = JSON.stringify({ include: [["html"]], exclude: [["main > section:nth-of-type(n+4)"]] });
  const options = JSON.stringify({ resultTypes: ["violations"], ...(rules && { runOnly: rules }) });
  const found = (await page.evaluate(`axe.run(${context}, ${options})`)) as {
    readonly violations: readonly Violation[];
  };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

describe("the site's pages", () => {
  it.each(share(kinds, 2))("%s is accessible, in both themes, and no wider than a phone", async (path) => {
    const page = await openPage({ path, width: 375, height: 812, dark: true });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(375);
    await page.evaluate(axe.source);
    expect(await violations(page)).toEqual([]);
    // The other theme has other colours, and is otherwise the same.
    await page.emulateMedia({ colorScheme: "light" });
    expect(await violations(page, ["color-contrast"])).toEqual([]);
  });

  it("can be read without JavaScript", async () => {
    const text = readFileSync(join(inject("web"), "manual/integer.html"), "utf8");
    const page = await openPage({ path: "manual/notation.html" });
    const bare = await page.context().browser()?.newContext({ javaScriptEnabled: false });
    const still = await bare?.newPage();
    await still?.setContent(text);
    expect(await still?.getByRole("heading", { name: "sad.type d, a, b, c" }).count()).toBe(1);
    expect(await still?.getByRole("button", { name: "Run" }).count()).toBe(0);
    await bare?.close();
  });
});

describe("an example", () => {
  it("runs in its page, by a worker that is loaded then", async () => {
    const page = await openPage({ path: "manual/mixed-precision.html" });
    const asked = (): boolean => fetchedBy(page).some(({ path }) => path.includes("worker"));
    expect(asked()).toBe(false);
    const figure = page.locator("figure.example").first();
    await figure.getByRole("button", { name: "Run" }).click();
    await figure.getByText("Ran here, with the same result.").waitFor();
    expect(asked()).toBe(true);
  });

  it.each(
    share(
      [
        ["a buffer", "manual/synchronization.html", "article > figure:has(tr[data-buffer])"],
        ["a texture", "manual/texture-surface.html", "article > figure"],
        ["a warp", "manual/tensor-memory.html", "article > figure:has(figcaption .faint)"],
        ["a predicate of vISA", "manual/visa.html", "section:has(#sel) figure"],
      ],
      2,
    ),
  )("with %s runs in its page, too", async (_, path, which) => {
    const page = await openPage({ path });
    const figure = page.locator(which).first();
    await figure.getByRole("button", { name: "Run" }).click();
    await figure
      .locator("output")
      .filter({ hasText: /Ran here|PTX|not/ })
      .waitFor();
    expect(await figure.locator("output").textContent()).toBe("Ran here, with the same result.");
  });

  it("of the first page takes other values, says what is wrong with them, and finds a mistake again", async () => {
    const page = await openPage({ path: "index.html" });
    const figure = page.locator("figure.live").first();
    await figure.getByRole("textbox", { name: "c" }).fill("1.0");
    await figure.getByRole("button", { name: "Run" }).click();
    await figure.getByText("Ran here.").waitFor();
    const once = figure.locator("[data-register=once] td");
    expect(await once.nth(1).textContent()).not.toBe("0x3e23");
    await figure.getByRole("textbox", { name: "c" }).fill("many");
    await figure.getByRole("textbox", { name: "c" }).press("Enter");
    await figure.getByText(/^PTX2101: many/).waitFor();
    const other = page.locator("figure.live").nth(1);
    await other.getByRole("button", { name: "Run" }).click();
    await other.getByText("PTX3002 again, in this browser").waitFor();
  });

  it("of the first page has been recorded: it plays, stops, and goes back", async () => {
    const page = await openPage({ path: "index.html" });
    const demo = page.locator("#demo");
    const at = async (): Promise<number> => Number(await demo.getByRole("slider").inputValue());
    const begun = await at();
    await expect.poll(at).toBeGreaterThan(begun);
    await demo.getByRole("button", { name: "Pause" }).click();
    await demo.getByRole("slider").fill("136");
    expect(await demo.locator("tbody tr:nth-child(7) td").allTextContents()).toEqual(["1", "16", "16"]);
    expect(await demo.locator(".now").count()).toBe(0);
    // Over the end of the thread, which no line says, to the store.
    for (let step = 0; step < 2; step++) await demo.getByRole("button", { name: "Step back" }).click();
    expect(await demo.locator("tbody tr:nth-child(7) td").allTextContents()).toEqual(["1", "16", "0"]);
    expect(await demo.locator(".now").textContent()).toContain("st.global.u32");
    expect(await demo.getByRole("button", { name: "Play" }).count()).toBe(1);
  });

  it("of the first page stands still for who wants little motion", async () => {
    const page = await openPage({ path: "index.html" });
    await page.emulateMedia({ reducedMotion: "reduce" });
    try {
      await page.reload();
      await page.locator("#demo").getByRole("button", { name: "Play" }).waitFor();
      await page.locator("#demo").getByRole("button", { name: "Step", exact: true }).click();
      await page.locator("#demo", { hasText: "35 of 136" }).waitFor();
    } finally {
      await page.emulateMedia({ reducedMotion: null });
    }
  });

  it("opens in the playground with its program and its values", async () => {
    const page = await openPage({ path: "manual/half-precision.html" });
    await page.locator("figure.example a.open").first().click();
    await page.waitForURL(/play\.html#/);
    await page.getByText("add.f16").first().waitFor();
  });
});

describe("the search", () => {
  it("is a click away from the playground, and says what each result is about", async () => {
    const page = await openPage();
    await page.getByRole("link", { name: "Search" }).click();
    const field = page.getByRole("combobox", { name: "Search" });
    await field.fill("bank conflict");
    const first = page.getByRole("option").first();
    await first.locator("p").waitFor();
    expect(((await first.locator("p").textContent()) ?? "").length).toBeGreaterThan(20);
  });

  it("is loaded, used and left by keyboard", async () => {
    const page = await openPage({ path: "docs/coverage.html" });
    expect(fetchedBy(page).some(({ path }) => path.includes("search-index"))).toBe(false);
    await page.keyboard.press("/");
    const field = page.getByRole("combobox", { name: "Search" });
    await field.waitFor();
    await field.fill("PTX1204");
    await page.getByRole("option").first().waitFor();
    await page.evaluate(axe.source);
    expect(await violations(page)).toEqual([]);
    await field.fill("xyzzy");
    await page.getByText("Nothing found.").waitFor();
    await page.keyboard.press("Escape");
    expect(await field.isVisible()).toBe(false);
    await page.keyboard.press("Control+k");
    await field.fill("lop3");
    await page.getByRole("option", { selected: true }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL(/manual\/logic-shift\.html#lop3$/);
  });
});

it("keeps the theme that was chosen, in all pages", async () => {
  const page = await openPage({ path: "index.html" });
  const ground = (): Promise<unknown> => page.evaluate("getComputedStyle(document.body).backgroundColor");
  const light = await ground();
  await page.getByRole("button", { name: /^Theme/ }).click();
  await page.getByRole("button", { name: "Theme: light" }).click();
  expect(await ground()).not.toBe(light);
  await page.goto(page.url().replace("index.html", "messages/index.html"));
  expect(await page.getByRole("button", { name: "Theme: dark" }).count()).toBe(1);
  expect(await ground()).not.toBe(light);
});
