import type { Bench } from "../bench.ts";
import { byId } from "../element.ts";
import { decode, encode, type Left, type Shared } from "../link.ts";

/** What the address of the page holds; undefined for nothing, and for what cannot be read, which is said. */
export async function projectInLink(): Promise<Shared | undefined> {
  const fragment = location.hash.slice(1);
  // A place of the page itself, such as that of the link that skips to the editor.
  if (fragment === "" || document.getElementById(fragment) !== null || /^(?:tour|example)(?:=|$)/.test(fragment))
    return undefined;
  try {
    return await decode(fragment);
  } catch (error) {
    const alert = byId("alert", HTMLElement);
    alert.textContent = `The link cannot be read: ${error instanceof Error ? error.message : error}`;
    alert.classList.remove("unseen");
    return undefined;
  }
}

/** Opens what a link holds, as it was left. */
export async function openShared(bench: Bench, { left, ...project }: Shared): Promise<void> {
  await (left === undefined ? bench.open(project) : bench.resume(project, left));
}

/** Puts everything into the address and copies it. */
export function shareButton(bench: Bench): void {
  const button = byId("share", HTMLButtonElement);
  const status = byId("status", HTMLElement);
  button.title = "copy a link that contains the program, its inputs, and where it is";
  button.addEventListener("click", async () => {
    const left = leftOf(bench);
    // What was inferred, too: another version may infer something else.
    const fragment = await encode({ ...bench.project, inputs: bench.inputs, ...(left && { left }) });
    history.replaceState(undefined, "", `#${fragment}`);
    const copied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    const where = copied ? "The link is copied" : "The link is in the address bar";
    status.textContent = `✔ ${where}: ${holds(bench, left)}.`;
  });
  addEventListener("hashchange", async () => {
    const shared = await projectInLink();
    if (shared !== undefined) await openShared(bench, shared);
  });
}

function leftOf({ state, stale, breakpoints }: Bench): Left | undefined {
  if (state === undefined || stale) return undefined;
  return { position: state.position, focus: state.focus, breakpoints };
}

/** What a link holds, in words. */
function holds({ inputs: given, state }: Bench, left: Left | undefined): string {
  const count = (number: number, word: string): string[] =>
    number === 0 ? [] : [`${number} ${word}${number === 1 ? "" : "s"}`];
  const inputs = Object.values(given.values).filter((value) => value !== "").length;
  const parts = ["the program", ...count(inputs, "input")];
  if (left !== undefined && state !== undefined) {
    const { position, focus, breakpoints } = left;
    const at = `position ${position} of ${state.furthest}`;
    parts.push(at, `thread ${focus.warp * state.lanes + focus.lane}`, ...count(breakpoints.length, "breakpoint"));
  }
  return `${parts.slice(0, -1).join(", ")}${parts.length > 1 ? " and " : ""}${parts.at(-1)}`;
}
