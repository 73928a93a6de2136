// Where compiled code and the JavaScript around it leave things for each other, as offsets in bytes from the state's
// start. The state lies in the first page of memory, which no address of a program reaches.

/** Bytes of the state. */
export const STATE_BYTES = 4096;

/** Warp instructions executed since the module was entered; set at each return. */
export const STEPS = 0;
/** Backward branches left in this turn. */
export const FUEL_LEFT = 4;
/** CC.CF of the warp that runs, a bit a lane. */
export const CARRY = 8;
/** Lanes of the group that runs, and those that have not exited. */
export const ACTIVE_LANES = 12;
export const LIVE_LANES = 16;
/** Where the launch's parameters lie. */
export const PARAMETERS = 20;
/** Where the shared memory of the block lies. */
export const SHARED = 24;
/** How many bytes of it, from its start on, are initialised and nothing but ordinary memory. */
export const SHARED_CLEAN = 28;
/** Bytes of shared memory that a block has. */
export const SHARED_BYTES = 48;
/** What a store adds to the shadow of the bytes that it writes, four times. */
export const STORING = 52;
/** Where the local memory of the warp's lane 0 lies, and bytes from one lane's to the next one's. */
export const LOCAL = 32;
export const LOCAL_STRIDE = 36;
/** Bytes of local memory that a lane has. */
export const LOCAL_BYTES = 56;
/** 1 where lanes may part and meet in the module: all groups are of one rank. */
export const ONE_RANK = 40;
/** 1 where nobody waits for lanes that exit. */
export const MAY_EXIT = 44;

/** Which program, of those that are linked to launches on this memory, the state is about. */
export const OWNER = 60;

/** How many groups of the warp wait, and each of them, the one that comes first last: pc, block or -1, lanes. */
export const WAITING = 64;
export const GROUPS = 68;
export const GROUP_BYTES = 12;

/** While the warps of a block take turns in the module: whose turn it is, and bits of warps. */
export const TURN = 480;
/** Warps that can run, that have come to the barrier, that have ended. */
export const READY = 484;
export const ARRIVED = 488;
export const ENDED = 492;
/** Rounds since a warp came to a barrier or to its end. */
export const STILL_ROUNDS = 496;
/** 1 while no lane of the block has exited. */
export const WHOLE = 500;

/**
 * Calls of the group that runs that have not returned, since the module was entered: how many, how many there may be, and
 * the block behind each of them.
 */
export const CALL_HEIGHT = 504;
export const CALL_ROOM = 508;
export const CALLS = 456;
export const MOST_CALLS = 6;

/** Of each warp that takes turns: where its registers and its local memory lie, and how it goes on. */
export const WARPS = 512;
export const WARP_BYTES = 32;
export const WARP_BASE = 0;
export const WARP_LOCAL = 4;
export const WARP_ACTIVE = 8;
/** The block where it goes on, or the complement of a pc. */
export const WARP_NEXT = 12;
export const WARP_FUEL = 16;
export const WARP_CARRY = 20;
/** Turns in which it has used up its fuel while lanes of it waited. */
export const WARP_BURNT = 28;
/** Where it waits, at a barrier. */
export const WARP_PC = 24;

/** A word for each lane: addresses while they are examined, or what lanes tell each other; and what they make of it. */
export const LANE_WORDS = 1536;
export const LANE_RESULTS = 1664;

/** Ranges of memory that are known to be clean: start and length. The first is in constant memory. */
export const RANGES = LANE_RESULTS + 128;
export const CONSTANT_RANGE = LANE_RESULTS + 128;
/** Those after it are in global memory, one for each group of accesses. */
export const MOST_RANGES = (STATE_BYTES - RANGES) / 8;
