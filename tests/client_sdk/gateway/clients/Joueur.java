// A client of the Cadre protocol as the contest's Java client behaves: null values are left out, the
// fields of `data` stand at the top level too, a line break after each message; an unknown field, an
// unknown event and an int with a point end it.

import java.io.*;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

class Joueur {
    static final Map<String, Map<String, String>> types = new HashMap<>();
    static final Map<String, String> options = new HashMap<>();
    static final Map<String, Map<String, Object>> objects = new HashMap<>();
    static final Map<String, Object> game = new HashMap<>();
    static final String[] WAYS = {"tileNorth", "tileEast", "tileSouth", "tileWest"};
    static Map<String, Object> player;
    static String length, removed;
    static InputStream in;
    static OutputStream out;

    static RuntimeException die(int code, String why) {
        System.err.println(why);
        Runtime.getRuntime().halt(code);
        return null;
    }

    // --- JSON: maps, lists, Long, Double, Boolean, String, null

    static class Parser {
        final String s;
        int at = 0;

        Parser(String text) { s = text; }

        char next() {
            while (Character.isWhitespace(s.charAt(at))) at++;
            return s.charAt(at);
        }

        String quoted() {
            var found = new StringBuilder();
            for (at++; s.charAt(at) != '"'; at++) {
                char c = s.charAt(at);
                if (c == '\\') {
                    c = s.charAt(++at);
                    if (c == 'u') {
                        c = (char) Integer.parseInt(s.substring(at + 1, at + 5), 16);
                        at += 4;
                    } else if (c == 'n' || c == 't') c = c == 'n' ? '\n' : '\t';
                }
                found.append(c);
            }
            at++;
            return found.toString();
        }

        Object value() {
            char c = next();
            if (c == '"') return quoted();
            if (c == '{' || c == '[') {
                var fields = new LinkedHashMap<String, Object>();
                for (at++; next() != '}' && s.charAt(at) != ']'; ) {
                    if (s.charAt(at) == ',') { at++; next(); }
                    String name = "" + fields.size();
                    if (c == '{') {
                        name = quoted();
                        if (next() != ':') throw new IllegalArgumentException(s);
                        at++;
                    }
                    fields.put(name, value());
                }
                at++;
                return c == '{' ? fields : new ArrayList<>(fields.values());
            }
            int start = at;
            while (at < s.length() && ",}]".indexOf(s.charAt(at)) < 0) at++;
            String word = s.substring(start, at).strip();
            if (word.equals("null")) return null;
            if (word.equals("true") || word.equals("false")) return word.equals("true");
            return word.matches("-?\\d+") ? (Object) Long.valueOf(word) : Double.valueOf(word);
        }
    }

    static String json(Object value) {
        if (value instanceof String) return "\"" + value + "\"";
        if (!(value instanceof Map<?, ?> fields)) return "" + value;
        var parts = new ArrayList<String>();
        fields.forEach((name, one) -> { if (one != null) parts.add(json(name) + ":" + json(one)); });
        return "{" + String.join(",", parts) + "}";
    }

    static Map<String, Object> map(Object... pairs) {
        var found = new LinkedHashMap<String, Object>();
        for (int i = 0; i < pairs.length; i += 2) found.put((String) pairs[i], pairs[i + 1]);
        return found;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> fields(Object value) {
        if (!(value instanceof Map)) throw die(24, "expected an object, got " + value);
        return (Map<String, Object>) value;
    }

    // --- the connection

    static void say(String event, Object data) throws IOException {
        var message = map("event", event, "data", data, "sentTime", System.currentTimeMillis());
        if (data instanceof Map) fields(data).forEach(message::putIfAbsent);
        message.putAll(map("bytes", "junk", "blank", false, "empty", false));
        out.write((json(message) + "\u0004\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    static Object hear(String expected) throws IOException {
        for (;;) {
            var text = new ByteArrayOutputStream();
            for (int one; (one = in.read()) != 4; text.write(one))
                if (one < 0) throw die(22, "disconnected");
            Map<String, Object> message;
            try {
                message = fields(new Parser(text.toString(StandardCharsets.UTF_8)).value());
            } catch (RuntimeException fault) {
                throw die(30, "" + fault);
            }
            String event = (String) message.get("event");
            Object data = message.get("data");
            switch (event) {
                case "delta" -> merge(fields(data));
                case "invalid" -> System.out.println("invalid: " + fields(data).get("message"));
                case "over" -> {
                    System.out.println(fields(data).get("message"));
                    System.out.println("won " + player.get("won"));
                    System.out.flush();
                    Runtime.getRuntime().halt(0);
                }
                case "fatal" -> throw die(28, "" + fields(data).get("message"));
                case "named", "lobbied", "start", "order", "ran" -> {
                    if (event.equals(expected)) return data;
                    throw die(25, "expected " + expected + ", got " + event);
                }
                default -> throw die(25, "unknown event " + event);
            }
        }
    }

    // --- the match

    static void merge(Map<String, Object> delta) {
        var news = fields(delta.getOrDefault("gameObjects", map()));
        news.forEach((id, one) -> {
            if (objects.containsKey(id)) return;
            if (!types.containsKey(fields(one).get("gameObjectName"))) die(25, id + " has no class");
            objects.put(id, new HashMap<>());
        });
        news.forEach((id, one) -> {
            var known = objects.get(id);
            var name = fields(one).getOrDefault("gameObjectName", known.get("gameObjectName"));
            mergeFields(known, fields(one), types.get(name));
        });
        delta.remove("gameObjects");
        mergeFields(game, delta, types.get("Game"));
    }

    static void mergeFields(Map<String, Object> known, Map<String, Object> delta, Map<String, String> types) {
        delta.forEach((field, value) -> {
            if (!types.containsKey(field)) throw die(24, "unknown field " + field);
            known.put(field, converted(types.get(field), known.get(field), value, field));
        });
    }

    @SuppressWarnings("unchecked")
    static Object converted(String type, Object known, Object value, String field) {
        boolean fits = switch (type) {
            case "refs", "texts" -> {
                var list = known == null ? new ArrayList<Object>() : (List<Object>) known;
                if (!(fields(value).get(length) instanceof Long size)) throw die(24, field + ": no list");
                while (list.size() > size) list.remove(list.size() - 1);
                while (list.size() < size) list.add(null);
                fields(value).forEach((index, one) -> {
                    if (index.equals(length) || removed.equals(one)) return;
                    one = converted(type.equals("refs") ? "ref" : "str", null, one, field);
                    list.set(Integer.parseInt(index), one);
                });
                value = list;
                yield !list.contains(null);
            }
            case "ref", "ref?" -> {
                if (value == null) yield type.equals("ref?");
                value = fields(value).size() == 1 ? objects.get(fields(value).get("id")) : null;
                yield value != null;
            }
            case "int" -> value instanceof Long;
            case "float" -> value instanceof Number;
            case "bool" -> value instanceof Boolean;
            default -> value instanceof String;
        };
        if (!fits) throw die(24, field + ": expected " + type + ", got " + value);
        return value;
    }

    static Object call(Map<String, Object> caller, String name, Map<String, Object> args) throws IOException {
        say("run", map("caller", map("id", caller.get("id")), "functionName", name, "args", args));
        return hear("ran");
    }

    static Map<String, Object> tile(Map<String, Object> tile) {
        return map("tile", map("id", tile.get("id")));
    }

    // --- the bot

    static void runTurn() throws IOException {
        for (var one : (List<?>) player.get("units")) {
            var unit = fields(one);
            for (var way : WAYS) {
                var there = fields(unit.get("tile")).get(way);
                if (there == null || fields(there).get("unit") != null) continue;
                if (!Boolean.TRUE.equals(call(unit, "move", tile(fields(there))))) continue;
                if (unit.get("tile") != there || fields(there).get("unit") != unit)
                    throw die(42, "a move is not seen");
                break;
            }
            for (var way : WAYS) {
                var there = fields(unit.get("tile")).get(way);
                if (there == null || fields(there).get("harvestRate").equals(0L)) continue;
                if (Boolean.TRUE.equals(call(unit, "harvest", tile(fields(there))))) break;
            }
            call(unit, "rest", null);
        }
        var cat = fields(player.get("cat"));
        if (!Boolean.FALSE.equals(call(cat, "changeJob", map("job", "pope")))) die(42, "there is a pope");
        if (call(cat, "log", map("message", "miäu")) != null) die(42, "log returns something");
        var logs = (List<?>) cat.get("logs");
        if (!logs.get(logs.size() - 1).equals("miäu")) die(42, "a log is lost");
    }

    public static void main(String[] args) throws IOException {
        for (var line : Files.readAllLines(Path.of(args[0]))) {
            var words = line.split(" ");
            types.computeIfAbsent(words[0], name -> new HashMap<>()).put(words[1], words[2]);
        }
        for (int i = 2; i < args.length; i += 2) options.put(args[i], args[i + 1]);
        var socket = new Socket(options.get("-s"), Integer.parseInt(options.get("-p")));
        in = new BufferedInputStream(socket.getInputStream());
        out = new BufferedOutputStream(socket.getOutputStream());
        say("alias", args[1]);
        var name = hear("named");
        say("play", map(
            "gameName", name, "playerName", options.get("-n"), "clientType", "Java",
            "requestedSession", options.get("-r"), "playerIndex", Integer.valueOf(options.get("-i")),
            "password", null, "gameSettings", options.get("--gameSettings")));
        var lobby = fields(hear("lobbied"));
        if (!(lobby.get("gameVersion") instanceof String)) throw die(20, "no version");
        length = (String) fields(lobby.get("constants")).get("DELTA_LIST_LENGTH");
        removed = (String) fields(lobby.get("constants")).get("DELTA_REMOVED");
        player = objects.get(fields(hear("start")).get("playerID"));
        for (;;) {
            var order = fields(hear("order"));
            if (!order.get("name").equals("runTurn")) throw die(25, "order " + order);
            runTurn();
            say("finished", map("orderIndex", order.get("index"), "returned", true));
        }
    }
}
