import type { Page } from "playwright-core";
import type { Methods } from "../page/protocol.ts";
import { fetchedBy } from "./page.ts";

type Values<M extends keyof Methods> = Parameters<Methods[M]>;
type Given<M extends keyof Methods> = Awaited<ReturnType<Methods[M]>>;

/** A worker of its own, as the page starts one, for what a test asks of it. */
export async function startWorker(
  page: Page,
): Promise<<M extends keyof Methods>(method: M, ...values: Values<M>) => Promise<Given<M>>> {
  await page.waitForLoadState("networkidle");
  const file = fetchedBy(page).find(({ path }) => path.startsWith("/worker-"))?.path ?? "";
  await page.evaluate((url) => {
    const worker = new Worker(url);
    const waiting = new Map<number, (answer: { value?: unknown; error?: string }) => void>();
    worker.onmessage = ({ data }) => waiting.get(data.id)?.(data);
    let number = 0;
    Object.assign(window, {
      askWorker: (method: string, values: readonly unknown[]) =>
        new Promise((done, failed) => {
          number += 1;
          waiting.set(number, ({ value, error }) => (error === undefined ? done(value) : failed(new Error(error))));
          worker.postMessage({ id: number, method, values });
        }),
    });
  }, file);
  return (method, ...values) =>
    page.evaluate(
      ([name, given]) =>
        (window as unknown as { askWorker: (name: string, given: unknown) => Promise<never> }).askWorker(name, given),
      [method, values] as const,
    );
}
