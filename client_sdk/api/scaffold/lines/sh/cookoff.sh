# jq has no random numbers; the time in microseconds is random enough.
def pick: .[now * 1000000 % length];

# Every bot of the team walks at random.
def choose:
  [.bot_ids[] | {type: "move", bot_id: ., dx: ([-1, 0, 1] | pick), dy: ([-1, 0, 1] | pick)}]
  + [{type: "end_turn"}];
