import type { Reach } from "../../environment/reach.ts";
import { type Device, HostError, type Multicast } from "../../host/index.ts";
import type { Assignment } from "../value/assignment.ts";
import { type BufferContents, bufferContents, noRoom } from "../value/buffer.ts";
import type { ValueForm } from "../value/form.ts";
import type { InputReport } from "./input-report.ts";
import type { NamedBuffer } from "./launch-inputs.ts";

/** Makes the buffers of inputs. */
export class BufferInputs {
  readonly #device: Device;
  readonly #reach: Reach;
  readonly #report: InputReport;

  constructor(device: Device, reach: Reach, report: InputReport) {
    this.#device = device;
    this.#reach = reach;
    this.#report = report;
  }

  /** The contents of a buffer; a file is read now. */
  contents(form: ValueForm & { kind: "buffer" | "file" }, assignment: Assignment): BufferContents | undefined {
    const { value, diagnostics } = bufferContents(form, assignment, this.#reach);
    this.#report.diagnostics.push(...diagnostics);
    return value;
  }

  /** A multimem address for this many buffers with these contents; undefined when there is no room. */
  multicast(name: string, made: BufferContents, devices: number, assignment: Assignment): Multicast | undefined {
    try {
      return this.#device.multicast(made.contents, { devices, name });
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      this.#report.diagnostics.push(noRoom(name, made, assignment, this.#device));
      return undefined;
    }
  }

  /** A buffer on the device; undefined when there is no room. */
  allocate(name: string, made: BufferContents, assignment: Assignment): NamedBuffer | undefined {
    const { type, contents, shape } = made;
    const buffer = this.#device.allocate(contents, { name });
    if (buffer !== undefined) return { name, type, buffer, ...(shape && { shape }) };
    this.#report.diagnostics.push(noRoom(name, made, assignment, this.#device));
    return undefined;
  }
}
