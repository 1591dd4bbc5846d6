// Reads replays: the JSON lines that client_sdk/replay describes and, for what one seat saw,
// client_sdk/sight.py. They hold views, so no rules are needed here.

import { patch, shareUnchanged } from "./delta.js";

const FORMATS = [1, 2];
const KEPT_CHUNKS = 6;

export class BadReplay extends Error {}

/** @typedef {{turn: number, whole: boolean, body: any}} Entry */
/** An event of the platform. An `info` comes from a seat's client and holds any data; all others
 * are the server's.
 * @typedef {{turn: number, event: string, seat: number|null, data: any}} PlatformEvent */
/** A command of a seat and its result: `code` is ok or the reason for the refusal, `why` the same
 * as a sentence, `stamps` what the seat's clock recorded.
 * @typedef {{turn: number, command: any, code: string, why: string, stamps: any}} SentCommand */

/** A replay up to its end, or to where it was cut or damaged. */
export class Replay {
  /** Throws BadReplay if it is not a replay.
   * @param {string} text */
  constructor(text) {
    /** @type {any} */
    this.header = null;
    /** @type {Entry[]} */
    this.entries = [];
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
    /** The indices of the whole views, each followed by a run of deltas.
     * @type {number[]} */
    this.starts = [];
    /** @type {Map<number, any[]>} */
    this.chunks = new Map();
    /** @type {any} */
    this.first = null;
    this.read(text);
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
      if (kind !== "replay" && kind !== "seat")
        throw new BadReplay("expected the header of a replay");
      if (!FORMATS.includes(line.format))
        throw new BadReplay(
          `its format is ${line.format}; this page reads formats ${FORMATS.join(" and ")}`,
        );
      if (typeof line.game !== "string" || !Array.isArray(line.seats))
        throw new BadReplay("its header names no game or no seats");
      this.header = line;
    } else if (kind === "view" || kind === "delta") {
      if (kind === "delta" && this.entries.length === 0)
        throw new BadReplay("a change before the first whole view");
      if (kind === "view") this.starts.push(this.entries.length);
      this.entries.push({
        turn: line.n,
        whole: kind === "view",
        body: kind === "view" ? line.view : line.delta,
      });
      const growing = kind === "delta" ? this.chunks.get(this.starts.length - 1) : undefined;
      growing?.push(patch(growing.at(-1), line.delta));
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

  get length() {
    return this.entries.length;
  }

  /** Which frame shows a turn as it opened; the nearest one if none does.
   * @param {number} turn */
  indexOf(turn) {
    return lowerBound(this.entries, turn);
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
    const start = this.starts[run];
    const end = this.starts[run + 1] ?? this.entries.length;
    let view = shareUnchanged(this.first, this.entries[start].body);
    this.first ??= view;
    const views = [view];
    for (let index = start + 1; index < end; index += 1)
      views.push((view = patch(view, this.entries[index].body)));
    this.chunks.set(run, views);
    if (this.chunks.size > KEPT_CHUNKS)
      this.chunks.delete(/** @type {number} */ (this.chunks.keys().next().value));
    return views;
  }
}

/** The index of the first frame at or after a turn, or of the last frame if there is none. `frames`
 * are sorted by turn.
 * @param {{turn: number}[]} frames
 * @param {number} turn */
export function lowerBound(frames, turn) {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frames[middle].turn < turn) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, Math.min(low, frames.length - 1));
}
