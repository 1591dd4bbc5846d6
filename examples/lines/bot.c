// A bot for PyRat: reads one JSON message a line, and writes one answer a line.

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

// A random direction that no wall closes.
static void choose(const char *view) {
    char moves[64] = "", *move = "STAY";
    int count = 0;
    sscanf(value(view, "moves"), "[%63[^]]", moves);
    for (char *each = strtok(moves, "\","); each; each = strtok(NULL, "\","))
        if (rand() % ++count == 0) move = each;
    printf("\"%s\"", move);
}

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
