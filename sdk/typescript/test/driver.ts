// The driver of this SDK: reads a case of sdk/conformance per line, plays all of them at the same
// time, and writes a report per line.

import process from "node:process";
import { createInterface } from "node:readline";

import { report } from "./driven.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { url, case: given } = JSON.parse(line);
  void report(url, given).then((done) => process.stdout.write(`${JSON.stringify(done)}\n`));
}
