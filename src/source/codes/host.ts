import { pages } from "./page.ts";

/** PTX2xxx: command line, values, launches (usage). */
export const host = pages({
  PTX2001: {
    title: "a command or option that ptxrun does not have",
    why: "Options are spelled out in `ptxrun COMMAND --help`. An option's value follows after a space or `=`; no option has an optional value.",
    wrong: "ptxrun kernel.ptx --blocks 32",
    right: "ptxrun kernel.ptx --block 32",
  },
  PTX2002: {
    title: "nothing to run, or too much",
    why: "A run takes one program: a file, `-` for standard input, or text after `-e`.",
    wrong: "ptxrun run",
    right: "ptxrun run kernel.ptx",
  },
  PTX2003: {
    title: "an option that cannot be followed",
    why: "Sizes are whole numbers with an optional K, M or G; dimensions are up to three numbers with commas; times end in ms, s or m. An option that has no meaning beside the others, or for this program, is refused rather than ignored.",
    wrong: "ptxrun kernel.ptx --block 32x4",
    right: "ptxrun kernel.ptx --block 32,4",
  },
  PTX2004: {
    title: "one thing given twice",
    why: "Two values for one register or parameter leave open which one is meant.",
    wrong: "ptxrun -e 'not.b32 d, a;' -r a=1 -r a=2",
    right: "ptxrun -e 'not.b32 d, a;' -r a=1",
  },
  PTX2011: {
    title: "a file that cannot be read",
    why: "The file is not there, is a folder, a device or a socket, or may not be read by this user. A pipe is read where the command line names it, up to a limit; a named pipe to which nobody writes within three seconds is given up.",
  },
  PTX2013: {
    title: "a file that cannot be written",
    why: "The folder is not there, or may not be written by this user; or `--report` names a file that no `--report` has written, which it does not replace.",
  },
  PTX2014: {
    title: "a file that cannot be taken as a buffer or a texture",
    why: "A .npy file holds a little-endian array of integers or floats in C order (NumPy format 1.0 to 3.0). A picture is a binary .pgm or .ppm whose greatest value is 255 or 65535, or a .png that is not interlaced.",
  },
  PTX2015: {
    title: "a link out of the folder in which it was found",
    why: "`check` and `lint` read what lies in a folder: of the links in it only those that stay below it, since a tree may come from somebody else. A path that the command line names itself may lead anywhere, and `--allow-read FOLDER` allows what lies below another folder.",
    wrong: "ptxrun check tree",
    right: "ptxrun check tree --allow-read /opt/kernels",
  },
  PTX2101: {
    title: "a value that cannot be read",
    why: "A value is raw bits (0x, 0b, 0f, 0d), a number (1.5, -3, inf, nan), or lanes with commas, low bits first.",
    wrong: "ptxrun -e 'not.b32 d, a;' -r a=0xfg",
    right: "ptxrun -e 'not.b32 d, a;' -r a=0xf",
  },
  PTX2102: {
    title: "a value that does not fit its type",
    why: "ptxrun never cuts or guesses: a value wider than its register, or one that can be read in two ways, is an error that names the readings.",
    wrong: "ptxrun -e 'add.f16 d, a, a;' -r a=0x12345",
    right: "ptxrun -e 'add.f16 d, a, a;' -r a=0x1234",
  },
  PTX2103: {
    title: "a buffer that cannot be made",
    why: "A new buffer is TYPExCOUNT, then nothing (its bytes are undefined), `:fill=VALUE`, `:iota`, `:V,V,...`, or a recipe: `:random` (floats from -1 to 1, small integers), `:normal`, `:uniform:A..B`, `:special` (NaN, infinities, subnormals, neighbours of powers of two), `:bits`, each with `:SEED` behind it for others; `@FILE.npy` and `@FILE.bin` take a file's contents; `=NAME` passes the buffer of another parameter.",
    wrong: "ptxrun k.ptx -a x=f32*8",
    right: "ptxrun k.ptx -a x=f32x8:iota",
  },
  PTX2201: {
    title: "a register that the program does not have",
    why: "A register is named as in the program; the percent sign may be left out. A register that no instruction uses does not exist in the run.",
  },
  PTX2202: {
    title: "a parameter that the kernel does not have",
    why: "A parameter is named as in the kernel's head, or by its index, which counts from 0.",
  },
  PTX2203: {
    title: "a kernel that the module does not have",
    why: "`--entry` names one of the module's `.entry` functions, or a `.func` that has a body and is then called by itself: by its mangled name, as it is declared (`matmul<float>`, `ns::k(int*)`; spaces count only where C++ needs them), or by a part of either that no other has. `--entry '?'` lists what there is.",
  },
  PTX2204: {
    title: "a kernel must be chosen",
    why: "The module has more than one `.entry`, or none and several functions, or `--entry` is a part of several names; ptxrun does not pick one for you. `--entry '?'` lists them.",
    wrong: "ptxrun two-kernels.ptx",
    right: "ptxrun two-kernels.ptx --entry axpy",
  },
  PTX2205: {
    title: "an input that nobody gave",
    why: "A register that the program reads before it writes it, or a kernel parameter, was given no value; the run takes 0. In a `//@ case` it is an error.",
  },
  PTX2206: {
    title: "an argument that does not fit its parameter",
    why: "A buffer's address needs a 64-bit integer parameter; an aggregate takes exactly as many bytes as it has; a number must be one that the type holds.",
  },
  PTX2207: {
    title: "a grid or block that cannot be launched",
    why: "A block has 1 to 1024 threads (x and y up to 1024, z up to 64), within what `.maxntid` and `.reqntid` allow; a grid has up to 2147483647 blocks in x and 65535 in y and z.",
  },
  PTX2209: {
    title: "a variable that the module does not have",
    why: "A variable is named as in its declaration at module scope, in `.global` or `.const`.",
  },
  PTX2213: {
    title: "a size that a dump does not name",
    why: "Intel's compiler appends the sizes that a kernel asks for, three dwords each, in the order group count, global size, local size, and last the local size that ids follow from; a dump does not say which of them are there. ptxrun guesses, and `-a NAME=X,Y,Z` says it.",
  },
  PTX2214: {
    title: "a buffer whose elements are of another width",
    why: "All accesses through the parameter are of another width than the elements of the buffer that is given for it: each value is then two, or half of one. `-a NAME=TYPExN` says the type that the kernel reads; the size in bytes stays that of the buffer.",
    wrong: "ptxrun saxpy.ptx -a x=f64x96:iota",
    right: "ptxrun saxpy.ptx -a x=f32x96:iota",
  },
  PTX2220: {
    title: "a tensor map that cannot be made",
    why: "tensormap:DIMS,OPTION,...:TENSOR makes what cuTensorMapEncodeTiled makes of the same parameters, and refuses what that refuses. DIMS are the sizes, as 64x32, the dimension whose elements lie side by side first. TENSOR is a new buffer (f32x2048:iota, @x.npy), called as the parameter, or =NAME, the buffer of another. Options, with what holds without them: type= (that of the buffer), offset= (0 bytes), strides= (bytes of all dimensions but the first, without gaps), box= (the whole tensor), steps= (1 each), interleave=none|16B|32B, swizzle=none|32B|64B|96B|128B, 128B/32B, 128B/32B+8B, 128B/64B, l2=none|64B|128B|256B, fill=zero|nan; for im2col all of lower= and upper= (in the order W, H, D), channels=, pixels=, and wide for .im2col::w.",
    wrong: "ptxrun k.ptx -a map=tensormap:64x64,box=33x8,swizzle=128B:f32x4096:iota",
    right: "ptxrun k.ptx -a map=tensormap:64x64,box=32x8,swizzle=128B:f32x4096:iota",
  },
  PTX2210: {
    title: "nothing of that name to dump",
    why: "What can be dumped: regs, changed, none, a register, a parameter that a buffer was passed for, a module variable.",
  },
  PTX2211: {
    title: "a filter that names nothing in the program",
    why: "`--opcode` takes an opcode of the program, a mnemonic, or a pattern with `*`; `--label` one of its labels. A filter that can let nothing through is a mistake, and an empty trace would hide it.",
  },
  PTX2212: {
    title: "a function called by itself",
    why: "The module has no kernel and one `.func`, so ptxrun calls that: its parameters are the arguments, and its results are shown. With several functions, `--entry` chooses one.",
  },
  PTX2230: {
    title: "texture, surface or array that cannot be",
    why: "CUDA makes arrays of 1, 2 or 4 channels and of limited size; cubemaps have square faces; only floats, and integers of 8 or 16 bits that are read as fractions, are filtered linearly; sRGB is for 8 bits. Contents have as many bytes as the texels take.",
    wrong: "ptxrun k.ptx -a tex=image:cat.pgm:filter=linear:read=element",
    right: "ptxrun k.ptx -a tex=image:cat.pgm:filter=linear",
  },
  PTX2240: {
    title: "a fat binary or a cubin that cannot be read",
    why: "nvcc embeds modules for several targets in one container: PTX or machine code, plain or packed by LZ4 or zstd. A cubin is an ELF file of machine code. The bytes must be one of these, whole.",
  },
  PTX2241: {
    title: "no PTX that this device can run",
    why: "A GPU runs machine code that was made for it; ptxrun runs PTX, and of several texts the newest that is not newer than the device. `nvcc -gencode arch=compute_80,code=compute_80` embeds PTX for sm_80 and what comes after it; with -lineinfo or -G machine code keeps the PTX that it was made from. Of a program PTXRUN_TARGET says what the device is, of a file --target; --list shows what is in a file.",
  },
  PTX2250: {
    title: "no libraries for programs that call CUDA",
    why: "`ptxrun exec` runs a program with libptxrun and libcuda in place of the real libraries. They are built from C sources by `npm run native` in a checkout of ptxrun, into native/build; PTXRUN_NATIVE names another folder.",
    wrong: "PTXRUN_NATIVE=/nowhere ptxrun exec ./a.out",
    right: "PTXRUN_NATIVE=$HOME/ptxrun/native/build ptxrun exec ./a.out",
  },
  PTX2251: {
    title: "a program that cannot be run",
    why: "What `ptxrun exec` is to run, and the compilers of `ptxrun hunt`, must be there, by their paths or on the PATH, and be executable.",
    wrong: "ptxrun exec a.out",
    right: "ptxrun exec ./a.out",
  },
  PTX2252: {
    title: "a file that holds no recorded memory",
    why: "`--memory` takes a file that `ptxrun exec --record` has written: pages of a program's memory at their own addresses.",
    wrong: "ptxrun k.ptx --memory k.ptx",
    right: "ptxrun 0001-k.ptx --memory 0001-k.mem",
  },
  PTX2253: {
    title: "no C compiler",
    why: "`--executor native` prints a kernel as C and has the system's compiler make a library of it: CC, or cc, gcc or clang on the PATH. Results are the same with every executor, and WebAssembly needs no compiler.",
    wrong: "CC=/nowhere ptxrun k.ptx --executor native",
    right: "ptxrun k.ptx --executor wasm",
  },
  PTX2254: {
    title: "a C compiler that failed",
    why: "`--executor native` has the system's C compiler make a library of each kernel. Where that fails, because the disk is full, or the compiler lacks something, the kernel runs as WebAssembly, with the same results. If the message is about the C text, the mistake is ours: please report it with the kernel.",
  },
  PTX2260: {
    title: "a name that no module defines",
    why: "A module may declare a function or a variable with .extern, and another one defines it (PTX ISA, linking directives). Where modules are linked, one of them must. vprintf, malloc, free and __assertfail belong to the driver.",
    wrong: "ptxrun link caller.ptx",
    right: "ptxrun link caller.ptx callee.ptx",
  },
  PTX2261: {
    title: "a name that two modules define",
    why: "What is .visible, and every kernel, has one definition among the modules that are linked. Of several .weak ones the first is taken, and what has no linking directive belongs to its module.",
    wrong: "ptxrun link a.ptx a.ptx",
    right: "ptxrun link a.ptx b.ptx",
  },
  PTX2262: {
    title: "a declaration that is not like the definition",
    why: "An .extern declaration has the parameters, the type and the size of the definition in the other module; an array may leave its first dimension open. Otherwise each side would find other bytes than the other meant.",
    wrong: ".extern .global .u32 x[2]; // and in the other module: .visible .global .u32 x[4];",
    right: ".extern .global .u32 x[]; // or .u32 x[4]",
  },
  PTX2301: {
    title: "nothing of that name to explain",
    why: "`ptxrun explain` takes a diagnostic's code, a value, or an instruction as it is spelled.",
  },
});
