package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.stub.FakeOrchestrator;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.managementwatcher.stub.WatchedTestSite;
import dev.flotilla.managementwatcher.stub.WatcherTestBed;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What a watcher writes back to a real API server, with exactly its role; the test writes the orchestrator's rows. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class StatusAnnotationsIT {
    private static final String UPGRADE_TO_KEY = ManagementTestBed.KEYS + "to";
    private static final String RELEASE_KEY = ManagementTestBed.KEYS + "release";
    private static final String STATUS_KEY = ManagementTestBed.KEYS + "status";
    private static final String DEFAULT_RELEASE = "flotilla.dev/default-release";
    private static final String K8SD = ", labels: {flotilla.dev/provider: k8sd}";
    private static final UpgradeTarget SEVEN = new UpgradeTarget.Revision("7");

    private static WatcherTestBed watched;
    private static ManagementTestBed bed;

    @BeforeAll
    static void start() throws Exception {
        watched = WatcherTestBed.start();
        bed = watched.bed();
    }

    @AfterAll
    static void stop() {
        watched.close();
    }

    @Test
    void reappliedAnnotationStartsNothingAndNamesItsWriter() throws Exception {
        bed.cluster("back");
        bed.applyMachine("back-w", "back");
        try (WatchedTestSite site = watched.site("back")) {
            site.startWatcher("a");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            MachineKey machine = site.machine("back-w");
            bed.applyAnnotation("back-w", UPGRADE_TO_KEY, "revision=7", "argocd");
            UpgradeIntent intent = orchestrator.awaitIntent(machine);
            orchestrator.runUpgrade(machine, FakeOrchestrator.rolloutRefOf(intent), SEVEN);
            site.await("the end", () -> "done".equals(bed.readUpgradeAnnotation("back-w", "status")));
            assertThat(bed.readUpgradeAnnotation("back-w", "to")).isNull();
            site.await("no intent", () -> site.readIntent(machine) == null);
            bed.applyAnnotation("back-w", UPGRADE_TO_KEY, "revision=7", "argocd");
            site.await(
                    "its Event",
                    () -> readEvents("back-w", "InPlaceUpgradeReapplied").size() == 1);
            assertThat(readEvents("back-w", "InPlaceUpgradeReapplied").getFirst())
                    .startsWith("Warning")
                    .contains("\"revision=7\" was reapplied by argocd");
            assertThat(bed.readUpgradeAnnotation("back-w", "to")).isEqualTo("revision=7");
            assertThat(site.readIntent(machine)).isNull();
            bed.setUpgradeTo("back-w", "revision=8");
            assertThat(orchestrator.awaitIntent(machine).target()).isEqualTo(new UpgradeTarget.Revision("8"));
            assertThat(readEvents("back-w", "InPlaceUpgradeReapplied")).hasSize(1);
        }
    }

    @Test
    void removingTheAnnotationCancels() throws Exception {
        bed.cluster("cancel");
        bed.applyMachine("cancel-w", "cancel");
        try (WatchedTestSite site = watched.site("cancel")) {
            site.startWatcher("a");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            bed.setUpgradeTo("cancel-w", "revision=7");
            UpgradeIntent first = orchestrator.awaitIntent(site.machine("cancel-w"));
            bed.setUpgradeTo("cancel-w", null);
            site.await("its end", () -> site.readIntent(site.machine("cancel-w")) == null);
            bed.setUpgradeTo("cancel-w", "revision=7");
            assertThat(orchestrator.awaitIntent(site.machine("cancel-w")).requestedAt())
                    .isAfter(first.requestedAt());
        }
    }

    @Test
    void conditionIsWrittenBesideOthersAndOnlyOnObjectsWithARequest() throws Exception {
        bed.cluster("cond");
        bed.applyMachine("cond-w", "cond");
        bed.applyMachine("cond-other", "cond");
        try (WatchedTestSite site = watched.site("cond")) {
            site.startWatcher("a");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            MachineKey machine = site.machine("cond-w");
            bed.setUpgradeTo("cond-w", "revision=7");
            RolloutRef rolloutRef = FakeOrchestrator.rolloutRefOf(orchestrator.awaitIntent(machine));
            orchestrator.admitAttempt(machine, rolloutRef, SEVEN);
            orchestrator.reportRefreshing(machine, rolloutRef, SEVEN, "42");
            site.await("the start", () -> readCondition("machines", "cond-w").equals("False InPlaceUpgradeInProgress"));
            orchestrator.reportFailure(machine, rolloutRef, "the snap is broken");
            site.await("the failure", () -> readCondition("machines", "cond-w").equals("False InPlaceUpgradeFailed"));
            assertThat(Objects.requireNonNull(
                                    bed.readObject("machines", "cond-w").condition("InPlaceUpgradeStatus"))
                            .text("message"))
                    .endsWith("with revision=7: refresh-error: the snap is broken");
            orchestrator.admitAttempt(machine, rolloutRef, SEVEN);
            orchestrator.reportRefreshing(machine, rolloutRef, SEVEN, "43");
            site.await("the second start", () -> "43".equals(bed.readUpgradeAnnotation("cond-w", "change-id")));
            orchestrator.reportSuccess(machine, rolloutRef);
            site.await("the end", () -> readCondition("machines", "cond-w").equals("True InPlaceUpgradeDone"));
            RolloutRef campaign = new RolloutRef.CampaignRef(new CampaignName("c"), 3);
            orchestrator.runUpgrade(site.machine("cond-other"), campaign, SEVEN);
            site.await(
                    "the end for a campaign", () -> "done".equals(bed.readUpgradeAnnotation("cond-other", "status")));
            assertThat(readCondition("machines", "cond-other")).isEqualTo("none");
            for (String each : List.of("cond-w", "cond-other")) {
                assertThat(bed.readObject("machines", each).isCondition("NodeReady", "True"))
                        .isTrue();
            }
            assertThat(site.failedWrites).isEmpty();
            // Two annotation patches for a failure and two for a success; a condition may be written late.
            assertThat(readPatches("cond-w"))
                    .filteredOn(line -> !line.contains("cond-w/status"))
                    .hasSize(4);
            assertThat(readPatches("cond-w")).hasSizeLessThanOrEqualTo(8);
            bed.setUpgradeTo("cond-w", "revision=8");
            site.await(
                    "the condition of the next request",
                    () -> readCondition("machines", "cond-w").equals("False InPlaceUpgradeRequested"));
        }
    }

    @Test
    void rejectsAnInvalidTargetAndAMachinePoolWithTheAlternative() throws Exception {
        bed.cluster("bad");
        bed.applyMachine("bad-w", "bad");
        bed.applyOwner("machinepools", "bad-pool", "bad", 3, "");
        try (WatchedTestSite site = watched.site("bad")) {
            site.startWatcher("a");
            bed.setUpgradeTo("bad-w", "latest");
            bed.annotate("machinepools", "bad-pool", UPGRADE_TO_KEY, "revision=7");
            site.await("the rejection", () -> "failed".equals(bed.readUpgradeAnnotation("bad-w", "status")));
            site.await(
                    "the pool's rejection",
                    () -> "failed".equals(bed.readAnnotation("machinepools", "bad-pool", STATUS_KEY)));
            site.await("its condition", () -> readCondition("machines", "bad-w").equals("False InPlaceUpgradeFailed"));
            site.await(
                    "Events",
                    () -> !readEvents("bad-pool", "InPlaceUpgradeFailed").isEmpty());
            assertThat(readEvents("bad-w", "InPlaceUpgradeFailed").getFirst())
                    .contains(
                            "latest",
                            "must be channel=<channel>, revision=<revision>, localPath=<absolute path>, version=");
            assertThat(readEvents("bad-pool", "InPlaceUpgradeFailed").getFirst())
                    .contains("cannot be used on a MachinePool", "annotate a MachineDeployment");
            assertThat(bed.readUpgradeAnnotation("bad-w", "to")).isEqualTo("latest");
            assertThat(site.readIntent(site.machine("bad-w"))).isNull();
            bed.setUpgradeTo("bad-w", "revision=7");
            assertThat(new FakeOrchestrator(site)
                            .awaitIntent(site.machine("bad-w"))
                            .target())
                    .isEqualTo(SEVEN);
        }
    }

    @Test
    void rejectsALocalPathUntilAPolicyAllowsIt() throws Exception {
        bed.cluster("path");
        bed.applyMachine("path-w", "path", K8SD);
        bed.applyOwner("machinedeployments", "path-pool", "path", 1, "");
        try (WatchedTestSite site = watched.site("path")) {
            site.startWatcher("a");
            bed.setUpgradeTo("path-w", "localPath=/opt/snaps/k8s.snap");
            bed.annotate("machinedeployments", "path-pool", UPGRADE_TO_KEY, "localPath=/opt/snaps/k8s.snap");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            UpgradeIntent intent = orchestrator.awaitIntent(site.machine("path-w"));
            site.write(SiteStatus.of(site.id));
            site.await("the rejection", () -> "failed".equals(bed.readUpgradeAnnotation("path-w", "status")));
            site.await(
                    "the owner's",
                    () -> "failed".equals(bed.readAnnotation("machinedeployments", "path-pool", STATUS_KEY)));
            site.await(
                    "its condition", () -> readCondition("machines", "path-w").equals("False InPlaceUpgradeFailed"));
            for (String rejected : List.of("path-w", "path-pool")) {
                site.await(
                        "Events",
                        () -> !readEvents(rejected, "InPlaceUpgradeFailed").isEmpty());
                assertThat(readEvents(rejected, "InPlaceUpgradeFailed").getFirst())
                        .contains("localPath=/opt/snaps/k8s.snap", "intents.localPaths: none");
            }
            // The orchestrator starts it once a policy allows the directory, so the intent stays.
            assertThat(site.readIntent(site.machine("path-w"))).isEqualTo(intent);
            site.write(SiteStatus.of(site.id)
                    .withRules(new SiteAnnotationRules(List.of("/opt/snaps"), List.of(), List.of())));
            orchestrator.runUpgrade(site.machine("path-w"), FakeOrchestrator.rolloutRefOf(intent), intent.target());
            site.await("the end", () -> "done".equals(bed.readUpgradeAnnotation("path-w", "status")));
            assertThat(readEvents("path-w", "InPlaceUpgradeFailed")).hasSize(1);
        }
    }

    @Test
    void waitingIntentShowsItsReasonUntilItStarts() throws Exception {
        bed.cluster("frozen");
        bed.applyMachine("frozen-w", "frozen", K8SD);
        try (WatchedTestSite site = watched.site("frozen")) {
            site.startWatcher("a");
            bed.setUpgradeTo("frozen-w", "revision=7");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            UpgradeIntent intent = orchestrator.awaitIntent(site.machine("frozen-w"));
            site.write(SiteStatus.of(site.id)
                    .with(SiteAnnotationRules.NONE, "freeze: The fleet is frozen by the order of ann: smoke"));
            site.await(
                    "its condition", () -> readCondition("machines", "frozen-w").equals("False InPlaceUpgradeBlocked"));
            site.await(
                    "the Event",
                    () -> !readEvents("frozen-w", "InPlaceUpgradeBlocked").isEmpty());
            assertThat(readEvents("frozen-w", "InPlaceUpgradeBlocked"))
                    .containsExactly("Normal InPlaceUpgradeBlocked Waiting to perform in place upgrade with revision=7:"
                            + " freeze: The fleet is frozen by the order of ann: smoke");
            site.write(SiteStatus.of(site.id));
            site.await(
                    "that the condition is removed",
                    () -> readCondition("machines", "frozen-w").equals("none"));
            orchestrator.runUpgrade(site.machine("frozen-w"), FakeOrchestrator.rolloutRefOf(intent), intent.target());
            site.await("the end", () -> "done".equals(bed.readUpgradeAnnotation("frozen-w", "status")));
        }
    }

    @Test
    void ownerHasAReleaseWhileAllItsMachinesHaveItAndJoinersAreUpgraded() throws Exception {
        bed.cluster("own");
        bed.applyOwner("machinedeployments", "pool", "own", 2, "");
        for (String each : List.of("own-w-0", "own-w-1")) {
            bed.applyMachine(each, "own", ", labels: {cluster.x-k8s.io/deployment-name: pool}");
        }
        try (WatchedTestSite site = watched.site("own")) {
            site.startWatcher("a");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            OwnerKey owner = new OwnerKey(site.id, OwnerKind.MACHINE_DEPLOYMENT, "default", "pool");
            bed.annotate("machinedeployments", "pool", UPGRADE_TO_KEY, "revision=7");
            UpgradeIntent intent = orchestrator.awaitIntent(owner);
            RolloutRef rolloutRef = FakeOrchestrator.rolloutRefOf(intent);
            orchestrator.writeIntentStatus(intent, IntentStatus.IntentState.IN_PROGRESS, site.machine("own-w-0"), 2, 0);
            site.await("the start", () -> "in-progress".equals(readOwnerAnnotation(STATUS_KEY)));
            orchestrator.runUpgrade(site.machine("own-w-0"), rolloutRef, SEVEN);
            site.await("the first", () -> "revision=7".equals(bed.readUpgradeAnnotation("own-w-0", "release")));
            assertThat(readOwnerAnnotation(RELEASE_KEY)).isNull();
            orchestrator.runUpgrade(site.machine("own-w-1"), rolloutRef, SEVEN);
            orchestrator.writeIntentStatus(intent, IntentStatus.IntentState.DONE, null, 2, 2);
            site.await(
                    "the end",
                    () -> "done".equals(readOwnerAnnotation(STATUS_KEY))
                            && "revision=7".equals(readOwnerAnnotation(RELEASE_KEY)));
            assertThat(readOwnerAnnotation(UPGRADE_TO_KEY)).isNull();
            assertThat(readOwnerAnnotation(DEFAULT_RELEASE)).isEqualTo("revision=7");
            assertThat(readEvents("pool", "InPlaceUpgrade"))
                    .contains(
                            "Normal InPlaceUpgradeInProgress In-place upgrade is in-progress for \"own-w-0\"",
                            "Normal InPlaceUpgradeDone In-place upgrade is done");

            bed.applyMachine("own-w-2", "own", ", labels: {cluster.x-k8s.io/deployment-name: pool}");
            MachineKey joiner = site.machine("own-w-2");
            UpgradeIntent joinerIntent = orchestrator.awaitIntent(joiner);
            assertThat(joinerIntent.target()).isEqualTo(SEVEN);
            site.await("that the owner's release is removed", () -> readOwnerAnnotation(RELEASE_KEY) == null);
            assertThat(readOwnerAnnotation(DEFAULT_RELEASE)).isEqualTo("revision=7");
            orchestrator.runUpgrade(joiner, FakeOrchestrator.rolloutRefOf(joinerIntent), SEVEN);
            site.await("all again", () -> "revision=7".equals(readOwnerAnnotation(RELEASE_KEY)));
            site.await("no intent", () -> site.readIntent(joiner) == null);

            RolloutRef campaign = new RolloutRef.CampaignRef(new CampaignName("c"), 3);
            UpgradeTarget eight = new UpgradeTarget.Revision("8");
            orchestrator.admitAttempt(site.machine("own-w-0"), campaign, eight);
            site.await(
                    "that the release is removed before the start",
                    () -> readOwnerAnnotation(RELEASE_KEY) == null && readOwnerAnnotation(DEFAULT_RELEASE) == null);
            assertThat(bed.readUpgradeAnnotation("own-w-0", "release")).isEqualTo("revision=7");
            assertThat(site.failedWrites).isEmpty();
        }
    }

    /**
     * The watcher writes neither a template, whose metadata all machines would get at once, nor a version, which would
     * replace them.
     */
    @Test
    void writesNothingButItsOwnAnnotations() throws Exception {
        String mine = ", annotations: {example.org/mine: kept}, finalizers: [example.org/hold]";
        bed.cluster("own-keys");
        bed.applyOwner("machinedeployments", "keys", "own-keys", 1, mine + ", labels: {example.org/team: a}");
        bed.applyMachine(
                "keys-w", "own-keys", mine + ", labels: {cluster.x-k8s.io/deployment-name: keys, example.org/team: a}");
        List<String> before =
                List.of(readForeignContent("machinedeployments", "keys"), readForeignContent("machines", "keys-w"));
        try (WatchedTestSite site = watched.site("keys")) {
            site.startWatcher("a");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            bed.annotate("machinedeployments", "keys", UPGRADE_TO_KEY, "revision=7");
            UpgradeIntent intent =
                    orchestrator.awaitIntent(new OwnerKey(site.id, OwnerKind.MACHINE_DEPLOYMENT, "default", "keys"));
            orchestrator.writeIntentStatus(intent, IntentStatus.IntentState.IN_PROGRESS, site.machine("keys-w"), 1, 0);
            orchestrator.runUpgrade(site.machine("keys-w"), FakeOrchestrator.rolloutRefOf(intent), SEVEN);
            orchestrator.writeIntentStatus(intent, IntentStatus.IntentState.DONE, null, 1, 1);
            site.await(
                    "the end",
                    () -> "revision=7".equals(bed.readAnnotation("machinedeployments", "keys", RELEASE_KEY)));
        }
        assertThat(List.of(readForeignContent("machinedeployments", "keys"), readForeignContent("machines", "keys-w")))
                .isEqualTo(before);
        for (KubeObject each :
                List.of(bed.readObject("machinedeployments", "keys"), bed.readObject("machines", "keys-w"))) {
            List<String> ours = each.object("metadata").list("managedFields").stream()
                    .filter(entry -> "flotilla-management-watcher".equals(entry.text("manager")))
                    .filter(entry -> !"status".equals(entry.text("subresource")))
                    .map(entry -> KubeObject.toJsonText(entry.object("fieldsV1").json()))
                    .toList();
            assertThat(ours)
                    .hasSize(1)
                    .allSatisfy(
                            fields -> assertThat(fields)
                                    .matches(
                                            "\\{\"f:metadata\":\\{\"f:annotations\":\\{"
                                                    + "(\"f:(v1beta2\\.k8sd\\.io/in-place-upgrade-|flotilla\\.dev/)[a-z-]+\":\\{},?)+}}}"));
        }
    }

    /** The generation is included: it grows with every change of the spec. */
    private static String readForeignContent(String plural, String name) {
        KubeObject object = bed.readObject(plural, name);
        KubeObject metadata = object.object("metadata");
        return String.join(
                " ",
                KubeObject.toJsonText(object.object("spec").json()),
                String.valueOf(metadata.number("generation")),
                KubeObject.toJsonText(metadata.object("labels").json()),
                String.valueOf(metadata.texts("finalizers")),
                String.valueOf(object.annotation("example.org/mine")));
    }

    private static @Nullable String readOwnerAnnotation(String key) {
        return bed.readAnnotation("machinedeployments", "pool", key);
    }

    private static List<String> readEvents(String object, String reason) {
        return bed.readEvents(object).stream()
                .filter(each -> each.contains(reason))
                .toList();
    }

    private static String readCondition(String plural, String name) {
        KubeObject condition = bed.readObject(plural, name).condition("InPlaceUpgradeStatus");
        return condition == null ? "none" : condition.text("status") + " " + condition.text("reason");
    }

    private static List<String> readPatches(String object) throws Exception {
        return Files.readAllLines(bed.cluster.auditLog()).stream()
                .filter(line -> line.contains("\"" + ManagementTestBed.WATCHER + "\"")
                        && line.contains("\"verb\":\"patch\"")
                        && line.contains("/" + object))
                .toList();
    }
}
