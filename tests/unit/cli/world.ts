import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { main } from "../../../src/cli/app.ts";
import { noFiles } from "../../../src/environment/files.ts";
import type { Io } from "../../../src/environment/io.ts";
import type { CommandIo } from "../../../src/system/command-io.ts";
import { filesFrom } from "../../../src/system/files.ts";

/** A folder of its own and a command line that runs in this process. */
export class World {
  readonly folder: string = mkdtempSync(join(tmpdir(), "ptxrun-test-"));

  write(path: string, contents: string | Uint8Array): this {
    const full = join(this.folder, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, contents);
    return this;
  }

  /** Runs `ptxrun ARGV...`. */
  async ptxrun(argv: readonly string[], io: Partial<CommandIo> & { readonly stdin?: string } = {}): Promise<Outcome> {
    let out = "";
    let err = "";
    const exit = await main(argv, {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      input: (most) => {
        const bytes = new TextEncoder().encode(io.stdin ?? "");
        return bytes.length > most ? { tooLarge: true } : { bytes };
      },
      env: {},
      cwd: this.folder,
      files: filesFrom(io.cwd ?? this.folder),
      terminal: { out: false, err: false },
      now: () => performance.now(),
      ...io,
    });
    return { exit, out, err };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * A clock that goes on by so many milliseconds at each look and at no other time. Whoever has some time looks as often on any
 * machine: what a limit of time does is told by this one. A launch looks after some dozen steps where a look takes 50.
 */
export function looking(milliseconds: number): () => number {
  let time = 0;
  return () => {
    time += milliseconds;
    return time;
  };
}

export interface Outcome {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Surroundings without a terminal that drop what is printed. */
export const silent: Omit<Io, "cwd"> = {
  out: () => {},
  err: () => {},
  input: () => ({ bytes: new Uint8Array() }),
  env: {},
  files: noFiles,
  terminal: { out: false, err: false },
  now: () => performance.now(),
};

/** A module with one kernel that doubles `n` floats, one a thread. */
export const twice = `.version 8.0
.target sm_80
.address_size 64
.global .align 4 .b32 calls = 7;
.visible .entry twice(.param .u64 x, .param .u64 y, .param .u32 n)
{
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .f32 %f<3>; .reg .b64 %rd<6>;
  mov.u32 %r1, %tid.x;
  ld.param.u32 %r2, [n];
  setp.ge.u32 %p1, %r1, %r2;
  @%p1 ret;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f1, [%rd4];
  add.f32 %f2, %f1, %f1;
  st.global.f32 [%rd5], %f2;
  ret;
}
`;
