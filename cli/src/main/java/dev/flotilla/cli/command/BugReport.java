package dev.flotilla.cli.command;

import dev.flotilla.cli.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** Report of a bug in Flotilla: one line, and a file with the stack trace. */
public final class BugReport {
    private BugReport() {}

    public static void print(Throwable bug, String verb, Terminal terminal) {
        String what = bug.getMessage() == null ? bug.getClass().getSimpleName() : bug.getMessage();
        String line = what.lines().findFirst().orElse("");
        terminal.note(verb + ": this is a bug in Flotilla: " + line + ". " + details(bug, terminal));
    }

    private static String details(Throwable bug, Terminal terminal) {
        StringWriter details = new StringWriter();
        bug.printStackTrace(new PrintWriter(details, true));
        if (terminal.debug()) {
            return "Details:" + System.lineSeparator() + details;
        }
        try {
            Path file = Files.createTempFile("flotilla-bug-", ".txt");
            Files.writeString(file, details.toString());
            return "Details are in " + file + "; FLOTILLA_DEBUG=1 prints them.";
        } catch (IOException e) {
            return "FLOTILLA_DEBUG=1 prints the details.";
        }
    }
}
