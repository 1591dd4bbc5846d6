// A bot for {title}: reads one JSON message a line, and writes one answer a line.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char line[1 << 20];

// The value of the first field of this name in `json`, or "". A text cannot look like a field: its
// quotes are escaped.
static const char *value(const char *json, const char *name) {
    char field[64];
    snprintf(field, sizeof field, "\"%s\":", name);
    const char *found = strstr(json, field);
    return found ? found + strlen(field) : "";
}

static int is(const char *json, const char *expected) {
    return strncmp(json, expected, strlen(expected)) == 0;
}

{choose}

int main(void) {
    srand(time(NULL));
    while (fgets(line, sizeof line, stdin)) {
        const char *type = value(line, "type");
        if (is(type, "\"start\"")) {
            printf("{\"type\":\"ready\"}\n");
        } else if (is(type, "\"view\"")) {
            printf("{\"type\":\"commands\",\"turn\":%d,\"commands\":[", atoi(value(line, "turn")));
            choose(value(line, "view"));
            printf("]}\n");
        }
        fflush(stdout);
    }
}
