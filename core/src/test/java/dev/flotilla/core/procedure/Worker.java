package dev.flotilla.core.procedure;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignChecks;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A procedure with a clock, and all that it has asked for. Its shell is the test. */
final class Worker {
    static final MachineKey MACHINE = new MachineKey(new SiteId("north"), "default", "a-w-0");
    static final long ATTEMPT = 41;
    static final long NOT_AFTER = 900_000;
    static final Signal REACHED = new Signal.Reached(new Contact.Made());
    static final UpgradeTarget TARGET = new UpgradeTarget.Revision("3100");

    final List<Act> acts = new ArrayList<>();
    private final Procedure procedure;
    long now;

    Worker() {
        this(Caution.GOOD);
    }

    Worker(Caution caution) {
        this(command(NOT_AFTER), caution);
    }

    Worker(Caution caution, CampaignChecks checks) {
        this(command(NOT_AFTER, checks), caution);
    }

    Worker(WorkerCommand command) {
        this(command, Caution.GOOD);
    }

    private Worker(WorkerCommand command, Caution caution) {
        this.procedure = new Procedure(command, caution);
    }

    /** A command with another target, for a machine of another role. */
    static WorkerCommand.UpgradeMachine command(
            MachineRole role, UpgradeTarget target, @Nullable String expectedVersion, @Nullable String learnedRevision) {
        return new WorkerCommand.UpgradeMachine(
                MACHINE,
                "uid",
                ATTEMPT,
                role,
                target,
                expectedVersion,
                learnedRevision,
                1,
                Instant.ofEpochMilli(NOT_AFTER));
    }

    static WorkerCommand.UpgradeMachine command(long notAfter) {
        return command(notAfter, CampaignChecks.NONE);
    }

    private static WorkerCommand.UpgradeMachine command(long notAfter, CampaignChecks checks) {
        return new WorkerCommand.UpgradeMachine(
                MACHINE,
                "uid",
                ATTEMPT,
                MachineRole.WORKER,
                TARGET,
                null,
                null,
                1,
                Instant.ofEpochMilli(notAfter),
                checks,
                null,
                null,
                null);
    }

    static WorkerCommand cancel() {
        return new WorkerCommand.CancelUpgrade(MACHINE, "uid", ATTEMPT, "paused");
    }

    static Sight node(String revision) {
        return new Sight.Node(revision, "v1.33.0", true, false);
    }

    /** Begins after what was said last; returns the last act. */
    Act begin(@Nullable AttemptReport last) {
        return begin(last, ATTEMPT);
    }

    Act begin(@Nullable AttemptReport last, long attempt) {
        AttemptProgress progress = last == null ? null : new AttemptProgress(MACHINE, "uid", attempt, last, Instant.EPOCH);
        return asked(procedure.begin(progress, new Moment(now, now)));
    }

    /** Signals something; returns the last act. */
    Act signal(Signal signal) {
        return asked(procedure.take(signal, new Moment(now, now)));
    }

    /** A commit of the newest report. */
    Act written() {
        return signal(new Signal.Written(said()));
    }

    /** On the usual way up to the call. */
    Act upToTheCall() {
        begin(null);
        signal(new Signal.Inspected(node("3000")));
        signal(REACHED);
        signal(new Signal.Guarded(null));
        written();
        return signal(new Signal.Judged(null));
    }

    /** On the usual way, with the change watched. */
    Act upToTheChange() {
        upToTheCall();
        signal(new Signal.Answered(new Answer.Accepted("7")));
        return written();
    }

    boolean isSettled() {
        return procedure.isSettled();
    }

    boolean isOver() {
        return procedure.isOver();
    }

    /** The newest report. */
    AttemptReport said() {
        for (int i = acts.size() - 1; i >= 0; i--) {
            if (acts.get(i) instanceof Act.Say say) {
                return say.report();
            }
        }
        throw new IllegalStateException("nothing was said: " + acts);
    }

    long calls() {
        return acts.stream().filter(act -> act instanceof Act.Call).count();
    }

    private Act asked(List<Act> more) {
        acts.addAll(more);
        return more.isEmpty() ? NOTHING : more.get(more.size() - 1);
    }

    /** Stands for nothing at all. */
    static final Act NOTHING = new Act.Poll("nothing was asked for");
}
