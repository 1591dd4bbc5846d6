// One timer for numbers that change by themselves. It does not fire while the page is hidden, and
// does what it has missed when the page is shown again.

/** @param {() => void} act */
export function ticker(act) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const changed = () => (document.hidden ? clearTimeout(timer) : fire());
  const stop = () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", changed);
  };
  const fire = () => {
    stop();
    act();
  };
  return {
    stop,

    /** Act once, this many ms from now; null: not at all.
     * @param {number|null} ms */
    in(ms) {
      stop();
      if (ms === null) return;
      document.addEventListener("visibilitychange", changed);
      if (!document.hidden) timer = setTimeout(fire, ms);
    },
  };
}
