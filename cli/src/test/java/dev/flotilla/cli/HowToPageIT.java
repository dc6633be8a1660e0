package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.kube.KubeBinaries;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Runs the kubectl commands of a documentation page on a real API server, with real watchers, workers and Kafka. */
@Tag("nightly")
@EnabledIf(value = KubeBinaries.PRESENT_WITH_KUBECTL, disabledReason = KubeBinaries.MISSING)
class HowToPageIT {
    private static final String PAGE = "docs/how-to-upgrade-in-place.md";
    private static final String DEMO = "./flotilla demo ";
    private static final String KUBECTL = "kubectl ";
    private static final String TRIES = "--dry-run=server";
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String LAST = "journal tail";

    @Test
    void stepsOfThePagePrintTheShownOutput() throws Exception {
        List<PageStep> steps = PageStep.readAll(PAGE);
        String demo = steps.getFirst().command();
        assertThat(demo).startsWith(DEMO);
        try (FlotillaProcess running =
                FlotillaProcess.start(Map.of(), ("demo " + demo.substring(DEMO.length())).split(" "))) {
            String kubeconfig = kubeconfig(running.saysUpTo(LAST));
            for (PageStep step : steps.subList(1, steps.size())) {
                String command = step.command();
                String said = run(command, kubeconfig);
                // Dry runs are repeated until they succeed.
                long until = System.nanoTime() + PATIENCE.toNanos();
                while (command.contains(TRIES) && !step.isShownIn(said) && System.nanoTime() < until) {
                    said = run(command, kubeconfig);
                }
                assertThat(step.isShownIn(said)).as(command + "\n" + said).isTrue();
            }
            running.interrupt();
            assertThat(running.exit()).isNotNegative();
        }
    }

    private static String kubeconfig(List<String> said) {
        return said.stream()
                .filter(line -> line.contains("--kubeconfig "))
                .map(line -> line.replaceFirst(".*--kubeconfig (\\S+).*", "$1"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no kubeconfig is named: " + said));
    }

    private static String run(String line, String kubeconfig) throws IOException, InterruptedException {
        assertThat(line).startsWith(KUBECTL);
        Path kubectl = KubeBinaries.find().orElseThrow().kubectl();
        List<String> command = Stream.concat(
                        Stream.of(kubectl.toString()),
                        Stream.of(line.substring(KUBECTL.length()).split(" ")))
                .toList();
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(CliResult.ROOT.toFile()).redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", kubeconfig);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(line + "\n" + said).isZero();
        return said;
    }
}
