// Which frame of which source is shown.

/** @typedef {import("../sources/source.js").Source} Source */

export class Playhead extends EventTarget {
  constructor() {
    super();
    /** @type {Source|null} */
    this.source = null;
    /** Frames may be shown: it is known how the game is drawn. */
    this.ready = false;
    /** The frame that is shown; below `source.first` none is. */
    this.index = -1;
    /** The match was live, and its end has not been shown. */
    this.onAir = false;
  }

  /** The source, if frames of it can be shown. */
  get openSource() {
    const { source } = this;
    return source && this.ready && source.end > source.first ? source : null;
  }

  /** Whether a frame is shown. A source may have dropped the one that was. */
  get shown() {
    const { source } = this;
    return source !== null && this.index >= source.first && this.index < source.end;
  }

  get atEnd() {
    return this.source !== null && this.index >= this.source.end - 1;
  }

  /** How many frames the newest one is ahead of the shown one. */
  get behind() {
    return this.source === null ? 0 : Math.max(0, this.source.end - 1 - this.index);
  }

  /** The view that is shown, untouched. */
  get view() {
    return this.shown ? /** @type {Source} */ (this.source).viewAt(this.index) : null;
  }

  get turn() {
    return this.shown ? /** @type {Source} */ (this.source).turnAt(this.index) : null;
  }

  /** @param {"begin"|"seek"|"advance"|"state"|"over"} kind */
  emit(kind) {
    this.dispatchEvent(new Event(kind));
    const { source } = this;
    if (!this.onAir || !source || source.live || kind === "over") return;
    if (source.end > source.first && !(this.shown && this.atEnd)) return;
    this.onAir = false;
    this.emit("over");
  }
}

/** What a timeline shows, for the page around the match.
 * @param {Playhead & {playing: boolean, atLive: boolean}} timeline */
export function stateOf({ source, index, turn, view, playing, onAir, atLive }) {
  return {
    game: source?.game ?? null,
    match: source?.match ?? null,
    turn,
    view,
    index,
    first: source?.first ?? 0,
    last: (source?.end ?? 0) - 1,
    live: source?.live ?? false,
    status: source?.status.kind ?? null,
    playing,
    onAir,
    following: atLive,
    outcome: source?.outcome ?? null,
    viewer: source?.viewer ?? null,
  };
}
