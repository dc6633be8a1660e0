package dev.flotilla.e2e.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Programs of this machine, run until they end. */
final class Programs {
    private static final long TIMEOUT_MINUTES = 20;

    private Programs() {}

    /**
     * What a program has printed.
     *
     * @param output both standard output and standard error
     */
    record ProgramResult(int exit, String output) {}

    /** Runs a program that must succeed. */
    static String run(String... command) {
        ProgramResult result = runToExit(Map.of(), List.of(command));
        if (result.exit() != 0) {
            throw new AssertionError(List.of(command) + " ended with " + result.exit() + ": " + result.output());
        }
        return result.output();
    }

    /** Runs a program and returns its exit code with its output. */
    static ProgramResult runToExit(Map<String, String> environment, List<String> command) {
        try {
            Path output = Files.createTempFile("program", ".out");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            try {
                if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)) {
                    throw new AssertionError(command + " still runs: " + Files.readString(output));
                }
                return new ProgramResult(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
            } finally {
                process.destroyForcibly();
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new AssertionError(command + " cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(command + " was interrupted", e);
        }
    }
}
