import { type Buffer, type Device, encodeTensorMap } from "../../host/index.ts";
import type { ImageInputs } from "../image/image-inputs.ts";
import type { Assignment } from "../value/assignment.ts";
import { valueForm } from "../value/form.ts";
import { tensorMapForm } from "../value/tensor-map-form.ts";
import type { BufferInputs } from "./buffer-inputs.ts";
import type { InputReport } from "./input-report.ts";
import type { NamedBuffer } from "./launch-inputs.ts";

/** Functions that make input values other than numbers. */
export interface Makers {
  readonly buffers: BufferInputs;
  readonly images: ImageInputs;
  readonly tensorMaps: TensorMapInputs;
}

/** Makes the tensor maps of inputs. */
export class TensorMapInputs {
  readonly #device: Device;
  readonly #buffers: BufferInputs;
  readonly #report: InputReport;

  constructor(device: Device, buffers: BufferInputs, report: InputReport) {
    this.#device = device;
    this.#buffers = buffers;
    this.#report = report;
  }

  /** The name of the buffer that the tensor is in, where the map does not make one. */
  shares(assignment: Assignment): string | undefined {
    const form = tensorMapForm(assignment.value.text);
    return "tensor" in form && form.tensor.text.startsWith("=") ? form.tensor.text.slice(1) : undefined;
  }

  /**
   * The 128 bytes, and the new buffer for the tensor, called `name`; `shared` is an existing one instead. Undefined
   * after a diagnostic.
   */
  make(
    name: string,
    assignment: Assignment,
    shared: Pick<NamedBuffer, "buffer" | "type"> | undefined,
  ): { readonly bytes: Uint8Array; readonly made?: NamedBuffer } | undefined {
    const { value, source } = assignment;
    const form = tensorMapForm(value.text);
    if ("message" in form) {
      this.#report.wrong("PTX2220", assignment, value, form.message, form.expected);
      return undefined;
    }
    const made = shared === undefined ? this.#tensor(name, assignment, form.tensor) : undefined;
    const tensor = shared ?? made;
    if (tensor === undefined) return undefined;
    const type = form.options.type ?? tensor.type;
    const { value: bytes, diagnostics } = encodeTensorMap({ ...form.options, type, tensor: tensor.buffer });
    this.#report.diagnostics.push(...diagnostics.map((each) => ({ ...each, source, span: value.span })));
    return bytes && { bytes, ...(made === undefined ? {} : { made }) };
  }

  /** A tensor map in separate memory, for a parameter that is a pointer. */
  place(name: string, bytes: Uint8Array): Buffer {
    return this.#device.buffer(bytes, { name: `the tensor map ${name}` });
  }

  #tensor(
    name: string,
    assignment: Assignment,
    { text, at }: { readonly text: string; readonly at: number },
  ): NamedBuffer | undefined {
    const { value } = assignment;
    const start = value.span.start + at;
    const part = { text, span: { start, end: start + text.length } };
    const form = valueForm(text);
    if (form.kind !== "buffer" && form.kind !== "file") {
      const message = form.kind === "wrong" ? form.message : `${text || "nothing"} is not a tensor`;
      this.#report.wrong(
        "PTX2220",
        assignment,
        part,
        message,
        form.kind === "wrong" ? form.expected : "f32x64:iota, @FILE.npy or =NAME",
      );
      return undefined;
    }
    const of = { ...assignment, value: part };
    const contents = this.#buffers.contents(form, of);
    return contents && this.#buffers.allocate(name, contents, of);
  }
}
