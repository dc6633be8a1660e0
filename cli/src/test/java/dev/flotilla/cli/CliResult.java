package dev.flotilla.cli;

import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.testkit.process.RepositoryFolder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;

/** Result of a command line that ran in this process. */
record CliResult(int exit, String out, String err) {
    static final Path ROOT = RepositoryFolder.find();

    static CliResult flotilla(String... args) {
        return runOnTerminal(0, args);
    }

    /** Runs a command line with environment variables. */
    static CliResult runInEnvironment(Map<String, String> environment, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal =
                new Terminal(new PrintWriter(out), new PrintWriter(err), 0, false, false, null, environment);
        int exit = FlotillaCommandLine.run(terminal, args);
        return new CliResult(exit, out.toString(), err.toString());
    }

    /** Runs a command line on a terminal of a given width. */
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

    /** Stdout without white space. */
    String json() {
        return out.replaceAll("\\s+", "");
    }

    /** Path of a file of the source tree. */
    static String path(String file) {
        return ROOT.resolve(file).toString();
    }
}
