import { LANES } from "../../contract/lane-mask.ts";
import { LOWEST } from "../../memory/memory.ts";

// Where compiled code and the JavaScript around it leave things for each other, as offsets in bytes from the state's
// start. The state lies where memory has not begun yet, so that no address of a program reaches it. All are words of 32 bits,
// unless told.

/** Bytes of the state. */
export const STATE_BYTES: number = LOWEST;

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
/** Warps that can run, that wait at a barrier, that have ended. */
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
export const MOST_CALLS = 6;
export const CALLS = TURN - 4 * MOST_CALLS;

/**
 * Of each warp that takes turns, of which a block has as many as a warp has lanes: where its registers and its local memory
 * lie, and how it goes on.
 */
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
export const LANE_WORDS = WARPS + LANES * WARP_BYTES;
export const LANE_RESULTS = LANE_WORDS + 4 * LANES;

/** Where lanes are about to touch memory, for observers: addresses of 64 bits, and offsets in the buffer of 32. */
export const TOLD_ADDRESSES = LANE_RESULTS + 4 * LANES;
export const TOLD_WHERE = TOLD_ADDRESSES + 8 * LANES;

/** The barrier that a warp has come to: its number, how many threads it waits for (0: all), and 1 where the warp goes on. */
export const MEETING = TOLD_WHERE + 4 * LANES;
export const MEETING_COUNT = MEETING + 4;
export const MEETING_PASSES = MEETING + 8;
/** How many barriers somebody has arrived at. */
export const OPEN = MEETING + 12;
/**
 * Of each barrier while warps take turns: how many threads it waits for (-1: all of the block), which warps have arrived
 * there, and which of those wait.
 */
export const BARRIERS = MEETING + 16;
export const BARRIER_BYTES = 12;
export const BARRIER_THREADS = 0;
export const BARRIER_ARRIVED = 4;
export const BARRIER_WAITING = 8;
export const MOST_BARRIERS = 16;

/**
 * Blocks that the module may begin by itself when the one that runs has ended: how many are left, how many have begun since
 * it was entered, lanes of the last warp, the grid's extents along x and y, %ctaid of the one that runs, and of each row of
 * registers that holds a part of that: where it lies behind a warp's base, and four times the axis.
 */
export const CHAIN_LEFT = BARRIERS + MOST_BARRIERS * BARRIER_BYTES;
export const CHAIN_BEGUN = CHAIN_LEFT + 4;
export const CHAIN_LANES = CHAIN_LEFT + 8;
export const CHAIN_GRID = CHAIN_LEFT + 12;
export const CHAIN_CTAID = CHAIN_LEFT + 20;
export const CHAIN_ROWS_COUNT = CHAIN_LEFT + 32;
export const CHAIN_ROWS = CHAIN_LEFT + 36;
export const CHAIN_ROW_BYTES = 8;
export const MOST_CHAIN_ROWS = 3;

/** Ranges of memory that are known to be clean, start and length: one in constant memory. */
export const CONSTANT_RANGE = CHAIN_ROWS + CHAIN_ROW_BYTES * MOST_CHAIN_ROWS;
/** And those in global memory, one for each group of accesses. */
export const RANGES = CONSTANT_RANGE + 8;
export const MOST_RANGES = (STATE_BYTES - RANGES) / 8;
