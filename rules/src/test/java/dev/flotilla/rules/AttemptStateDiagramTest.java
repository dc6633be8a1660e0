package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.testkit.page.GeneratedPageSection;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The diagram of {@link AttemptState} in docs/states.md: the decider gets every report, and every timer, in every state that one
 * input leads to. {@code -Dflotilla.rewrite=true} draws it again.
 */
class AttemptStateDiagramTest {
    private static final SiteId SITE = new SiteId("north");
    private static final MachineKey MACHINE = new MachineKey(SITE, "default", "a-w-0");
    private static final List<Duration> DELAYS =
            List.of(Duration.ofMinutes(11), Duration.ofMinutes(16), Duration.ofMinutes(70), Duration.ofHours(4));

    private final StateDiagram diagram = new StateDiagram(AttemptState.class);

    @Test
    void pageShowsTheTransitionsThatTheDeciderMakes() throws IOException {
        for (Consumer<Fleet> first : inputs()) {
            for (Consumer<Fleet> second : inputs()) {
                Fleet fleet = new Fleet();
                fleet.admit();
                first.accept(fleet);
                second.accept(fleet);
            }
        }
        assertThat(diagram.unreachedStates()).isEmpty();
        assertThat(GeneratedPageSection.readOrRewrite(
                        SourceTree.ROOT.resolve("docs/states.md"), "AttemptState", diagram.toMermaid()))
                .as("written anew by -Dflotilla.rewrite=true")
                .isEqualTo(diagram.toMermaid());
    }

    private static List<Consumer<Fleet>> inputs() {
        List<Consumer<Fleet>> inputs = new ArrayList<>();
        Stream.concat(
                        Stream.of(AttemptStep.values()).map(step -> new AttemptReport.StepReached(step, null)),
                        Stream.of(
                                new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "3100", "v1.33.0"),
                                failed(FailureClass.RETRYABLE),
                                failed(FailureClass.TERMINAL),
                                new AttemptReport.Cancelled(),
                                new AttemptReport.Aborted("before step restart"),
                                new AttemptReport.LeaseExpired(),
                                new AttemptReport.Deferred("a member is not ready"),
                                new AttemptReport.OutcomeUnknown("no answer")))
                .forEach(report -> inputs.add(fleet -> fleet.report(report)));
        DELAYS.forEach(delay -> inputs.add(fleet -> fleet.passTime(delay)));
        inputs.add(Fleet::deleteMachine);
        return inputs;
    }

    private static AttemptReport failed(FailureClass failureClass) {
        return new AttemptReport.Failed(failureClass, FailureReason.REFRESH_ERROR, "no space left");
    }

    /** A fleet of one machine with an intent. */
    private final class Fleet {
        private final DecisionEngine engine = new DecisionEngine(FleetDecider.standard(), new FleetState());
        private Instant now = Instant.parse("2026-03-01T00:00:00Z");
        private @Nullable UpgradeAttempt openAttempt;
        private long offset;

        void admit() {
            process(new DecisionInput.LeaderElected(now));
            receive(new UpgradePolicy(FleetScope.FLEET, null, null, false, null, null, null, null));
            receive(new WatcherHeartbeat(SITE, "uid", "watcher", now, 0));
            process(new DecisionInput.HeartbeatResumed(SITE, now));
            receive(new ClusterRow(
                    new ClusterKey(SITE, "default", "a"), "uid-a", Labels.NONE, false, false, null, 0, 1));
            receive(machine(false));
            receive(new UpgradeIntent(MACHINE, "uid", new UpgradeTarget.Revision("3100"), now));
        }

        void report(AttemptReport report) {
            UpgradeAttempt attempt = openAttempt;
            if (attempt != null) {
                receive(new AttemptProgress(MACHINE, "uid", attempt.id(), report, now));
            }
        }

        void passTime(Duration delay) {
            now = now.plus(delay);
            engine.decideDueWork(now, 100, this::addTransitions);
        }

        void deleteMachine() {
            receive(machine(true));
            receive(new Tombstone(new RowKey(Table.INVENTORY, MACHINE)));
        }

        private static MachineRow machine(boolean deleting) {
            return new MachineRow(
                    MACHINE,
                    "uid",
                    "a",
                    null,
                    MachineRole.WORKER,
                    Labels.NONE,
                    "a-w-0",
                    "provider://a-w-0",
                    null,
                    true,
                    deleting,
                    false,
                    false,
                    false,
                    null,
                    "v1.32.0",
                    "3000",
                    "amd64",
                    List.of());
        }

        private void receive(RowChange rowChange) {
            process(new DecisionInput.RecordReceived(rowChange, 0, offset++, now));
        }

        private void process(DecisionInput input) {
            engine.processInput(input, 100, this::addTransitions);
        }

        private void addTransitions(Decision decision) {
            for (RowChange rowChange : decision.changes()) {
                if (rowChange.rowKey().equals(new RowKey(Table.STATUS, MACHINE))) {
                    UpgradeAttempt after = rowChange instanceof MachineStatus status ? status.attempt() : null;
                    diagram.add(
                            stateName(openAttempt),
                            stateName(after),
                            decision.event().label());
                    openAttempt = after;
                }
            }
        }
    }

    private static String stateName(@Nullable UpgradeAttempt attempt) {
        return attempt == null
                ? StateDiagram.OUTSIDE
                : attempt.state().getClass().getSimpleName();
    }
}
