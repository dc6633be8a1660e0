package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.IntentStatus.IntentState;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A local path is installed unsigned and as root: it is allowed only below directories in the policy, and only for
 * annotations.
 */
class LocalPathIntentTest {
    private static final String PATH = "localPath=/opt/snaps/k8s.snap";

    private final FleetScenario fleetScenario = FleetScenario.open();

    @ParameterizedTest
    @CsvSource({
        "/opt/snaps, true",
        "/opt, true",
        "/opt/snap, false",
        "/opt/snaps/k8s.snap, false",
        "/srv, false",
    })
    void isAllowedOnlyBelowADirectoryInThePolicy(String directory, boolean followed) {
        fleetScenario.cluster("a", 0, 1);
        allow(FleetScope.FLEET, "/var/lib/images", directory);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), PATH);
        assertThat(fleetScenario.inFlight()).hasSize(followed ? 1 : 0);
        if (followed) {
            assertThat(fleetScenario.attempt("a-w-0").target().text()).isEqualTo(PATH);
            assertThat(fleetScenario.events()).doesNotContain(DecisionEvent.REJECTED);
        } else {
            assertThat(fleetScenario.events()).contains(DecisionEvent.REJECTED);
        }
    }

    @Test
    void isNotAllowedByDefault() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), PATH);
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.events()).contains(DecisionEvent.REJECTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"machine", "owner", "cluster"})
    void startsWhenItsDirectoryIsAllowedLater(String asked) {
        ObjectKey cluster = fleetScenario.cluster("a", 0, 1);
        ObjectKey object = switch (asked) {
            case "machine" -> FleetScenario.machine("a-w-0");
            case "owner" -> FleetScenario.deployment("a");
            default -> cluster;
        };
        fleetScenario.requestUpgrade(object, PATH);
        assertThat(fleetScenario.inFlight()).isEmpty();
        if (!asked.equals("machine")) {
            assertThat(fleetScenario.intentStatus(object).state()).isEqualTo(IntentState.FAILED);
        }
        allow(FleetScope.FLEET, "/opt/snaps");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        if (!asked.equals("machine")) {
            assertThat(fleetScenario.intentStatus(object).state()).isEqualTo(IntentState.IN_PROGRESS);
        }
    }

    @Test
    void isShownAsWaitingOnceItIsAllowed() {
        fleetScenario.requestUpgrade(FleetScenario.deployment("a"), PATH);
        assertThat(fleetScenario.intentStatus(FleetScenario.deployment("a")).state())
                .isEqualTo(IntentState.FAILED);
        allow(FleetScope.FLEET, "/opt/snaps");
        assertThat(fleetScenario.intentStatus(FleetScenario.deployment("a")).state())
                .isEqualTo(IntentState.IN_PROGRESS);
    }

    @Test
    void isCancelledBeforeItsCallWhenItIsNoLongerAllowed() {
        fleetScenario.cluster("a", 0, 1);
        allow(FleetScope.FLEET, "/opt/snaps");
        fleetScenario.requestUpgrade(FleetScenario.deployment("a"), PATH);
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isFalse();
        allow(FleetScope.FLEET);
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isTrue();
        assertThat(fleetScenario.intentStatus(FleetScenario.deployment("a")).state())
                .isEqualTo(IntentState.FAILED);
    }

    @Test
    void aSitesRuleGoesBeforeTheFleets() {
        fleetScenario.cluster("a", 0, 1);
        allow(FleetScope.FLEET, "/opt/snaps");
        allow(FleetScenario.SITE, "/srv");
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), PATH);
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), "localPath=/srv/k8s.snap");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aSiteWithALocalPathIntentGetsTheAllowedDirectories() {
        fleetScenario.cluster("a", 0, 1);
        SiteId elsewhere = new SiteId("south");
        fleetScenario.site(elsewhere);
        allow(FleetScope.FLEET, "/opt/snaps");
        assertThat(allowedDirectories(FleetScenario.SITE)).isNull();
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), "localPath=/srv/k8s.snap");
        assertThat(allowedDirectories(FleetScenario.SITE)).containsExactly("/opt/snaps");
        allow(FleetScope.FLEET, "/opt/snaps", "/var/lib/images");
        assertThat(allowedDirectories(FleetScenario.SITE)).containsExactly("/opt/snaps", "/var/lib/images");
        allow(FleetScenario.SITE, "/srv");
        assertThat(allowedDirectories(FleetScenario.SITE)).containsExactly("/srv");
        allow(FleetScope.FLEET);
        assertThat(allowedDirectories(FleetScenario.SITE)).containsExactly("/srv");
        allow(FleetScenario.SITE);
        assertThat(allowedDirectories(FleetScenario.SITE)).isEmpty();
        assertThat(allowedDirectories(elsewhere)).isNull();
    }

    @Test
    void eachSiteGetsItsDirectoriesInADecisionOfItsOwn() {
        for (int i = 0; i < 60; i++) {
            SiteId site = new SiteId("s" + i);
            fleetScenario.site(site);
            fleetScenario.receive(new UpgradeIntent(
                    new MachineKey(site, "default", "a"), "uid-a", UpgradeTarget.parse(PATH), fleetScenario.now));
        }
        int before = fleetScenario.decisions.size();
        allow(FleetScope.FLEET, "/opt/snaps");
        List<Decision> since = fleetScenario.decisions.subList(before, fleetScenario.decisions.size());
        assertThat(since.stream().mapToLong(LocalPathIntentTest::sitesToldIn)).allMatch(sites -> sites <= 1);
        assertThat(since.stream().mapToLong(LocalPathIntentTest::sitesToldIn).sum())
                .isEqualTo(60);
        assertThat(allowedDirectories(new SiteId("s7"))).containsExactly("/opt/snaps");
    }

    private static long sitesToldIn(Decision decision) {
        return decision.changes().stream().filter(SiteStatus.class::isInstance).count();
    }

    private @Nullable List<String> allowedDirectories(SiteId site) {
        SiteStatus status =
                Objects.requireNonNull(fleetScenario.state.site(site)).status();
        return status == null ? null : status.rules().localPaths();
    }

    private void allow(PolicyScope scope, String... directories) {
        UpgradePolicy.IntentRule rule = UpgradePolicy.IntentRule.DEFAULT;
        fleetScenario.receive(new UpgradePolicy(
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
