// A bot for Carnegie Cookoff: reads one JSON message a line, and writes one answer a line.

import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

public class Bot {
    // The JSON from the value of the first field of this name on, or "". A text cannot look like a
    // field: its quotes are escaped.
    static String value(String json, String name) {
        String field = "\"" + name + "\":";
        int found = json.indexOf(field);
        return found < 0 ? "" : json.substring(found + field.length());
    }

    // The number that such a value begins with.
    static int number(String json, String name) {
        String digits = value(json, name).split("[^0-9]", 2)[0];
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    static final Random RANDOM = new Random();

    // Every bot of the team walks at random.
    static List<String> choose(String view) {
        String ids = value(view, "bot_ids");
        var commands = new ArrayList<String>();
        for (String id : ids.substring(1, ids.indexOf(']')).split(","))
            commands.add(String.format("{\"type\":\"move\",\"bot_id\":%s,\"dx\":%d,\"dy\":%d}", id,
                    RANDOM.nextInt(3) - 1, RANDOM.nextInt(3) - 1));
        commands.add("{\"type\":\"end_turn\"}");
        return commands;
    }

    public static void main(String[] args) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = input.readLine()) != null; ) {
            String type = value(line, "type");
            if (type.startsWith("\"start\"")) System.out.println("{\"type\":\"ready\"}");
            if (type.startsWith("\"view\""))
                System.out.println("{\"type\":\"commands\",\"turn\":" + number(line, "turn")
                        + ",\"commands\":[" + String.join(",", choose(value(line, "view"))) + "]}");
        }
    }
}
