import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, expect, inject } from "vitest";
import { answer } from "../../web/build/answer.js";

const executablePath = "/usr/bin/chromium";
export const hasBrowser: boolean = existsSync(executablePath);

/** Where the page is: no server listens there, the tests answer each request from the built folder. */
export const origin = "http://page.localhost";

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** Of the address, without its `#`. */
  readonly hash?: string;
  /** Below the folder; the page itself unless told. */
  readonly path?: string;
  /** Errors on the console are what the test is about. */
  readonly expectErrors?: boolean;
  /** Changes what a file holds. */
  readonly change?: (path: string, text: string) => string;
}

/** A file that a page has asked for. */
export interface Fetched {
  readonly path: string;
  readonly body: Uint8Array | string;
}

interface Opened {
  readonly context: BrowserContext;
  readonly errors: string[];
  readonly elsewhere: string[];
}

let browser: Browser | undefined;
const opened: Opened[] = [];
const fetched = new WeakMap<Page, Fetched[]>();

/** What a page has asked for, in order. */
export const fetchedBy = (page: Page): readonly Fetched[] => fetched.get(page) ?? [];

/**
 * Opens the page in a context of its own, which is closed when the test ends. The test fails when the page asks for anything
 * elsewhere, or says an error on the console.
 */
export async function openPage(options: PageOptions = {}): Promise<Page> {
  const { width = 1280, height = 800, dark = false, hash, path = "play.html", expectErrors = false, change } = options;
  browser ??= await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout: 0 });
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const errors: string[] = [];
  const elsewhere: string[] = [];
  opened.push({ context, errors: expectErrors ? [] : errors, elsewhere });
  const page = await context.newPage();
  // What never comes ends with the test, see vitest.config.ts.
  page.setDefaultTimeout(0);
  const asked: Fetched[] = [];
  fetched.set(page, asked);
  await context.route("**", async (route) => {
    const url = new URL(route.request().url());
    if (url.origin !== origin) {
      elsewhere.push(url.href);
      await route.abort();
      return;
    }
    const { status, headers, body } = answer(url.pathname, (file) => readFileSync(join(inject("web"), file)));
    asked.push({ path: url.pathname, body });
    const text = change?.(url.pathname, Buffer.from(body).toString());
    await route.fulfill({ status, headers, body: text ?? Buffer.from(body) });
  });
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(error.stack ?? error.message));
  await page.goto(`${origin}/${path}${hash === undefined ? "" : `#${hash}`}`);
  return page;
}

afterEach(async () => {
  for (const { context, errors, elsewhere } of opened.splice(0)) {
    await context.close();
    expect(errors, "errors on the console").toEqual([]);
    expect(elsewhere, "requests to elsewhere").toEqual([]);
  }
});

afterAll(async () => {
  await browser?.close();
  browser = undefined;
});
