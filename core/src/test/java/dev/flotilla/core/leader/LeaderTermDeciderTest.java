package dev.flotilla.core.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** In which order a term decides: transitions, inputs, due work. */
class LeaderTermDeciderTest {
    private static final SiteId EAST = new SiteId("east");
    private static final TablePartition INVENTORY = TablePartition.of(Table.INVENTORY, EAST);
    private static final WatcherHeartbeat HEARTBEAT = new WatcherHeartbeat(EAST, "uid", "watcher", Instant.EPOCH, 0);

    private final List<String> decided = new ArrayList<>();
    private final List<RejectedRecord> rejections = new ArrayList<>();
    private final HeadRowWriter headRowWriter = new HeadRowWriter(FleetHead.NONE, Map.of());
    private final FailedDecisionTracker failedDecisions = new FailedDecisionTracker();
    private int due;
    private int room = 100;
    private long now = 60_000;
    private boolean tooLarge;
    private boolean broken;

    private final class ManualClock implements TermTimeSource {
        @Override
        public Instant now() {
            return Instant.ofEpochMilli(now);
        }

        @Override
        public long machineTime() {
            return now;
        }

        @Override
        public long elapsedMillis() {
            return now;
        }
    }

    private final class RecordingTransaction implements OpenTransaction {
        @Override
        public void add(Decision decision) {
            if (tooLarge) {
                tooLarge = false;
                throw new DecisionTooLargeException("too many bytes");
            }
            decided.add(decision.reason());
        }

        @Override
        public boolean hasRoom() {
            return decided.size() < room;
        }
    }

    private record TestRecord(long offset, @Nullable RowChange rowChange) implements InputRecord {
        @Override
        public TablePartition partition() {
            return INVENTORY;
        }

        @Override
        public String writtenKey() {
            return "site";
        }

        @Override
        public long appendedAt() {
            return 60_000;
        }

        @Override
        public @Nullable RejectedRecord findDefect(Instant at) {
            return rowChange != null
                    ? null
                    : new RejectedRecord(
                            RejectedRecordFactory.keyOf(INVENTORY, "site"),
                            offset,
                            RejectionReason.NOT_JSON,
                            "",
                            "",
                            "is not JSON",
                            at);
        }
    }

    private final HeartbeatMonitor heartbeatMonitor =
            new HeartbeatMonitor(List.of(), Map.of(), site -> Duration.ofSeconds(30), now);
    private final LeaderTermDecider termDecider = new LeaderTermDecider(
            new DecisionEngine(this::decide, new FleetState()),
            headRowWriter,
            heartbeatMonitor,
            new ManualClock(),
            new TimeZoneRulesReader((zone, instant) -> null, 1_000),
            failedDecisions,
            new RecordingTransaction(),
            rejections::add);

    private Decision decide(FleetState state, DecisionInput input) {
        String text = switch (input) {
            case DecisionInput.TimePassed passed -> due == 0 ? "" : "due " + due--;
            case DecisionInput.RecordReceived received -> "input " + received.offset();
            case DecisionInput.RecordUnreadable unreadable ->
                unreadable.rejected().reason() + " " + unreadable.rejected().offset();
            case DecisionInput.ClockCompared compared -> "clock " + compared.agrees();
            default -> input.getClass().getSimpleName();
        };
        if (broken && input instanceof DecisionInput.RecordReceived) {
            throw new IllegalStateException("a bug");
        }
        return text.isEmpty()
                ? Decision.NOTHING
                : new Decision(1, input.at(), DecisionEvent.SITE_CHANGED, EAST, text, List.of());
    }

    @Test
    void decidesWaitingInputsBeforeDueWork() {
        due = 2;
        termDecider.enqueueRecords(List.of(new TestRecord(7, HEARTBEAT)));
        termDecider.beginTerm();
        assertThat(termDecider.decideNext()).isFalse();
        termDecider.enqueueRecords(List.of(new TestRecord(8, HEARTBEAT)));
        termDecider.endBacklog();
        assertThat(termDecider.decideNext()).isFalse();
        assertThat(decided).containsExactly("LeaderElected", "input 7", "input 8", "due 2", "due 1");
        assertThat(headRowWriter.nextOffset(INVENTORY)).isEqualTo(9);
    }

    @Test
    void decidesTheWorkThatAnInputMakesDueBeforeTheNextInput() {
        endBacklog();
        due = 1;
        termDecider.enqueueRecords(List.of(new TestRecord(0, HEARTBEAT), new TestRecord(1, HEARTBEAT)));
        termDecider.decideNext();
        assertThat(decided).containsExactly("input 0", "due 1", "input 1");
    }

    @Test
    void waitsAgainForTheBacklogOfAResumedSite() {
        endBacklog();
        termDecider.resumeSite(EAST);
        termDecider.expectBacklog();
        due = 1;
        termDecider.decideNext();
        assertThat(decided).containsExactly("SiteReachable");
        termDecider.endBacklog();
        termDecider.decideNext();
        assertThat(decided).containsExactly("SiteReachable", "due 1");
    }

    @Test
    void leavesWhatDoesNotFitForTheNextTransaction() {
        endBacklog();
        room = 1;
        termDecider.enqueueRecords(List.of(new TestRecord(0, HEARTBEAT), new TestRecord(1, HEARTBEAT)));
        assertThat(termDecider.decideNext()).isTrue();
        assertThat(decided).containsExactly("input 0");
        assertThat(headRowWriter.nextOffset(INVENTORY))
                .as("the second one is not decided on")
                .isEqualTo(1);
        decided.clear();
        termDecider.startTransaction(new RecordingTransaction());
        termDecider.decideNext();
        assertThat(decided).containsExactly("input 1");
    }

    @Test
    void decidesChangesOfClockAndHeartbeatsFirst() {
        endBacklog();
        heartbeatMonitor.monitorSite(EAST, null, now);
        termDecider.enqueueRecords(List.of(new TestRecord(0, HEARTBEAT)));
        termDecider.recordClockComparison(!FleetHead.NONE.clockInSync());
        termDecider.decideNext();
        assertThat(decided)
                .containsExactly(
                        "clock " + !FleetHead.NONE.clockInSync(), "HeartbeatLost", "input 0", "HeartbeatResumed");
    }

    @Test
    void rejectsWhatIsUnreadableOrTooLarge() {
        endBacklog();
        tooLarge = true;
        termDecider.enqueueRecords(List.of(new TestRecord(3, HEARTBEAT), new TestRecord(4, null)));
        termDecider.decideNext();
        assertThat(decided).containsExactly("TOO_LARGE 3", "NOT_JSON 4");
        assertThat(rejections).extracting(RejectedRecord::offset).containsExactly(3L, 4L);
    }

    @Test
    void parksAnInputThatCouldNotBeDecidedOnTwice() {
        broken = true;
        for (int i = 0; i < FailedDecisionTracker.PARKED_AFTER; i++) {
            termDecider.enqueueRecords(List.of(new TestRecord(5, HEARTBEAT)));
            assertThatThrownBy(termDecider::decideNext)
                    .isInstanceOfSatisfying(
                            FailedDecisionTracker.InputDecisionException.class, failedDecisions::countFailure);
        }
        termDecider.enqueueRecords(List.of(new TestRecord(5, HEARTBEAT)));
        termDecider.decideNext();
        assertThat(decided).containsExactly("CANNOT_BE_DECIDED 5");
    }

    @Test
    void dropsPendingInputsOfASuspendedSite() {
        termDecider.enqueueRecords(List.of(new TestRecord(0, HEARTBEAT)));
        termDecider.suspendSite(EAST, SiteTopicProblem.temporaryProblem("gone"));
        assertThat(termDecider.countPending()).isZero();
        assertThat(decided).containsExactly("SiteUnreachable");
    }

    private void endBacklog() {
        termDecider.endBacklog();
        termDecider.decideNext();
    }
}
