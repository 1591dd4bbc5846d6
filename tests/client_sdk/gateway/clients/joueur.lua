-- A client of the Cadre protocol as the contest's Lua client behaves: null and a missing value are
-- the same, an unknown event ends it with 1.

local json = require("cjson")
local socket = require("socket")

local types = {}
for line in io.lines(arg[1]) do
  local name, field, kind = line:match("(%S+) (%S+) (%S+)")
  types[name] = types[name] or {}
  types[name][field] = kind
end
local options = {}
for i = 3, #arg, 2 do options[arg[i]] = arg[i + 1] end

local function die(code, why)
  io.stderr:write(tostring(why), "\n")
  os.exit(code)
end

-- the connection

local connection = socket.connect(options["-s"], tonumber(options["-p"])) or die(21, "no connection")
local rest = ""
local objects, game, player, constants = {}, {}, nil, nil
local merge

local function say(event, data)
  local text = json.encode({ event = event, data = data, sentTime = os.time() * 1000 })
  connection:send(text .. "\4")
end

local function receive()
  while true do
    local stop = rest:find("\4", 1, true)
    if stop then
      local text = rest:sub(1, stop - 1)
      rest = rest:sub(stop + 1)
      local ok, message = pcall(json.decode, text)
      return ok and message or die(30, message)
    end
    local ready = socket.select({ connection }, nil)
    connection:settimeout(0)
    local chunk, fault, part = ready[1]:receive(8192)
    connection:settimeout(nil)
    chunk = chunk or part
    if fault == "closed" and chunk == "" then die(22, fault) end
    rest = rest .. chunk
  end
end

local EVENTS = { named = true, lobbied = true, start = true, order = true, ran = true }

local function hear(expected)
  while true do
    local message = receive()
    local event, data = message.event, message.data
    if event == "delta" then
      merge(data)
    elseif event == "invalid" then
      print("invalid: " .. data.message)
    elseif event == "over" then
      if type(data.message) ~= "string" then die(24, "over: no text") end
      print((data.message:gsub("__HOSTNAME__", options["-s"])))
      print("won " .. tostring(player.won))
      os.exit(0)
    elseif event == "fatal" then
      die(28, data.message)
    elseif not EVENTS[event] then
      die(1, "unknown event " .. event)
    elseif event ~= expected then
      die(1, "expected " .. expected .. ", got " .. event)
    else
      return data
    end
  end
end

-- the match

local LUA = { int = "number", float = "number", bool = "boolean", str = "string" }

local function converted(kind, known, value, field)
  if kind == "refs" or kind == "texts" then
    local length = type(value) == "table" and value[constants.DELTA_LIST_LENGTH]
    if math.type(length) == nil then die(24, field .. ": no list") end
    local list = known or {}
    for i = #list, length + 1, -1 do list[i] = nil end
    for index, element in pairs(value) do
      if index ~= constants.DELTA_LIST_LENGTH and element ~= constants.DELTA_REMOVED then
        if kind == "refs" then element = converted("ref", nil, element, field) end
        list[math.tointeger(tonumber(index)) + 1] = element
      end
    end
    if #list ~= length then die(24, field .. ": a hole in a list") end
    return list
  elseif kind == "ref?" and value == json.null then
    return nil
  elseif kind == "ref" or kind == "ref?" then
    return objects[value.id] or die(24, field .. ": unknown object")
  end
  if type(value) ~= LUA[kind] then die(24, field .. ": expected " .. tostring(kind)) end
  return value
end

local function merge_fields(known, fields, kinds)
  for field, value in pairs(fields) do
    if kinds[field] then known[field] = converted(kinds[field], known[field], value, field) end
  end
end

function merge(delta)
  local created = delta.gameObjects or {}
  for id, fields in pairs(created) do
    if not objects[id] then
      if not types[fields.gameObjectName] then die(25, id .. " has no class") end
      objects[id] = {}
    end
  end
  for id, fields in pairs(created) do
    merge_fields(objects[id], fields, types[fields.gameObjectName or objects[id].gameObjectName])
  end
  delta.gameObjects = nil
  merge_fields(game, delta, types.Game)
end

local function call(caller, name, args)
  say("run", { caller = { id = caller.id }, functionName = name, args = args })
  local returned = hear("ran")
  if returned == json.null then return nil end
  return returned
end

-- the bot

local WAYS = { "tileNorth", "tileEast", "tileSouth", "tileWest" }

local function run_turn()
  local count = #player.units
  for _, unit in ipairs(player.units) do
    for _, way in ipairs(WAYS) do
      local tile = unit.tile[way]
      if tile and not tile.unit and call(unit, "move", { tile = { id = tile.id } }) then
        if unit.tile ~= tile or tile.unit ~= unit then die(42, "a move is not seen") end
        break
      end
    end
    for _, way in ipairs(WAYS) do
      local tile = unit.tile[way]
      if tile and tile.harvestRate ~= 0 and call(unit, "harvest", { tile = { id = tile.id } }) then
        break
      end
    end
    call(unit, "rest", nil)
  end
  if #player.units ~= count then die(42, "a list changes in a turn") end
  local cat = player.cat
  if call(cat, "changeJob", { job = "pope" }) ~= false then die(42, "there is a pope") end
  if call(cat, "log", { message = "miäu" }) ~= nil then die(42, "log returns something") end
  if cat.logs[#cat.logs] ~= "miäu" then die(42, "a log is lost") end
  return true
end

say("alias", arg[2])
local name = hear("named")
say("play", {
  gameName = name,
  playerName = options["-n"],
  clientType = "Lua",
  requestedSession = options["-r"],
  playerIndex = options["-i"],
  gameSettings = options["--gameSettings"],
})
local lobbied = hear("lobbied")
if type(lobbied.gameVersion) ~= "string" then die(20, "no version") end
constants = lobbied.constants
player = objects[hear("start").playerID]
while true do
  local order = hear("order")
  if order.name ~= "runTurn" or #order.args > 0 then die(25, "order " .. order.name) end
  say("finished", { orderIndex = order.index, returned = run_turn() })
end
