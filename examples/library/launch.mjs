// A kernel on a device without a GPU: buffers, a launch, and what a fault looks like.
import { Device, must, renderDiagnostic } from "ptxrun";

const scale = `.version 8.0
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 x, .param .f32 by)
{
  .reg .b32 %r<2>; .reg .f32 %f<3>; .reg .b64 %rd<3>;
  mov.u32 %r1, %tid.x;
  ld.param.u64 %rd1, [x];
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  ld.global.f32 %f1, [%rd1];
  ld.param.f32 %f2, [by];
  mul.f32 %f1, %f1, %f2;
  st.global.f32 [%rd1], %f1;
  ret;
}
`;

// What can be wrong with a text or an option comes as diagnostics; `must` throws where there is an error among them.
const device = new Device();
const module = must(device.module({ name: "scale.ptx", text: scale }));
const kernel = must(module.kernel("scale"));
const x = device.buffer(new Float32Array([1, 2, 3, 4]), { name: "x" });

const { stop } = must(kernel.launch({ block: 4, args: [x, 2.5] }));
console.log(stop.reason, x.toArray("f32"));

// A fault of the program is no exception: the launch ends, and its stop says why.
const { stop: fault } = must(kernel.launch({ block: 5, args: [x, 1] }));
if (fault.reason === "trap") {
  const { code, source, span } = fault.diagnostic;
  console.log(code, `line ${source.position(span.start).line}`, `thread ${fault.at.lane}`);
  console.log(renderDiagnostic(fault.diagnostic).split("\n")[0]);
  console.log(Object.keys(JSON.parse(JSON.stringify(fault))).join(" "));
}
