// What chevrotain asks of lodash, in the few lines that its uses take: lists and records (never deep ones), and functions or
// names of members. esbuild says so when a later version asks for more.

const isList = (all) => Array.isArray(all) || typeof all === "string";
const entriesOf = (all) => {
  if (all === undefined || all === null) return [];
  return isList(all) ? [...all].map((value, at) => [value, at]) : Object.keys(all).map((key) => [all[key], key]);
};
const asked = (what = (each) => each) => (typeof what === "function" ? what : (each) => each?.[what]);

export const assign = Object.assign;
export const clone = (value) => (Array.isArray(value) ? value.slice() : Object.assign({}, value));
export const compact = (all) => filter(all, (each) => each);
export const defaults = (into, ...all) => {
  for (const from of all) for (const key of Object.keys(from ?? {})) if (into[key] === undefined) into[key] = from[key];
  return into;
};
export const difference = (all, without) => filter(all, (each) => !without.includes(each));
export const drop = (all, count = 1) => all.slice(count);
export const dropRight = (all, count = 1) => all.slice(0, Math.max(0, all.length - count));
export const every = (all, what) => entriesOf(all).every(([value, key]) => asked(what)(value, key));
export const filter = (all, what) =>
  entriesOf(all)
    .filter(([value, key]) => asked(what)(value, key))
    .map(([value]) => value);
export const find = (all, what) => entriesOf(all).find(([value, key]) => asked(what)(value, key))?.[0];
export const first = (all) => all?.[0];
export const flatten = (all) => (all ?? []).flat();
export const flatMap = (all, what) => flatten(map(all, what));
/** Ends when `what` gives false, as lodash's does. */
export const forEach = (all, what) => {
  for (const [value, key] of entriesOf(all)) if (what(value, key) === false) break;
  return all;
};
export const groupBy = (all, what) => {
  const groups = {};
  forEach(all, (each) => {
    const group = asked(what)(each);
    groups[group] ??= [];
    groups[group].push(each);
  });
  return groups;
};
export const has = (all, key) => all !== undefined && all !== null && Object.hasOwn(all, key);
export const identity = (value) => value;
export const includes = (all, value) => (isList(all) ? all.includes(value) : values(all).includes(value));
export const indexOf = (all, value) => all.indexOf(value);
export const isArray = Array.isArray;
export const isEmpty = (all) => (isList(all) ? all : keys(all)).length === 0;
export const isFunction = (value) => typeof value === "function";
export const isObject = (value) => (typeof value === "object" && value !== null) || isFunction(value);
export const isRegExp = (value) => value instanceof RegExp;
export const isString = (value) => typeof value === "string";
export const isUndefined = (value) => value === undefined;
export const keys = (all) => Object.keys(all ?? {});
export const last = (all) => all?.at(-1);
export const map = (all, what) => entriesOf(all).map(([value, key]) => asked(what)(value, key));
export const noop = () => undefined;
export const pickBy = (all, what) => Object.fromEntries(Object.entries(all).filter(([, value]) => what(value)));
export const reduce = (all, what, start) =>
  entriesOf(all).reduce((result, [value, key]) => what(result, value, key), start);
export const reject = (all, what) => filter(all, (value, key) => !asked(what)(value, key));
export const some = (all, what) => entriesOf(all).some(([value, key]) => asked(what)(value, key));
export const uniq = (all) => [...new Set(all)];
export const upperFirst = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const values = (all) => Object.values(all ?? {});
