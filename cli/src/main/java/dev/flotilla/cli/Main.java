package dev.flotilla.cli;

import dev.flotilla.cli.terminal.Terminal;

/** Entry point of {@code flotilla}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(FlotillaCommandLine.run(Terminal.ofProcess(), args));
    }
}
