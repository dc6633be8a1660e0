package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.CampaignChecks;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A procedure with a clock and the actions that it returned. The test plays the worker. */
final class UpgradeProcedureHarness {
    static final MachineKey MACHINE = new MachineKey(new SiteId("north"), "default", "a-w-0");
    static final long ATTEMPT = 41;
    static final long LEASE_EXPIRY = 900_000;
    static final UpgradeInput REACHED = new UpgradeInput.ConnectAttempted(new ConnectResult.Connected());
    static final UpgradeTarget TARGET = new UpgradeTarget.Revision("3100");

    final List<UpgradeAction> actions = new ArrayList<>();
    private final UpgradeProcedure procedure;
    long now;

    UpgradeProcedureHarness() {
        this(UpgradeSafeguards.ALL);
    }

    UpgradeProcedureHarness(UpgradeSafeguards upgradeSafeguards) {
        this(command(LEASE_EXPIRY), upgradeSafeguards);
    }

    UpgradeProcedureHarness(UpgradeSafeguards upgradeSafeguards, CampaignChecks checks) {
        this(command(LEASE_EXPIRY, checks), upgradeSafeguards);
    }

    UpgradeProcedureHarness(WorkerCommand command) {
        this(command, UpgradeSafeguards.ALL);
    }

    private UpgradeProcedureHarness(WorkerCommand command, UpgradeSafeguards upgradeSafeguards) {
        this.procedure = new UpgradeProcedure(command, upgradeSafeguards);
    }

    /** A command with another target, for a machine of another role. */
    static WorkerCommand.UpgradeMachine command(
            MachineRole role,
            UpgradeTarget target,
            @Nullable String expectedVersion,
            @Nullable String learnedRevision) {
        return new WorkerCommand.UpgradeMachine(
                MACHINE,
                "uid",
                ATTEMPT,
                role,
                target,
                expectedVersion,
                learnedRevision,
                1,
                Instant.ofEpochMilli(LEASE_EXPIRY));
    }

    static WorkerCommand.UpgradeMachine command(long leaseExpiresAt) {
        return command(leaseExpiresAt, CampaignChecks.NONE);
    }

    private static WorkerCommand.UpgradeMachine command(long leaseExpiresAt, CampaignChecks checks) {
        return new WorkerCommand.UpgradeMachine(
                MACHINE,
                "uid",
                ATTEMPT,
                MachineRole.WORKER,
                TARGET,
                null,
                null,
                1,
                Instant.ofEpochMilli(leaseExpiresAt),
                checks,
                null,
                null,
                null);
    }

    static WorkerCommand cancel() {
        return new WorkerCommand.CancelUpgrade(MACHINE, "uid", ATTEMPT, "paused");
    }

    static NodeInspection node(String revision) {
        return new NodeInspection.ObservedNode(revision, "v1.33.0", true, false);
    }

    /** Begins after a last report; returns the last action. */
    UpgradeAction begin(@Nullable AttemptReport last) {
        return begin(last, ATTEMPT);
    }

    UpgradeAction begin(@Nullable AttemptReport last, long attempt) {
        AttemptProgress progress =
                last == null ? null : new AttemptProgress(MACHINE, "uid", attempt, last, Instant.EPOCH);
        return recordActions(procedure.begin(progress, new ClockReading(now, now)));
    }

    /** Passes an input; returns the last action. */
    UpgradeAction signal(UpgradeInput upgradeInput) {
        return recordActions(procedure.handle(upgradeInput, new ClockReading(now, now)));
    }

    /** The commit of the newest report. */
    UpgradeAction commitReport() {
        return signal(new UpgradeInput.ReportCommitted(lastReport()));
    }

    /** Takes the procedure to the call. */
    UpgradeAction runToCall() {
        begin(null);
        signal(new UpgradeInput.NodeInspected(node("3000")));
        signal(REACHED);
        signal(new UpgradeInput.GuardsSet(null));
        commitReport();
        return signal(new UpgradeInput.PreconditionsChecked(null));
    }

    /** Takes the procedure to the polling of its change. */
    UpgradeAction runToChange() {
        runToCall();
        signal(new UpgradeInput.CallReturned(new CallResult.ChangeStarted("7")));
        return commitReport();
    }

    boolean isSettled() {
        return procedure.isSettled();
    }

    boolean isOver() {
        return procedure.isOver();
    }

    /** The newest report. */
    AttemptReport lastReport() {
        for (int i = actions.size() - 1; i >= 0; i--) {
            if (actions.get(i) instanceof UpgradeAction.WriteReport writeReport) {
                return writeReport.report();
            }
        }
        throw new IllegalStateException("nothing was said: " + actions);
    }

    long calls() {
        return actions.stream()
                .filter(upgradeAction -> upgradeAction instanceof UpgradeAction.CallUpgrade)
                .count();
    }

    private UpgradeAction recordActions(List<UpgradeAction> more) {
        actions.addAll(more);
        return more.isEmpty() ? NOTHING : more.get(more.size() - 1);
    }

    /** An action that means nothing. */
    static final UpgradeAction NOTHING = new UpgradeAction.PollChange("nothing was asked for");
}
