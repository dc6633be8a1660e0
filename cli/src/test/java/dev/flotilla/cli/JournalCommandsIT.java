package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.orchestrator.chapter.JournalChapterPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Journal commands: list chapters, verify, explain the past, export, replay and trim. */
class JournalCommandsIT {
    private static final JournalChapterPolicy SHORT =
            new JournalChapterPolicy(Duration.ofDays(1), 3_000, Duration.ofSeconds(1));
    private static final Pattern CHAPTER = Pattern.compile("\"seq\":([0-9]+)");
    private static final Pattern DECIDED = Pattern.compile("\"decidedAt\":\"([^\"]+)\"");
    private static final int CHAPTERS = 4;

    @TempDir
    Path folder;

    @Test
    void explainsThePastFromOneChapterAndTrimsOldOnes() throws Exception {
        try (KafkaFleetFixture fleet = new KafkaFleetFixture()) {
            fleet.run("site add east");
            fleet.startOrchestrator(SHORT);
            fleet.publishInventory("east", 4);
            Path policy = Files.writeString(folder.resolve("policy.yaml"), """
                    apiVersion: flotilla.dev/v1
                    kind: Policy
                    metadata: {name: fleet}
                    spec: {caps: {inFlight: 1}, freeze: {frozen: true, reason: storm}}
                    """);
            Path campaign = Files.writeString(folder.resolve("campaign.yaml"), """
                    apiVersion: flotilla.dev/v1
                    kind: Campaign
                    metadata: {name: spring}
                    spec: {target: {option: channel=1.33-classic/stable}, select: {}}
                    """);
            fleet.until("machine list", cliResult -> cliResult.out().contains("k1-w-3"));
            assertThat(fleet.run("policy apply --wait 30 " + policy).exit()).isZero();
            assertThat(fleet.run("campaign apply --wait 30 " + campaign).exit()).isZero();
            String frozen = decided(fleet);
            assertThat(gate(fleet, "")).contains("\"gate\":\"freeze\"");
            Files.writeString(policy, Files.readString(policy).replace("frozen: true, reason: storm", "frozen: false"));
            assertThat(fleet.run("policy apply --wait 30 " + policy).exit()).isZero();
            for (int cap = 2; chapters(fleet) < CHAPTERS; cap++) {
                fleet.run("fleet caps --wait 30 --in-flight " + cap);
            }

            CliResult verified = fleet.run("journal verify");
            assertThat(verified.exit()).as(verified.all()).isZero();
            assertThat(verified.out()).contains("the chain is intact").contains("same");
            assertThat(fleet.run("journal verify -o json").json())
                    .contains("\"chain\":\"intact\"", "\"compared\":\"same\"", "\"from\":1,")
                    .doesNotContain("\"compared\":\"different\"");
            exported(fleet);
            replayed(fleet);
            assertThat(gate(fleet, "")).doesNotContain("\"gate\":\"freeze\"");
            assertThat(gate(fleet, " --at " + frozen)).contains("\"gate\":\"freeze\"", "storm");
            assertThat(fleet.run("machine explain east/fleet/k1-w-0 --at 2999-01-01T00:00:00Z")
                            .exit())
                    .isEqualTo(ExitCode.NO);

            assertThat(fleet.run("journal trim").out()).contains("nothing to delete");
            assertThat(fleet.run("journal trim --dry-run --older-than 0s").out())
                    .contains("would delete all records before ");
            assertThat(gate(fleet, " --at " + frozen)).contains("freeze");
            assertThat(fleet.run("journal trim --older-than 0s").out()).contains("deleted all records before");
            CliResult trimmed = fleet.run("machine explain east/fleet/k1-w-0 --at " + frozen);
            assertThat(trimmed.exit()).isEqualTo(ExitCode.NO);
            assertThat(trimmed.err()).contains("does not reach back");
            CliResult left = fleet.run("journal verify");
            assertThat(left.exit()).as(left.all()).isZero();
            assertThat(left.out()).contains("are not verified").contains("first");
            assertThat(gate(fleet, " --at " + decided(fleet))).contains("\"state\"");
            assertThat(fleet.run("journal trim --older-than long").exit()).isEqualTo(ExitCode.USAGE);
        }
    }

    private void exported(KafkaFleetFixture fleet) throws IOException {
        Path file = folder.resolve("journal.jsonl");
        CliResult all = fleet.run("journal export --file " + file);
        assertThat(all.exit()).as(all.all()).isZero();
        List<String> lines = Files.readAllLines(file);
        assertThat(all.err()).contains(lines.size() + " records, seq 1 to ");
        assertThat(lines).first().asString().startsWith("{").contains("\"seq\":1,");
        assertThat(lines).allMatch(line -> line.contains("\"previousHash\":"));
        CliResult some = fleet.run("journal export --since 2 --until 4");
        assertThat(some.exit()).isZero();
        assertThat(some.out().lines()).containsExactlyElementsOf(lines.subList(1, 4));
        CliResult again = fleet.run("journal export --file " + file);
        assertThat(again.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(again.err()).contains(file.toString(), "exists already");
    }

    private void replayed(KafkaFleetFixture fleet) throws IOException {
        CliResult again = fleet.run("journal replay");
        assertThat(again.exit()).as(again.all()).isZero();
        assertThat(again.out()).contains(" decisions replayed, 0 different");
        Path frozen = Files.writeString(folder.resolve("frozen.yaml"), """
                apiVersion: flotilla.dev/v1
                kind: Policy
                metadata: {name: fleet}
                spec: {caps: {inFlight: 9}, freeze: {frozen: true, reason: shadow}}
                """);
        CliResult shadow = fleet.run("journal replay --policy " + frozen);
        assertThat(shadow.exit()).as(shadow.all()).isZero();
        assertThat(shadow.out())
                .contains(" started, but would have waited at freeze: ", "shadow")
                .contains(" would have waited, 0 machines would have started sooner");
        assertThat(fleet.run("journal replay -o json --policy " + frozen).json())
                .contains("\"would\":\"wait\"", "\"gate\":\"freeze\"");
        CliResult wrong = fleet.run("journal replay --policy " + folder.resolve("none.yaml"));
        assertThat(wrong.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(wrong.err()).contains("none.yaml");
    }

    private static String gate(KafkaFleetFixture fleet, String at) {
        CliResult cliResult = fleet.run("machine explain -o json east/fleet/k1-w-3" + at);
        assertThat(cliResult.exit()).as(cliResult.all()).isZero();
        return cliResult.json();
    }

    private static String decided(KafkaFleetFixture fleet) {
        String status = fleet.run("fleet status -o json").json();
        Matcher decided = DECIDED.matcher(status);
        assertThat(decided.find()).as(status).isTrue();
        return decided.group(1);
    }

    private static long chapters(KafkaFleetFixture fleet) {
        return CHAPTER.matcher(fleet.run("journal chapters -o json").json())
                .results()
                .count();
    }
}
