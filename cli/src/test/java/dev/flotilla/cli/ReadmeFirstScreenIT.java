package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Runs the commands of the README's first screen on a smaller fleet. Each shown and each printed line must match one of
 * the patterns, whatever its numbers, so that changed output must change README and patterns too.
 */
class ReadmeFirstScreenIT {
    private static final String PROMPT = "$ ./flotilla ";

    private static final List<Pattern> DEMO = forms(
            "",
            "Real: [a-z, ]+, each a process\\. Simulated: [a-z0-9, ]+, behind HTTPS; nodes work [0-9.]+ times faster than real ones\\.",
            "\\d+ machines in \\d+ clusters of \\d+ sites, to channel=\\S+: campaign k8s-1-33 is (running|completed)",
            "  (succeeded|quarantined|skipped|failed) +\\d+",
            "  waiting +\\d+  at [a-z-]+ \\d+(, [a-z-]+ \\d+)*",
            "  \\d+ of \\d+ machines with model \\S+ failed in this campaign, so no more of them start; other machines continue\\.",
            "  MACHINE +OUTCOME +GATE +REASON +CALLS",
            "  site-\\d+/fleet/k\\d+-(cp|w)-\\d+ +[a-z-]+ +[a-z-]+ +[a-z-]+ +\\d+",
            "  and \\d+ more; --json FILE names them all",
            "In flight at most \\d+ of \\d+ nodes\\. \\d+ refresh calls, at most \\d+ to one machine\\.",
            "Took [0-9.]+ s; no order of starts takes less than [0-9.]+ s: efficiency \\d\\.\\d\\d",
            "Invariants: \\d+ checks by the auditor, 0 violations");

    private static final List<Pattern> SEEDS = forms(
            "\\d+ seeds in [0-9.]+ s: [0-9,]+ events, [0-9,]+ attempts, [0-9,]+ crashes", "0 violations, 0 stuck");

    @Test
    void demoPrintsWhatTheReadmeShows() throws IOException {
        List<String> shown = shown("demo");

        CliResult cliResult = DemoRunOutput.run("--machines 15 --clusters 3 --sites 1 --speed 300");

        assertThat(cliResult.exit()).as(cliResult.all()).isZero();
        List<String> said = cliResult.out().lines().toList();
        assertAllMatch(DEMO, shown);
        assertAllMatch(DEMO, said);
        assertThat(forms(DEMO, said)).containsAll(List.of(1, 2, 3, 9, 10, 11));
        assertThat(forms(DEMO, shown)).containsAll(forms(DEMO, said));
    }

    @Test
    void simulatePrintsWhatTheReadmeShows() throws IOException {
        List<String> shown = shown("simulate --seeds 1-200");

        CliResult cliResult = CliResult.flotilla("simulate", "--seeds", "1-3");

        assertThat(cliResult.exit()).as(cliResult.all()).isZero();
        assertAllMatch(SEEDS, shown);
        assertAllMatch(SEEDS, cliResult.out().lines().toList());
        assertThat(forms(SEEDS, shown)).containsExactly(0, 1);
        assertThat(forms(SEEDS, cliResult.out().lines().toList())).containsExactly(0, 1);
    }

    private static List<Pattern> forms(String... patterns) {
        return Arrays.stream(patterns).map(Pattern::compile).toList();
    }

    private static void assertAllMatch(List<Pattern> forms, List<String> lines) {
        assertThat(lines)
                .isNotEmpty()
                .allMatch(line ->
                        forms.stream().anyMatch(form -> form.matcher(line).matches()));
    }

    /** Finds the patterns that these lines match, in order, each once. */
    private static List<Integer> forms(List<Pattern> forms, List<String> lines) {
        List<Integer> found = new ArrayList<>();
        for (String line : lines) {
            for (int i = 0; i < forms.size(); i++) {
                if (forms.get(i).matcher(line).matches() && !found.contains(i)) {
                    found.add(i);
                }
            }
        }
        return found;
    }

    /** Reads the output that the README shows for a command. */
    private static List<String> shown(String command) throws IOException {
        List<String> lines = Files.readAllLines(CliResult.ROOT.resolve("README.md"));
        int begin = lines.indexOf(PROMPT + command);
        assertThat(begin).as("README.md shows " + command).isPositive();
        List<String> block = new ArrayList<>();
        for (String line : lines.subList(begin + 1, lines.size())) {
            if (line.startsWith("```") || line.startsWith("$")) {
                break;
            }
            block.add(line);
        }
        return block;
    }
}
