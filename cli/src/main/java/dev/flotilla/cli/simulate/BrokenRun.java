package dev.flotilla.cli.simulate;

import dev.flotilla.cli.terminal.JsonTarget;
import dev.flotilla.cli.terminal.Terminal;

final class BrokenRun {
    BrokenRun(JsonTarget json, Terminal terminal) {}

    int call() {
        return 2;
    }
}
