// Loading that outlasts a network that is away.

import { NoNetwork } from "./network.js";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** Call `load` until it succeeds: after NoNetwork again after a pause that grows, and as soon as
 * the browser is online again. Other errors are thrown.
 * @template T
 * @param {() => Promise<T>} load
 * @param {() => boolean} wanted whether the result is still wanted
 * @param {(fault: NoNetwork) => void} [onFailure] after each failure
 * @returns {Promise<T|null>} null if it is not wanted any more */
export async function persistent(load, wanted, onFailure = () => {}) {
  for (let pause = FIRST_PAUSE_MS; wanted(); pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      const result = await load();
      return wanted() ? result : null;
    } catch (fault) {
      if (!(fault instanceof NoNetwork)) throw fault;
      if (wanted()) onFailure(fault);
    }
    await onlineOr(pause);
  }
  return null;
}

/** Wait until the browser is online again, or this long.
 * @param {number} ms */
const onlineOr = (ms) =>
  new Promise((/** @type {(value?: any) => void} */ resolve) => {
    const timer = setTimeout(done, ms);
    addEventListener("online", done);
    function done() {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    }
  });
