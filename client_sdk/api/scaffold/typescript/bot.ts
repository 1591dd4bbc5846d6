// A bot for {title}, with Botarena's SDK for TypeScript.

import { run, type Bot, type {view} } from "botarena";

{choose}

class MyBot implements Bot<{view}> {
  readonly game = "{game}";

  decide(view: {view}) {
    return choose(view);
  }
}

await run(new MyBot());
