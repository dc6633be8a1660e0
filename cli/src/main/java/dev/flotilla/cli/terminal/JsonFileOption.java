package dev.flotilla.cli.terminal;

import dev.flotilla.schemas.json.tree.JsonValue;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --json FILE}, shared by all commands that have it. */
public final class JsonFileOption {
    private static final String STDOUT = "-";

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the result as one JSON object to FILE; - writes to stdout.")
    private @Nullable String file;

    /** Whether JSON goes to stdout, so that all other output must go to stderr. */
    public boolean takesStdout() {
        return STDOUT.equals(file);
    }

    /** Stream for the output that people read. */
    public PrintWriter humanOutput(Terminal terminal) {
        return takesStdout() ? terminal.err() : terminal.out();
    }

    /**
     * Finds, before the work begins, why the file could not be written at its end; null if it can probably be written.
     */
    public @Nullable String findProblem() {
        return file == null || takesStdout() ? null : findProblem("--json", file);
    }

    /** Finds why a file that an option names could not be written; null if it can probably be written. */
    public static @Nullable String findProblem(String option, String file) {
        Path path = Path.of(file).toAbsolutePath();
        Path folder = path.getParent();
        if (Files.isDirectory(path)) {
            return option + " " + file + " is a folder: name a file in it";
        }
        if (folder == null || !Files.isDirectory(folder)) {
            return option + " " + file + " cannot be written: the folder " + folder + " does not exist; create it"
                    + " first";
        }
        return Files.isWritable(folder)
                ? null
                : option + " " + file + " cannot be written: no permission to write to" + " the folder " + folder;
    }

    /** Writes the object atomically. Returns the error, or null. */
    public @Nullable String write(JsonValue jsonValue, Terminal terminal) {
        if (file == null) {
            return null;
        }
        String text = JsonFormatter.format(jsonValue);
        if (takesStdout()) {
            terminal.out().print(text);
            terminal.out().flush();
            return null;
        }
        return write("--json", file, text);
    }

    /** Writes a text atomically into a file that an option names. Returns the error, or null. */
    public static @Nullable String write(String option, String file, String text) {
        Path path = Path.of(file).toAbsolutePath();
        try {
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                Files.writeString(path, text);
                return null;
            }
            Path fresh = Files.createTempFile(path.getParent(), ".flotilla", ".json");
            Files.writeString(fresh, text);
            Files.move(fresh, path, StandardCopyOption.REPLACE_EXISTING);
            return null;
        } catch (IOException e) {
            return option + " " + file + " cannot be written: " + e.getMessage();
        }
    }
}
