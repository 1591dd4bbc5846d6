// Reads replays: the JSON lines that client_sdk/replay describes and, for what one viewer saw,
// client_sdk/sight.py. They hold views, so no rules are needed here. A live match grows one.

import { patch, shareUnchanged } from "./delta.js";
import { pack, unpack } from "./packed.js";

const FORMATS = [1, 2];
const KEPT_CHUNKS = 6;
/** Frames of a chunk, as client_sdk/replay writes them. All chunks but the last are kept packed: a
 * long match takes little memory, and a seek decodes one chunk. */
const CHUNK = 50;

export class BadReplay extends Error {}

/** A frame as it came: the whole view, or its change of the frame before.
 * @typedef {{whole: boolean, body: any}} Frame */
/** An event of the platform. An `info` comes from a seat's client and holds any data; all others
 * are the server's.
 * @typedef {{turn: number, event: string, seat: number|null, data: any}} PlatformEvent */
/** A command of a seat and its result: `code` is ok or the reason for the refusal, `why` the same
 * as a sentence, `stamps` what the seat's clock recorded.
 * @typedef {{turn: number, command: any, code: string, why: string, stamps: any}} SentCommand */

/** A replay up to its end, or to where it was cut or damaged. */
export class Replay {
  /** Throws BadReplay if it is not a replay.
   * @param {string|null} [text] null: an empty one, which grows */
  constructor(text = null) {
    /** @type {any} */
    this.header = null;
    /** By frame.
     * @type {number[]} */
    this.turns = [];
    /** All chunks but the last.
     * @type {Uint8Array[]} */
    this.packed = [];
    /** The last chunk.
     * @type {Frame[]} */
    this.newest = [];
    /** @type {PlatformEvent[]} */
    this.events = [];
    /** Of one seat's record: its commands, in order.
     * @type {SentCommand[]} */
    this.commands = [];
    /** @type {any} */
    this.outcome = null;
    /** The error after which the file could not be read; null: there is none.
     * @type {string|null} */
    this.fault = null;
    /** The index of the first frame of each chunk, a whole view.
     * @type {number[]} */
    this.starts = [];
    /** @type {Map<number, any[]>} */
    this.chunks = new Map();
    /** @type {any} */
    this.first = null;
    if (text !== null) this.read(text);
  }

  /** @param {string} text */
  read(text) {
    const lines = text.split("\n");
    const rest = lines.pop();
    for (const [number, line] of lines.entries()) {
      try {
        this.addLine(JSON.parse(line));
      } catch (fault) {
        const why = fault instanceof BadReplay ? fault.message : "it is not JSON";
        if (this.header === null)
          throw new BadReplay(`This is not a replay: line ${number + 1}: ${why}.`);
        this.fault = `Line ${number + 1} cannot be read (${why}); what comes before it is shown.`;
        return;
      }
    }
    if (this.header === null) throw new BadReplay("This is not a replay: it holds no whole line.");
    if (this.outcome === null) this.fault = "The record was cut before the end of the match.";
    else if (rest) this.fault = "There is text after the end.";
  }

  /** Add one parsed line. Throws BadReplay.
   * @param {any} line */
  addLine(line) {
    const kind = line?.k;
    if (this.header === null) {
      if (kind === "match")
        throw new BadReplay("it is a journal; its replay is the file beside it, *.replay.jsonl");
      if (!["replay", "seat", "history"].includes(kind))
        throw new BadReplay("expected the header of a replay");
      if (!FORMATS.includes(line.format))
        throw new BadReplay(
          `its format is ${line.format}; this page reads formats ${FORMATS.join(" and ")}`,
        );
      if (typeof line.game !== "string" || !Array.isArray(line.seats))
        throw new BadReplay("its header names no game or no seats");
      this.header = line;
    } else if (kind === "view" || kind === "delta") {
      this.add(line.n, kind === "view", kind === "view" ? line.view : line.delta);
    } else if (kind === "event") {
      this.events.push({
        turn: line.n,
        event: String(line.e),
        seat: line.s ?? null,
        data: line.d ?? null,
      });
    } else if (kind === "info") {
      this.events.push({ turn: line.n, event: "info", seat: line.s, data: line.d ?? null });
    } else if (kind === "command") {
      this.commands.push({
        turn: line.n,
        command: line.c,
        code: line.r,
        why: line.why ?? "",
        stamps: line.t ?? null,
      });
    } else if (kind === "end") {
      this.outcome = line.outcome;
    } else {
      throw new BadReplay("it is of an unknown kind");
    }
  }

  /** Add a frame. Throws BadReplay, or BadDelta where the frame before is decoded already.
   * @param {number} turn
   * @param {boolean} whole `body` is the view, else its change of the frame before
   * @param {any} body */
  add(turn, whole, body) {
    const { starts, turns } = this;
    const length = turns.length;
    if (!whole && length === 0) throw new BadReplay("a change before the first whole view");
    const views = this.chunks.get(starts.length - 1);
    const view = views && next(views.at(-1), whole, body);
    const full = length - (starts.at(-1) ?? 0) >= CHUNK;
    if (length === 0 || (full && (whole || view))) {
      // a live match may send changes only: with a whole view the ones before can be let go
      if (length > 0) this.packed.push(pack(JSON.stringify(this.newest)));
      this.newest = [{ whole: true, body: view ?? body }];
      starts.push(length);
      if (view) this.keep(starts.length - 1, [view]);
    } else {
      this.newest.push({ whole, body });
      if (view) views.push(view);
    }
    turns.push(turn);
  }

  /** Take back the frames from a turn on. Returns how many there were.
   * @param {number} turn */
  takeBack(turn) {
    const { turns, starts, chunks } = this;
    const before = turns.length;
    while (turns.length > 0 && turns[turns.length - 1] >= turn) turns.pop();
    while (starts.length > 0 && starts[starts.length - 1] >= turns.length) {
      starts.pop();
      chunks.delete(starts.length);
      const last = this.packed.pop();
      this.newest = last ? JSON.parse(unpack(last)) : [];
    }
    const kept = turns.length - (starts.at(-1) ?? 0);
    this.newest.length = kept;
    chunks.get(starts.length - 1)?.splice(kept);
    return before - turns.length;
  }

  get length() {
    return this.turns.length;
  }

  /** Which frame shows a turn as it opened; the nearest one if none does.
   * @param {number} turn */
  indexOf(turn) {
    return lowerBound(this.turns, turn);
  }

  /** The view of one frame. Throws BadDelta for a delta that does not apply.
   * @param {number} index */
  view(index) {
    let run = this.starts.length - 1;
    while (this.starts[run] > index) run -= 1;
    return this.chunk(run)[index - this.starts[run]];
  }

  /** The views from one whole one to the next.
   * @param {number} run
   * @returns {any[]} */
  chunk(run) {
    const known = this.chunks.get(run);
    if (known) {
      this.chunks.delete(run);
      this.chunks.set(run, known);
      return known;
    }
    const packed = this.packed[run];
    const [start, ...frames] = packed ? JSON.parse(unpack(packed)) : this.newest;
    let view = shareUnchanged(this.first, start.body);
    this.first ??= view;
    const views = [view];
    for (const { whole, body } of frames) views.push((view = next(view, whole, body)));
    this.keep(run, views);
    return views;
  }

  /** Keep the views of a chunk, and let go of those that were not used for the longest time.
   * @param {number} run @param {any[]} views */
  keep(run, views) {
    this.chunks.set(run, views);
    if (this.chunks.size > KEPT_CHUNKS)
      this.chunks.delete(/** @type {number} */ (this.chunks.keys().next().value));
  }
}

/** The view after `view`, sharing with it what did not change. Throws BadDelta.
 * @param {any} view @param {boolean} whole @param {any} body */
const next = (view, whole, body) => (whole ? shareUnchanged(view, body) : patch(view, body));

/** The index of the first of these sorted turns that is at or after a turn, or of the last one if
 * there is none.
 * @param {number[]} turns
 * @param {number} turn */
export function lowerBound(turns, turn) {
  let low = 0;
  let high = turns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (turns[middle] < turn) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, Math.min(low, turns.length - 1));
}
