import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { expect, inject, onTestFinished } from "vitest";
import { answer } from "../build/answer.js";
import { executablePath } from "./browser.ts";

/** Where the page is, as the browser is told: a server of this process, which has the built folder. */
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
  readonly body: () => Uint8Array | string;
}

/** A page that tests use one after the other, and what is so for the present one. */
interface Tab {
  readonly page: Page;
  readonly clear: () => Promise<unknown>;
  options: PageOptions;
  asked: Fetched[];
  errors: string[];
  elsewhere: string[];
}

/** One for all files that a process tests: they share this module, so that a hook here would be the first file's alone. */
let browser: Browser | undefined;
/** What no test has opened now: to start another page takes longer than most tests. */
const free: Tab[] = [];
const fetched = new WeakMap<Page, () => readonly Fetched[]>();

/** What a page has asked for, in order. */
export const fetchedBy = (page: Page): readonly Fetched[] => fetched.get(page)?.() ?? [];

/**
 * Opens a page that knows nothing of earlier ones, until the test ends. The test fails when the page asks for anything elsewhere, or
 * says an error on the console.
 */
export async function openPage(options: PageOptions = {}): Promise<Page> {
  const { width = 1280, height = 800, dark = false, hash, path = "play.html" } = options;
  const tab = free.pop() ?? (await newTab());
  Object.assign(tab, { options, asked: [], errors: [], elsewhere: [] });
  onTestFinished(() => leave(tab));
  await tab.page.setViewportSize({ width, height });
  await tab.page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
  const { change } = options;
  if (change)
    await tab.page.route("**", async (route) => {
      const { pathname } = new URL(route.request().url());
      const { status, headers, body } = served(pathname);
      await route.fulfill({ status, headers, body: change(pathname, Buffer.from(body).toString()) });
    });
  await tab.page.goto(`${origin}/${path}${hash === undefined ? "" : `#${hash}`}`);
  return tab.page;
}

/** What the built folder has for a path. */
const served = (path: string) => answer(path, (file) => readFileSync(join(inject("web"), file)));

/**
 * A browser that knows one address, and keeps what it has from there, compiled too: a page that is opened again is no first visit to
 * it, as to most visitors. Requests that tests answer themselves would each be one.
 */
async function launched(): Promise<Browser> {
  const server = createServer((request, response) => {
    const { status, headers, body } = served(request.url ?? "/");
    response.writeHead(status, { ...headers, "cache-control": "max-age=86400" }).end(body);
  });
  server.unref().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const rules = `MAP ${new URL(origin).host}:80 127.0.0.1:${port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`;
  return chromium.launch({ executablePath, args: ["--no-sandbox", `--host-resolver-rules=${rules}`], timeout: 0 });
}

async function newTab(): Promise<Tab> {
  browser ??= await launched();
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  // What never comes ends with the test, see vitest.config.ts.
  page.setDefaultTimeout(0);
  const session = await context.newCDPSession(page);
  const clear = () => session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  const tab: Tab = { page, clear, options: {}, asked: [], errors: [], elsewhere: [] };
  fetched.set(page, () => tab.asked);
  context.on("request", (request) => {
    const { origin: from, pathname } = new URL(request.url());
    if (from === origin) tab.asked.push({ path: pathname, body: () => served(pathname).body });
  });
  // Elsewhere nobody is found, where the policy of the page has not stopped a request before.
  context.on("requestfailed", (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && request.failure()?.errorText !== "csp") tab.elsewhere.push(url.href);
  });
  page.on("console", (message) => {
    if (message.type() === "error") tab.errors.push(message.text());
  });
  page.on("pageerror", (error) => tab.errors.push(error.stack ?? error.message));
  return tab;
}

/** Nothing stays for the next test but the page itself. */
async function leave(tab: Tab): Promise<void> {
  const { page, errors, elsewhere, options } = tab;
  await page.goto("about:blank");
  await page.unrouteAll();
  await tab.clear();
  free.push(tab);
  expect(options.expectErrors ? [] : errors, "errors on the console").toEqual([]);
  expect(elsewhere, "requests to elsewhere").toEqual([]);
}
