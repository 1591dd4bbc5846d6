// The hand of a person who plays: the buttons, keys and clicks that the game's renderer offers, turned into commands of the seat.

import { el, fill } from "./dom.js";
import { HumanSource } from "./seats.js";

/** @typedef {import("./arena-match.js").ArenaMatch} ArenaMatch */

const TICK_MS = 500;

export class Hand {
  /** @param {ArenaMatch} shown */
  constructor(shown) {
    this.shown = shown;
    this.hint = el("p", { class: "hint", role: "status" });
    this.time = el("span", { class: "time" });
    this.fault = el("p", { class: "fault", role: "alert" });
    this.buttons = el("div", { class: "row" });
    this.element = el("section", { class: "hand", hidden: true, "aria-label": "Your seat" },
      el("div", { class: "head" }, this.hint, this.time), this.buttons, this.fault);
    this.built = "";
    this.sure = false;
    /** @type {ReturnType<typeof setInterval>|undefined} */
    this.timer = undefined;
  }

  /** The seat that is played here and now; null: none is. */
  get source() {
    const { source } = this.shown;
    return source instanceof HumanSource && source.live && source.end > source.first ? source : null;
  }

  /** What a person may do now; null: nothing. Asked again after each click, for a click may take something up.
   * @returns {import("../games/contract.js").Controls|null} */
  controls() {
    const source = this.source;
    if (!source || this.shown.index !== source.end - 1) return null;
    return this.shown.renderer.human?.(source.viewAt(source.end - 1), /** @type {number} */ (source.viewer)) ?? null;
  }

  update() {
    const source = this.source;
    this.element.hidden = source === null;
    this.shown.classList.toggle("plays", source !== null);
    if (source === null) {
      this.stop();
      return;
    }
    this.timer ??= setInterval(() => this.tellTime(), TICK_MS);
    const controls = this.controls();
    const hint = controls === null ? "You look back. Go to the present to play on." : source.acts || source.realtime ? controls.hint : "Waiting for the others …";
    if (this.hint.textContent !== hint) this.hint.textContent = hint;
    if (this.fault.textContent !== source.fault) this.fault.textContent = source.fault;
    this.element.classList.toggle("acts", controls !== null && (source.acts || source.realtime));
    this.tellTime();
    const free = controls !== null && (source.acts || source.realtime);
    const offered = (controls?.buttons ?? []).map((one) => ({ ...one, enabled: one.enabled && free }));
    const built = JSON.stringify([offered, controls?.endTurn, free, this.sure]);
    if (built === this.built) return;
    this.built = built;
    fill(this.buttons,
      ...offered.map((one) => el("button", { type: "button", "data-keep": one.label, disabled: !one.enabled, onclick: () => this.say(one.command) }, one.label)),
      controls?.endTurn ? el("button", { type: "button", class: "main", "data-keep": "end-turn", disabled: !free, onclick: () => this.say(null) }, "End the turn (Enter)") : null,
      offered.some((one) => one.label.startsWith("Resign")) ? null
        : el("button", { type: "button", class: "quiet", "data-keep": "resign", onclick: () => this.resign() }, this.sure ? "Really resign" : "Resign"));
  }

  tellTime() {
    const source = this.source;
    const left = source?.acts && source.until !== null ? source.until - performance.now() : null;
    const text = left === null ? "" : left > 0 ? `${clocked(left)} left` : source?.bank ? `bank ${clocked(source.bank + left)}` : "time is up";
    if (this.time.textContent !== text) this.time.textContent = text;
  }

  /** @param {any} command null: the turn ends */
  say(command) {
    const source = this.source;
    const controls = this.controls();
    if (!source || !controls || !(source.acts || source.realtime)) return;
    this.sure = false;
    source.act(command, { many: controls.endTurn });
    this.update();
  }

  /** @param {number} x @param {number} y of the box, CSS pixels */
  click(x, y) {
    const source = this.source;
    const controls = this.controls();
    if (!source || !controls || !(source.acts || source.realtime)) return;
    const command = controls.click(x, y, source.viewAt(source.end - 1), this.shown.box);
    if (command !== null && command !== undefined) this.say(command);
    this.update();
    this.shown.draw();
  }

  /** Whether a key was the player's. One that is held down counts once.
   * @param {string} key @param {boolean} again */
  key(key, again) {
    const source = this.source;
    const controls = this.controls();
    if (!source || !controls) return false;
    const command = key === "Enter" && controls.endTurn ? null : controls.keys[key] ?? controls.keys[key.toLowerCase()];
    if (command === undefined) return false;
    if (!again) this.say(command);
    return true;
  }

  async resign() {
    if (!this.sure) {
      this.sure = true;
      this.update();
      return;
    }
    const source = this.source;
    await source?.resign().catch((fault) => { source.fault = fault.message; });
    this.sure = false;
    this.update();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.built = "";
  }
}

/** @param {number} ms */
function clocked(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
