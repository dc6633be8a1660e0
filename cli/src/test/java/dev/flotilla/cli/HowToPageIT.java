package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.kube.KubeBinaries;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Runs the kubectl commands of a documentation page on a real API server, with real watchers, workers and Kafka. */
@EnabledIf(value = KubeBinaries.PRESENT_WITH_KUBECTL, disabledReason = KubeBinaries.MISSING)
class HowToPageIT {
    private static final String PAGE = "docs/how-to-upgrade-in-place.md";
    private static final Pattern CONSOLE = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL);
    private static final String PROMPT = "$ ";
    private static final String DEMO = PROMPT + "./flotilla demo ";
    private static final String TRIES = "--dry-run=server";
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String LAST = "journal tail";

    /** Marks a part that the page leaves out of a printed line. */
    private static final String ANYTHING = "…";

    @Test
    void stepsOfThePagePrintTheShownOutput() throws Exception {
        List<List<String>> steps = steps();
        String demo = steps.getFirst().getFirst();
        assertThat(demo).startsWith(DEMO);
        try (FlotillaProcess running =
                FlotillaProcess.start(Map.of(), ("demo " + demo.substring(DEMO.length())).split(" "))) {
            String kubeconfig = kubeconfig(running.saysUpTo(LAST));
            for (List<String> step : steps.subList(1, steps.size())) {
                String command = step.getFirst();
                String said = run(command, kubeconfig);
                // Dry runs are repeated until they succeed.
                long until = System.nanoTime() + PATIENCE.toNanos();
                while (command.contains(TRIES) && !shows(said, step) && System.nanoTime() < until) {
                    said = run(command, kubeconfig);
                }
                assertThat(shows(said, step)).as(command + "\n" + said).isTrue();
            }
            running.interrupt();
            assertThat(running.exit()).isNotNegative();
        }
    }

    private static boolean shows(String said, List<String> step) {
        return step.stream()
                .skip(1)
                .allMatch(line -> pattern(line).matcher(said).find());
    }

    /** Reads each command of the page with its shown output. */
    private static List<List<String>> steps() throws IOException {
        List<List<String>> steps = new ArrayList<>();
        CONSOLE.matcher(Files.readString(CliResult.ROOT.resolve(PAGE)))
                .results()
                .flatMap(found -> found.group(1).lines())
                .forEach(line -> {
                    if (line.startsWith(PROMPT)) {
                        steps.add(new ArrayList<>());
                    }
                    steps.getLast().add(line);
                });
        return steps;
    }

    private static String kubeconfig(List<String> said) {
        return said.stream()
                .filter(line -> line.contains("--kubeconfig "))
                .map(line -> line.replaceFirst(".*--kubeconfig (\\S+).*", "$1"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no kubeconfig is named: " + said));
    }

    private static String run(String line, String kubeconfig) throws IOException, InterruptedException {
        assertThat(line).startsWith(PROMPT + "kubectl ");
        Path kubectl = KubeBinaries.find().orElseThrow().kubectl();
        List<String> command = Stream.concat(
                        Stream.of(kubectl.toString()),
                        Stream.of(line.substring((PROMPT + "kubectl ").length()).split(" ")))
                .toList();
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(CliResult.ROOT.toFile()).redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", kubeconfig);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(line + "\n" + said).isZero();
        return said;
    }

    private static Pattern pattern(String line) {
        return Pattern.compile(
                Stream.of(line.split(ANYTHING, -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }
}
