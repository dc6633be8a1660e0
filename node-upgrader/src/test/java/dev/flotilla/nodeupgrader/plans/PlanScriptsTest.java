package dev.flotilla.nodeupgrader.plans;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeupgrader.contract.PlanStep;
import dev.flotilla.testkit.process.LocalProgram;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts in the shipped plans have no mistake that shellcheck knows. They run in any {@code sh}, as root on nodes. */
class PlanScriptsTest {
    private static final String PRESENT = "isShellcheckPresent";
    private static final String ABSENT = "SKIPPED: shellcheck is not installed";
    private static final List<String> SHELL = List.of("sh", "-c");

    static boolean isShellcheckPresent() {
        return LocalProgram.isPresent(find().isPresent(), "FLOTILLA_SHELLCHECK", ABSENT, System.getenv(), System.err);
    }

    private static Optional<Path> find() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .map(folder -> Path.of(folder, "shellcheck"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"k3s", "kubeadm", "os-packages", "rke2"})
    @EnabledIf(value = PRESENT, disabledReason = ABSENT)
    void scriptsOfAPlanHaveNoMistakes(String plan) throws Exception {
        int scripts = 0;
        for (PlanStep step : ShippedPlan.read(plan).steps()) {
            if (step.command().size() >= 3 && step.command().subList(0, 2).equals(SHELL)) {
                scripts++;
                assertThat(check(step.command().get(2)))
                        .as("step " + step.name() + " of plan " + plan)
                        .isEmpty();
            }
        }
        assertThat(scripts).isPositive();
    }

    private static String check(String script) throws Exception {
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
