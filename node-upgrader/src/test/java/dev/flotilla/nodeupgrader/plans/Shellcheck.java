package dev.flotilla.nodeupgrader.plans;

import dev.flotilla.testkit.process.LocalProgram;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Runs shellcheck, if it is installed. */
final class Shellcheck {
    /** For {@code @EnabledIf}. */
    static final String PRESENT = "dev.flotilla.nodeupgrader.plans.Shellcheck#isPresent";

    static final String ABSENT = "SKIPPED: shellcheck is not installed";

    private Shellcheck() {}

    static boolean isPresent() {
        return LocalProgram.isPresent(find().isPresent(), "FLOTILLA_SHELLCHECK", ABSENT, System.getenv(), System.err);
    }

    private static Optional<Path> find() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .map(folder -> Path.of(folder, "shellcheck"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns what it says about a script for any {@code sh}. */
    static String check(String script) throws Exception {
        Process process = new ProcessBuilder(find().orElseThrow().toString(), "--shell=sh", "--format=gcc", "-")
                .redirectErrorStream(true)
                .start();
        try (Writer stdin = process.outputWriter(StandardCharsets.UTF_8)) {
            stdin.write(script);
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }
}
