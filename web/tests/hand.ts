import type { Page } from "playwright-core";
import { encode } from "../page/link.ts";

/** What a person would give a program, apart from what is left alone. */
export interface Given {
  readonly block?: string;
  readonly grid?: string;
  readonly race?: boolean;
  readonly values?: Readonly<Record<string, string>>;
}

/** Opens a program in the page by a link, and waits until it has run or says why it cannot. */
export async function openProgram(page: Page, name: string, text: string, given: Given = {}): Promise<void> {
  const inputs = { entry: "", grid: "", block: "", values: {}, race: false, ...given };
  const link = await encode({ name, text, inputs });
  await page.evaluate((hash) => {
    (document.querySelector("#status") as HTMLElement).textContent = "";
    location.hash = hash;
  }, link);
  await page.waitForFunction((file) => document.querySelector("#name")?.textContent === file, name);
  await says(page, "");
}

/** Waits until the line of status has a text, and gives all of it. */
export async function says(page: Page, text: string): Promise<string> {
  await page.waitForFunction((wanted) => {
    const said = document.querySelector("#status")?.textContent ?? "";
    return (
      !/^(?:…|$)/.test(said) &&
      said.toLowerCase().includes(wanted.toLowerCase()) &&
      !document.body.classList.contains("busy")
    );
  }, text);
  return status(page);
}

export const status = async (page: Page): Promise<string> => (await page.locator("#status").textContent()) ?? "";

/** Runs from the beginning to the end, or to what stops it. */
export async function run(page: Page, until: string = "ended"): Promise<void> {
  await silence(page);
  await page.click("#do-run");
  await says(page, until);
}

/** Goes to the beginning of a launch. */
export async function restart(page: Page): Promise<void> {
  await page.click("#do-restart");
  await says(page, "beginning");
}

/** Empties the line of status, so that what it says next is new. */
export const silence = (page: Page): Promise<void> =>
  page.evaluate(() => {
    (document.querySelector("#status") as HTMLElement).textContent = "";
  });

/** Puts a text in the place of the whole program, as from the clipboard. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await silence(page);
  await page.locator(".cm-content").evaluate((content, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    content.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  await says(page, "");
}

/** A row of the registers' table as a person reads it. */
export async function register(page: Page, name: string): Promise<readonly string[]> {
  const row = page.locator(".registers tbody tr").filter({ has: page.locator("th", { hasText: name }) });
  return row.first().locator("th, td").allTextContents();
}

/** All registers with their bits. */
export const registers = (page: Page): Promise<readonly string[]> =>
  page
    .locator(".registers tbody tr")
    .evaluateAll((rows) => rows.map((row) => (row.textContent ?? "").replace("● ", "")));

/** The number of the line that is marked as the next one. */
export async function currentLine(page: Page): Promise<string> {
  return (await page.locator(".line-current").first().textContent()) ?? "";
}

/** Stores behind the end of its buffer in thread 2. */
export const FAULTY = `mov.u32 %i, %tid.x;
mad.wide.u32 %q, %i, 4, %p;
st.global.u32 [%q], %i;
`;

/** A breakpoint in the gutter; an unseen one keeps its room. */
export const BREAKPOINT = '.mark-breakpoint:not([style*="hidden"])';
