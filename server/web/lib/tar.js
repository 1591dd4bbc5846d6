// A folder as one file: what its bot needs, as a .tar.gz archive.

import { Unreadable } from "./form.js";

const BLOCK = 512;
/** The lengths of a path in a header: its end, and what may stand before that. */
const NAME = 100;
const PREFIX = 155;
/** Folders that are left out, as `botarena submit` does; hidden ones are, too. */
const LEFT_OUT = new Set(["__pycache__", "node_modules", "venv", "env"]);

/** The files of one folder, as the browser gives them (`webkitRelativePath`), in an archive with
 * the name of the folder. Raises Unreadable: a
 * path is too long.
 * @param {File[]} files @returns {Promise<File>} */
export async function packed(files) {
  const folder = files[0]?.webkitRelativePath.split("/")[0] ?? "bot";
  /** @type {BlobPart[]} */
  const parts = [];
  for (const file of files) {
    const path = file.webkitRelativePath.split("/").slice(1);
    const within = path.slice(0, -1);
    if (within.some((part) => part.startsWith(".") || LEFT_OUT.has(part))) continue;
    const rest = (BLOCK - (file.size % BLOCK)) % BLOCK;
    parts.push(header(path.join("/"), file.size), file, new Uint8Array(rest));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  const packing = new Blob(parts).stream().pipeThrough(new CompressionStream("gzip"));
  return new File([await new Response(packing).blob()], `${folder}.tar.gz`);
}

/** The header of an ordinary file. A browser does not know which files can be executed, so that all
 * of them can.
 * @param {string} path @param {number} size */
function header(path, size) {
  const block = new Uint8Array(BLOCK);
  const put = (/** @type {number} */ at, /** @type {Uint8Array|string} */ value) =>
    block.set(typeof value === "string" ? new TextEncoder().encode(value) : value, at);
  const octal = (/** @type {number} */ number, /** @type {number} */ digits) =>
    number.toString(8).padStart(digits, "0");
  const [prefix, name] = split(new TextEncoder().encode(path), path);
  put(0, name);
  put(100, `${octal(0o755, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`);
  put(124, `${octal(size, 11)}\0${octal(0, 11)}\0`);
  put(148, " ".repeat(8));
  put(156, "0");
  put(257, "ustar\x0000");
  put(345, prefix);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(148, `${octal(sum, 6)}\0 `);
  return block;
}

/** A path in two parts that fit a header.
 * @param {Uint8Array} bytes @param {string} path @returns {[Uint8Array, Uint8Array]} */
function split(bytes, path) {
  if (bytes.length <= NAME) return [new Uint8Array(), bytes];
  const slash = bytes.findIndex((byte, at) => byte === 47 && at >= bytes.length - NAME - 1);
  if (slash < 0 || slash > PREFIX) throw new Unreadable(`The path is too long: ${path}`);
  return [bytes.subarray(0, slash), bytes.subarray(slash + 1)];
}
