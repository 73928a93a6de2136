import type { Diagnostic, Staged } from "../../../../src/source/diagnostic.ts";
import { hasErrors } from "../../../../src/source/diagnostic.ts";
import type { Source } from "../../../../src/source/source.ts";
import type * as ast from "../ast.ts";
import { Sink } from "./sink.ts";
import { bytesOfNameLength, newest, type ObjectVersion } from "./version.ts";
import { type KernelWritten, writeKernel } from "./write-kernel.ts";

const encoder = new TextEncoder();

/** A kernel with its object, and the object's offset in the file. */
interface Placed extends KernelWritten {
  readonly kernel: ast.Kernel;
  readonly name: Uint8Array;
  offset: number;
}

/**
 * Writes an object (manual 4): what `readObject` reads. Objects have no scopes, no comments and no forward
 * declarations; variables are numbered as they are declared. Statements without a binary form are PTX8521, and
 * undeclared names are PTX81xx; `source` is what the spans of `file` point into. The version of the file's text does
 * not matter.
 */
export function writeObject(
  file: ast.File,
  source: Source,
  version: ObjectVersion = newest,
): Staged<Uint8Array | undefined> {
  const diagnostics: Diagnostic[] = [];
  const bytesOfLength = bytesOfNameLength(version);
  const place = (kind: ast.Kernel["kind"]): Placed[] =>
    file.kernels
      .filter((each) => each.kind === kind)
      .map((kernel) => {
        const name = encoder.encode(kernel.name.text);
        const longest = 256 ** bytesOfLength - 1;
        if (name.length > longest)
          diagnostics.push({
            code: "PTX8521",
            severity: "error",
            source,
            span: kernel.name.span,
            message: `the name of a kernel has ${name.length} bytes`,
            expected: `at most ${longest}`,
          });
        return { kernel, name, offset: 0, ...writeKernel(kernel, source, version, diagnostics) };
      });
  const kernels = place("kernel");
  const functions = place("function");
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  // The header's length does not depend on the offsets.
  let offset = header(kernels, functions, version).length;
  for (const each of [...functions, ...kernels]) {
    each.offset = offset;
    offset += each.bytes.length;
  }
  const out = header(kernels, functions, version);
  for (const { bytes } of [...functions, ...kernels]) out.bytes(bytes);
  return { value: out.finish(), diagnostics };
}

function header(kernels: readonly Placed[], functions: readonly Placed[], version: ObjectVersion): Sink {
  const out = new Sink();
  const head = ({ name, offset, bytes }: Placed) => {
    out.unsigned(bytesOfNameLength(version), name.length);
    out.bytes(name);
    out.u32(offset);
    out.u32(bytes.length);
  };
  const noRelocations = () => {
    out.u16(0);
    out.u16(0);
  };
  out.bytes(encoder.encode("CISA"));
  out.u8(version.major);
  out.u8(version.minor);
  out.u16(kernels.length);
  for (const each of kernels) {
    head(each);
    out.u32(each.offset + each.inputs);
    noRelocations();
    out.u8(0); // binaries for GPUs
  }
  out.u16(0); // file variables
  out.u16(functions.length);
  for (const each of functions) {
    out.u8(2); // global
    head(each);
    noRelocations();
  }
  return out;
}
