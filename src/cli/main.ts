import { main } from "./app.ts";
import { readDescriptor } from "./bounded.ts";
import { Exit } from "./exit.ts";
import { conversation } from "./repl/keyboard.ts";

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: Error & { code?: string }) => {
    // A reader that stops early (`ptxrun ... | head`) needs no message; a full disk does.
    if (error.code === "EPIPE") process.exit();
    if (stream === process.stdout) process.stderr.write(`cannot write the result: ${error.code}\n`);
    process.exit(Exit.usage);
  });
}

process.exitCode = await main(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  input: (most) => readDescriptor(0, most),
  env: process.env,
  cwd: process.cwd(),
  terminal: {
    out: process.stdout.isTTY === true,
    err: process.stderr.isTTY === true,
    ...(process.stdin.isTTY && process.stdout.isTTY && { conversation: conversation() }),
  },
  checkWorker: new URL("./check-worker.js", import.meta.url),
  now: () => performance.now(),
});
