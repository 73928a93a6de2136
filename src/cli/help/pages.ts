import type { Topic } from "./topics.ts";

/** The text of each topic, 80 columns wide. */
export const pages: Readonly<Record<Topic, string>> = {
  inputs: `ptxrun FILE runs a file, - standard input, -e 'add.f16 d, a, b;' a text; several
files are linked. A snippet (some instructions) has registers, a kernel
parameters.

  -r a=1.5 -r b=0x3c00      registers of a snippet; -r cc.cf=1 sets the carry
  -a x=f32x64:iota -a n=64  parameters, by name or by number from 0;
  -a f32x64:iota -a 64      without names, one after the other
  -g table=f32x4:1,2,3,4    a module variable, before the launch

A pointer takes a buffer, which is as long as it says: see ptxrun help values.
Two parameters share one: -a out==x binds the buffer of x. What is given no
value is 0, and a note says so.

A file of numbers is a buffer: -a x=@x.npy, or -a x:f32=@x.bin for bytes.
A texture is image:cat.png:filter=linear, a surface surface:u8x4:64x48; a
tensor map tensormap:64x64,box=32x8:f32x4096:iota, and multimem:2:f32x8:fill=1
an address that stands for two buffers, NAME.0 and NAME.1. docs/textures.md and
docs/tensor-maps.md have all of it.

ptxrun doctor FILE finds inputs by itself, and prints them as such options.
`,
  values: `VALUE is bits or a number:

  0x3c00  0b1  0f3f800000  0d3ff0000000000000   bits
  1.5  -3  1e-6  inf  nan                       numbers, in the type of the
                                                register or parameter
  -r a:f32=1.5                                  the type, where it has none
  1,2                                           lanes, the low bits first
  hex:00ff                                      the bytes of an aggregate

A buffer is TYPExCOUNT, or with axes TYPExROWSxCOLUMNS, and what is in it:

  f32x8              nothing yet: a read of it is reported
  f32x8:fill=0       one value
  f32x2x4:iota       0, 1, 2 ...
  f32x2:1,2          these
  f32x8:random       drawn between 0 and 1; random:SEED another time, and
                     normal, uniform:A..B, special, bits alike
  @x.npy  @x.bin     a file
  =NAME              the buffer of another parameter
`,
  dumps: `-d says what is shown at the end, and takes several:

  -d regs  -d changed  -d none    registers: all, those written, none
  -d %f3  -d out  -d table        a register, a buffer, a module variable
  -d out:4x4  -d out:f16          a buffer in rows, or read as another type
  -d out:e4m3x16x16  -d out:all   both; every line, however many
  -d out=@out.npy                 to a file: .npy, .pgm, .ppm, .png or bytes
  -d tensor:0-31:8                tensor memory: lanes and columns

--as VIEW is the view of what says nothing else, of registers of its width too.
--thread B/T chooses the thread whose registers are shown, --thread all shows
every one.
`,
  sanitize: `--sanitize says what is checked along; mem, init and sync unless told:

  mem     accesses outside of buffers, null and freed memory
  init    reads of memory and registers that nobody wrote
  sync    barriers and warp instructions that threads miss
  race    data races, and which barrier, fence or scope is missing (slower)
  bounds  accesses that leave an array for the variable beside it

  --sanitize mem,race    these and no others
  --sanitize +race       the usual ones and race
  --sanitize -init       the usual ones but init
  --sanitize +race,-init both; all,-race is all but race
  --sanitize all | none

A finding exits 7, a fault 4. ptxrun doctor runs a kernel with all checks in
many launches and orders.
`,
  schedule: `The same command line gives the same result on every machine.

  --schedule random:7   another order of warps and blocks, drawn by a seed
  --seeds 1..100        a run for each of these seeds, until one fails
  --async early         data of asynchronous copies move at once, not at the
                        latest moment (late); random:SEED: at drawn ones, which
                        --schedule random and --seeds draw too
  --memory weak         every outcome that the memory model allows
  --memory weak:random  one of them a seed: --seed 7, or --seeds 1..100
  --memory FILE         memory at its own addresses, kept by exec --record

A run is sequentially consistent without --memory weak. --sanitize race finds a
race in whatever order; ptxrun litmus lists outcomes of small programs.
`,
  targets: `  --target sm_90   the GPU: of a snippet (the newest unless told), or instead of
                   what .target of a text says, with a note; of several PTX
                   texts in a file it takes the one for this GPU
  --ptx 8.8        the version of PTX, for a text without .version
  --arch sm_80     whose tensor cores multiply, if not the target's

ptxrun explain sm_90 says what a target adds.
`,
  formats: `--format text|json, and --json for short, of every command that prints a
result; isa has md and coverage too, trace is JSON lines unless --format text.
JSON has a "schema", such as ptxrun.run/1; fields are only ever added. Bits are
hexadecimal texts. -o FILE writes the result to a file.

check and campaign merge print several reports at once:

  ptxrun check tests --reporter pretty --reporter junit=junit.xml
  check: pretty, tap, junit, json, github     campaign merge: text, json ...
  and of lint, diff and exec too: sarif=FILE, codequality=FILE

--color never and NO_COLOR turn colours off; -q prints no notes.
`,
  "exit-codes": `  0    ok                          6    a limit was reached
  1    a check failed              7    a check found something (--sanitize)
  2    wrong usage                 70   a bug in ptxrun
  3    PTX rejected                130  interrupted (Ctrl-C)
  4    a fault of the program      143  terminated
  5    not implemented

Where several apply, the first of 70, 2, 3, 143, 130, 6, 4, 5, 7, 1 counts.
ptxrun explain CODE has a page for each code of a message, such as PTX2003.
`,
  visa: `ptxrun runs Intel vISA, text (.visaasm) or object (.isa), as it runs PTX.

  --grid 2 --block 40     groups, and work-items of a group
  -a 0=f32x64:iota        arguments by number, or by the name of the .input
  -r V33=1,2,3,4          variables of a kernel without inputs
  --platform DG2          what is accepted: SKL, TGLLP, DG2, PVC, XE2 and the
                          like; PVC where %r0 has 64 bytes, else DG2
  --grf 64                bytes of a register, if not the platform's

ptxrun visa asm and disasm convert, ptxrun isa visa lists the table.
docs/visa.md says how Intel's compiler writes such texts.
`,
};
