package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.BudgetUse;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.row.Selection;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.SiteHead;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A leader that took over while a site's topics could not be read knows of it what the head row says. */
class UnreadSiteTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final SiteId SICK = new SiteId("sick");

    private final Scene scene = Scene.open();

    @Test
    void itsMachinesInFlightCountAgainstTheFleetsCap() {
        scene.cap(3);
        unread(2);
        scene.cluster("c", 0, 9);
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(9).build());
        assertThat(scene.inFlight()).hasSize(1);
        assertThat(scene.closed("c-w-8")).contains(GateLabel.FLEET_CAP);
    }

    @Test
    void whatWasUsedThereOfABudgetIsUsed() {
        scene.cluster("c", 0, 9);
        scene.campaign(CampaignBuilder.named("up").budget(3).maxUnavailable(9).build());
        assertThat(scene.inFlight()).hasSize(3);
        assertThat(budgets(Scene.SITE)).containsExactly(new BudgetUse(UP, scene.uid(UP), 3));
        scene.succeed("c-w-0");
        assertThat(scene.inFlight()).hasSize(3);

        unread(2, List.of(new BudgetUse(UP, scene.uid(UP), 2)));
        scene.succeed("c-w-1");
        scene.succeed("c-w-2");
        assertThat(scene.inFlight()).hasSize(1);
        assertThat(scene.explain("c-w-8").closed())
                .filteredOn(closed -> closed.gate() == GateLabel.BUDGET)
                .singleElement()
                .satisfies(closed -> {
                    assertThat(closed.have()).isEqualTo("4");
                    assertThat(closed.says()).contains("2 of them in sites that cannot be read");
                });
    }

    @Test
    void anotherCampaignsUseOfItsBudgetIsNotThisOnes() {
        scene.cluster("c", 0, 1);
        unread(2, List.of(new BudgetUse(UP, 1_000, 2)));
        scene.campaign(CampaignBuilder.named("up").budget(1).build());
        assertThat(scene.inFlight()).hasSize(1);
    }

    @Test
    void aCampaignWithABudgetDoesNotSpendItBlindly() {
        unread(0, null);
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").budget(5).build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("c-w-0")).containsExactly(GateLabel.BUDGET);
    }

    @Test
    void aBudgetAtAConfidenceIsNotSpentBlindlyEither() {
        scene.cluster("c", 0, 60);
        scene.campaign(confident(new Limit.Count(5)));
        for (int i = 0; i < 10; i++) {
            scene.succeed(scene.inFlight().get(0));
        }
        unread(0, null);
        int inFlight = scene.inFlight().size();
        scene.failForGood(scene.inFlight().get(0));
        assertThat(scene.inFlight()).hasSize(inFlight - 1);
        assertThat(scene.closed("c-w-59")).containsExactly(GateLabel.BUDGET);
    }

    @Test
    void aShareOfMachinesThatCannotAllBeReadPausesNothing() {
        unread(0);
        scene.cluster("c", 0, 10);
        scene.campaign(confident(new Limit.Count(3)));
        for (int i = 0; i < 3; i++) {
            scene.failForGood(scene.inFlight().get(0));
        }
        scene.campaign(confident(new Limit.Percent(20)));
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.RUNNING);
        assertThat(scene.inFlight()).isEmpty();
        scene.take(new Input.SiteReachable(SICK, scene.now));
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.PAUSED);
    }

    private static Campaign confident(Limit most) {
        return CampaignBuilder.named("up")
                .budget(new FailureBudget(most, 95, 10))
                .maxUnavailable(60)
                .build();
    }

    /** A site that stays away keeps what was said of it over any number of leaders. */
    @Test
    void whatWasUsedThereIsSaidOnByALeaderThatCannotReadItEither() {
        List<BudgetUse> used = List.of(new BudgetUse(UP, 41, 2));
        unread(2, used);
        assertThat(budgets(SICK)).isEqualTo(used);
    }

    @Test
    void whatFailedThereAndWhatAControlPlaneReservesAreUsed() {
        scene.cluster("c", 3, 0);
        scene.campaign(CampaignBuilder.named("up").budget(5).build());
        assertThat(budgets(Scene.SITE)).containsExactly(new BudgetUse(UP, scene.uid(UP), 3));
    }

    @Test
    void aBudgetThatIsGivenUpIsNotSaidAnythingOf() {
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").budget(5).build());
        assertThat(budgets(Scene.SITE)).hasSize(1);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(budgets(Scene.SITE)).isEmpty();
    }

    @Test
    void aCampaignThatSelectsItDoesNotEndWithoutIt() {
        unread(0);
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.succeed("c-w-0");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.RUNNING);
        scene.take(new Input.SiteReachable(SICK, scene.now));
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.COMPLETED);
    }

    @Test
    void aCampaignOfOtherSitesEndsWithoutIt() {
        unread(0);
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up")
                .select(new Selection(List.of(Scene.SITE), Selector.ALL, Selector.ALL, List.of(), List.of(), List.of()))
                .budget(1)
                .build());
        scene.succeed("c-w-0");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.COMPLETED);
    }

    private void unread(int inFlight) {
        unread(inFlight, List.of());
    }

    private void unread(int inFlight, @Nullable List<BudgetUse> budgets) {
        scene.state.put(new SiteHead(SICK, null, Instant.EPOCH, inFlight, budgets, List.of()));
    }

    /** What a leader would say of a site in its head row. */
    private @Nullable List<BudgetUse> budgets(SiteId site) {
        return scene.state.budgetsUsed(site);
    }
}
