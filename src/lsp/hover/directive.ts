/** What directives and state spaces are, as the manual's chapters 5 and 11 say. */
const texts: ReadonlyMap<string, string> = new Map([
  [".version", "the PTX ISA version that the text needs at least (PTX ISA 11.1.1)"],
  [".target", "the architecture that the text is for (PTX ISA 11.1.2)"],
  [".address_size", "bits of an address: 32 or 64 (PTX ISA 11.1.3)"],
  [".entry", "a kernel: the host launches it (PTX ISA 11.2.1)"],
  [".func", "a device function: kernels and functions call it (PTX ISA 11.2.2)"],
  [".alias", "another name of a function (PTX ISA 11.2.3)"],
  [".branchtargets", "the labels that a `brx.idx` may go to (PTX ISA 11.3.1)"],
  [".calltargets", "the functions that an indirect call may reach (PTX ISA 11.3.2)"],
  [".callprototype", "parameters and results of functions that an indirect call reaches (PTX ISA 11.3.3)"],
  [".maxnreg", "at most so many registers for a thread (PTX ISA 11.4.1)"],
  [".maxntid", "a block has at most so many threads (PTX ISA 11.4.2)"],
  [".reqntid", "a block has exactly so many threads (PTX ISA 11.4.3)"],
  [".minnctapersm", "so many blocks have to fit on a multiprocessor (PTX ISA 11.4.4)"],
  [".noreturn", "the function never returns (PTX ISA 11.4.6)"],
  [".pragma", "a hint to the compiler (PTX ISA 11.4.7)"],
  [".reqnctapercluster", "a cluster has exactly so many blocks (PTX ISA 11.7.1)"],
  [".explicitcluster", "the kernel is launched with a cluster's size (PTX ISA 11.7.2)"],
  [".maxclusterrank", "a cluster has at most so many blocks (PTX ISA 11.7.3)"],
  [".file", "the file that `.loc` calls by its number (PTX ISA 11.5.3)"],
  [".loc", "file, line and column that what follows was compiled from (PTX ISA 11.5.4)"],
  [".section", "debug information, DWARF (PTX ISA 11.5.2)"],
  [".extern", "defined in another module (PTX ISA 11.6.1)"],
  [".visible", "may be named by other modules (PTX ISA 11.6.2)"],
  [".weak", "may be named by others, and defined by several (PTX ISA 11.6.3)"],
  [".common", "may be declared by several with different sizes (PTX ISA 11.6.4)"],
  [".reg", "registers, of each thread its own (PTX ISA 5.1.1)"],
  [".const", "constant memory, 64 KiB that kernels only read (PTX ISA 5.1.3)"],
  [".global", "memory of all threads, which stays from launch to launch (PTX ISA 5.1.4)"],
  [".local", "memory of each thread (PTX ISA 5.1.5)"],
  [".param", "parameters of kernels and functions, and arguments of calls (PTX ISA 5.1.6)"],
  [".shared", "memory of a block, which its cluster may read (PTX ISA 5.1.7)"],
  [".align", "the address is a multiple of so many bytes (PTX ISA 5.4.5)"],
  [".ptr", "the parameter is a pointer, with the space and alignment of what it points to (PTX ISA 4.4.1)"],
]);

/** One line about a directive; undefined for a word that is none. */
export const directiveText = (word: string): string | undefined => {
  const text = texts.get(word);
  return text === undefined ? undefined : `\`${word}\`: ${text}`;
};
