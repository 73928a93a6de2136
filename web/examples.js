// The examples that the page offers: files of examples/ with the inputs of one of their golden cases.

/** `[file, title, what there is to see, case]` by groups; without a case, the first one of the file. */
export const groups = {
  "First steps": [
    ["kernels/collatz.ptx", "Collatz", "threads leave a loop at different times"],
    ["golden/hello.ptx", "Hello", "what printf prints", "two"],
    ["wide/add128.ptx", "128-bit addition", "a carry runs through four words", "ripple"],
    ["wide/mul64x64.ptx", "64 by 64 bits", "the manual's own example of the carry flag", "full"],
    ["kernels/matmul.ptx", "Product of matrices", "a grid of two dimensions"],
    ["kernels/mandelbrot.ptx", "Mandelbrot", "lanes that diverge and reconverge"],
  ],
  "What goes wrong": [
    ["checks/missing-barrier.ptx", "A race", "neighbours that no barrier orders", "racing"],
    ["checks/off-by-one.ptx", "One too far", "a store behind the end of a buffer", "over"],
    ["checks/deadlock.ptx", "A deadlock", "two warps wait at different barriers", "stuck"],
    ["checks/divergent-barrier.ptx", "A divergent barrier", "half of a warp comes", "parted"],
    ["checks/spin-lock.ptx", "A spin lock", "a lane that waits must let the other go on", "counts"],
    ["checks/producer-consumer.ptx", "Producer and consumer", "acquire and release between blocks", "handed"],
    ["rejected/rounding.ptx", "Rejected", "halves round to the nearest only"],
  ],
  Kernels: [
    ["kernels/crc32.ptx", "CRC-32", "loops of different lengths"],
    ["kernels/sort_shared.ptx", "Sorting in shared memory", "barriers between rounds"],
    ["kernels/horner.ptx", "A polynomial", "fma in f32 and f64"],
    ["kernels/modpow.ptx", "Powers modulo n", "64-bit words"],
    ["kernels/axpy_half2.ptx", "axpy of halves", "two halves in a register", "small"],
    ["kernels/quantize.ptx", "Quantize", "conversions that saturate"],
    ["kernels/dot_bf16.ptx", "Dot product of bf16", "what is swallowed", "swallowed"],
  ],
  "Gallery (compiled from CUDA)": [
    ["gallery/reduce.ptx", "Sums by shuffles", "lanes that add in pairs"],
    ["gallery/histogram.ptx", "Histogram", "atomics in shared memory"],
    ["gallery/ballot.ptx", "Votes", "vote, match, redux"],
    ["gallery/accumulate.ptx", "Compare and swap", "atomics in loops"],
    ["gallery/bitonic.ptx", "Bitonic sort", "a network of comparisons"],
    ["gallery/recursion.ptx", "Recursion", "queens, Ackermann, quicksort"],
    ["gallery/printf.ptx", "printf", "formats of every kind"],
    ["gallery/heap.ptx", "malloc", "lists on the device's heap"],
    ["gallery/int128.ptx", "128-bit integers", "division included"],
    ["gallery/sha256.ptx", "SHA-256", "of messages of many lengths"],
    ["gallery/handoff.ptx", "A scan in one launch", "blocks that wait for each other"],
  ],
  Tensors: [["bulk/box.ptx", "A box of a tensor", "a copy by a tensor map", "inside"]],
  "Intel vISA": [
    ["visa/add.visaasm", "Addition", "a vector of eight channels", "wraps"],
    ["visa/loop.visaasm", "A loop", "channels leave it one by one", "product"],
    ["visa/opencl-reduce.visaasm", "An OpenCL kernel", "groups of two threads add in local memory", "sums"],
  ],
};
