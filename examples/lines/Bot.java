// A bot for Carnegie Cookoff: reads one JSON message a line, and writes one answer a line.

import java.io.*;
import java.util.*;

public class Bot {
    // The JSON from this field's value on, or "". No text looks like a field: quotes are escaped.
    static String value(String json, String name) {
        String field = "\"" + name + "\":";
        int found = json.indexOf(field);
        return found < 0 ? "" : json.substring(found + field.length());
    }

    // The number that such a value begins with.
    static int number(String json, String name) {
        return Integer.parseInt("0" + value(json, name).split("\\D", 2)[0]);
    }

    // Every bot of the team walks at random.
    static List<String> choose(String view) {
        var random = new Random();
        var commands = new ArrayList<String>();
        for (String id : value(view, "bot_ids").substring(1).split("]")[0].split(","))
            commands.add(String.format("{\"type\":\"move\",\"bot_id\":%s,\"dx\":%d,\"dy\":%d}", id,
                    random.nextInt(3) - 1, random.nextInt(3) - 1));
        commands.add("{\"type\":\"end_turn\"}");
        return commands;
    }

    public static void main(String[] args) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line; (line = input.readLine()) != null; ) {
            if (value(line, "type").startsWith("\"start\""))
                System.out.println("{\"type\":\"ready\"}");
            if (value(line, "type").startsWith("\"view\""))
                System.out.println("{\"type\":\"commands\",\"turn\":" + number(line, "turn")
                        + ",\"commands\":[" + String.join(",", choose(value(line, "view"))) + "]}");
        }
    }
}
