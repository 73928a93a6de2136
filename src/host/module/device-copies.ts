import type { Program } from "../../interp/contract/program.ts";
import { copyKernel, setKernel } from "../../interp/driver/device-runtime.ts";
import { Source } from "../../source/source.ts";
import { imageOf } from "./image.ts";

/** A kernel for a warp: thread by thread, the bytes of a row, and the next row a pitch behind it. */
const kernel = (name: string, parameters: string, begin: string, byte: string, nextRow: string): string => `
.visible .entry ${name}(${parameters}, .param .u64 width, .param .u64 height)
{
  .reg .pred %p; .reg .b16 %h; .reg .b64 %to, %from, %toPitch, %fromPitch, %width, %height, %x, %first, %at;
  .reg .b32 %r;
  ${begin}
  ld.param.u64 %width, [width]; ld.param.u64 %height, [height];
  mov.u32 %r, %tid.x; cvt.u64.u32 %first, %r;
ROW:
  setp.eq.u64 %p, %height, 0; @%p ret;
  mov.u64 %x, %first;
BYTE:
  setp.ge.u64 %p, %x, %width; @%p bra NEXT;
  ${byte}
  add.u64 %x, %x, 32; bra BYTE;
NEXT:
  ${nextRow} sub.u64 %height, %height, 1; bra ROW;
}
`;

const to = ".param .u64 to, .param .u64 toPitch";
const store = "add.u64 %at, %to, %x; st.u8 [%at], %h;";
const text = [
  ".version 8.0\n.target sm_50\n.address_size 64\n",
  kernel(
    copyKernel,
    `${to}, .param .u64 from, .param .u64 fromPitch`,
    "ld.param.u64 %to, [to]; ld.param.u64 %toPitch, [toPitch]; ld.param.u64 %from, [from]; ld.param.u64 %fromPitch, [fromPitch];",
    `add.u64 %at, %from, %x; ld.u8 %h, [%at]; ${store}`,
    "add.u64 %to, %to, %toPitch; add.u64 %from, %from, %fromPitch;",
  ),
  kernel(
    setKernel,
    `${to}, .param .u64 value`,
    "ld.param.u64 %to, [to]; ld.param.u64 %toPitch, [toPitch]; ld.param.u8 %h, [value];",
    store,
    "add.u64 %to, %to, %toPitch;",
  ),
].join("");

const source = new Source("<cudadevrt>", text);

/** The kernel by which the runtime on the device copies or sets memory, checked as any other; undefined for another name. */
export const memoryProgram = (name: string): Program | undefined =>
  name === copyKernel || name === setKernel ? imageOf(source).value.kernel(name).value : undefined;
