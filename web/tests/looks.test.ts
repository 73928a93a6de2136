import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { share } from "../../tests/share.ts";
import { hasBrowser } from "./browser.ts";
import { FAULTY, openProgram, paste, run, says } from "./hand.ts";
import { openPage } from "./page.ts";

/** As text, since the page takes no script from elsewhere. */
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const example = (file: string): string => readFileSync(new URL(`../../examples/${file}`, import.meta.url), "utf8");

/** A kernel with a parameter that nobody can guess. */
const OPAQUE = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .align 8 .b8 s[16])
{
  ret;
}
`;

interface Checker {
  run(part: string, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/**
 * What axe finds wrong in a part of the page, as `rule: element`: in a dark page by the rule about colours, as for all else the theme
 * makes no difference.
 */
async function violations(page: Page, dark: boolean, part = "html"): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  return page.evaluate(
    async ([within, options]) => {
      const { axe: checker } = globalThis as unknown as { axe: Checker };
      const found = await checker.run(within, options);
      return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
    },
    [part, { resultTypes: ["violations"], ...(dark && { runOnly: ["color-contrast"] }) }] as const,
  );
}

/** Each size and each theme; what one theme has wrong in a panel, no size mends. */
const sizes = [
  { width: 375, height: 800, dark: false },
  { width: 1024, height: 768, dark: true },
  { width: 1600, height: 1000, dark: false },
] as const;

const panels = ["registers", "lanes", "warps", "inputs", "result", "explain", "messages", "bits"] as const;

describe.skipIf(!hasBrowser)("accessible", () => {
  test.each(share(sizes, 4))("axe finds nothing at $width, dark $dark, in any panel", async (options) => {
    const page = await openPage(options);
    await run(page);
    await page.click("#do-back");
    await says(page, "next is line");
    const wrong = [...(await violations(page, options.dark))];
    for (const panel of panels) {
      await page.click(`#tab-${panel}`);
      await page.waitForFunction((id) => document.querySelector(`#panel-${id}`)?.childElementCount !== 0, panel);
      // Both regions are in sight on a wide page, so every second panel is enough there.
      if (options.width < 760 || ["lanes", "explain", "inputs", "result", "bits"].includes(panel))
        wrong.push(...(await violations(page, options.dark, `#panel-${panel}`)));
    }
    expect([...new Set(wrong)]).toEqual([]);
  });

  test.each(share([false, true], 2))("axe finds nothing in a fault, its page and the help, dark %s", async (dark) => {
    const page = await openPage({ dark });
    await openProgram(page, "faulty.ptx", FAULTY, { block: "4", values: { "%p": "u32x2" } });
    await run(page, "Fault on line 3");
    await page.click(".fault-note button");
    await page.waitForSelector(".page h2");
    expect(await violations(page, dark)).toEqual([]);
    await page.click("#help");
    expect(await violations(page, dark)).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)("colours", () => {
  test("change at once: text in its new colour is never on a paper that is still in its old one", async () => {
    const page = await openPage();
    await page.click("#tab-lanes");
    await page.locator(".lanes td").first().waitFor();
    const fading = await page.locator("body *").evaluateAll((all) =>
      all.flatMap((each) => {
        const { transitionDuration, animationName } = getComputedStyle(each);
        return transitionDuration === "0s" && animationName === "none" ? [] : [each.outerHTML.slice(0, 80)];
      }),
    );
    expect(fading).toEqual([]);
  });
});

/** What a page may be in: a picture, findings, a finding in a text that has no value for an input, and an error. */
const states: readonly (readonly [name: string, text: string])[] = [
  ["a picture", example("kernels/mandelbrot.ptx")],
  ["findings", example("checks/missing-barrier.ptx").replace(/^.*case.*$/gm, "")],
  ["an input without a value", OPAQUE],
  ["an error", "add.rz.f16 %d, %a, %b;\n"],
];

describe.skipIf(!hasBrowser)("in each state", () => {
  test.each(
    share(
      [
        { width: 375, height: 760, dark: true },
        { width: 1440, height: 900, dark: false },
      ],
      2,
    ),
  )("axe finds nothing, and nothing is wider than the page, at $width", async (options) => {
    const page = await openPage(options);
    const wrong: string[] = [];
    const wide: string[] = [];
    for (const [name, text] of states) {
      await paste(page, text);
      if (name.startsWith("an input")) await page.click("#status-act");
      wrong.push(...(await violations(page, options.dark)).map((each) => `${name}: ${each}`));
      if ((await page.evaluate(() => document.documentElement.scrollWidth)) > options.width) wide.push(name);
      if (options.width < 760) await page.click("#tab-code");
    }
    expect([[...new Set(wrong)], wide]).toEqual([[], []]);
  });
});

describe.skipIf(!hasBrowser)("the tour", () => {
  test.each(
    share(
      [
        { width: 375, height: 800, dark: true },
        { width: 1280, height: 800, dark: false },
      ],
      2,
    ),
  )("axe finds nothing in a lesson and its solution at $width, dark $dark", async (options) => {
    const page = await openPage({ ...options, hash: "tour=rounding" });
    await page.click("#tour-show");
    await page.locator("#tour-verdict", { hasText: "it should be 1" }).waitFor();
    await page.click("#tour-solution");
    expect(await violations(page, false)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(options.width);
    // The editor still has room.
    expect((await page.locator("#regions").boundingBox())?.height).toBeGreaterThan(200);
  });
});

describe.skipIf(!hasBrowser)("on a phone", () => {
  test("nothing is wider than the page, and each button is large enough for a thumb", async () => {
    const page = await openPage({ width: 375, height: 800 });
    await run(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
    const small = await page.locator(".moves button:visible, .tabs button:visible").evaluateAll((buttons) =>
      buttons.flatMap((each) => {
        const { width, height, right } = each.getBoundingClientRect();
        const scrolls = each.closest(".tabs") !== null;
        return width < 36 || height < 36 || (right > 375 && !scrolls) ? [each.textContent] : [];
      }),
    );
    expect(small).toEqual([]);
  });

  test("all panels stand behind one row of tabs, and the program is one of them", async () => {
    const page = await openPage({ width: 375, height: 800 });
    await run(page);
    expect(await page.locator("[role=tab]:visible").count()).toBe(10);
    await page.click("#tab-registers");
    expect(await page.locator("#editor").isVisible()).toBe(false);
    expect(await page.locator(".registers tbody tr").count()).toBeGreaterThan(5);
    await page.click("#tab-code");
    expect(await page.locator("#editor").isVisible()).toBe(true);
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.waitForFunction(() => document.querySelectorAll("[data-region]:not([hidden])").length === 3);
    expect(await page.locator("#panel-registers").isVisible()).toBe(true);
  });
});

describe.skipIf(!hasBrowser)("panes", () => {
  const widthOf = async (page: Page, region: string): Promise<number> =>
    (await page.locator(`[data-region="${region}"]`).boundingBox())?.width ?? 0;
  const heightOf = async (page: Page, region: string): Promise<number> =>
    (await page.locator(`[data-region="${region}"]`).boundingBox())?.height ?? 0;
  const bar = (page: Page, part: string) => page.locator(`.splitter.${part}`);

  test("can be made wider by a drag and by keys, and a double click puts the bar back", async () => {
    const page = await openPage();
    const before = await widthOf(page, "code");
    const { x = 0, y = 0 } = (await bar(page, "code").boundingBox()) ?? {};
    await page.mouse.move(x + 4, y + 200);
    await page.mouse.down();
    await page.mouse.move(x + 204, y + 200, { steps: 3 });
    await page.mouse.up();
    expect(Math.abs((await widthOf(page, "code")) - before - 200)).toBeLessThan(12);
    await bar(page, "code").dblclick();
    expect(await widthOf(page, "code")).toBe(before);
    const state = await heightOf(page, "state");
    await bar(page, "state").press("ArrowDown");
    expect(await bar(page, "state").getAttribute("aria-valuenow")).toBe("52");
    expect(await heightOf(page, "state")).toBeGreaterThan(state);
    await bar(page, "state").press("Home");
    expect(await bar(page, "state").getAttribute("aria-valuenow")).toBe("15");
    await bar(page, "state").press("Enter");
    expect(await heightOf(page, "state")).toBe(state);
  });

  test("and their tabs are remembered, and what is kept wrongly is as nothing", async () => {
    const page = await openPage();
    await bar(page, "code").press("ArrowLeft");
    await page.click("#tab-warps");
    await page.click("#tab-lanes");
    const width = await widthOf(page, "code");
    await page.reload();
    await page.locator("#tab-lanes[aria-selected=true]").waitFor();
    expect(await widthOf(page, "code")).toBe(width);
    await page.evaluate(() => localStorage.setItem("ptxrun.layout", '{"code":"wide","state":99,"tabs":[1]}'));
    await page.reload();
    await page.locator("#tab-registers[aria-selected=true]").waitFor();
    expect(await bar(page, "code").getAttribute("aria-valuenow")).toBe("50");
    expect(await bar(page, "state").getAttribute("aria-valuenow")).toBe("50");
  });

  test("have no bars on a phone, where the program is found first", async () => {
    const page = await openPage();
    await page.click("#tab-lanes");
    await page.setViewportSize({ width: 375, height: 800 });
    await page.reload();
    await page.locator("#tab-code[aria-selected=true]").waitFor();
    expect(await page.locator(".splitter:visible").count()).toBe(0);
  });
});

describe.skipIf(!hasBrowser)("light and dark", () => {
  const paper = (page: Page): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

  test("follows the system, and the button goes round and is remembered", async () => {
    const page = await openPage({ dark: true });
    const dark = await paper(page);
    await page.click("#theme");
    const light = await paper(page);
    expect(light).not.toBe(dark);
    await page.reload();
    expect(await paper(page)).toBe(light);
    await page.click("#theme");
    expect(await paper(page)).toBe(dark);
    await page.click("#theme");
    await page.emulateMedia({ colorScheme: "light" });
    expect(await paper(page)).toBe(light);
  });
});
