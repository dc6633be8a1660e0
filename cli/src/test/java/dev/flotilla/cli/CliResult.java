package dev.flotilla.cli;

import dev.flotilla.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A command line that was run within this process, and what it said. */
record CliResult(int exit, String out, String err) {
    static final Path ROOT = root();

    static CliResult flotilla(String... args) {
        return runOnTerminal(0, args);
    }

    /** In an environment that states settings. */
    static CliResult runInEnvironment(Map<String, String> environment, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal =
                new Terminal(new PrintWriter(out), new PrintWriter(err), 0, false, false, null, environment);
        int exit = FlotillaCommandLine.run(terminal, args);
        return new CliResult(exit, out.toString(), err.toString());
    }

    /** On a terminal of so many columns. */
    static CliResult runOnTerminal(int width, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), width, false, false, null);
        int exit = FlotillaCommandLine.run(terminal, args);
        return new CliResult(exit, out.toString(), err.toString());
    }

    String all() {
        return out + err;
    }

    /** The data, without the white space that only people need. */
    String json() {
        return out.replaceAll("\\s+", "");
    }

    /** A file of the source tree. */
    static String path(String file) {
        return ROOT.resolve(file).toString();
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("no mvnw above " + Path.of("").toAbsolutePath());
        }
        return folder;
    }
}
