// A bot for {title}: reads one JSON message a line, and writes one answer a line.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The value of the first field of this name, or "". No text looks like a field: quotes are escaped.
static const char *value(const char *json, const char *name) {
    char field[64];
    snprintf(field, sizeof field, "\"%s\":", name);
    const char *found = strstr(json, field);
    return found ? found + strlen(field) : "";
}

static int is(const char *json, const char *word) { return !strncmp(json, word, strlen(word)); }

{choose}

int main(void) {
    static char line[1 << 20];
    srand(time(NULL));
    while (fgets(line, sizeof line, stdin)) {
        if (is(value(line, "type"), "\"start\"")) puts("{\"type\":\"ready\"}");
        if (is(value(line, "type"), "\"view\"")) {
            printf("{\"type\":\"commands\",\"turn\":%d,\"commands\":[", atoi(value(line, "turn")));
            choose(value(line, "view"));
            puts("]}");
        }
        fflush(stdout);
    }
}
