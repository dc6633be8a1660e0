package dev.flotilla.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Streams and environment of one run. It is the only reader of the environment and is passed in, so that a test sees
 * what a person sees.
 *
 * @param out data
 * @param err everything else
 * @param width columns of the terminal behind {@code err}; zero if it is not a terminal
 * @param colour whether colours are wanted
 * @param debug whether the details of a bug are printed at once
 * @param home the source tree that the command was started from, if any
 * @param environment the environment variables that hold settings
 */
public record Terminal(
        PrintWriter out,
        PrintWriter err,
        int width,
        boolean colour,
        boolean debug,
        @Nullable String home,
        Map<String, String> environment) {
    private static final int USUAL_WIDTH = 80;
    private static final String PREFIX = "FLOTILLA_";

    public Terminal {
        environment = Map.copyOf(environment);
    }

    /** Makes a terminal whose environment has no settings. */
    public Terminal(PrintWriter out, PrintWriter err, int width, boolean colour, boolean debug, @Nullable String home) {
        this(out, err, width, colour, debug, home, Map.of());
    }

    /**
     * Makes the terminal of this process. The launcher passes the terminal's size, because Java cannot detect it for
     * stderr.
     */
    public static Terminal ofProcess() {
        return of(
                writer(FileDescriptor.out),
                writer(FileDescriptor.err),
                System.getProperty("flotilla.terminal", ""),
                System.getenv(),
                System.getProperty("flotilla.home"));
    }

    /**
     * Makes a terminal from what the launcher and the environment say.
     *
     * @param size rows and columns, as {@code stty size} prints them; empty for no terminal
     */
    static Terminal of(
            PrintWriter out, PrintWriter err, String size, Map<String, String> environment, @Nullable String home) {
        int width = size.isEmpty() ? 0 : columns(size);
        boolean colour = width > 0
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
        boolean debug = environment.getOrDefault("FLOTILLA_DEBUG", "").equals("1");
        Map<String, String> ours = new TreeMap<>(environment);
        ours.keySet().removeIf(name -> !name.startsWith(PREFIX));
        defaultContextsFile(environment).ifPresent(file -> ours.putIfAbsent("FLOTILLA_CONTEXTS", file));
        return new Terminal(out, err, width, colour, debug, home, ours);
    }

    /** Default path of a user's contexts file. */
    private static Optional<String> defaultContextsFile(Map<String, String> environment) {
        String home = environment.getOrDefault("HOME", "");
        String settings = environment.getOrDefault("XDG_CONFIG_HOME", home.isEmpty() ? "" : home + "/.config");
        return settings.isEmpty() ? Optional.empty() : Optional.of(settings + "/flotilla/config.yaml");
    }

    /** Whether {@code err} is a terminal, so that a line can be redrawn. */
    public boolean interactive() {
        return width > 0;
    }

    /** Writes one line to {@code err}. */
    public void note(String line) {
        err.println(line);
        err.flush();
    }

    private static int columns(String size) {
        int space = size.indexOf(' ');
        try {
            int columns = Integer.parseInt(size.substring(space + 1).strip());
            return columns > 0 ? columns : USUAL_WIDTH;
        } catch (NumberFormatException e) {
            return USUAL_WIDTH;
        }
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        OutputStream stream = new FileOutputStream(descriptor);
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), false);
    }
}
