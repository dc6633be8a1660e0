package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Licence;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Until when a call is allowed, and what takes that back. */
class LicenceTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Scene scene = Scene.open();

    @BeforeEach
    void oneWorkerStarts() {
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
    }

    private String why() {
        return scene.command("c-w-0") instanceof WorkerCommand.CancelUpgrade cancel ? cancel.reason() : "not cancelled";
    }

    @Test
    void isRenewedAtTheNextLookAfterWhatHeldItBackIsOver() {
        scene.take(new Input.SiteSilent(Scene.SITE, scene.now));
        scene.pass(Licence.LENGTH.minus(MINUTE));
        scene.take(new Input.SiteHeard(Scene.SITE, scene.now));
        assertThat(scene.state.nextTimer())
                .isEqualTo(scene.now.plus(Licence.GRACE).toEpochMilli());
        scene.pass(Licence.GRACE);
        assertThat(scene.attempt("c-w-0").state()).isEqualTo(new AttemptState.Admitted(scene.now.plus(Licence.LENGTH)));
    }

    @Test
    void thatHasRunOutIsNotRenewedWhileTheLastWordIsWaitedFor() {
        scene.take(new Input.SiteSilent(Scene.SITE, scene.now));
        scene.pass(Licence.LENGTH.minus(SECOND));
        scene.take(new Input.SiteHeard(Scene.SITE, scene.now));
        scene.pass(Licence.GRACE);
        assertThat(scene.attempt("c-w-0").state())
                .isEqualTo(new AttemptState.Admitted(Scene.START.plus(Licence.LENGTH)));
        scene.pass(SECOND);
        assertThat(scene.attempt("c-w-0").state())
                .isEqualTo(new AttemptState.Unknown(scene.now, "no word by the end of its licence"));
    }

    @Test
    void isNotRenewedWhileWhatItsWorkerSaidCannotBeRead() {
        scene.take(new Input.Unreadable(
                new RejectedRecord(
                        new RejectedRecordKey("flotilla.progress.north", 0, "machine/default/c-w-0"),
                        7,
                        RejectionReason.NOT_JSON,
                        "",
                        "?",
                        "not JSON",
                        scene.now),
                scene.now));
        scene.pass(Licence.LENGTH.minus(MINUTE));
        scene.pass(MINUTE);
        scene.pass(Licence.GRACE);
        assertThat(scene.attempt("c-w-0").state())
                .isEqualTo(new AttemptState.Unknown(scene.now, "no word by the end of its licence"));
    }

    @Test
    void ofAnUnknownAttemptDoesNotComeBackWithAStepBeforeTheCall() {
        scene.report("c-w-0", new AttemptReport.OutcomeUnknown("cut off"));
        int before = scene.decisions.size();
        scene.step("c-w-0", AttemptStep.GUARDING);
        assertThat(scene.decisions).hasSize(before);
        assertThat(scene.attempt("c-w-0").state()).isInstanceOf(AttemptState.Unknown.class);
    }

    @Test
    void aSecondWordThatTheOutcomeIsUnknownLeavesNoTrace() {
        scene.report("c-w-0", new AttemptReport.OutcomeUnknown("cut off"));
        scene.pass(MINUTE);
        int before = scene.decisions.size();
        scene.report("c-w-0", new AttemptReport.OutcomeUnknown("cut off again"));
        assertThat(scene.decisions).hasSize(before);
    }

    @Test
    void isTakenBackByAnAbort() {
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        assertThat(why()).isEqualTo("driver-gone");
    }

    @Test
    void isTakenBackWhenNobodyAsksAnyMore() {
        scene.arrive(new Tombstone(new RowKey(Table.CAMPAIGNS, UP)));
        assertThat(why()).isEqualTo("driver-gone");
    }

    @Test
    void isTakenBackByASkip() {
        scene.order(new OperatorOrderKey.SkipMachine(UP, Scene.machine("c-w-0")), OperatorOrder.OrderVerb.SKIP);
        assertThat(why()).isEqualTo("skipped");
    }

    @Test
    void isTakenBackWhenTheMachinesRowIsGone() {
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine("c-w-0"))));
        assertThat(why()).isEqualTo("machine-gone");
    }

    @Test
    void isTakenBackByAPauseUnderTheNameOfItsGate() {
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.PAUSE);
        assertThat(why()).isEqualTo("campaign");
    }

    /** A site's rows are read from several topics: whoever restores them may find two that do not belong together. */
    @Test
    void isTakenBackWhereTheMachineOfThatNameIsFoundToBeAnotherOne() {
        FleetState restored = new FleetState();
        for (RowChange rowChange : scene.rows.values()) {
            restored.put(rowChange);
        }
        restored.put(MachineBuilder.of(Scene.SITE, "c", "c-w-0")
                .uid(Scene.uidOf("again"))
                .onHold()
                .build());
        List<Decision> decided = new ArrayList<>();
        new Brain(FleetDecider.standard(), restored).take(new Input.TookOver(scene.now), Scene.MOST, decided::add);
        assertThat(decided)
                .filteredOn(decision -> decision.event() == Event.ATTEMPT_CANCELLING)
                .singleElement()
                .satisfies(decision ->
                        assertThat(decision.facts()).anyMatch(rowChange -> rowChange instanceof WorkerCommand.CancelUpgrade));
    }
}
