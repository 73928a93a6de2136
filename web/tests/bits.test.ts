import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "./browser.ts";
import { openProgram, run } from "./hand.ts";
import { openPage } from "./page.ts";

const open = async (page: Page, value = "0.1"): Promise<void> => {
  const text = "mul.f32 %d, %a, %b;\nmul.f16 %h, %h, %h;\n";
  await openProgram(page, "bits.ptx", text, { values: { "%a": value, "%b": "1", "%h": "2" } });
  await run(page);
  await page.locator(".registers th button", { hasText: "%d" }).click();
  await page.locator(".nibble button").first().waitFor();
};

/** What is said of the float, by name. */
const facts = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page
    .locator(".facts.float")
    .evaluate((list) =>
      Object.fromEntries(
        [...list.querySelectorAll("dt")].map((each) => [each.textContent, each.nextElementSibling?.textContent ?? ""]),
      ),
    );

const bits = async (page: Page, field: string): Promise<string> =>
  (await page.locator(`.bit-field.${field} button`).allTextContents()).join("");

const bit = (page: Page, at: number) => page.locator(`.nibble button[title^="bit ${at},"]`);

const reading = async (page: Page, name: string): Promise<string> =>
  (await page
    .locator(".readings tr")
    .filter({ has: page.getByRole("button", { name, exact: true }) })
    .locator("td")
    .textContent()) ?? "";

describe.skipIf(!hasBrowser)("a register as bits", () => {
  test("has the fields of a float, what it is exactly, and its neighbours", async () => {
    const page = await openPage();
    await open(page);
    expect([await bits(page, "sign"), await bits(page, "exponent"), await bits(page, "significand")]).toEqual([
      "0",
      "01111011",
      "10011001100110011001101",
    ]);
    expect(await facts(page)).toEqual({
      exact: "0.100000001490116119384765625",
      hexadecimal: "0x1.99999ap-4",
      class: "normal",
      "next above": "0.10000001 0x3dccccce, 2^-27 away",
      "next below": "0.099999994 0x3dcccccc, 2^-27 away",
    });
    expect(await page.locator(".bit-field.exponent .name").textContent()).toBe("exponent 2^-4 (123 − 127)");
    expect(await reading(page, "u32")).toBe("1036831949");
    expect(await reading(page, "f16x2")).toBe("-19.203125, 1.449");
    expect(await reading(page, "bf16x2")).toBe("-107479040.0, 0.099609375");
  });

  test("can be changed by a click, by keys and by typing, and is a calculator only", async () => {
    const page = await openPage();
    await open(page, "1");
    await bit(page, 31).click();
    expect(await facts(page)).toMatchObject({ exact: "-1.0" });
    // From the sign to the first bit of the exponent.
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("1");
    expect(await facts(page)).toMatchObject({ exact: "-inf", class: "infinity" });
    await bit(page, 0).focus();
    await page.keyboard.press("Space");
    expect(await facts(page)).toMatchObject({ class: "signaling NaN, payload 0x1", "next above": "none" });
    expect(await bit(page, 0).getAttribute("aria-label")).toBe("bit 0, significand: 1");
    await page.getByRole("textbox", { name: "Value" }).fill("0x1p-149");
    expect(await facts(page)).toMatchObject({ class: "subnormal", "next below": "0.0 0x00000000, 2^-149 away" });
    await page.getByRole("button", { name: "0.0", exact: true }).click();
    expect(await facts(page)).toMatchObject({ class: "zero" });
    await page.getByRole("textbox", { name: "Bits" }).fill("3fc0 0000");
    expect(await facts(page)).toMatchObject({ exact: "1.5" });
    await page.getByRole("textbox", { name: "Bits" }).fill("3fc0 0000 0");
    expect(await page.getByRole("textbox", { name: "Bits" }).getAttribute("aria-invalid")).toBe("");
    // The register is what it was.
    await page.getByRole("button", { name: "The register's bits" }).click();
    expect(await facts(page)).toMatchObject({ exact: "1.0" });
    expect(await page.locator(".registers tr", { hasText: "%d" }).textContent()).toContain("0x3f800000");
  });

  test("is read in every format of its width, packed ones too", async () => {
    const page = await openPage();
    await open(page, "1");
    await page.getByRole("button", { name: "f16x2", exact: true }).click();
    expect(await page.locator(".bit-lane .lane").allTextContents()).toEqual(["[1] 1.875", "[0] 0.0"]);
    expect(await page.locator(".bit-field.significand").count()).toBe(2);
    await page.getByRole("button", { name: "u32", exact: true }).click();
    expect(await page.locator(".bit-field.sign").count()).toBe(0);
    await page.locator("#panel-bits select").selectOption("%h");
    expect(await bits(page, "exponent")).toBe("10001");
    for (const [name, value] of [
      ["f16", "4.0"],
      ["bf16", "512.0"],
      ["e5m2x2", "0.0, 4.0"],
      ["s16", "17408"],
    ] as const)
      expect(await reading(page, name)).toBe(value);
  });

  test("may become an input, where the register is one", async () => {
    const page = await openPage();
    await open(page, "1");
    await bit(page, 30).click();
    expect(await page.getByRole("button", { name: "Use as input" }).isVisible()).toBe(false);
    await page.locator("#panel-bits select").selectOption("%a");
    await page.getByRole("textbox", { name: "Value" }).fill("2.5");
    await page.getByRole("button", { name: "Use as input" }).click();
    await page.locator("#panel-bits select").selectOption("%d");
    await expect.poll(async () => (await facts(page))["exact"]).toBe("2.5");
    await page.click("#tab-inputs");
    await expect.poll(() => page.locator("[id='input-value:%a']").inputValue()).toBe("0x40200000");
  });
});
