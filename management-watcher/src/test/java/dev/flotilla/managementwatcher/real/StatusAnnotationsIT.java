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

/** What a watcher writes back onto a real API server, under exactly its role; the orchestrator is played by hand. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class StatusAnnotationsIT {
    private static final String TO = ManagementTestBed.KEYS + "to";
    private static final String RELEASE = ManagementTestBed.KEYS + "release";
    private static final String STATUS = ManagementTestBed.KEYS + "status";
    private static final String STANDING = "flotilla.dev/standing-release";
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
    void aFulfilledWishThatIsPutBackAtOnceStartsNothingAndNamesTheWriter() throws Exception {
        bed.cluster("back");
        bed.machine("back-w", "back");
        try (WatchedTestSite site = watched.site("back")) {
            site.watch("a");
            FakeOrchestrator brain = new FakeOrchestrator(site);
            MachineKey machine = site.machine("back-w");
            bed.applied("back-w", TO, "revision=7", "argocd");
            UpgradeIntent intent = brain.intent(machine);
            brain.upgrades(machine, FakeOrchestrator.driver(intent), SEVEN);
            site.await("the end", () -> "done".equals(bed.documented("back-w", "status")));
            assertThat(bed.documented("back-w", "to")).isNull();
            site.await("no intent", () -> site.intent(machine) == null);
            bed.applied("back-w", TO, "revision=7", "argocd");
            site.await(
                    "its Event", () -> events("back-w", "InPlaceUpgradePutBack").size() == 1);
            assertThat(events("back-w", "InPlaceUpgradePutBack").getFirst())
                    .startsWith("Warning")
                    .contains("\"revision=7\" was reapplied by argocd");
            assertThat(bed.documented("back-w", "to")).isEqualTo("revision=7");
            assertThat(site.intent(machine)).isNull();
            bed.wish("back-w", "revision=8");
            assertThat(brain.intent(machine).target()).isEqualTo(new UpgradeTarget.Revision("8"));
            assertThat(events("back-w", "InPlaceUpgradePutBack")).hasSize(1);
        }
    }

    @Test
    void removalCancels() throws Exception {
        bed.cluster("gone");
        bed.machine("gone-w", "gone");
        try (WatchedTestSite site = watched.site("gone")) {
            site.watch("a");
            FakeOrchestrator brain = new FakeOrchestrator(site);
            bed.wish("gone-w", "revision=7");
            UpgradeIntent first = brain.intent(site.machine("gone-w"));
            bed.wish("gone-w", null);
            site.await("its end", () -> site.intent(site.machine("gone-w")) == null);
            bed.wish("gone-w", "revision=7");
            assertThat(brain.intent(site.machine("gone-w")).since()).isAfter(first.since());
        }
    }

    @Test
    void theConditionStandsBesideThoseOfOthersAndOnlyWhereSomebodyAsked() throws Exception {
        bed.cluster("cond");
        bed.machine("cond-w", "cond");
        bed.machine("cond-other", "cond");
        try (WatchedTestSite site = watched.site("cond")) {
            site.watch("a");
            FakeOrchestrator brain = new FakeOrchestrator(site);
            MachineKey machine = site.machine("cond-w");
            bed.wish("cond-w", "revision=7");
            RolloutRef rolloutRef = FakeOrchestrator.driver(brain.intent(machine));
            brain.admits(machine, rolloutRef, SEVEN);
            brain.refreshes(machine, rolloutRef, SEVEN, "42");
            site.await("the beginning", () -> condition("machines", "cond-w").equals("False InPlaceUpgradeInProgress"));
            brain.fails(machine, rolloutRef, "the snap is broken");
            site.await("the failure", () -> condition("machines", "cond-w").equals("False InPlaceUpgradeFailed"));
            assertThat(Objects.requireNonNull(bed.read("machines", "cond-w").condition("InPlaceUpgradeStatus"))
                            .text("message"))
                    .endsWith("with revision=7: refresh-error: the snap is broken");
            brain.admits(machine, rolloutRef, SEVEN);
            brain.refreshes(machine, rolloutRef, SEVEN, "43");
            site.await("the second beginning", () -> "43".equals(bed.documented("cond-w", "change-id")));
            brain.succeeds(machine, rolloutRef);
            site.await("the end", () -> condition("machines", "cond-w").equals("True InPlaceUpgradeDone"));
            RolloutRef campaign = new RolloutRef.CampaignRef(new CampaignName("c"), 3);
            brain.upgrades(site.machine("cond-other"), campaign, SEVEN);
            site.await("a campaign's", () -> "done".equals(bed.documented("cond-other", "status")));
            assertThat(condition("machines", "cond-other")).isEqualTo("none");
            for (String each : List.of("cond-w", "cond-other")) {
                assertThat(bed.read("machines", each).isCondition("NodeReady", "True"))
                        .isTrue();
            }
            assertThat(site.unamended).isEmpty();
            // Two of annotations for a failure, two for a success; the condition may come after what it was to say.
            assertThat(patches("cond-w"))
                    .filteredOn(line -> !line.contains("cond-w/status"))
                    .hasSize(4);
            assertThat(patches("cond-w")).hasSizeLessThanOrEqualTo(8);
            bed.wish("cond-w", "revision=8");
            site.await(
                    "that the next is not done",
                    () -> condition("machines", "cond-w").equals("False InPlaceUpgradeAsked"));
        }
    }

    @Test
    void aBadOptionAndAMachinePoolAreRefusedWithWhatIsAllowed() throws Exception {
        bed.cluster("bad");
        bed.machine("bad-w", "bad");
        bed.owner("machinepools", "bad-pool", "bad", 3, "");
        try (WatchedTestSite site = watched.site("bad")) {
            site.watch("a");
            bed.wish("bad-w", "latest");
            bed.annotate("machinepools", "bad-pool", TO, "revision=7");
            site.await("the refusal", () -> "failed".equals(bed.documented("bad-w", "status")));
            site.await("the pool's", () -> "failed".equals(bed.annotation("machinepools", "bad-pool", STATUS)));
            site.await("its condition", () -> condition("machines", "bad-w").equals("False InPlaceUpgradeFailed"));
            site.await(
                    "Events", () -> !events("bad-pool", "InPlaceUpgradeFailed").isEmpty());
            assertThat(events("bad-w", "InPlaceUpgradeFailed").getFirst())
                    .contains("latest", "must be channel=<channel>, revision=<revision> or localPath=<absolute path>");
            assertThat(events("bad-pool", "InPlaceUpgradeFailed").getFirst())
                    .contains("cannot be used on a MachinePool", "annotate a MachineDeployment");
            assertThat(bed.documented("bad-w", "to")).isEqualTo("latest");
            assertThat(site.intent(site.machine("bad-w"))).isNull();
            bed.wish("bad-w", "revision=7");
            assertThat(new FakeOrchestrator(site).intent(site.machine("bad-w")).target())
                    .isEqualTo(SEVEN);
        }
    }

    @Test
    void aLocalPathThatNoPolicyAllowsIsRefusedOnTheObjectUntilOneDoes() throws Exception {
        bed.cluster("path");
        bed.machine("path-w", "path");
        bed.owner("machinedeployments", "path-pool", "path", 1, "");
        try (WatchedTestSite site = watched.site("path")) {
            site.watch("a");
            bed.wish("path-w", "localPath=/opt/snaps/k8s.snap");
            bed.annotate("machinedeployments", "path-pool", TO, "localPath=/opt/snaps/k8s.snap");
            FakeOrchestrator brain = new FakeOrchestrator(site);
            UpgradeIntent intent = brain.intent(site.machine("path-w"));
            site.write(SiteStatus.of(site.id));
            site.await("the refusal", () -> "failed".equals(bed.documented("path-w", "status")));
            site.await("the owner's", () -> "failed".equals(bed.annotation("machinedeployments", "path-pool", STATUS)));
            site.await("its condition", () -> condition("machines", "path-w").equals("False InPlaceUpgradeFailed"));
            for (String refused : List.of("path-w", "path-pool")) {
                site.await(
                        "Events", () -> !events(refused, "InPlaceUpgradeFailed").isEmpty());
                assertThat(events(refused, "InPlaceUpgradeFailed").getFirst())
                        .contains("localPath=/opt/snaps/k8s.snap", "intents.localPaths: none");
            }
            // It is for the orchestrator to begin once a policy names the directory, so it goes on knowing of it.
            assertThat(site.intent(site.machine("path-w"))).isEqualTo(intent);
            site.write(SiteStatus.of(site.id).withLocalPaths(List.of("/opt/snaps")));
            brain.upgrades(site.machine("path-w"), FakeOrchestrator.driver(intent), intent.target());
            site.await("the end", () -> "done".equals(bed.documented("path-w", "status")));
            assertThat(events("path-w", "InPlaceUpgradeFailed")).hasSize(1);
        }
    }

    @Test
    void aWishThatWaitsShowsForWhatUntilItBegins() throws Exception {
        bed.cluster("frozen");
        bed.machine("frozen-w", "frozen");
        try (WatchedTestSite site = watched.site("frozen")) {
            site.watch("a");
            bed.wish("frozen-w", "revision=7");
            FakeOrchestrator brain = new FakeOrchestrator(site);
            UpgradeIntent intent = brain.intent(site.machine("frozen-w"));
            site.write(
                    SiteStatus.of(site.id).with(List.of(), "freeze: The fleet is frozen by the order of ann: smoke"));
            site.await("its condition", () -> condition("machines", "frozen-w").equals("False InPlaceUpgradeWaiting"));
            site.await(
                    "the Event",
                    () -> !events("frozen-w", "InPlaceUpgradeWaiting").isEmpty());
            assertThat(events("frozen-w", "InPlaceUpgradeWaiting"))
                    .containsExactly("Normal InPlaceUpgradeWaiting Waiting to perform in place upgrade with revision=7:"
                            + " freeze: The fleet is frozen by the order of ann: smoke");
            site.write(SiteStatus.of(site.id));
            site.await("nothing", () -> condition("machines", "frozen-w").equals("none"));
            brain.upgrades(site.machine("frozen-w"), FakeOrchestrator.driver(intent), intent.target());
            site.await("the end", () -> "done".equals(bed.documented("frozen-w", "status")));
        }
    }

    @Test
    void anOwnersReleaseStandsWhileAllItsMachinesBearItAndAJoinerIsUpgraded() throws Exception {
        bed.cluster("own");
        bed.owner("machinedeployments", "pool", "own", 2, "");
        for (String each : List.of("own-w-0", "own-w-1")) {
            bed.machine(each, "own", ", labels: {cluster.x-k8s.io/deployment-name: pool}");
        }
        try (WatchedTestSite site = watched.site("own")) {
            site.watch("a");
            FakeOrchestrator brain = new FakeOrchestrator(site);
            OwnerKey owner = new OwnerKey(site.id, OwnerKind.MACHINE_DEPLOYMENT, "default", "pool");
            bed.annotate("machinedeployments", "pool", TO, "revision=7");
            UpgradeIntent intent = brain.intent(owner);
            RolloutRef rolloutRef = FakeOrchestrator.driver(intent);
            brain.says(intent, IntentStatus.IntentState.IN_PROGRESS, site.machine("own-w-0"), 2, 0);
            site.await("the beginning", () -> "in-progress".equals(owned(STATUS)));
            brain.upgrades(site.machine("own-w-0"), rolloutRef, SEVEN);
            site.await("the first", () -> "revision=7".equals(bed.documented("own-w-0", "release")));
            assertThat(owned(RELEASE)).isNull();
            brain.upgrades(site.machine("own-w-1"), rolloutRef, SEVEN);
            brain.says(intent, IntentStatus.IntentState.DONE, null, 2, 2);
            site.await("the end", () -> "done".equals(owned(STATUS)) && "revision=7".equals(owned(RELEASE)));
            assertThat(owned(TO)).isNull();
            assertThat(owned(STANDING)).isEqualTo("revision=7");
            assertThat(events("pool", "InPlaceUpgrade"))
                    .contains(
                            "Normal InPlaceUpgradeInProgress In-place upgrade is in-progress for \"own-w-0\"",
                            "Normal InPlaceUpgradeDone In-place upgrade is done");

            bed.machine("own-w-2", "own", ", labels: {cluster.x-k8s.io/deployment-name: pool}");
            MachineKey joiner = site.machine("own-w-2");
            UpgradeIntent joins = brain.intent(joiner);
            assertThat(joins.target()).isEqualTo(SEVEN);
            site.await("no order to others", () -> owned(RELEASE) == null);
            assertThat(owned(STANDING)).isEqualTo("revision=7");
            brain.upgrades(joiner, FakeOrchestrator.driver(joins), SEVEN);
            site.await("all again", () -> "revision=7".equals(owned(RELEASE)));
            site.await("no intent", () -> site.intent(joiner) == null);

            RolloutRef campaign = new RolloutRef.CampaignRef(new CampaignName("c"), 3);
            UpgradeTarget eight = new UpgradeTarget.Revision("8");
            brain.admits(site.machine("own-w-0"), campaign, eight);
            site.await("gone before the start", () -> owned(RELEASE) == null && owned(STANDING) == null);
            assertThat(bed.documented("own-w-0", "release")).isEqualTo("revision=7");
            assertThat(site.unamended).isEmpty();
        }
    }

    /** Neither a template, whose metadata all machines would get at once, nor a version, which would replace them. */
    @Test
    void nothingButItsOwnAnnotationsIsWritten() throws Exception {
        String mine = ", annotations: {example.org/mine: kept}, finalizers: [example.org/hold]";
        bed.cluster("own-keys");
        bed.owner("machinedeployments", "keys", "own-keys", 1, mine + ", labels: {example.org/team: a}");
        bed.machine(
                "keys-w", "own-keys", mine + ", labels: {cluster.x-k8s.io/deployment-name: keys, example.org/team: a}");
        List<String> before = List.of(whatIsNotOurs("machinedeployments", "keys"), whatIsNotOurs("machines", "keys-w"));
        try (WatchedTestSite site = watched.site("keys")) {
            site.watch("a");
            FakeOrchestrator brain = new FakeOrchestrator(site);
            bed.annotate("machinedeployments", "keys", TO, "revision=7");
            UpgradeIntent intent = brain.intent(new OwnerKey(site.id, OwnerKind.MACHINE_DEPLOYMENT, "default", "keys"));
            brain.says(intent, IntentStatus.IntentState.IN_PROGRESS, site.machine("keys-w"), 1, 0);
            brain.upgrades(site.machine("keys-w"), FakeOrchestrator.driver(intent), SEVEN);
            brain.says(intent, IntentStatus.IntentState.DONE, null, 1, 1);
            site.await("the end", () -> "revision=7".equals(bed.annotation("machinedeployments", "keys", RELEASE)));
        }
        assertThat(List.of(whatIsNotOurs("machinedeployments", "keys"), whatIsNotOurs("machines", "keys-w")))
                .isEqualTo(before);
        for (KubeObject each : List.of(bed.read("machinedeployments", "keys"), bed.read("machines", "keys-w"))) {
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

    /** Its generation too, which grows with every change of what is wanted. */
    private static String whatIsNotOurs(String plural, String name) {
        KubeObject object = bed.read(plural, name);
        KubeObject metadata = object.object("metadata");
        return String.join(
                " ",
                KubeObject.toJsonText(object.object("spec").json()),
                String.valueOf(metadata.number("generation")),
                KubeObject.toJsonText(metadata.object("labels").json()),
                String.valueOf(metadata.texts("finalizers")),
                String.valueOf(object.annotation("example.org/mine")));
    }

    private static @Nullable String owned(String key) {
        return bed.annotation("machinedeployments", "pool", key);
    }

    private static List<String> events(String object, String reason) {
        return bed.events(object).stream().filter(each -> each.contains(reason)).toList();
    }

    private static String condition(String plural, String name) {
        KubeObject condition = bed.read(plural, name).condition("InPlaceUpgradeStatus");
        return condition == null ? "none" : condition.text("status") + " " + condition.text("reason");
    }

    private static List<String> patches(String object) throws Exception {
        return Files.readAllLines(bed.cluster.auditLog()).stream()
                .filter(line -> line.contains("\"" + ManagementTestBed.WATCHER + "\"")
                        && line.contains("\"verb\":\"patch\"")
                        && line.contains("/" + object))
                .toList();
    }
}
