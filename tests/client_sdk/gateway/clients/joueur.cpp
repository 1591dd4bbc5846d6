// A client of the Cadre protocol as the contest's C++ client behaves: a first connection asks only
// `alias`; a message goes out in pieces, without TCP_NODELAY; a JSON array in a delta, an int with a
// point, null for a text and any order other than lobbied, delta, start end it.

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

using std::string;

[[noreturn]] void die(int code, const string& why) {
  std::cerr << why << std::endl;
  std::_Exit(code);
}

// --- JSON

struct Json {
  enum Kind { Null, Bool, Int, Float, Text, List, Object } kind = Null;
  string text;  // of a text, a number, true and false
  std::map<string, Json> fields;
  size_t elements = 0;
  const Json& operator[](const string& name) const {
    auto found = fields.find(name);
    if (found == fields.end()) die(30, "no field " + name);
    return found->second;
  }
  const string& str() const {
    if (kind != Text) die(24, "expected a text, got " + text);
    return text;
  }
  int whole() const {
    if (kind != Int) die(24, "expected an int, got " + text);
    return std::stoi(text);
  }
};

struct Parser {
  const string& s;
  size_t at = 0;
  char next() {
    while (at < s.size() && std::isspace((unsigned char)s[at])) at++;
    if (at == s.size()) die(30, "malformed JSON");
    return s[at];
  }
  string quoted() {
    string found;
    for (at++; s.at(at) != '"'; at++) {
      if ((signed char)s[at] < 0) die(30, "not ASCII");
      if (s[at] != '\\') { found += s[at]; continue; }
      switch (s.at(++at)) {
        case 'n': found += '\n'; break;
        case 't': found += '\t'; break;
        case 'u': {
          unsigned code = std::stoul(s.substr(at + 1, 4), nullptr, 16);
          at += 4;
          if (code < 0x80) found += char(code);
          else found += {char(0xC0 | code >> 6), char(0x80 | (code & 63))};  // enough for a test
          break;
        }
        default: found += s[at];
      }
    }
    at++;
    return found;
  }
  Json value() {
    Json j;
    char c = next();
    if (c == '{' || c == '[') {
      j.kind = c == '{' ? Json::Object : Json::List;
      at++;
      while (next() != '}' && s[at] != ']') {
        if (s[at] == ',') { at++; next(); }
        string name = std::to_string(j.elements++);
        if (c == '{') {
          name = quoted();
          if (next() != ':') die(30, "malformed JSON");
          at++;
        }
        j.fields[name] = value();
      }
      at++;
    } else if (c == '"') {
      j.kind = Json::Text;
      j.text = quoted();
    } else {
      size_t end = s.find_first_of(",}] \n", at);
      j.text = s.substr(at, end - at);
      at = std::min(end, s.size());
      if (j.text == "true" || j.text == "false") j.kind = Json::Bool;
      else if (j.text != "null")
        j.kind = j.text.find_first_of(".eE") == string::npos ? Json::Int : Json::Float;
    }
    return j;
  }
};

string literal(const string& text) { return "\"" + text + "\""; }

// --- the connection

std::map<string, string> options;

struct Connection {
  int fd = -1;
  string rest;
  Connection() {
    addrinfo hints{}, *found;
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(options["-s"].c_str(), options["-p"].c_str(), &hints, &found)) die(21, "host");
    fd = socket(found->ai_family, SOCK_STREAM, 0);
    if (connect(fd, found->ai_addr, found->ai_addrlen)) die(21, "no connection");
    freeaddrinfo(found);
  }
  ~Connection() { close(fd); }
  void write(const string& text) {
    for (size_t at = 0; at < text.size(); at += 1024) {
      string part = text.substr(at, 1024);
      if (send(fd, part.data(), part.size(), MSG_NOSIGNAL) < 0) die(22, "disconnected");
    }
  }
  void say(const string& event, const string& data) {
    write("{\"event\":" + literal(event) + ",\"data\":" + data);
    write(string(",\"sentTime\":1480000000000}") + '\x04');
  }
  Json receive() {
    size_t end;
    while ((end = rest.find('\x04')) == string::npos) {
      char chunk[1024];
      ssize_t got = recv(fd, chunk, sizeof chunk, 0);
      if (got <= 0) die(22, "disconnected");
      rest.append(chunk, got);
    }
    string text = rest.substr(0, end);
    rest.erase(0, end + 1);
    return Parser{text}.value();
  }
};

// --- the match

struct Object;
struct Field {
  string text;
  Object* ref = nullptr;
  std::vector<Field> list;
};
struct Object {
  string name;
  std::map<string, Field> fields;
  Field& operator[](const string& field) { return fields.at(field); }
  const string& id() { return fields.at("id").text; }
};

std::map<string, std::map<string, string>> types;
std::map<string, std::unique_ptr<Object>> objects;
Object game{"Game", {}};
Object* player;
string LENGTH, REMOVED;

Object* referred(const Json& value) {
  if (value.kind != Json::Object || value.fields.size() != 1) die(24, "expected a reference");
  auto found = objects.find(value["id"].str());
  if (found == objects.end()) die(24, "unknown object");
  return found->second.get();
}

void convert(const string& type, Field& known, const Json& value) {
  if (value.kind == Json::List) die(24, "a JSON array in a delta");
  if (type == "refs" || type == "texts") {
    known.list.resize(value[LENGTH].whole());
    for (auto& [index, element] : value.fields) {
      if (index == LENGTH || (element.kind == Json::Text && element.text == REMOVED)) continue;
      convert(type == "refs" ? "ref" : "str", known.list.at(std::stoul(index)), element);
    }
  } else if (type == "ref?" && value.kind == Json::Null) known.ref = nullptr;
  else if (type == "ref" || type == "ref?") known.ref = referred(value);
  else if (type == "str") known.text = value.str();
  else if (type == "int") known.text = std::to_string(value.whole());
  else if (type == "bool" ? value.kind == Json::Bool
                          : value.kind == Json::Int || value.kind == Json::Float)
    known.text = value.text;
  else die(24, "expected " + type + ", got " + value.text);
}

void merge_fields(Object& known, const Json& delta) {
  for (auto& [field, value] : delta.fields) {
    if (&known == &game && field == "gameObjects") continue;
    auto type = types[known.name].find(field);
    if (type == types[known.name].end()) std::cerr << "unknown field " << field << std::endl;
    else convert(type->second, known.fields[field], value);
  }
}

void merge(const Json& delta) {
  static const Json none;
  const Json& news = delta.fields.count("gameObjects") ? delta["gameObjects"] : none;
  for (auto& [id, fields] : news.fields)
    if (fields.fields.count("gameObjectName"))  // an update that repeats it makes a fresh object
      objects[id].reset(new Object{fields["gameObjectName"].str(), {}});
  for (auto& [id, fields] : news.fields) {
    if (!objects.count(id)) die(25, id + " has no class");
    merge_fields(*objects[id], fields);
  }
  merge_fields(game, delta);
}

Json hear(Connection& server, const string& expected) {
  const std::set<string> strict{"lobbied", "start"};
  for (;;) {
    Json message = server.receive();
    string event = message["event"].str();
    if (event == "delta") merge(message["data"]);
    if (event == expected) {
      auto data = message.fields.find("data");
      return data == message.fields.end() ? Json{} : data->second;
    }
    if (event == "fatal") die(1, message["data"]["message"].str());
    if (strict.count(expected)) die(25, "expected " + expected + ", got " + event);
    if (event == "invalid") std::cout << "invalid: " << message["data"]["message"].str() << "\n";
    if (event == "over") {
      const Json& data = message["data"];
      if (data.fields.count("message")) std::cout << data["message"].str() << "\n";
      std::cout << "won " << (*player)["won"].text << std::endl;
      std::_Exit(0);
    }
  }
}

string call(Connection& server, Object& caller, const string& function, const string& args) {
  server.say("run", "{\"caller\":{\"id\":" + literal(caller.id()) + "},\"functionName\":" +
                        literal(function) + ",\"args\":" + args + "}");
  return hear(server, "ran").text;
}

string at(Object& tile) { return "{\"tile\":{\"id\":" + literal(tile.id()) + "}}"; }

// --- the bot

void run_turn(Connection& server) {
  const char* ways[] = {"tileNorth", "tileEast", "tileSouth", "tileWest"};
  auto& units = (*player)["units"].list;
  size_t count = units.size();
  for (auto& one : units) {
    Object& unit = *one.ref;
    for (auto way : ways) {
      Object* tile = (*unit["tile"].ref)[way].ref;
      if (!tile || (*tile)["unit"].ref || call(server, unit, "move", at(*tile)) != "true") continue;
      if (unit["tile"].ref != tile || (*tile)["unit"].ref != &unit) die(42, "a move is not seen");
      break;
    }
    for (auto way : ways) {
      Object* tile = (*unit["tile"].ref)[way].ref;
      if (!tile || (*tile)["harvestRate"].text == "0") continue;
      if (call(server, unit, "harvest", at(*tile)) == "true") break;
    }
    call(server, unit, "rest", "{}");
  }
  if (units.size() != count) die(42, "a list changes in a turn");
  Object& cat = *(*player)["cat"].ref;
  if (call(server, cat, "changeJob", "{\"job\":\"pope\"}") != "false") die(42, "there is a pope");
  string said = call(server, cat, "log", "{\"message\":\"mi\u00e4u\"}");
  if (said != "" && said != "null") die(42, "log returns something");
  if (cat["logs"].list.back().text != "mi\u00e4u") die(42, "a log is lost");
}

int main(int, char** argv) {
  std::ifstream lines(argv[1]);
  for (string name, field, type; lines >> name >> field >> type;) types[name][field] = type;
  for (char** word = argv + 3; word[0]; word += 2) options[word[0]] = word[1];
  {
    Connection first;
    first.say("alias", literal(argv[2]));
    hear(first, "named");
  }
  Connection server;
  server.say("alias", literal(argv[2]));
  string name = hear(server, "named").str();
  server.say("play", "{\"gameName\":" + literal(name) + ",\"playerName\":" +
                         literal(options["-n"]) + ",\"clientType\":\"c++\",\"requestedSession\":" +
                         literal(options["-r"]) + ",\"playerIndex\":" + options["-i"] +
                         ",\"password\":null,\"gameSettings\":" +
                         literal(options["--gameSettings"]) + "}");
  Json lobby = hear(server, "lobbied");
  lobby["gameVersion"].str();
  LENGTH = lobby["constants"]["DELTA_LIST_LENGTH"].str();
  REMOVED = lobby["constants"]["DELTA_REMOVED"].str();
  Json first = server.receive();
  if (first["event"].str() != "delta") die(25, "expected delta");
  merge(first["data"]);
  player = objects.at(hear(server, "start")["playerID"].str()).get();
  for (;;) {
    Json order = hear(server, "order");
    if (order["name"].str() != "runTurn") die(25, "order " + order["name"].str());
    int index = order["index"].whole();
    run_turn(server);
    server.say("finished", "{\"orderIndex\":" + std::to_string(index) + ",\"returned\":true}");
  }
}
