package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.topic.TablePartition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code flotilla upgrade check} on journals that this version wrote, and that versions with other rules wrote. */
class UpgradeCheckIT {
    private static final int MACHINES = 4;

    @TempDir
    Path folder;

    @Test
    void findsNothingInAJournalOfThisVersion() throws IOException {
        try (KafkaFleetFixture fleet = new KafkaFleetFixture()) {
            fleet.run("site add east");
            assertThat(fleet.run("upgrade check").exit())
                    .as("before the first leader")
                    .isZero();
            fleet.startOrchestrator();
            upgradeOneAtATime(fleet);
            awaitStart(fleet, "k1-w-0");
            CliResult checked = fleet.run("upgrade check");
            assertThat(checked.exit()).as(checked.all()).isZero();
            assertThat(checked.out()).contains(" decisions since ", ": 0 would differ with flotilla ");
            assertThat(fleet.run("upgrade check -o json").json())
                    .contains("\"differences\":0", "\"refusals\":[]", "\"listed\":[]")
                    .doesNotContain("\"decisions\":0,");
            assertThat(fleet.run("upgrade check --since 0s").out()).contains("no decision since ");
            assertThat(fleet.run("upgrade check --since soon").exit()).isEqualTo(ExitCode.USAGE);
            assertThat(fleet.run("upgrade check --limit -1").exit()).isEqualTo(ExitCode.USAGE);
        }
    }

    /** The earlier version did not obey the cap: each start above it is one difference, and nothing that follows. */
    @Test
    void listsEachDecisionThatThisVersionWouldNotMake() throws IOException {
        try (KafkaFleetFixture fleet = new KafkaFleetFixture()) {
            fleet.run("site add east");
            fleet.startOrchestrator(GateChain.standard().with(GateLabel.FLEET_CAP, UpgradeCheckIT::opened));
            upgradeOneAtATime(fleet);
            awaitStart(fleet, "k1-w-3");
            fleet.stopOrchestrators();
            CliResult checked = fleet.run("upgrade check");
            assertThat(checked.exit()).as(checked.all()).isEqualTo(ExitCode.NO);
            assertThat(lines(checked, " seq "))
                    .hasSize(MACHINES - 1)
                    .allSatisfy(line -> assertThat(line)
                            .contains(" offset ", ": attempt-admitted east/fleet/k1-w-", " of campaign spring"));
            assertThat(lines(checked, "  now: ")).containsOnly("  now: this version decides nothing");
            assertThat(checked.out()).contains(": 3 would differ with flotilla ", "(3 not-decided)");
            assertThat(fleet.run("upgrade check --accept-differences").exit()).isZero();
            CliResult one = fleet.run("upgrade check --limit 1");
            assertThat(lines(one, " seq ")).hasSize(1);
            assertThat(one.out()).contains("and 2 more differences");
            assertThat(fleet.run("upgrade check -o json").json())
                    .contains("\"differencesByKind\":{\"not-decided\":3}", "\"event\":\"attempt-admitted\"");
        }
    }

    @Test
    void namesWhatThisVersionCannotRead() throws IOException {
        try (KafkaFleetFixture fleet = new KafkaFleetFixture()) {
            fleet.run("site add east");
            fleet.startOrchestrator();
            upgradeOneAtATime(fleet);
            awaitStart(fleet, "k1-w-0");
            fleet.stopOrchestrators();
            fleet.writeRecord(
                    TablePartition.of(Table.JOURNAL),
                    record("flotilla.journal", null, new WireHeaders("journal-record", "2", "900")));
            fleet.writeRecord(
                    TablePartition.of(Table.CAMPAIGN_STATUS),
                    record("flotilla.campaign-status", "later", new WireHeaders("campaign-status", "2", null)));
            CliResult checked = fleet.run("upgrade check --accept-differences");
            assertThat(checked.exit()).as(checked.all()).isEqualTo(ExitCode.NO);
            assertThat(checked.err()).contains("row later of ", " is left out: ");
            assertThat(checked.out())
                    .contains("the journal's record at offset ", "schemaVersion: \"2\" is newer than 1")
                    .contains("row later of ", "it would not lead this fleet")
                    .contains(": 0 would differ");
            fleet.write(List.of(new FleetHead(9, 9, Instant.EPOCH, "", FleetHead.FEATURE_LEVEL + 1, true, List.of())));
            assertThat(fleet.run("upgrade check").out())
                    .contains("the tables are at feature level 2, and flotilla ", "reads up to level 1");
        }
    }

    private static Gate opened(Gate gate) {
        return new Gate(gate.label(), gate.level(), gate.leaseEffect(), candidate -> true, gate::explain);
    }

    private static WireRecord record(String topic, String key, WireHeaders headers) {
        return new WireRecord(topic, 0, key, "{}".getBytes(StandardCharsets.UTF_8), headers);
    }

    private void upgradeOneAtATime(KafkaFleetFixture fleet) throws IOException {
        fleet.publishInventory("east", MACHINES);
        fleet.until("machine list", cliResult -> cliResult.out().contains("k1-w-3"));
        Path policy = Files.writeString(folder.resolve("policy.yaml"), """
            apiVersion: flotilla.dev/v1
            kind: Policy
            metadata: {name: fleet}
            spec: {caps: {inFlight: 1}}
            """);
        assertThat(fleet.run("policy apply --wait 30 " + policy).exit()).isZero();
        assertThat(fleet.run("campaign apply --wait 30 " + campaign("spring")).exit())
                .isZero();
    }

    private Path campaign(String name) throws IOException {
        return Files.writeString(folder.resolve(name + ".yaml"), """
            apiVersion: flotilla.dev/v1
            kind: Campaign
            metadata: {name: %s}
            spec:
              target: {option: channel=1.33-classic/stable}
              select: {}
              cluster: {maxUnavailable: "100%%"}
            """.formatted(name));
    }

    private static void awaitStart(KafkaFleetFixture fleet, String machine) {
        fleet.until(
                "journal tail",
                cliResult -> lines(cliResult, "attempt-admitted").stream().anyMatch(line -> line.contains(machine)));
    }

    private static List<String> lines(CliResult cliResult, String part) {
        return cliResult.out().lines().filter(line -> line.contains(part)).toList();
    }
}
