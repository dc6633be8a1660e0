package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.RollingFleet.Version;
import dev.flotilla.testkit.process.ComponentClassPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Upgrades Flotilla itself, from an earlier commit to this build and back, in the order of VERSIONING.md, while a campaign
 * upgrades machines: no machine is upgraded twice, and nothing that the one version wrote stops the other.
 */
@Tag("nightly")
class RollingUpgradeIT {
    private static final int CLUSTERS = 6;
    private static final int MACHINES = 18;
    private static final Pattern WAVE = Pattern.compile("\"name\":\"([a-z]+)\",\"state\":\"([a-z]+)\"");
    private static final Pattern SEQ = Pattern.compile("\"seq\":([0-9]+)");

    @TempDir
    Path folder;

    @Test
    void campaignGoesOnWhileEachProcessIsReplacedByOneOfAnotherVersion() throws Exception {
        Version older = new Version(
                "the build of " + PredecessorBuild.COMMIT.substring(0, 8),
                PredecessorBuild.build(Files.createDirectory(folder.resolve("predecessor")))
                        .classPath());
        Version newer = new Version("this build", ComponentClassPaths.own());
        try (RollingFleet fleet =
                new RollingFleet(Files.createDirectory(folder.resolve("fleet")), CLUSTERS, MACHINES)) {
            fleet.run(older, "site", "add", "site-1");
            for (String process : List.of("orchestrator-a", "orchestrator-b", "auditor", "watcher", "worker")) {
                fleet.roll(process, older);
            }
            fleet.await("every machine is known", () -> machines(fleet) == MACHINES);
            fleet.run(older, "policy", "apply", policy().toString());
            fleet.run(older, "campaign", "apply", campaign().toString());
            fleet.await("the first call", () -> !fleet.acceptedCalls().isEmpty());

            assertThat(fleet.flotilla("upgrade", "check").exit())
                    .as("check before the upgrade")
                    .isZero();
            forward(fleet, newer);
            fleet.await("wave canary is done", () -> wave(fleet, "canary").equals("done"));
            fleet.run(newer, "campaign", "approve", "spring", "first", "--reason", "a test");
            fleet.await("wave first is done", () -> wave(fleet, "first").equals("done"));
            fleet.run(newer, "campaign", "approve", "spring", "third", "--reason", "a test");
            int called = fleet.acceptedCalls().size();
            fleet.await(
                    "the first call of wave third", () -> fleet.acceptedCalls().size() > called);

            back(fleet, older);
            fleet.await("wave third is done", () -> wave(fleet, "third").equals("done"));
            fleet.run(older, "campaign", "approve", "spring", "last", "--reason", "a test");
            fleet.await("the campaign is complete", () -> campaignJson(fleet).contains("\"state\":\"completed\""));
            fleet.note("the campaign is complete");

            assertThat(fleet.acceptedCalls())
                    .hasSize(MACHINES)
                    .allSatisfy((machine, calls) ->
                            assertThat(calls).as("calls of " + machine).isEqualTo(1));
            assertAudited(fleet, "the auditor of the older version");
            fleet.roll("auditor", newer);
            assertAudited(fleet, "the auditor of this version");
            assertClean(fleet, "journal", "verify");
            assertClean(fleet, "upgrade", "check");
            System.out.println("RollingUpgradeIT:\n" + String.join("\n", fleet.report()));
        }
    }

    /** Standby, leader and auditor first, then the sites. */
    private static void forward(RollingFleet fleet, Version version) throws IOException {
        fleet.note("upgrade begins");
        rollFleet(fleet, version);
        fleet.roll("watcher", version);
        fleet.roll("worker", version);
    }

    /** The sites first. */
    private static void back(RollingFleet fleet, Version version) throws IOException {
        fleet.note("rollback begins");
        fleet.roll("worker", version);
        fleet.roll("watcher", version);
        rollFleet(fleet, version);
    }

    private static void rollFleet(RollingFleet fleet, Version version) throws IOException {
        String leader = fleet.role("orchestrator-a").equals("leader") ? "orchestrator-a" : "orchestrator-b";
        fleet.roll("auditor", version);
        fleet.roll(leader.endsWith("a") ? "orchestrator-b" : "orchestrator-a", version);
        fleet.roll(leader, version);
        fleet.await(
                "there is a leader",
                () -> List.of("orchestrator-a", "orchestrator-b").stream()
                        .anyMatch(name -> fleet.role(name).equals("leader")));
    }

    private Path policy() throws IOException {
        return Files.writeString(folder.resolve("policy.yaml"), """
            apiVersion: flotilla.dev/v1
            kind: Policy
            metadata: {name: fleet}
            spec: {caps: {inFlight: 2}}
            """);
    }

    private Path campaign() throws IOException {
        return Files.writeString(folder.resolve("campaign.yaml"), """
            apiVersion: flotilla.dev/v1
            kind: Campaign
            metadata: {name: spring}
            spec:
              target: {option: channel=1.33-classic/stable}
              select: {}
              waves:
                - {name: canary, clusters: {matchLabels: {ring: canary}}}
                - {name: first, clusters: {matchLabels: {ring: first}}, approval: before}
                - {name: third, count: 3, approval: before}
                - {name: last, approval: before}
              cluster: {maxUnavailable: "50%"}
            """);
    }

    private static int machines(RollingFleet fleet) {
        return fleet.flotilla("machine", "list", "-o", "json").json().split("\"machine\":", -1).length - 1;
    }

    private static String campaignJson(RollingFleet fleet) {
        return fleet.flotilla("campaign", "get", "spring", "-o", "json").json();
    }

    private static String wave(RollingFleet fleet, String name) {
        Matcher waves = WAVE.matcher(campaignJson(fleet));
        while (waves.find()) {
            if (waves.group(1).equals(name)) {
                return waves.group(2);
            }
        }
        return "";
    }

    private static void assertAudited(RollingFleet fleet, String auditor) {
        Matcher newest =
                SEQ.matcher(fleet.flotilla("journal", "tail", "-o", "json").json());
        long seq = 0;
        while (newest.find()) {
            seq = Math.max(seq, Long.parseLong(newest.group(1)));
        }
        String report = String.valueOf(fleet.auditReport(seq).get("violations"));
        assertThat(report).as(auditor).doesNotContain("invariant");
        fleet.note(auditor + " has read up to " + seq + ": no violation");
    }

    private static void assertClean(RollingFleet fleet, String... command) {
        CliResult said = fleet.flotilla(command);
        assertThat(said.exit()).as(said.all()).isZero();
        fleet.note("flotilla " + String.join(" ", command) + ": "
                + said.out().lines().reduce("", (first, line) -> first.isEmpty() ? line : first));
    }
}
