// Where compiled code and the JavaScript around it leave things for each other, as offsets in bytes from the state's
// start. The state lies in the first page of memory, which no address of a program reaches.

/** Bytes of the state. */
export const STATE_BYTES = 4096;

/** Warp instructions executed since the module was entered; set at each return. */
export const STEPS = 0;
/** Backward branches left in this turn. */
export const FUEL_LEFT = 4;
/** CC.CF, a bit a lane. */
export const CARRY = 8;
/** Lanes of the group that runs. */
export const ACTIVE = 12;
/** Where the launch's parameters lie. */
export const PARAMETERS = 16;
/** Where the shared memory of the warp's block lies. */
export const SHARED = 20;
/** How many bytes of it, from its start on, are initialised and nothing but ordinary memory. */
export const SHARED_CLEAN = 24;
/** Where the local memory of the warp's lane 0 lies, and bytes from one lane's to the next one's. */
export const LOCAL = 28;
export const LOCAL_STRIDE = 32;

/** Ranges of global memory that are known to be clean: start and length, for each group of accesses. */
export const RANGES = 512;
export const MOST_RANGES = (STATE_BYTES - RANGES) / 8;
