package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.time.CommandLeaseTimeouts;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A subject whose due work fails because of a bug is parked: its due work is not decided, everything else continues.
 */
class ParkedSubjectTest {
    private final FleetScenario fleetScenario = FleetScenario.open();

    private RejectedRecord park(EntityKey subject) {
        fleetScenario.decide(new DecisionInput.SubjectParked(subject, "a bug", fleetScenario.now));
        return (RejectedRecord) fleetScenario.decisions.getLast().changes().get(0);
    }

    /** Deletes the rejected record, as an operator does after the bug is fixed. */
    private void unpark(RejectedRecord parked) {
        fleetScenario.state.put(new Tombstone(new RowKey(Table.REJECTED, parked.key())));
        fleetScenario.advance(Duration.ZERO);
    }

    @Test
    void aParkedMachineIsNeitherStartedNorForgottenAfterATakeover() {
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        RejectedRecord parked = park(FleetScenario.machine("a-w-0"));
        assertThat(parked.reason()).isEqualTo(RejectionReason.CANNOT_BE_DECIDED);
        assertThat(parked.key()).isEqualTo(new RejectedRecordKey("flotilla.status.north", 0, "machine/default/a-w-0"));
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
        assertThat(fleetScenario.closed("a-w-0")).contains(GateLabel.MACHINE_NOT_ELIGIBLE);
        FleetState restored = new FleetState();
        for (RowChange rowChange : fleetScenario.rows.values()) {
            restored.put(rowChange);
        }
        assertThat(restored.hash()).isEqualTo(fleetScenario.state.hash());
    }

    @Test
    void theTimersOfAParkedAttemptWaitUntilItIsUnparked() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        RejectedRecord parked = park(FleetScenario.machine("a-w-0"));
        assertThat(fleetScenario.state.dueWork().nextTimerAt()).isEqualTo(Long.MAX_VALUE);
        fleetScenario.order(
                new OperatorOrderKey.SetCampaignState(new CampaignName("up")), OperatorOrder.OrderVerb.PAUSE);
        fleetScenario.advance(CommandLeaseTimeouts.DURATION.plus(CommandLeaseTimeouts.GRACE));
        assertThat(fleetScenario.attempt("a-w-0").state()).isInstanceOf(AttemptState.Admitted.class);
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isFalse();
        unpark(parked);
        assertThat(fleetScenario.attempt("a-w-0").state()).isInstanceOf(AttemptState.Unknown.class);
    }

    @Test
    void parkingTwiceChangesNothing() {
        fleetScenario.cluster("a", 0, 1);
        park(FleetScenario.machine("a-w-0"));
        int before = fleetScenario.decisions.size();
        fleetScenario.decide(
                new DecisionInput.SubjectParked(FleetScenario.machine("a-w-0"), "another bug", fleetScenario.now));
        assertThat(fleetScenario.decisions).hasSize(before);
    }

    @Test
    void anotherMachineOfThatNameIsNotParked() {
        fleetScenario.cluster("a", 0, 1);
        park(FleetScenario.machine("a-w-0"));
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "a", "a-w-0")
                .uid(FleetScenario.uidOf("again"))
                .build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aDeletedMachineIsNotParkedWhenItIsBack() {
        fleetScenario.cluster("a", 0, 1);
        park(FleetScenario.machine("a-w-0"));
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("a-w-0"))));
        assertThat(fleetScenario.rows.values()).noneMatch(RejectedRecord.class::isInstance);
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    /** It was parked after its row had been deleted. */
    @Test
    void aReplacementOfADeletedMachineIsNotParked() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.step("a-w-0", AttemptStep.STARTING);
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("a-w-0"))));
        park(FleetScenario.machine("a-w-0"));
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "a", "a-w-0")
                .uid(FleetScenario.uidOf("again"))
                .build());
        assertThat(fleetScenario.rows.values()).noneMatch(RejectedRecord.class::isInstance);
    }

    @Test
    void aParkedDeletedMachineIsKeptUntilItIsUnparked() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.quarantine("a-w-0");
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("a-w-0"))));
        RejectedRecord parked = park(FleetScenario.machine("a-w-0"));
        fleetScenario.succeed("a-w-1");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(fleetScenario.state.machine(FleetScenario.machine("a-w-0"))).isNotNull();
        unpark(parked);
        assertThat(fleetScenario.state.machine(FleetScenario.machine("a-w-0"))).isNull();
    }

    @Test
    void aDecisionAboutAWaveThatCannotBeWrittenParksItsCampaign() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(park(new WaveKey(new CampaignName("up"), "all")).key())
                .isEqualTo(new RejectedRecordKey("flotilla.campaign-status", 0, "up"));
    }

    /** For example the orchestrator, if Kafka would reject its record. */
    @Test
    void dueWorkThatItsWriterRejectsFails() {
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.state.put(new Tombstone(new RowKey(Table.FREEZES, new OperatorOrderKey.FreezeFleet())));
        DecisionEngine decisionEngine = new DecisionEngine(FleetDecider.standard(), fleetScenario.state);
        assertThatExceptionOfType(DecisionFailedException.class)
                .isThrownBy(() -> decisionEngine.decideDueWork(fleetScenario.now, 1, decision -> {
                    throw new IllegalArgumentException("too large");
                }))
                .satisfies(decisionFailedException ->
                        assertThat(decisionFailedException.subject()).isEqualTo(FleetScenario.machine("a-w-0")));
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    @Test
    void aParkedCampaignMakesNoProgressUntilItIsUnparked() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        RejectedRecord parked = park(new CampaignName("up"));
        assertThat(parked.key()).isEqualTo(new RejectedRecordKey("flotilla.campaign-status", 0, "up"));
        fleetScenario.succeed("a-w-0");
        fleetScenario.advance(Duration.ofHours(1));
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        unpark(parked);
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void aParkedObjectsStatusDoesNotChangeUntilItIsUnparked() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(FleetScenario.deployment("a"), "revision=4");
        RejectedRecord parked = park(FleetScenario.deployment("a"));
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.intentStatus(FleetScenario.deployment("a")).succeeded())
                .isZero();
        unpark(parked);
        assertThat(fleetScenario.intentStatus(FleetScenario.deployment("a")).succeeded())
                .isOne();
    }

    @Test
    void aSiteIsParkedUnderItsKey() {
        RejectedRecord parked = park(FleetScenario.SITE);
        assertThat(parked.key().topic()).isEqualTo("flotilla.status.north");
        assertThat(fleetScenario.events()).endsWith(DecisionEvent.REJECTED);
    }
}
