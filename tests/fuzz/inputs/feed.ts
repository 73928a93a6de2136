import { PassThrough } from "node:stream";
import type { CommandIo } from "../../../src/system/command-io.ts";
import { type Outcome, World } from "../../unit/cli/world.ts";

/** What whoever runs strangers' files says. */
export const limits = ["--max-steps", "20000", "--max-mem", "64M", "--timeout", "2s"];

/** Runs a command line on files, in a folder of their own. */
export async function feed(
  argv: readonly string[],
  files: Readonly<Record<string, string>>,
  io: Partial<CommandIo> & { readonly stdin?: string } = {},
): Promise<Outcome> {
  const world = new World();
  try {
    for (const [name, text] of Object.entries(files))
      world.write(name, name.endsWith(".isa") ? Buffer.from(text, "latin1") : text);
    return await world.ptxrun(argv, io);
  } finally {
    world.remove();
  }
}

/** The same for a server, which gets bytes and then the end of them. Gives what it answers. */
export async function serve(argv: readonly string[], bytes: Buffer): Promise<Outcome> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const said: Buffer[] = [];
  output.on("data", (piece: Buffer) => said.push(piece));
  const ended = feed(argv, {}, { streams: () => ({ input, output }) });
  // In pieces, as pipes give them: a server may answer in between.
  for (let at = 0; at < bytes.length; at += 4000) {
    input.write(bytes.subarray(at, at + 4000));
    await new Promise((done) => setImmediate(done));
  }
  await quiet(said);
  input.end();
  const { exit, err } = await ended;
  return { exit, err, out: Buffer.concat(said).toString() };
}

/** Waits until nothing more is said for some turns. */
async function quiet(said: readonly Buffer[]): Promise<void> {
  for (let still = 0, before = -1; still < 20; still = said.length === before ? still + 1 : 0) {
    before = said.length;
    await new Promise((done) => setTimeout(done, 1));
  }
}

/** What is wrong with how a command ended, if it is. */
export function bugIn({ exit, out, err }: Outcome): string | undefined {
  const said = `${err}\n${out}`;
  // As the command line, the debug adapter and the language server tell of it.
  const line = /.{0,100}(?:bug in ptxrun|ptxrun has a bug|"code":-32603).{0,200}/.exec(said)?.[0];
  if (exit === 70) return `exit 70: ${(line ?? said.trim().split("\n")[0] ?? "").slice(0, 200)}`;
  return line === undefined ? undefined : `a bug is told of: ${line.slice(0, 200)}`;
}

/** The messages of a server on the wire. */
export const framed = (messages: readonly string[]): Buffer =>
  Buffer.concat(
    messages.map((message) => {
      const body = Buffer.from(message);
      return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
    }),
  );
