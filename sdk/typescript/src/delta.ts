// Applies deltas of JSON values; client_sdk/wire/delta.py describes their form.

/** A delta that does not apply. */
export class BadDelta extends Error {
  override readonly name = "BadDelta";
}

/** Apply a delta. `old` is not changed; the new value shares with it what did not change. Throws
 * BadDelta for a delta that does not apply. */
export function patch(old: any, delta: any): any {
  try {
    return patched(old, delta);
  } catch (fault) {
    if (fault instanceof RangeError) throw new BadDelta("the delta is nested too deeply");
    throw fault;
  }
}

function patched(old: any, delta: any): any {
  if (Array.isArray(delta)) return patchedByArray(old, delta);
  if (!isObject(delta)) throw new BadDelta("expected a delta, an object or an array");
  if (!isObject(old)) throw new BadDelta("the delta changes an object, but the value is none");
  const changed = { ...old };
  for (const [key, change] of Object.entries(delta)) {
    const present = Object.hasOwn(changed, key);
    if (change === 0) {
      if (!present) throw new BadDelta(`expected a field ${key} to remove; there is none`);
      delete changed[key];
    } else if (present) {
      put(changed, key, patched(changed[key], change));
    } else if (Array.isArray(change) && change.length === 1) {
      put(changed, key, change[0]);
    } else {
      throw new BadDelta(`expected a field ${key} to change; there is none`);
    }
  }
  return changed;
}

function patchedByArray(old: any, delta: any[]): any {
  if (delta.length === 0) return old;
  if (delta.length === 1) return delta[0];
  if (!Array.isArray(old)) throw new BadDelta("the delta changes a list, but the value is none");
  if (delta.length === 3) return spliced(old, delta[0], delta[1], delta[2]);
  if (delta.length % 2) throw new BadDelta(`expected pairs, got ${delta.length} items`);
  const changed = old.slice();
  for (let part = 0; part < delta.length; part += 2) {
    const position = delta[part];
    if (!Number.isInteger(position) || position < 0 || position >= changed.length)
      throw new BadDelta(`expected a position in a list of ${changed.length}`);
    changed[position] = patched(changed[position], delta[part + 1]);
  }
  return changed;
}

function spliced(old: any[], at: any, removed: any, items: any): any[] {
  if (!Number.isInteger(at) || !Number.isInteger(removed) || !Array.isArray(items))
    throw new BadDelta("expected [at, removed, items]");
  if (at < 0 || removed < 0 || at + removed > old.length)
    throw new BadDelta(`expected positions in a list of ${old.length}`);
  return [...old.slice(0, at), ...items, ...old.slice(at + removed)];
}

export function isObject(value: unknown): value is Record<string, any> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Set an own property, even `__proto__`. */
export function put(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
