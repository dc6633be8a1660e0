package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.clusterapi.ClusterApiBinaries;
import dev.flotilla.testkit.clusterapi.ClusterApiRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Campaigns write the versions of clusters, the real managers of Cluster API ask for the machines, and the campaigns admit them. */
@Tag("nightly")
@EnabledIf(value = ClusterApiBinaries.PRESENT, disabledReason = ClusterApiBinaries.MISSING)
class ClusterApiCampaignIT {
    private static final int CONTROL_PLANES = 3;
    private static final int WORKERS = 1;
    private static final int CAP = 6;
    private static final Duration LONG_ENOUGH_FOR_ALL = Duration.ofMinutes(40);
    private static final Duration LONG_ENOUGH_TO_START = Duration.ofSeconds(45);

    @TempDir
    private static Path folder;

    private static InPlaceUpdateLab lab;

    @BeforeAll
    static void start() throws IOException {
        lab = new InPlaceUpdateLab(folder, ClusterApiRelease.NEWEST, "campaigns");
    }

    @AfterAll
    static void stop() throws IOException {
        lab.close();
    }

    private static void createClusters(int controlPlanes, String... clusters) throws IOException {
        lab.createClusters(controlPlanes, WORKERS, 0, clusters);
        lab.applyPolicy(2 * CAP, 1);
    }

    private static void apply(String campaign, String text, String... options) throws IOException {
        Path file = folder.resolve(campaign + ".yaml");
        Files.writeString(file, """
                apiVersion: flotilla.dev/v1
                kind: Campaign
                metadata: {name: %s}
                spec:
                  target: {option: version=%s}
                """.formatted(campaign, InPlaceUpdateLab.NEW) + text);
        List<String> command = new ArrayList<>(List.of("campaign", "apply", file.toString()));
        command.addAll(List.of(options));
        lab.flotilla(command.toArray(String[]::new));
    }

    private static boolean shows(String text, String... command) {
        try {
            return lab.flotilla(command).contains(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void twentyClustersInThreeWavesWaitForTheirCanary() throws IOException {
        String canary = "fleet-01";
        List<String> clusters =
                IntStream.rangeClosed(1, 20).mapToObj("fleet-%02d"::formatted).toList();
        createClusters(CONTROL_PLANES, clusters.toArray(String[]::new));
        Map<String, String> before = new TreeMap<>();
        clusters.forEach(cluster -> before.putAll(lab.view.uids(cluster)));
        clusters.forEach(cluster -> lab.edits.label(cluster, "ring", cluster.equals(canary) ? "canary" : "rest"));
        lab.failUpgradesOf(canary + "-workers");
        apply("waves", """
                  select: {clusters: {matchExpressions: [{key: ring, operator: In, values: [canary, rest]}]}}
                  caps: {inFlight: %d}
                  waves:
                    - {name: canary, clusters: {matchLabels: {ring: canary}}}
                    - {name: early, percent: 30}
                    - {name: rest}
                """.formatted(CAP));
        lab.await("the failure of the canary", () -> shows("1 failed", "campaign", "get", "waves"));
        lab.watchFor(LONG_ENOUGH_TO_START);
        for (String cluster : clusters) {
            if (!cluster.equals(canary)) {
                assertThat(lab.view.controlPlaneVersion(cluster)).isEqualTo(InPlaceUpdateLab.OLD);
                assertThat(lab.view.upgradesOf(cluster)).isEmpty();
            }
        }
        lab.failUpgradesOf(null);
        lab.flotilla("campaign", "retry", "waves", "--reason", "the canary is repaired");
        lab.await("the campaign", LONG_ENOUGH_FOR_ALL, () -> shows("completed", "campaign", "get", "waves"));
        clusters.forEach(cluster -> lab.awaitAt(cluster, InPlaceUpdateLab.NEW, CONTROL_PLANES + WORKERS));
        lab.transcript().forEach(System.out::println);
        Map<String, String> after = new TreeMap<>();
        clusters.forEach(cluster -> after.putAll(lab.view.uids(cluster)));
        assertThat(after).isEqualTo(before);
        assertThat(lab.nodesInChange().most()).isLessThanOrEqualTo(CAP);
        assertThat(lab.violations()).isEmpty();
        for (String cluster : clusters) {
            assertThat(lab.view.upgradesOf(cluster))
                    .allSatisfy((machine, upgrades) ->
                            assertThat(upgrades).isEqualTo(machine.startsWith(canary + "-workers") ? 2 : 1));
        }
    }

    @Test
    void aPauseHoldsMachinesThatClusterApiHasAskedFor() throws IOException {
        createClusters(CONTROL_PLANES, "paused");
        Map<String, String> before = lab.view.uids("paused");
        lab.edits.label("paused", "ring", "paused");
        apply("pausing", "  select: {clusters: {matchLabels: {ring: paused}}}\n");
        lab.await("the first machine", () -> !lab.view.upgradesOf("paused").isEmpty());
        lab.flotilla("campaign", "pause", "pausing", "--reason", "somebody looks at the first machine");
        lab.await("the end of what runs", () -> lab.nodesInChange().now().isEmpty());
        int ended = lab.view.upgradesOf("paused").size();
        lab.watchFor(LONG_ENOUGH_TO_START);
        assertThat(lab.view.upgradesOf("paused")).hasSize(ended);
        lab.flotilla("campaign", "resume", "pausing", "--reason", "it is as it should be");
        lab.awaitAt("paused", InPlaceUpdateLab.NEW, CONTROL_PLANES + WORKERS);
        assertThat(lab.view.uids("paused")).isEqualTo(before);
        assertThat(lab.view.upgradesOf("paused").values()).containsOnly(1);
        assertThat(lab.violations()).isEmpty();
    }

    /** GitOps writes the old version back while the campaign runs: it pauses, and what Cluster API has asked for waits with it. */
    @Test
    void aSecondWriterOfTheVersionPausesTheCampaign() throws IOException {
        createClusters(CONTROL_PLANES, "contested");
        lab.edits.label("contested", "ring", "contested");
        apply("contested", "  select: {clusters: {matchLabels: {ring: contested}}}\n");
        lab.await(
                "the campaign's version",
                () -> lab.view.controlPlaneVersion("contested").equals(InPlaceUpdateLab.NEW));
        lab.edits.applyControlPlaneVersion("contested", InPlaceUpdateLab.OLD, "argocd-controller");
        lab.await("the pause", () -> shows("field manager argocd-controller", "campaign", "get", "contested"));
        lab.await("the end of what runs", () -> lab.nodesInChange().now().isEmpty());
        int ended = lab.view.upgradesOf("contested").size();
        lab.watchFor(LONG_ENOUGH_TO_START);
        assertThat(lab.view.upgradesOf("contested")).hasSize(ended);
        lab.flotilla("campaign", "resume", "contested", "--reason", "GitOps ignores the field now");
        lab.awaitAt("contested", InPlaceUpdateLab.NEW, CONTROL_PLANES + WORKERS);
        assertThat(lab.violations()).isEmpty();
    }

    /** Cluster API would replace the only member, so the campaign leaves the cluster alone and says why. */
    @Test
    void aClusterWhoseMachinesWouldBeReplacedIsNotOpened() throws IOException {
        createClusters(1, "single");
        Map<String, String> before = lab.view.uids("single");
        lab.edits.label("single", "ring", "single");
        apply("refused", "  select: {clusters: {matchLabels: {ring: single}}}\n", "--force");
        String machine = before.keySet().iterator().next();
        lab.await(
                "the reason",
                () -> shows(
                        "Cluster API would replace machines of control plane",
                        "machine",
                        "explain",
                        "local/default/" + machine));
        lab.watchFor(LONG_ENOUGH_TO_START);
        assertThat(lab.view.controlPlaneVersion("single")).isEqualTo(InPlaceUpdateLab.OLD);
        assertThat(lab.view.uids("single")).isEqualTo(before);
    }
}
