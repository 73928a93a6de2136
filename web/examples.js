// The examples that the page offers: files of examples/ with the inputs of one of their golden cases.

/** `[file, title, what there is to see, case]` by groups; without a case, the first one of the file. */
export const groups = {
  Basics: [
    ["basics/saxpy.ptx", "saxpy", "y = a * x + y, one number a thread"],
    ["kernels/mandelbrot.ptx", "Mandelbrot set", "lanes that diverge and reconverge"],
    ["kernels/crc32.ptx", "CRC-32", "a table in constant memory, loops of different lengths"],
    ["golden/hello.ptx", "printf in a kernel", "what it prints", "two"],
    ["gallery/recursion.ptx", "Recursive functions", "queens, Ackermann, quicksort"],
  ],
  "Warp level": [
    ["gallery/reduce.ptx", "Parallel reduction (warp shuffle)", "lanes that add in pairs"],
    ["basics/softmax.ptx", "Softmax of a row", "the largest and the sum by shuffles", "steps"],
    ["gallery/ballot.ptx", "Ballot, match and redux", "lanes that vote"],
  ],
  "Shared memory": [
    ["gallery/matmul.ptx", "Tiled matrix product", "tiles, and a barrier before and after each"],
    ["gallery/bitonic.ptx", "Bitonic sort", "a network of comparisons"],
  ],
  "Atomics and memory order": [
    ["gallery/histogram.ptx", "Histogram with shared atomics", "counts in a block, then added to all"],
    ["gallery/accumulate.ptx", "atomicAdd by compare and swap", "loops until nobody was faster"],
    ["checks/spin-lock.ptx", "Spin lock", "a lane that waits must let the other go on", "counts"],
    ["checks/producer-consumer.ptx", "Producer and consumer", "acquire and release between blocks", "handed"],
    ["gallery/handoff.ptx", "Prefix sum in one launch", "blocks that wait for each other (look-back)"],
  ],
  "Half, bf16, tensor cores": [
    ["kernels/axpy_half2.ptx", "axpy with half2", "two halves in a register", "small"],
    ["kernels/dot_bf16.ptx", "Dot product in bf16", "small summands that are swallowed", "swallowed"],
    ["kernels/quantize.ptx", "Quantize f32 to int8", "conversions that round and saturate"],
    ["basics/mma.ptx", "Tensor core product (mma.sync)", "who holds which element"],
    ["bulk/box.ptx", "Tensor copy (TMA)", "a box of a matrix by its tensor map", "inside"],
  ],
  "Wide integers": [
    ["wide/add128.ptx", "128-bit addition", "a carry runs through four words", "ripple"],
    ["gallery/int128.ptx", "128-bit division", "what __int128 becomes"],
    ["kernels/modpow.ptx", "Modular exponentiation", "by the 128-bit product of 64-bit words"],
    ["gallery/sha256.ptx", "SHA-256", "of messages of many lengths"],
  ],
  "What goes wrong": [
    ["tour/race.ptx", "Race", "neighbours that no barrier orders"],
    ["tour/off-by-one.ptx", "Off by one", "a load behind the end of a buffer"],
    ["tour/deadlock.ptx", "Deadlock", "two warps at different barriers"],
    ["tour/wrong-mask.ptx", "Wrong mask of a shuffle", "lanes that it does not name"],
    ["tour/nan.ptx", "NaN", "where it comes from"],
    ["tour/rounding.ptx", "Rounding", "a last digit that is lost"],
    ["tour/mma-layout.ptx", "Layout of an mma fragment", "a register with the wrong row"],
    ["tour/missing-fence.ptx", "Missing fence", "a flag that publishes nothing"],
    ["rejected/rounding.ptx", "Form that PTX does not have", "halves round to the nearest only"],
  ],
  "Intel vISA": [
    ["visa/loop.visaasm", "Loop of channels", "channels leave it one by one", "product"],
    ["visa/opencl-reduce.visaasm", "OpenCL reduction", "groups of two threads add in local memory", "sums"],
  ],
};
