package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.time.CommandLeaseTimeouts;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long a command lease lasts, and what revokes it. */
class CommandLeaseTimeoutsTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void oneWorkerStarts() {
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
    }

    private String why() {
        return fleetScenario.command("c-w-0") instanceof WorkerCommand.CancelUpgrade cancel
                ? cancel.reason()
                : "not cancelled";
    }

    @Test
    void isRenewedAtTheNextCheckAfterAGateOpens() {
        fleetScenario.decide(new DecisionInput.HeartbeatLost(FleetScenario.SITE, fleetScenario.now));
        fleetScenario.advance(CommandLeaseTimeouts.DURATION.minus(MINUTE));
        fleetScenario.decide(new DecisionInput.HeartbeatResumed(FleetScenario.SITE, fleetScenario.now));
        assertThat(fleetScenario.state.dueWork().nextTimerAt())
                .isEqualTo(fleetScenario.now.plus(CommandLeaseTimeouts.GRACE).toEpochMilli());
        fleetScenario.advance(CommandLeaseTimeouts.GRACE);
        assertThat(fleetScenario.attempt("c-w-0").state())
                .isEqualTo(new AttemptState.Admitted(fleetScenario.now.plus(CommandLeaseTimeouts.DURATION)));
    }

    @Test
    void isNotRenewedDuringTheGraceAfterItExpired() {
        fleetScenario.decide(new DecisionInput.HeartbeatLost(FleetScenario.SITE, fleetScenario.now));
        fleetScenario.advance(CommandLeaseTimeouts.DURATION.minus(SECOND));
        fleetScenario.decide(new DecisionInput.HeartbeatResumed(FleetScenario.SITE, fleetScenario.now));
        fleetScenario.advance(CommandLeaseTimeouts.GRACE);
        assertThat(fleetScenario.attempt("c-w-0").state())
                .isEqualTo(new AttemptState.Admitted(FleetScenario.START.plus(CommandLeaseTimeouts.DURATION)));
        fleetScenario.advance(SECOND);
        assertThat(fleetScenario.attempt("c-w-0").state())
                .isEqualTo(new AttemptState.Unknown(fleetScenario.now, "no report by the end of its command lease"));
    }

    @Test
    void isNotRenewedWhileItsReportIsUnreadable() {
        fleetScenario.decide(new DecisionInput.RecordUnreadable(
                new RejectedRecord(
                        new RejectedRecordKey("flotilla.progress.north", 0, "machine/default/c-w-0"),
                        7,
                        RejectionReason.NOT_JSON,
                        "",
                        "?",
                        "not JSON",
                        fleetScenario.now),
                fleetScenario.now));
        fleetScenario.advance(CommandLeaseTimeouts.DURATION.minus(MINUTE));
        fleetScenario.advance(MINUTE);
        fleetScenario.advance(CommandLeaseTimeouts.GRACE);
        assertThat(fleetScenario.attempt("c-w-0").state())
                .isEqualTo(new AttemptState.Unknown(fleetScenario.now, "no report by the end of its command lease"));
    }

    @Test
    void anUnknownAttemptIgnoresAStepBeforeTheCall() {
        fleetScenario.report("c-w-0", new AttemptReport.OutcomeUnknown("cut off"));
        int before = fleetScenario.decisions.size();
        fleetScenario.step("c-w-0", AttemptStep.GUARDING);
        assertThat(fleetScenario.decisions).hasSize(before);
        assertThat(fleetScenario.attempt("c-w-0").state()).isInstanceOf(AttemptState.Unknown.class);
    }

    @Test
    void aSecondReportOfAnUnknownOutcomeChangesNothing() {
        fleetScenario.report("c-w-0", new AttemptReport.OutcomeUnknown("cut off"));
        fleetScenario.advance(MINUTE);
        int before = fleetScenario.decisions.size();
        fleetScenario.report("c-w-0", new AttemptReport.OutcomeUnknown("cut off again"));
        assertThat(fleetScenario.decisions).hasSize(before);
    }

    @Test
    void isRevokedByAnAbort() {
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        assertThat(why()).isEqualTo("rollout-ended");
    }

    @Test
    void isRevokedWhenTheRolloutEnds() {
        fleetScenario.receive(new Tombstone(new RowKey(Table.CAMPAIGNS, UP)));
        assertThat(why()).isEqualTo("rollout-ended");
    }

    @Test
    void isRevokedByASkip() {
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("c-w-0")), OperatorOrder.OrderVerb.SKIP);
        assertThat(why()).isEqualTo("skipped");
    }

    @Test
    void isRevokedWhenTheMachinesRowIsDeleted() {
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("c-w-0"))));
        assertThat(why()).isEqualTo("machine-replaced");
    }

    @Test
    void isRevokedByAPauseWithTheLabelOfItsGate() {
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.PAUSE);
        assertThat(why()).isEqualTo("campaign-not-running");
    }

    /** A site's rows come from several topics: a restoring leader may find two that do not belong together. */
    @Test
    void isRevokedWhenAnotherMachineHasTheName() {
        FleetState restored = new FleetState();
        for (RowChange rowChange : fleetScenario.rows.values()) {
            restored.put(rowChange);
        }
        restored.put(MachineRowBuilder.of(FleetScenario.SITE, "c", "c-w-0")
                .uid(FleetScenario.uidOf("again"))
                .onHold()
                .build());
        List<Decision> decided = new ArrayList<>();
        new DecisionEngine(FleetDecider.standard(), restored)
                .processInput(new DecisionInput.LeaderElected(fleetScenario.now), FleetScenario.MOST, decided::add);
        assertThat(decided)
                .filteredOn(decision -> decision.event() == DecisionEvent.ATTEMPT_CANCELLING)
                .singleElement()
                .satisfies(decision -> assertThat(decision.changes())
                        .anyMatch(rowChange -> rowChange instanceof WorkerCommand.CancelUpgrade));
    }
}
