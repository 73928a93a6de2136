export { distance, nearest } from "../source/nearest.ts";
