package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How slots are shared: by priority, and at equal priority fairly between campaigns and the intents of sites. */
class SlotSharingTest {
    private static final SiteId SOUTH = new SiteId("south");
    private static final UpgradeTarget TARGET = UpgradeTarget.parse("channel=1.33-classic/stable");
    private static final int EACH = 12;

    private final FleetScenario fleetScenario = FleetScenario.open();
    private final List<String> started = new ArrayList<>();

    /** A campaign of priority 50 and two sites with intents, in the order of the alphabet. */
    private void contest(int cap, int priority) {
        policy(new CountOrPercent.Count(cap), priority, true);
        fleetScenario.site(SOUTH);
        for (int i = 0; i < EACH; i++) {
            fleetScenario.cluster(FleetScenario.SITE, "c" + i, 0, 1, Labels.NONE);
            fleetScenario.cluster(FleetScenario.SITE, "n" + i, 0, 1, Labels.NONE);
            fleetScenario.cluster(SOUTH, "s" + i, 0, 1, Labels.NONE);
        }
        fleetScenario.campaign(CampaignBuilder.named("up").priority(50).build());
        for (int i = 0; i < EACH; i++) {
            ask(new MachineKey(FleetScenario.SITE, "default", "n" + i + "-w-0"));
            ask(new MachineKey(SOUTH, "default", "s" + i + "-w-0"));
        }
        policy(new CountOrPercent.Count(cap), priority, false);
    }

    private void policy(CountOrPercent cap, int priority, boolean frozen) {
        fleetScenario.receive(new UpgradePolicy(
                FleetScope.FLEET,
                cap,
                null,
                frozen,
                null,
                null,
                null,
                new IntentRule(new CountOrPercent.Count(1), RetryRule.DEFAULT).withPriority(priority)));
    }

    private void ask(MachineKey machine) {
        fleetScenario.receive(
                new UpgradeIntent(machine, FleetScenario.uidOf(machine.name()), TARGET, fleetScenario.now));
    }

    /** Lets machines succeed one after the other, and records for which rollout each started: c, n or s. */
    private void run(int machines) {
        for (int i = 0; i < machines; i++) {
            String name = fleetScenario.inFlight().stream().sorted().findFirst().orElseThrow();
            started.add(name.substring(0, 1));
            SiteId site = name.startsWith("s") ? SOUTH : FleetScenario.SITE;
            MachineKey key = new MachineKey(site, "default", name);
            MachineStatus status = (MachineStatus) fleetScenario.rows.get(new RowKey(Table.STATUS, key));
            fleetScenario.receive(new AttemptProgress(
                    key,
                    status.uid(),
                    status.attempt().id(),
                    new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "3421", "v1.33.2"),
                    fleetScenario.now));
        }
    }

    @Test
    void rolloutsOfEqualPriorityRunSideBySide() {
        contest(1, 50);
        run(2 * EACH);
        for (String who : new String[] {"c", "n", "s"}) {
            assertThat(Collections.frequency(started, who))
                    .as("%s of %s", who, started)
                    .isBetween(3, EACH);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 9})
    void theSlotsAreSharedEqually(int cap) {
        contest(cap, 50);
        for (String who : new String[] {"c", "n", "s"}) {
            assertThat(fleetScenario.inFlight())
                    .filteredOn(name -> name.startsWith(who))
                    .hasSize(cap / 3);
        }
    }

    @Test
    void intentsOfAHigherPriorityGoFirst() {
        contest(1, 51);
        run(2 * EACH);
        assertThat(started).doesNotContain("c");
    }

    @Test
    void aCampaignOfAHigherPriorityGoesBeforeIntents() {
        contest(1, 49);
        run(EACH);
        assertThat(started).containsOnly("c");
    }

    @Test
    void aChangedPriorityCountsAtOnce() {
        contest(1, 49);
        run(2);
        policy(new CountOrPercent.Count(1), 60, false);
        run(4);
        assertThat(started.subList(3, started.size())).doesNotContain("c");
    }
}
