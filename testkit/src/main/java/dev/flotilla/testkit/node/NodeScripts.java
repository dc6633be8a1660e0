package dev.flotilla.testkit.node;

import dev.flotilla.testkit.process.LocalProgram;
import dev.flotilla.testkit.process.RepositoryFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The scripts of {@code testkit/node}, which start nodes and run commands in them. */
record NodeScripts(Path folder) {
    private static final String VARIABLE = "FLOTILLA_NODE";

    /** A script's exit code and what it printed. */
    record Result(int exitCode, String output) {}

    /** Finds the scripts in the repository that contains the working directory. */
    static NodeScripts find() {
        return new NodeScripts(RepositoryFolder.find().resolve("testkit/node"));
    }

    /** Whether nodes can be started. Prints the reasons if not, and throws if they are required. */
    boolean isUsable(Map<String, String> environment, PrintStream err) {
        Result check = run("check");
        return LocalProgram.isPresent(
                check.exitCode() == 0, VARIABLE, "SKIPPED: " + check.output().strip(), environment, err);
    }

    /** Runs a script. Returns what it printed, including errors. */
    Result run(String script, String... arguments) {
        try {
            Process process = new ProcessBuilder(command(script, arguments))
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            return finish(process, script);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run testkit/node/" + script, e);
        }
    }

    /** Runs a script with a file as its standard input. Returns what it printed, including errors. */
    Result runWithInput(Path input, String script, String... arguments) {
        try {
            return finish(
                    new ProcessBuilder(command(script, arguments))
                            .redirectErrorStream(true)
                            .redirectInput(input.toFile())
                            .start(),
                    script);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run testkit/node/" + script, e);
        }
    }

    private static Result finish(Process process, String script) throws IOException {
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), output);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for testkit/node/" + script, e);
        }
    }

    List<String> command(String script, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(folder.resolve(script).toString());
        command.addAll(List.of(arguments));
        return command;
    }
}
