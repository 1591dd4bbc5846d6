// A bot for {title}: reads one JSON message a line, and writes one answer a line.

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

    {choose}

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
