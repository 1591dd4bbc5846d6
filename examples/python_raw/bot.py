"""A bot with nothing but `websockets`: it reads its seat from BOTARENA_URL and BOTARENA_TOKEN and
speaks the protocol itself."""

import json
import os
import random
import sys
import time

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

PROTOCOL = 1
OVER, USAGE, REFUSED, LOST = 0, 2, 3, 4
TRIES = 80  # more than a minute of them: a server that was killed is back by then
SILENCE_S = 17.5  # the server's ping message comes every 5 s: three missed ones, and some patience


def pyrat(view):
    return [random.choice(view["moves"] or ["STAY"])]  # noqa: S311  no secret


def botstack(view):
    answers = {
        "abstain_request": {"type": "abstain", "value": False},
        "abstain_reply": {"type": "abstain", "value": False},
        "item": {"type": "item", "slot": 0},
        "shoot": {"type": "shoot", "target": "opponent"},
    }
    return [answers[view["phase"]]]


ANSWERS = {"pyrat": pyrat, "botstack": botstack}


def delay(gone_s, held_s):
    """The wait before the next attempt. While the seat is held attempts are frequent; no two bots
    try at the same moment."""
    longest = min(max(0.2, gone_s / 10), 1.0) if gone_s < held_s else min(gone_s, 5.0)
    return longest * random.uniform(0.5, 1.0)  # noqa: S311  no secret


def say(text):
    sys.stderr.write(f"{text}\n")


class Bot:
    """One seat of one match, through as many connections as it takes."""

    def __init__(self, token):
        self.token = token
        self.tries = 0
        self.lost = time.monotonic()
        self.held_s = 0.0
        self.game = None
        self.last = None

    def play(self, socket):
        """One connection. Returns an exit status when the match is over; else raises
        ConnectionClosed or TimeoutError."""
        self.last = None
        self.send(
            socket, type="hello", protocol=PROTOCOL, token=self.token, client="raw python example"
        )
        while True:
            message = json.loads(socket.recv(timeout=SILENCE_S))
            self.last = message if message["type"] == "error" else None
            if message["type"] == "end":
                say(f"over: {message['outcome']['outcome']} ({message['outcome']['reason']})")
                return OVER
            self.take(socket, message)

    def take(self, socket, message):
        match message["type"]:
            case "hello":
                self.game = message["game"]
                self.tries = 0
                say(f"connected to match {message['match']} of {self.game}, seat {message['seat']}")
            case "start":
                clock = message["clock"]
                bounded = clock["absence"] in ("waits", "limited")
                self.held_s = (clock["absence_ms"] if bounded else clock["startup_ms"]) / 1000
                if message["within_ms"] is not None:
                    self.send(socket, type="ready")
            case "view" if message["act"]:
                answer = ANSWERS[self.game](message["view"])
                self.send(socket, type="commands", turn=message["turn"], commands=answer)
            case "results":
                for result in message["results"]:
                    if result["code"] != "ok":
                        say(f"refused: {result['code']} {result.get('why', '')}")
            case "error":
                say(f"the server says: {message['text']} ({message['code']})")

    def send(self, socket, **message):
        socket.send(json.dumps(message))


def main():
    url, token = os.environ.get("BOTARENA_URL"), os.environ.get("BOTARENA_TOKEN")
    if not url or not token:
        say("BOTARENA_URL and BOTARENA_TOKEN: expected a seat, got none")
        return USAGE
    bot = Bot(token)
    while bot.tries < TRIES:
        try:
            with connect(
                url, compression=None, proxy=None, max_size=None, close_timeout=2
            ) as socket:
                return bot.play(socket)
        except ConnectionClosed as closed:
            status = closed.rcvd.code if closed.rcvd else None
            if status in (1000, 4410):
                return OVER
            if bot.last is not None and not bot.last["retry"]:
                return REFUSED
        except (OSError, WebSocketException) as fault:
            say(f"no connection: {fault}")
        if bot.tries == 0:
            bot.lost = time.monotonic()
        bot.tries += 1
        time.sleep(delay(time.monotonic() - bot.lost, bot.held_s))
    say(f"{url} cannot be reached")
    return LOST


if __name__ == "__main__":
    sys.exit(main())
