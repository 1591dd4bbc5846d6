// A client of the Cadre protocol as the contest's C# client behaves: bytes are ASCII, a list that
// changes while it is iterated throws, a short version, an int with a point or null for a text end it.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Text;
using Fields = System.Collections.Generic.Dictionary<string, object>;

class Joueur {
    static readonly Dictionary<string, Dictionary<string, string>> types =
        new Dictionary<string, Dictionary<string, string>>();
    static readonly Dictionary<string, string> options = new Dictionary<string, string>();
    static readonly Dictionary<string, Fields> objects = new Dictionary<string, Fields>();
    static readonly Fields game = new Fields();
    static readonly string[] ways = { "tileNorth", "tileEast", "tileSouth", "tileWest" };
    static Fields player;
    static string length, removed;
    static Stream stream;

    static Exception Die(int code, object why) {
        Console.Error.WriteLine(why);
        Environment.Exit(code);
        return null;
    }

    // --- JSON: Fields, List<object>, int, double, bool, string, null

    class Parser {
        readonly string s;
        int at = 0;

        public Parser(string text) { s = text; }

        char Next() {
            while (char.IsWhiteSpace(s[at])) at++;
            return s[at];
        }

        string Quoted() {
            var found = new StringBuilder();
            for (at++; s[at] != '"'; at++) {
                char c = s[at];
                if (c == '\\') {
                    c = s[++at];
                    if (c == 'u') {
                        c = (char)int.Parse(s.Substring(at + 1, 4), NumberStyles.HexNumber);
                        at += 4;
                    } else if (c == 'n' || c == 't') c = c == 'n' ? '\n' : '\t';
                }
                found.Append(c);
            }
            at++;
            return found.ToString();
        }

        public object Value() {
            char c = Next();
            if (c == '"') return Quoted();
            if (c == '{' || c == '[') {
                var fields = new Fields();
                for (at++; Next() != '}' && s[at] != ']';) {
                    if (s[at] == ',') { at++; Next(); }
                    string name = "" + fields.Count;
                    if (c == '{') {
                        name = Quoted();
                        if (Next() != ':') throw new FormatException(s);
                        at++;
                    }
                    fields[name] = Value();
                }
                at++;
                return c == '{' ? (object)fields : fields.Values.ToList();
            }
            int start = at;
            while (at < s.Length && ",}]".IndexOf(s[at]) < 0) at++;
            string word = s.Substring(start, at - start).Trim();
            if (word == "null") return null;
            if (word == "true" || word == "false") return word == "true";
            int whole;
            if (int.TryParse(word, out whole)) return whole;
            return double.Parse(word, CultureInfo.InvariantCulture);
        }
    }

    static string Json(object value) {
        if (value == null) return "null";
        if (value is bool) return (bool)value ? "true" : "false";
        if (value is string) return "\"" + value + "\"";
        var fields = value as Fields;
        if (fields == null) return "" + value;
        return "{" + string.Join(",", fields.Select(one => Json(one.Key) + ":" + Json(one.Value))) + "}";
    }

    static Fields Map(object value) {
        if (!(value is Fields)) throw Die(24, "expected an object, got " + value);
        return (Fields)value;
    }

    // --- the connection

    static void Say(string eventName, object data) {
        var sent = (int)(DateTime.UtcNow - new DateTime(1970, 1, 1)).TotalSeconds;
        var message = new Fields { { "event", eventName }, { "data", data }, { "sentTime", sent } };
        var bytes = Encoding.UTF8.GetBytes(Json(message) + "\u0004");
        stream.Write(bytes, 0, bytes.Length);
        stream.Flush();
    }

    static object Hear(string expected) {
        for (;;) {
            var bytes = new List<byte>();
            for (int one; (one = stream.ReadByte()) != 4; bytes.Add((byte)one))
                if (one < 0) throw Die(22, "disconnected");
            Fields message = null;
            try {
                message = Map(new Parser(Encoding.ASCII.GetString(bytes.ToArray())).Value());
            } catch (Exception fault) {
                throw Die(30, fault);
            }
            object data;
            message.TryGetValue("data", out data);
            switch ((string)message["event"]) {
                case "delta":
                    Merge(Map(data));
                    break;
                case "invalid":
                    Console.WriteLine("invalid: " + Map(data)["message"]);
                    break;
                case "over":
                    object text = "";
                    if (Map(data).TryGetValue("message", out text) && !(text is string))
                        throw Die(24, "over: no text");
                    Console.WriteLine(text);
                    Console.WriteLine("won " + player["won"]);
                    Environment.Exit(0);
                    break;
                case "fatal":
                    throw Die(28, Map(data)["message"]);
                case "named": case "lobbied": case "start": case "order": case "ran":
                    if ((string)message["event"] == expected) return data;
                    throw Die(26, "expected " + expected + ", got " + message["event"]);
                default:
                    throw Die(26, "unknown event " + message["event"]);
            }
        }
    }

    // --- the match

    static void Merge(Fields delta) {
        object given;
        var news = delta.TryGetValue("gameObjects", out given) ? Map(given) : new Fields();
        foreach (var one in news) {
            if (objects.ContainsKey(one.Key)) continue;
            if (!Map(one.Value).ContainsKey("gameObjectName")) throw Die(25, one.Key + " has no class");
            objects[one.Key] = new Fields();
        }
        foreach (var one in news) {
            var known = objects[one.Key];
            var name = known.ContainsKey("gameObjectName") ? known : Map(one.Value);
            MergeFields(known, Map(one.Value), types[(string)name["gameObjectName"]]);
        }
        delta.Remove("gameObjects");
        MergeFields(game, delta, types["Game"]);
    }

    static void MergeFields(Fields known, Fields delta, Dictionary<string, string> types) {
        foreach (var one in delta) {
            if (!types.ContainsKey(one.Key)) continue;
            object old;
            known.TryGetValue(one.Key, out old);
            known[one.Key] = Converted(types[one.Key], old, one.Value, one.Key);
        }
    }

    static object Converted(string type, object known, object value, string field) {
        switch (type) {
            case "refs": case "texts":
                var list = (List<object>)known ?? new List<object>();
                object size;
                if (!Map(value).TryGetValue(length, out size) || !(size is int)) throw Die(24, field + ": no list");
                while (list.Count > (int)size) list.RemoveAt(list.Count - 1);
                while (list.Count < (int)size) list.Add(null);
                foreach (var one in Map(value))
                    if (one.Key != length && !removed.Equals(one.Value))
                        list[int.Parse(one.Key)] =
                            Converted(type == "refs" ? "ref" : "str", null, one.Value, field);
                return list;
            case "ref": case "ref?":
                if (value == null && type == "ref?") return null;
                Fields found;
                if (!objects.TryGetValue((string)Map(value)["id"], out found)) throw Die(24, field + ": unknown object");
                return found;
        }
        bool fits = type == "int" ? value is int : type == "float" ? value is int || value is double
            : type == "bool" ? value is bool : value is string;
        if (!fits) throw Die(25, field + ": expected " + type + ", got " + value);
        return value;
    }

    static object Call(Fields caller, string name, string argument = null, object value = null) {
        var args = new Fields();
        if (argument != null) args[argument] = value;
        var id = new Fields { { "id", caller["id"] } };
        Say("run", new Fields { { "caller", id }, { "functionName", name }, { "args", args } });
        return Hear("ran");
    }

    static Fields Id(Fields tile) { return new Fields { { "id", tile["id"] } }; }

    // --- the bot

    static void RunTurn() {
        foreach (Fields unit in (List<object>)player["units"]) {
            foreach (var way in ways) {
                var tile = (Fields)((Fields)unit["tile"])[way];
                if (tile == null || tile["unit"] != null) continue;
                if (!true.Equals(Call(unit, "move", "tile", Id(tile)))) continue;
                if (unit["tile"] != tile || tile["unit"] != unit) throw Die(42, "a move is not seen");
                break;
            }
            foreach (var way in ways) {
                var tile = (Fields)((Fields)unit["tile"])[way];
                if (tile == null || tile["harvestRate"].Equals(0)) continue;
                if (true.Equals(Call(unit, "harvest", "tile", Id(tile)))) break;
            }
            Call(unit, "rest");
        }
        var cat = (Fields)player["cat"];
        if (!false.Equals(Call(cat, "changeJob", "job", "pope"))) throw Die(42, "there is a pope");
        if (Call(cat, "log", "message", "mi\u00e4u") != null) throw Die(42, "log returns something");
        if (!"mi\u00e4u".Equals(((List<object>)cat["logs"]).Last())) throw Die(42, "a log is lost");
    }

    static void Main(string[] args) {
        foreach (var line in File.ReadAllLines(args[0])) {
            var words = line.Split(' ');
            if (!types.ContainsKey(words[0])) types[words[0]] = new Dictionary<string, string>();
            types[words[0]][words[1]] = words[2];
        }
        for (int i = 2; i < args.Length; i += 2) options[args[i]] = args[i + 1];
        var client = new TcpClient(options["-s"], int.Parse(options["-p"]));
        stream = new BufferedStream(client.GetStream());
        Say("alias", args[1]);
        var name = Hear("named");
        Say("play", new Fields {
            { "gameName", name }, { "playerName", options["-n"] }, { "clientType", "C#" },
            { "requestedSession", options["-r"] }, { "playerIndex", int.Parse(options["-i"]) },
            { "password", null }, { "gameSettings", options["--gameSettings"] } });
        var lobby = Map(Hear("lobbied"));
        ((string)lobby["gameVersion"]).Substring(0, 8);
        length = (string)Map(lobby["constants"])["DELTA_LIST_LENGTH"];
        removed = (string)Map(lobby["constants"])["DELTA_REMOVED"];
        player = objects[(string)Map(Hear("start"))["playerID"]];
        for (;;) {
            var order = Map(Hear("order"));
            if (!"runTurn".Equals(order["name"])) throw Die(25, "order " + order["name"]);
            RunTurn();
            Say("finished", new Fields { { "orderIndex", order["index"] }, { "returned", true } });
        }
    }
}
