package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs every command of docs/recover.md, in the order of the page, with another orchestrator from its second part on. */
class RecoverPageIT {
    private static final String PAGE = "docs/recover.md";
    private static final String PROGRAM = "flotilla ";

    /** The first command after the loss of the orchestrator's cluster. */
    private static final String AFTER_THE_LOSS = "fleet status";

    /** A word, or several in single quotes. */
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    @TempDir
    static Path folder;

    private static KafkaFleetFixture fleet;

    @BeforeAll
    static void startFleet() throws IOException {
        fleet = new KafkaFleetFixture();
        fleet.run("site add east");
        fleet.startOrchestrator();
        fleet.run("policy apply " + CliResult.path("examples/policies/fleet.yaml"));
        fleet.publishInventory("east", 4);
        fleet.until("machine list", listed -> listed.out().contains("k1-w-3"));
        Path file = Files.writeString(folder.resolve("campaign.yaml"), """
                apiVersion: flotilla.dev/v1
                kind: Campaign
                metadata: {name: k8s-1-33}
                spec:
                  target: {option: 'channel=1.33-classic/stable'}
                  select: {}
                  waves: [{name: all}]
                """);
        CliResult applied = fleet.run("campaign apply " + file);
        assertThat(applied.exit()).as(applied.all()).isZero();
    }

    @AfterAll
    static void stop() {
        fleet.close();
    }

    @Test
    void everyCommandOfThePageRuns() throws IOException {
        List<PageStep> steps = PageStep.readAll(PAGE);
        assertThat(steps).hasSizeGreaterThan(10);
        String campaigns = fleet.run("campaign list").out();
        for (PageStep step : steps) {
            assertThat(step.command()).startsWith(PROGRAM);
            String command = step.command().substring(PROGRAM.length());
            if (command.equals(AFTER_THE_LOSS)) {
                fleet.replaceOrchestrator();
                fleet.until("fleet status -o json", status -> status.json().contains("\"term\":2"));
            }
            if (command.startsWith("site write-off")) {
                fleet.until("site list", listed -> listed.out().contains("silent"));
            }
            CliResult said = CliResult.flotilla(arguments(command));
            assertThat(said.exit()).as("%s: %s", command, said.all()).isZero();
        }
        assertThat(campaigns).contains("k8s-1-33");
        assertThat(fleet.run("campaign list").out()).contains("k8s-1-33");
        assertThat(folder.resolve("journal.jsonl")).isNotEmptyFile();
    }

    private static String[] arguments(String command) {
        List<String> words = new ArrayList<>();
        WORD.matcher(command)
                .results()
                .forEach(found -> words.add(found.group(1) == null ? found.group(2) : found.group(1)));
        words.replaceAll(
                word -> word.equals("journal.jsonl") ? folder.resolve(word).toString() : word);
        words.addAll(List.of("--bootstrap", fleet.bootstrap()));
        return words.toArray(new String[0]);
    }
}
