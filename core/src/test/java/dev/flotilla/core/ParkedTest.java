package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Licence;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What by a bug cannot be decided is parked: nothing that is due about it is decided, everything else goes on. */
class ParkedTest {
    private final Scene scene = Scene.open();

    private RejectedRecord park(EntityKey subject) {
        scene.take(new Input.Parked(subject, "a bug", scene.now));
        return (RejectedRecord) scene.decisions.getLast().facts().get(0);
    }

    /** Somebody has mended the bug and written a tombstone. */
    private void unpark(RejectedRecord parked) {
        scene.state.put(new Tombstone(new RowKey(Table.REJECTED, parked.key())));
        scene.pass(Duration.ZERO);
    }

    @Test
    void aParkedMachineIsNeitherStartedNorForgottenByWhoeverTakesOver() {
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        RejectedRecord parked = park(Scene.machine("a-w-0"));
        assertThat(parked.reason()).isEqualTo(RejectionReason.CANNOT_BE_DECIDED);
        assertThat(parked.key()).isEqualTo(new RejectedRecordKey("flotilla.status.north", 0, "machine/default/a-w-0"));
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(scene.inFlight()).containsExactly("a-w-1");
        assertThat(scene.closed("a-w-0")).contains(GateLabel.MACHINE);
        FleetState restored = new FleetState();
        for (RowChange rowChange : scene.rows.values()) {
            restored.put(rowChange);
        }
        assertThat(restored.hash()).isEqualTo(scene.state.hash());
    }

    @Test
    void theTimersOfAParkedAttemptRestUntilItIsUnparked() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        RejectedRecord parked = park(Scene.machine("a-w-0"));
        assertThat(scene.state.nextTimer()).isEqualTo(Long.MAX_VALUE);
        scene.order(new OperatorOrderKey.SetCampaignState(new CampaignName("up")), OperatorOrder.OrderVerb.PAUSE);
        scene.pass(Licence.LENGTH.plus(Licence.GRACE));
        assertThat(scene.attempt("a-w-0").state()).isInstanceOf(AttemptState.Admitted.class);
        assertThat(scene.attempt("a-w-0").cancelled()).isFalse();
        unpark(parked);
        assertThat(scene.attempt("a-w-0").state()).isInstanceOf(AttemptState.Unknown.class);
    }

    @Test
    void parkingItTwiceLeavesNoTrace() {
        scene.cluster("a", 0, 1);
        park(Scene.machine("a-w-0"));
        int before = scene.decisions.size();
        scene.take(new Input.Parked(Scene.machine("a-w-0"), "another bug", scene.now));
        assertThat(scene.decisions).hasSize(before);
    }

    @Test
    void anotherMachineOfThatNameIsNotParked() {
        scene.cluster("a", 0, 1);
        park(Scene.machine("a-w-0"));
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).isEmpty();
        scene.arrive(MachineBuilder.of(Scene.SITE, "a", "a-w-0")
                .uid(Scene.uidOf("again"))
                .build());
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aMachineThatIsGoneIsNotParkedWhenItComesAgain() {
        scene.cluster("a", 0, 1);
        park(Scene.machine("a-w-0"));
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine("a-w-0"))));
        assertThat(scene.rows.values()).noneMatch(RejectedRecord.class::isInstance);
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    /** It was parked when its row had gone already. */
    @Test
    void anotherMachineInPlaceOfOneThatIsGoneIsNotParked() {
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.step("a-w-0", AttemptStep.STARTING);
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine("a-w-0"))));
        park(Scene.machine("a-w-0"));
        scene.arrive(MachineBuilder.of(Scene.SITE, "a", "a-w-0")
                .uid(Scene.uidOf("again"))
                .build());
        assertThat(scene.rows.values()).noneMatch(RejectedRecord.class::isInstance);
    }

    @Test
    void aParkedMachineThatIsGoneIsNotForgottenUntilItIsUnparked() {
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.failForGood("a-w-0");
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine("a-w-0"))));
        RejectedRecord parked = park(Scene.machine("a-w-0"));
        scene.succeed("a-w-1");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(scene.state.machine(Scene.machine("a-w-0"))).isNotNull();
        unpark(parked);
        assertThat(scene.state.machine(Scene.machine("a-w-0"))).isNull();
    }

    @Test
    void aDecisionAboutAWaveThatNobodyCanWriteParksItsCampaign() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(park(new WaveKey(new CampaignName("up"), "all")).key())
                .isEqualTo(new RejectedRecordKey("flotilla.campaign-status", 0, "up"));
    }

    /** Such as the shell, where Kafka would refuse a record of it. */
    @Test
    void whatWhoeverWritesItRefusesOfDueWorkCannotBeDecided() {
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.state.put(new Tombstone(new RowKey(Table.FREEZES, new OperatorOrderKey.FreezeFleet())));
        Brain brain = new Brain(FleetDecider.standard(), scene.state);
        assertThatExceptionOfType(Undecidable.class)
                .isThrownBy(() -> brain.due(scene.now, 1, decision -> {
                    throw new IllegalArgumentException("too large");
                }))
                .satisfies(undecidable -> assertThat(undecidable.subject()).isEqualTo(Scene.machine("a-w-0")));
        assertThat(scene.inFlight()).isEmpty();
    }

    @Test
    void aParkedCampaignGetsNoFurtherUntilItIsUnparked() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        RejectedRecord parked = park(new CampaignName("up"));
        assertThat(parked.key()).isEqualTo(new RejectedRecordKey("flotilla.campaign-status", 0, "up"));
        scene.succeed("a-w-0");
        scene.pass(Duration.ofHours(1));
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        unpark(parked);
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void whatAParkedObjectAsksForIsShownAsItWasUntilItIsUnparked() {
        scene.cluster("a", 0, 1);
        scene.ask(Scene.deployment("a"), "revision=4");
        RejectedRecord parked = park(Scene.deployment("a"));
        scene.succeed("a-w-0");
        assertThat(scene.shown(Scene.deployment("a")).succeeded()).isZero();
        unpark(parked);
        assertThat(scene.shown(Scene.deployment("a")).succeeded()).isOne();
    }

    @Test
    void whatIsTroublesomeAboutASiteIsParkedUnderItsKey() {
        RejectedRecord parked = park(Scene.SITE);
        assertThat(parked.key().topic()).isEqualTo("flotilla.status.north");
        assertThat(scene.events()).endsWith(Event.REJECTED);
    }
}
