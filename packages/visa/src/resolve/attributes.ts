/** The attributes of kernels that Intel's tools know, in lower case. */
export const attributes: ReadonlySet<string> = new Set(
  `target slmsize simdsize outputasmpath nobarrier perthreadinputsize perthreadsamplecount callable caller entry extern
  argsize retvalsize spillmemoffset fespsize ltoinvokeopttarget fcentry crossthreadinputsize scope heapsize nbarriercnt
  numgrf surfaceusage sampler composable maxnumofthreads fccalls`.split(/\s+/),
);
