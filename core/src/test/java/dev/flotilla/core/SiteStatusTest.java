package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.Tombstone;
import java.util.Collections;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Users see only the annotated object, so the site status says what blocks all intents of the site. */
class SiteStatusTest {
    private static final SiteId OTHER = new SiteId("other");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @Test
    void aFreezeIsShownToSitesWithIntentsUntilItEnds() {
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.site(OTHER);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), "revision=7");
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        assertThat(waiting(FleetScenario.SITE)).startsWith("freeze: The fleet is frozen by the order of ");
        assertThat(siteStatus(OTHER)).isNull();
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(waiting(FleetScenario.SITE)).isNull();
    }

    @Test
    void anIntentDuringAFreezeShowsTheFreeze() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.order(new OperatorOrderKey.FreezeSite(FleetScenario.SITE), OperatorOrder.OrderVerb.FREEZE);
        assertThat(siteStatus(FleetScenario.SITE)).isNull();
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), "revision=7");
        assertThat(waiting(FleetScenario.SITE))
                .startsWith("freeze: Site " + FleetScenario.SITE + " is frozen by the order of ");
        fleetScenario.removeIntent(FleetScenario.machine("a-w-0"));
        assertThat(waiting(FleetScenario.SITE)).isNull();
    }

    /** However many machines wait, a site gets one row. */
    @Test
    void aFreezeOfManyMachinesWritesOneRowForEachSite() {
        fleetScenario.cluster("a", 0, 50);
        for (int i = 0; i < 50; i++) {
            fleetScenario.requestUpgrade(FleetScenario.machine("a-w-" + i), "revision=7");
        }
        int before = Collections.frequency(fleetScenario.events(), DecisionEvent.SITE_STATUS_CHANGED);
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        assertThat(Collections.frequency(fleetScenario.events(), DecisionEvent.SITE_STATUS_CHANGED) - before)
                .isOne();
    }

    private @Nullable SiteStatus siteStatus(SiteId id) {
        SiteState site = fleetScenario.state.site(id);
        return site == null ? null : site.status();
    }

    private @Nullable String waiting(SiteId id) {
        SiteStatus status = siteStatus(id);
        return status == null ? null : status.blockedReason();
    }

    @Test
    void theJournalShowsTheBlockedReason() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), "revision=7");
        fleetScenario.order(new OperatorOrderKey.FreezeSite(FleetScenario.SITE), OperatorOrder.OrderVerb.FREEZE);
        fleetScenario.order(new OperatorOrderKey.FreezeSite(FleetScenario.SITE), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(fleetScenario.decisions)
                .filteredOn(decision -> decision.event() == DecisionEvent.SITE_STATUS_CHANGED)
                .extracting(Decision::reason)
                .containsExactly("waits at freeze: Site north is frozen by the order of ada: test", "");
    }

    @Test
    void showsThatTheFleetHasNoPolicy() {
        FleetScenario without = new FleetScenario();
        without.decide(new DecisionInput.LeaderElected(without.now));
        without.site(FleetScenario.SITE);
        without.cluster("a", 0, 1);
        without.requestUpgrade(FleetScenario.machine("a-w-0"), "revision=7");
        assertThat(without.state.site(FleetScenario.SITE).status().blockedReason())
                .isEqualTo("no-policy: There is no policy for the fleet");
    }

    @Test
    void aParkedSitesStatusIsWrittenOnceItIsUnparked() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), "revision=7");
        fleetScenario.decide(new DecisionInput.SubjectParked(FleetScenario.SITE, "a bug", fleetScenario.now));
        fleetScenario.order(new OperatorOrderKey.FreezeSite(FleetScenario.SITE), OperatorOrder.OrderVerb.FREEZE);
        assertThat(siteStatus(FleetScenario.SITE)).isNull();
        fleetScenario.state.put(new Tombstone(fleetScenario.onlyRejection().rowKey()));
        fleetScenario.advance(java.time.Duration.ZERO);
        assertThat(waiting(FleetScenario.SITE)).startsWith("freeze: Site north is frozen");
    }
}
