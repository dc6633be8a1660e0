package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.IntentStatus.IntentState;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A local path is installed unsigned, as root: only below directories that the policy names, and only for an annotation. */
class LocalPathTest {
    private static final String PATH = "localPath=/opt/snaps/k8s.snap";

    private final Scene scene = Scene.open();

    @ParameterizedTest
    @CsvSource({
        "/opt/snaps, true",
        "/opt, true",
        "/opt/snap, false",
        "/opt/snaps/k8s.snap, false",
        "/srv, false",
    })
    void isFollowedBelowADirectoryThatThePolicyNames(String directory, boolean followed) {
        scene.cluster("a", 0, 1);
        allow(FleetScope.FLEET, "/var/lib/images", directory);
        scene.ask(Scene.machine("a-w-0"), PATH);
        assertThat(scene.inFlight()).hasSize(followed ? 1 : 0);
        if (followed) {
            assertThat(scene.attempt("a-w-0").target().text()).isEqualTo(PATH);
            assertThat(scene.events()).doesNotContain(Event.REJECTED);
        } else {
            assertThat(scene.events()).contains(Event.REJECTED);
        }
    }

    @Test
    void isOffWithoutAWord() {
        scene.cluster("a", 0, 1);
        scene.ask(Scene.machine("a-w-0"), PATH);
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.events()).contains(Event.REJECTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"machine", "owner", "cluster"})
    void beginsWhenADirectoryIsAllowedLater(String asked) {
        ObjectKey cluster = scene.cluster("a", 0, 1);
        ObjectKey object = switch (asked) {
            case "machine" -> Scene.machine("a-w-0");
            case "owner" -> Scene.deployment("a");
            default -> cluster;
        };
        scene.ask(object, PATH);
        assertThat(scene.inFlight()).isEmpty();
        if (!asked.equals("machine")) {
            assertThat(scene.shown(object).state()).isEqualTo(IntentState.FAILED);
        }
        allow(FleetScope.FLEET, "/opt/snaps");
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        if (!asked.equals("machine")) {
            assertThat(scene.shown(object).state()).isEqualTo(IntentState.IN_PROGRESS);
        }
    }

    @Test
    void isShownToWaitForMachinesOnceItIsAllowed() {
        scene.ask(Scene.deployment("a"), PATH);
        assertThat(scene.shown(Scene.deployment("a")).state()).isEqualTo(IntentState.FAILED);
        allow(FleetScope.FLEET, "/opt/snaps");
        assertThat(scene.shown(Scene.deployment("a")).state()).isEqualTo(IntentState.IN_PROGRESS);
    }

    @Test
    void isTakenBackWhereItHasNotCalledWhenItIsAllowedNoMore() {
        scene.cluster("a", 0, 1);
        allow(FleetScope.FLEET, "/opt/snaps");
        scene.ask(Scene.deployment("a"), PATH);
        assertThat(scene.attempt("a-w-0").cancelled()).isFalse();
        allow(FleetScope.FLEET);
        assertThat(scene.attempt("a-w-0").cancelled()).isTrue();
        assertThat(scene.shown(Scene.deployment("a")).state()).isEqualTo(IntentState.FAILED);
    }

    @Test
    void aSitesRuleGoesBeforeTheFleets() {
        scene.cluster("a", 0, 1);
        allow(FleetScope.FLEET, "/opt/snaps");
        allow(Scene.SITE, "/srv");
        scene.ask(Scene.machine("a-w-0"), PATH);
        assertThat(scene.inFlight()).isEmpty();
        scene.ask(Scene.machine("a-w-0"), "localPath=/srv/k8s.snap");
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aSiteInWhichSomebodyAsksIsToldWhatIsAllowed() {
        scene.cluster("a", 0, 1);
        SiteId elsewhere = new SiteId("south");
        scene.site(elsewhere);
        allow(FleetScope.FLEET, "/opt/snaps");
        assertThat(told(Scene.SITE)).isNull();
        scene.ask(Scene.machine("a-w-0"), "localPath=/srv/k8s.snap");
        assertThat(told(Scene.SITE)).containsExactly("/opt/snaps");
        allow(FleetScope.FLEET, "/opt/snaps", "/var/lib/images");
        assertThat(told(Scene.SITE)).containsExactly("/opt/snaps", "/var/lib/images");
        allow(Scene.SITE, "/srv");
        assertThat(told(Scene.SITE)).containsExactly("/srv");
        allow(FleetScope.FLEET);
        assertThat(told(Scene.SITE)).containsExactly("/srv");
        allow(Scene.SITE);
        assertThat(told(Scene.SITE)).isEmpty();
        assertThat(told(elsewhere)).isNull();
    }

    @Test
    void manySitesAreToldInADecisionEach() {
        for (int i = 0; i < 60; i++) {
            SiteId site = new SiteId("s" + i);
            scene.site(site);
            scene.arrive(
                    new UpgradeIntent(new MachineKey(site, "default", "a"), "uid-a", UpgradeTarget.parse(PATH), scene.now));
        }
        int before = scene.decisions.size();
        allow(FleetScope.FLEET, "/opt/snaps");
        List<Decision> since = scene.decisions.subList(before, scene.decisions.size());
        assertThat(since.stream().mapToLong(LocalPathTest::sitesToldIn)).allMatch(sites -> sites <= 1);
        assertThat(since.stream().mapToLong(LocalPathTest::sitesToldIn).sum()).isEqualTo(60);
        assertThat(told(new SiteId("s7"))).containsExactly("/opt/snaps");
    }

    private static long sitesToldIn(Decision decision) {
        return decision.facts().stream().filter(SiteStatus.class::isInstance).count();
    }

    private @Nullable List<String> told(SiteId site) {
        SiteStatus told = Objects.requireNonNull(scene.state.site(site)).status();
        return told == null ? null : told.localPaths();
    }

    private void allow(PolicyScope scope, String... directories) {
        UpgradePolicy.IntentRule rule = UpgradePolicy.IntentRule.DEFAULT;
        scene.arrive(new UpgradePolicy(
                scope,
                null,
                null,
                false,
                null,
                null,
                null,
                new UpgradePolicy.IntentRule(rule.maxUnavailable(), rule.retryRule(), List.of(directories))));
    }
}
