#!/usr/bin/env node
// In words that every Node knows: an old one should say what is missing, not that it cannot read this file.
const version = process.versions.node.split(".").map(Number);
if (version[0] > 20 || (version[0] === 20 && version[1] >= 19)) {
  require("../dist/start.cjs").command();
} else {
  console.error(`ptxrun needs Node.js 20.19 or newer, and this is ${process.versions.node}: see https://nodejs.org`);
  process.exitCode = 2;
}
