// The seat of a person who plays: the buttons, keys and clicks that the game's renderer offers,
// turned into commands.

import { reasonOf } from "../lib/api.js";
import { el, fill } from "../lib/dom.js";
import { HumanSource } from "../sources/human.js";
import { countdown } from "./clock-text.js";
import { nextChange } from "./seat-clock.js";
import { ticker } from "./ticker.js";

/** @typedef {import("./painter.js").Painter} Painter */
/** @typedef {import("./timeline.js").Timeline} Timeline */

const LOOKS_BACK = "You are looking at an earlier turn. Return to the newest one to play.";
const WAITS = "Waiting for the other players …";

export class HumanControls {
  /** @param {Timeline} timeline @param {Painter} painter
   * @param {HTMLElement} match gets the class `plays` while a person plays */
  constructor(timeline, painter, match) {
    this.timeline = timeline;
    this.painter = painter;
    this.match = match;
    this.hint = el("p", { class: "hint", role: "status" });
    this.time = el("span", { class: "time", role: "timer" });
    this.fault = el("p", { class: "fault", role: "alert" });
    this.buttons = el("div", { class: "row" });
    this.element = el(
      "section",
      { class: "hand", hidden: true, "aria-label": "Your seat" },
      el("div", { class: "head" }, this.hint, this.time),
      this.buttons,
      this.fault,
    );
    /** What the buttons were built from. */
    this.built = "";
    /** The next click on "Resign" resigns. */
    this.resigning = false;
    this.ticker = ticker(() => this.updateTime());
    painter.canvas.addEventListener("click", (event) => this.click(event.offsetX, event.offsetY));
  }

  /** The seat that is played now; null: the match is watched, or has not begun, or is over. */
  get source() {
    const { source } = this.timeline;
    return source instanceof HumanSource && source.live && source.end > source.first
      ? source
      : null;
  }

  /** What the person may do in the newest view; null while an older one is shown. It is called
   * again after each click, because a click may select a piece.
   * @returns {import("../games/contract.js").Controls|null} */
  controls() {
    const { source } = this;
    if (!source || !this.timeline.atEnd) return null;
    return (
      this.painter.renderer.human?.(
        source.viewAt(source.end - 1),
        /** @type {number} */ (source.viewer),
        source.config,
      ) ?? null
    );
  }

  update() {
    const { source } = this;
    this.element.hidden = source === null;
    this.match.classList.toggle("plays", source !== null);
    if (source === null) {
      this.stop();
      this.mark([]);
      return;
    }
    const controls = this.controls();
    const free = controls !== null && mayAct(source);
    const hint = controls === null ? LOOKS_BACK : free ? controls.hint : WAITS;
    if (this.hint.textContent !== hint) this.hint.textContent = hint;
    if (this.fault.textContent !== source.fault) this.fault.textContent = source.fault;
    this.element.classList.toggle("acts", free);
    this.mark(free ? (controls?.moves ?? []) : []);
    this.updateTime();
    this.updateButtons(controls, free);
  }

  /** Show on the board where a step is possible.
   * @param {import("../games/contract.js").CellOverlay[]} cells */
  mark(cells) {
    const before = this.painter.marks;
    if (JSON.stringify(before) === JSON.stringify(cells)) return;
    this.painter.marks = cells;
    this.painter.request();
  }

  updateTime() {
    const { source } = this;
    const text = source === null ? "" : timeLeft(source);
    if (this.time.textContent !== text) this.time.textContent = text;
    const clock = source?.clockAt(source.end - 1, /** @type {number} */ (source.viewer));
    this.ticker.in(text && clock ? nextChange(clock, performance.now()) : null);
  }

  /** @param {import("../games/contract.js").Controls|null} controls @param {boolean} free */
  updateButtons(controls, free) {
    const offered = (controls?.buttons ?? []).map((one) => ({
      ...one,
      enabled: one.enabled && free,
    }));
    const built = JSON.stringify([offered, controls?.endTurn, free, this.resigning]);
    if (built === this.built) return;
    this.built = built;
    fill(
      this.buttons,
      ...offered.map((one) =>
        el(
          "button",
          {
            type: "button",
            "data-keep": one.label,
            disabled: !one.enabled,
            onclick: () => this.send(one.command),
          },
          one.label,
        ),
      ),
      controls?.endTurn
        ? el(
            "button",
            {
              type: "button",
              class: "main",
              "data-keep": "end-turn",
              disabled: !free,
              onclick: () => this.send(null),
            },
            "End the turn (Enter)",
          )
        : null,
      offered.some((one) => one.label.startsWith("Resign"))
        ? null
        : el(
            "button",
            { type: "button", class: "quiet", "data-keep": "resign", onclick: () => this.resign() },
            this.resigning ? "Really resign" : "Resign",
          ),
    );
  }

  /** @param {any} command null: the turn ends */
  send(command) {
    const { source } = this;
    const controls = this.controls();
    if (!source || !controls || !mayAct(source)) return;
    this.resigning = false;
    const text = JSON.stringify(command);
    const button = controls.buttons.find((one) => JSON.stringify(one.command) === text);
    if (button && !button.enabled) source.fault = `Not possible now: ${button.label}`;
    else source.act(command, { several: controls.endTurn, said: button?.label });
    this.update();
  }

  /** @param {number} x @param {number} y of the box, CSS pixels */
  click(x, y) {
    const { source } = this;
    const controls = this.controls();
    if (!source || !controls || !mayAct(source)) return;
    const command = controls.click(x, y, source.viewAt(source.end - 1), this.painter.box);
    if (command !== null && command !== undefined) this.send(command);
    this.update();
    this.painter.draw();
  }

  /** Returns whether the key is one of the player's. A key that is held down counts once.
   * @param {string} key @param {boolean} repeated */
  key(key, repeated) {
    const controls = this.controls();
    if (!this.source || !controls) return false;
    const command =
      key === "Enter" && controls.endTurn
        ? null
        : (controls.keys[key] ?? controls.keys[key.toLowerCase()]);
    if (command === undefined) return false;
    if (!repeated) this.send(command);
    return true;
  }

  /** The first call asks for a second one. */
  async resign() {
    if (!this.resigning) {
      this.resigning = true;
      this.update();
      return;
    }
    const { source } = this;
    await source?.resign().catch((error) => {
      source.fault = reasonOf(error);
    });
    this.resigning = false;
    this.update();
  }

  stop() {
    this.ticker.stop();
    this.built = "";
  }
}

/** @param {HumanSource} source */
const mayAct = (source) => source.acts || source.realtime;

/** The time for this turn, then the bank; empty: nothing is waited for, or there is no limit.
 * @param {HumanSource} source */
function timeLeft(source) {
  if (!source.acts || source.until === null) return "";
  const left = source.until - performance.now();
  if (left > 0) return `${countdown(left)} left`;
  return source.bank ? `bank ${countdown(source.bank + left)}` : "time is up";
}
