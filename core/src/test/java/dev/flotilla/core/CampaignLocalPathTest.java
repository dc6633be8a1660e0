package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Campaigns may name a local path only below a directory that the policy of each of their sites allows. */
class CampaignLocalPathTest {
    private static final String PATH = "localPath=/opt/snaps/k8s.snap";
    private static final SiteId SOUTH = new SiteId("south");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @Test
    void isRejectedByDefaultWithTheValueAndTheWayOut() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(campaign());
        assertThat(fleetScenario.inFlight()).isEmpty();
        RejectedRecord rejected = rejection();
        assertThat(rejected.path()).isEqualTo("spec.target.option");
        assertThat(rejected.value()).isEqualTo(PATH);
        assertThat(rejected.problem())
                .isEqualTo("the policy of the fleet allows localPath= only below the directories of intents.localPaths:"
                        + " none. Add its directory there, or name only sites that allow it (select.sites)");
    }

    @Test
    void startsBelowADirectoryOfTheFleetsPolicy() {
        fleetScenario.cluster("a", 0, 1);
        allow(FleetScope.FLEET, "/var/lib/images", "/opt/snaps");
        fleetScenario.campaign(campaign());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        assertThat(fleetScenario.attempt("a-w-0").target().text()).isEqualTo(PATH);
        assertThat(fleetScenario.events()).doesNotContain(DecisionEvent.REJECTED);
    }

    @Test
    void theFleetsPolicyCountsForACampaignWithoutSites() {
        fleetScenario.cluster("a", 0, 1);
        allow(FleetScenario.SITE, "/opt/snaps");
        fleetScenario.campaign(campaign());
        assertThat(rejection().problem()).startsWith("the policy of the fleet allows");
    }

    @Test
    void thePoliciesOfNamedSitesCount() {
        fleetScenario.cluster("a", 0, 1);
        allow(FleetScenario.SITE, "/opt/snaps");
        fleetScenario.campaign(campaign(FleetScenario.SITE, SOUTH));
        assertThat(rejection().problem()).startsWith("the policy of site south allows");
        fleetScenario.campaign(campaign(FleetScenario.SITE));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void waitsInASiteWhosePolicyIsStricterThanTheFleets() {
        fleetScenario.cluster("a", 0, 1);
        allow(FleetScope.FLEET, "/opt/snaps");
        allow(FleetScenario.SITE, "/srv");
        fleetScenario.campaign(campaign());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.events()).doesNotContain(DecisionEvent.REJECTED);
        assertThat(fleetScenario.explain("a-w-0").closedGates())
                .anySatisfy(gate -> assertThat(gate.message())
                        .contains(PATH)
                        .contains("the policy of site " + FleetScenario.SITE + " allows")
                        .contains("/srv")
                        .contains("select.sites"));
        allow(FleetScenario.SITE, "/opt");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void isCancelledBeforeItsCallWhenItIsNoLongerAllowed() {
        fleetScenario.cluster("a", 0, 1);
        allow(FleetScope.FLEET, "/opt/snaps");
        fleetScenario.campaign(campaign());
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isFalse();
        allow(FleetScope.FLEET);
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isTrue();
    }

    @Test
    void oneMachineShowsTheVersionAndTheOthersFollowTogether() {
        fleetScenario.cluster("a", 0, 5);
        allow(FleetScope.FLEET, "/opt/snaps");
        fleetScenario.campaign(campaign());
        assertThat(fleetScenario.inFlight()).hasSize(1);
        fleetScenario.succeed(fleetScenario.inFlight().get(0));
        assertThat(fleetScenario.inFlight()).hasSize(4);
        assertThat(fleetScenario.command(fleetScenario.inFlight().get(0)))
                .isInstanceOfSatisfying(
                        WorkerCommand.UpgradeMachine.class,
                        command -> assertThat(command.resolvedRevision()).isNull());
    }

    private static Campaign campaign(SiteId... sites) {
        return CampaignBuilder.named("up")
                .target(PATH)
                .select(new MachineSelection(
                        List.of(sites), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of(), List.of()))
                .build();
    }

    private RejectedRecord rejection() {
        return fleetScenario.onlyRejection();
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
