/** The library's file, and the other name under which programs look for it. */
export const names: { readonly library: string; readonly other: string };
/** The driver library's file, and its name for linkers. */
export const driverNames: { readonly library: string; readonly other: string };
/** The compiler's command, or undefined where none works. */
export function compiler(): readonly string[] | undefined;
/** Runs the compiler, and throws what it said where it failed. */
export function compile(argv: readonly string[], cwd?: string): void;
/** Builds the library of `ptx_run` into a folder, where it finds the worker's script if that is near. */
export function buildLibrary(out: string): void;
/** Builds the driver library in the same way; programs look for it on Linux alone. */
export function buildDriver(out: string): void;
/** The runtime libraries' files, and of which CUDA each one is. */
export const runtimeNames: Readonly<Record<string, number>>;
/** Builds the runtime libraries beside the driver library, which they call; for Linux. */
export function buildRuntime(out: string): void;
/** The linker libraries' files, and of which CUDA each one is: its major and newest minor version. */
export const linkerNames: Readonly<Record<string, readonly [number, number]>>;
/** Builds the linker libraries (nvJitLink) beside the driver library, which they call. */
export function buildLinker(out: string): void;
/** What `ptxrun exec` preloads: it sends a runtime that nvcc put into a program to ours. */
export const redirectName: string;
/** Whether a processor is one that it knows the jumps of. */
export const redirects: boolean;
/** Builds it beside the runtime libraries. */
export function buildRedirect(out: string): void;
