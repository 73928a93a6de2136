import { pages } from "./page.ts";

/** PTX19xx: litmus tests, ours and published ones, and their conditions. */
export const litmus = pages({
  PTX1901: {
    title: "a condition that cannot be read",
    why: "A condition compares registers of threads (`P1:r0`), what memory holds at the end (`x`, `x[1]`), addresses (`&x`) and numbers by `==` (or `=`), `!=`, `<`, `<=`, `>`, `>=`, and joins comparisons by `/\\` (or `&&`), `\\/` (or `||`), `~` (or `!`, `not`) and parentheses. `deadlock` is that some thread waits for ever at a barrier, `nontermination` that some waits or goes round a loop for ever, `terminated` that none does.",
    wrong: "exists (P1:r0 = 1 and P1:r1 = 0)",
    right: "exists (P1:r0 == 1 /\\ P1:r1 == 0)",
  },
  PTX1902: {
    title: "a condition about what the test does not have",
    why: "A condition may name threads, registers that the thread has, and memory that the test declares or uses; anything else would be 0 whatever happens, and a mistake in typing would pass.",
    wrong: "//@ exists P2:r0 == 1",
    right: "//@ exists P1:r0 == 1",
  },
  PTX1903: {
    title: "a litmus test that claims nothing",
    why: "A test ends with `exists C`, `~exists C` (in our own form `never C`) or `forall C`: that some final state is so, none, or all. Without one there is nothing to be true.",
    right: "exists (P1:r0 == 1 /\\ P1:r1 == 0)",
  },
  PTX1910: {
    title: "a text that is no litmus test",
    why: "`ptxrun litmus` reads plain PTX with a line `//@ litmus NAME`, and the published format, whose first word is `PTX`, then the test's name: initial values in braces, threads as columns between `|`, rows that end with `;`, and a condition.",
  },
  PTX1911: {
    title: "initial values that cannot be read",
    why: "Between the braces stand memory (`x = 1`, `y = x` for a pointer, `a[4]`, `a[2] = {1, 2}`), registers (`P1:r0 = 1`) and other names of memory (`s @ surface aliases x`; the proxies are generic, surface, texture and constant), each with `;` behind it.",
    wrong: "{ x := 1; }",
    right: "{ x = 1; }",
  },
  PTX1912: {
    title: "threads whose placement cannot be read",
    why: "The first row names the threads, and where each runs: `P0@cta 0,gpu 0`. `cta`, `cluster` and `gpu` take a number each; threads with equal numbers share the block, cluster or device.",
    wrong: "P0@block 0 | P1 ;",
    right: "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;",
  },
  PTX1913: {
    title: "rows that do not fit the threads",
    why: "Each row has one cell for each thread, between `|`; a cell may be empty, and a row ends with `;`. Names of threads differ.",
  },
  PTX1914: {
    title: "an instruction that litmus tests of the published format do not have",
    why: "They have ld, st, atom, red, fence, membar, fence.proxy, sust, suld, tex (or tld), ldc (or cold), bar.cta, mov, add, sub, mul, and, or, xor, goto, beq, bne and labels. In our own form (`//@ litmus`), instructions are PTX's own, all of them.",
    wrong: "ld.aquire.gpu r0, x",
    right: "ld.acquire.gpu r0, x",
  },
  PTX1915: {
    title: "an operand that does not fit the instruction",
    why: "Memory is a name (`x`), an element (`x[1]`) or a register that holds an address; results go to registers; values are registers, numbers or `&x`.",
    wrong: "ld.weak 1, x",
    right: "ld.weak r1, x",
  },
  PTX1916: {
    title: "a branch to a label that its thread does not have",
    why: "A label stands in the column of its thread, `LC00:`, once.",
  },
  PTX1917: {
    title: "an instruction that the memory model does not follow",
    why: "In a litmus test, and under `--memory weak`, each thread is followed by itself: loads, stores, atomic operations, fences, barriers, mbarriers, asynchronous copies, what lanes exchange, calls and all that is computed. Matrices, tensor copies and images are not followed there; the usual run takes them.",
    wrong: "activemask.b32 r0;",
    right: "fence.acq_rel.gpu;",
  },
  PTX1918: {
    title: "a line of a litmus test that cannot be read",
    why: 'A litmus test in plain PTX has these lines: `//@ litmus NAME`, `//@ "what it shows"`, `//@ alias y x` (y is another virtual address of x), `//@ thread P0 cta 0 cluster 0 gpu 0 warp 0 lane 0` before the instructions of each thread, `//@ initially P0:r0 = 1`, `//@ exists C`, `//@ never C`, `//@ forall C`, `//@ filter C` and `//@ bound N`.',
    wrong: "//@ thread P0 block 0",
    right: "//@ thread P0 cta 0",
  },
  PTX1919: {
    title: "a kernel whose threads share no memory",
    why: "`litmus --from` looks for threads of which one writes what another one accesses, in global or shared memory. In this launch none do: a larger `--grid` or `--block`, or other inputs, may make them.",
  },
  PTX7018: {
    title: "a litmus test whose condition is not true as stated",
    why: "The model allows a final state that `~exists` or `never` excludes, or one that is not as `forall` says, or none as `exists` wants. `--why` says which axiom forbids the outcome, or what would.",
  },
  PTX3037: {
    title: "a fault in an execution with weak memory",
    why: "In some order that the memory model allows, this thread comes to a fault, or waits for ever at a barrier.",
  },
  PTX6009: {
    title: "a launch too large for weak memory",
    why: "`--memory weak` looks at every order that the memory model allows, and these multiply with threads and memory operations: 8 threads and about 40 operations are the most. `--memory weak:random` draws one of them, of a launch of any size. Or run the same kernel with fewer threads and a shorter input.",
  },
  PTX6008: {
    title: "a litmus test with more executions than are looked at",
    why: "The number of executions grows quickly with threads and memory operations. What was seen of them decides no condition that speaks of all.",
  },
});
