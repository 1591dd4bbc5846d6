// Applies deltas of JSON values; client_sdk/wire/delta.py describes their form.

export class BadDelta extends Error {}

/** Apply a delta. `old` is not changed; the new value shares with it what did not change. Throws
 * BadDelta for a delta that does not apply.
 * @param {any} old
 * @param {any} delta
 * @returns {any} */
export function patch(old, delta) {
  if (Array.isArray(delta)) return patchedByArray(old, delta);
  if (!isObject(delta))
    throw new BadDelta(`expected a delta, an object or an array, got ${JSON.stringify(delta)}`);
  if (!isObject(old)) throw new BadDelta("the delta changes an object, but the value is none");
  const changed = { ...old };
  for (const key of Object.keys(delta)) {
    const change = delta[key];
    const there = Object.hasOwn(changed, key);
    if (change === 0) {
      if (!there) throw new BadDelta(`expected a field ${key} to remove; there is none`);
      delete changed[key];
    } else if (there) {
      put(changed, key, patch(changed[key], change));
    } else if (Array.isArray(change) && change.length === 1) {
      put(changed, key, change[0]);
    } else {
      throw new BadDelta(`expected a field ${key} to change; there is none`);
    }
  }
  return changed;
}

/** @param {any} old @param {any[]} delta */
function patchedByArray(old, delta) {
  if (delta.length === 0) return old;
  if (delta.length === 1) return delta[0];
  if (!Array.isArray(old)) throw new BadDelta("the delta changes a list, but the value is none");
  if (delta.length === 3) return spliced(old, delta[0], delta[1], delta[2]);
  if (delta.length % 2)
    throw new BadDelta(`expected pairs of position and delta, got ${delta.length} items`);
  const changed = old.slice();
  for (let part = 0; part < delta.length; part += 2) {
    const position = delta[part];
    if (!Number.isInteger(position) || position < 0 || position >= changed.length) {
      throw new BadDelta(
        `expected a position in a list of ${changed.length}, got ${JSON.stringify(position)}`,
      );
    }
    changed[position] = patch(changed[position], delta[part + 1]);
  }
  return changed;
}

/** @param {any[]} old @param {any} at @param {any} removed @param {any} items */
function spliced(old, at, removed, items) {
  if (!Number.isInteger(at) || !Number.isInteger(removed) || !Array.isArray(items))
    throw new BadDelta("expected [at, removed, items]");
  if (at < 0 || removed < 0 || at + removed > old.length)
    throw new BadDelta(
      `expected positions in a list of ${old.length}, got ${at} to ${at + removed}`,
    );
  return [...old.slice(0, at), ...items, ...old.slice(at + removed)];
}

/** @param {any} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Set an own property, even `__proto__`.
 * @param {any} object @param {string} key @param {any} value */
function put(object, key, value) {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/** `view`, with its top-level fields replaced by equal ones of `before`: caches keyed by identity
 * stay valid.
 * @param {any} before
 * @param {any} view */
export function shareUnchanged(before, view) {
  if (!isObject(before) || !isObject(view)) return view;
  const shared = { ...view };
  for (const key of Object.keys(view)) {
    const value = view[key];
    if (
      typeof value === "object" &&
      value !== null &&
      Object.hasOwn(before, key) &&
      JSON.stringify(before[key]) === JSON.stringify(value)
    ) {
      put(shared, key, before[key]);
    }
  }
  return shared;
}
