package dev.flotilla.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A command line in its own process, for tests of environment variables and signals. */
final class FlotillaProcess implements AutoCloseable {
    private static final long ENDS_WITHIN_SECONDS = 60;

    private final Process process;
    private final BufferedReader err;
    private final Path out;

    private FlotillaProcess(Process process, Path out) {
        this.process = process;
        this.err = process.errorReader();
        this.out = out;
    }

    static FlotillaProcess start(Map<String, String> environment, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "dev.flotilla.cli.Main"));
        command.addAll(List.of(args));
        Path out = Files.createTempFile("flotilla", ".out");
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile());
        // Those of the build, such as FLOTILLA_KUBE, are no settings of Flotilla.
        builder.environment().keySet().removeIf(name -> name.startsWith("FLOTILLA_"));
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        builder.environment().putAll(environment);
        return new FlotillaProcess(builder.start(), out);
    }

    /** Reads stderr up to the first line that contains a text, or to its end. */
    List<String> saysUpTo(String text) throws IOException {
        List<String> lines = new ArrayList<>();
        String line = err.readLine();
        while (line != null) {
            lines.add(line);
            if (line.contains(text)) {
                return lines;
            }
            line = err.readLine();
        }
        return lines;
    }

    /** What it has written to stdout so far. */
    List<String> printed() throws IOException {
        return Files.readAllLines(out);
    }

    /** Sends SIGTERM, because SIGINT is ignored by background processes of a shell. */
    void interrupt() throws IOException, InterruptedException {
        signal(process.toHandle(), "TERM");
    }

    long pid() {
        return process.pid();
    }

    /** As {@code kill -9}. */
    void kill() {
        process.destroyForcibly();
    }

    /** Those that it has started and that live. */
    List<ProcessHandle> children() {
        return process.descendants().filter(ProcessHandle::isAlive).toList();
    }

    /** The one of its children that runs a command, such as {@code node-worker}; empty while there is none. */
    Optional<ProcessHandle> child(String command) {
        return children().stream()
                .filter(child ->
                        List.of(child.info().arguments().orElse(new String[0])).contains(command))
                .findFirst();
    }

    /** Sends a signal, such as {@code STOP}, to a process. */
    static void signal(ProcessHandle process, String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    int exit() throws InterruptedException {
        if (!process.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("it does not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        Files.delete(out);
    }
}
