// The newest view of a live match alone, for its card.

import { LiveSource } from "./live.js";

/** What was shown before is not requested. */
export class Glance extends LiveSource {
  async fill() {}
}
