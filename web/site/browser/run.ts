import { hex, number } from "../../../src/present/value.ts";
import type { Client, Project, RegisterValue, State } from "../../page/client.ts";
import { connect } from "../../page/connect.ts";
import { decode } from "../../page/link.ts";

/** The name of the worker's file, which the build knows. */
declare const WORKER_FILE: string;

let client: Client | undefined;

/** Runs the example of a figure in the worker, writes its results into the table, and says in words what came of it. */
export async function run(figure: HTMLElement, root: URL): Promise<string> {
  client ??= connect(new URL(WORKER_FILE, root));
  const project = await projectOf(figure);
  const { problems, fields, state } = await client.load(project);
  const wrong = [...fields.map(({ problem }) => problem), ...problems].find(({ severity }) => severity === "error");
  if (wrong !== undefined)
    throw new Error(
      `${wrong.code}: ${wrong.message}${wrong.expected === undefined ? "" : `, expected ${wrong.expected}`}`,
    );
  if (state === undefined) throw new Error("the example did not load");
  const end = await client.move({ kind: "run" });
  if (end.stop.problem !== undefined) {
    const { code, message } = end.stop.problem;
    const said = figure.querySelector(".said");
    if (said !== null) return `Ran here: ${code} again, in this browser.`;
    throw new Error(`${code}: ${message}`);
  }
  const { same, all } = await fill(figure, end, client);
  if (figure.classList.contains("live") || all === 0) return "Ran here.";
  return same === all ? "Ran here, with the same result." : `Ran here: ${all - same} of ${all} values differ.`;
}

/** The project of the figure's link, with what its fields say now. */
async function projectOf(figure: HTMLElement): Promise<Project> {
  const link = figure.querySelector<HTMLAnchorElement>("a.open");
  const project = await decode(new URL(link?.href ?? "").hash);
  if (project === undefined) throw new Error("the link holds no example");
  const values = { ...project.inputs.values };
  for (const { name, value } of figure.querySelectorAll<HTMLInputElement>(".fields input")) values[name] = value;
  return { ...project, inputs: { ...project.inputs, values } };
}

/** Writes what a run left behind over what the page said, and counts what was the same. */
async function fill(figure: HTMLElement, state: State, client: Client): Promise<{ same: number; all: number }> {
  let same = 0;
  let all = 0;
  const put = (row: HTMLElement, bits: string, value: string): void => {
    const [, bitsCell, valueCell] = row.querySelectorAll("td");
    if (bitsCell === undefined || valueCell === undefined) return;
    const alike = bitsCell.textContent === bits;
    all += 1;
    if (alike) same += 1;
    row.classList.toggle("changed", !alike);
    bitsCell.textContent = bits;
    valueCell.textContent = value;
  };
  for (const row of figure.querySelectorAll<HTMLElement>("[data-register]")) {
    const register = state.registers.find(({ name }) => name === row.dataset["register"]);
    // The page may read the bits as another type than the declaration's: two halves in 32 bits.
    const type = row.querySelector("td")?.textContent ?? "";
    if (register !== undefined) put(row, ...shown(register, type));
  }
  for (const row of figure.querySelectorAll<HTMLElement>("[data-buffer]")) {
    const buffer = state.buffers.find(({ name }) => name === row.dataset["buffer"]);
    const count = row.querySelectorAll("td")[1]?.textContent?.split(" ").length ?? 0;
    const size = Number(row.querySelector("td")?.textContent?.replace(/^\D+/, "")) / 8;
    if (buffer === undefined || !(size > 0)) continue;
    const { bytes } = await client.memory(buffer.space, buffer.address, count * size);
    const all = words(bytes, size);
    const type = row.querySelector("td")?.textContent ?? "";
    put(row, all.map((each) => `0x${each.toString(16)}`).join(" "), all.map((each) => number(each, type)).join(" "));
  }
  return { same, all };
}

/** Little-endian words of so many bytes. */
function words(bytes: Uint8Array, size: number): readonly bigint[] {
  return Array.from({ length: bytes.length / size }, (_, at) => {
    let value = 0n;
    for (let byte = size - 1; byte >= 0; byte--) value = (value << 8n) | BigInt(bytes[at * size + byte] ?? 0);
    return value;
  });
}

function shown({ bits: [first = 0n], width }: RegisterValue, type: string): [string, string] {
  return width === 1 ? [first.toString(), first === 0n ? "false" : "true"] : [hex(first, width), number(first, type)];
}
