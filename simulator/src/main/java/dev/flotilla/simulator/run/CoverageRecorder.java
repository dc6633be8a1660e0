package dev.flotilla.simulator.run;

import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.simulator.fleet.MachineProviderLabel;
import java.util.EnumSet;
import java.util.Set;

/** Records which conditions arose in one world, mostly from the rows that are written. */
final class CoverageRecorder {
    private static final int FEW = 2;
    private static final int MANY = 10;

    private final Set<CoverageCondition> conditions = EnumSet.noneOf(CoverageCondition.class);

    void addCondition(CoverageCondition coverageCondition) {
        conditions.add(coverageCondition);
    }

    Set<CoverageCondition> conditions() {
        return conditions;
    }

    void addRow(RowChange rowChange) {
        switch (rowChange) {
            case MachineRow machine -> recordMachine(machine);
            case WatcherHeartbeat heartbeat -> recordMissing(heartbeat.withheldRemovals());
            case RejectedRecord rejectedRecord -> recordRejection(rejectedRecord);
            case SiteHead head -> {
                if (head.unreachableSince() != null) {
                    addCondition(CoverageCondition.SITE_TOPICS_UNUSABLE);
                }
            }
            case MachineStatus status -> recordAttempt(status);
            case WorkerCommand.CancelUpgrade cancel -> {
                if (cancel.reason().equals("provider-changed")) {
                    addCondition(CoverageCondition.PROVIDER_CHANGED);
                }
            }
            default -> {
                // Other rows show no condition.
            }
        }
    }

    private void recordAttempt(MachineStatus status) {
        UpgradeAttempt attempt = status.attempt();
        AttemptFailure failure = status.lastFailure();
        MachinePreparation preparation = status.preparation();
        if (preparation != null) {
            switch (preparation.progress()) {
                case MachinePreparation.PreparationProgress.Preparing preparing -> {}
                case MachinePreparation.PreparationProgress.Prepared prepared ->
                    addCondition(attempt == null ? CoverageCondition.PREPARED : CoverageCondition.PREPARED_UPGRADE);
                case MachinePreparation.PreparationProgress.PreparationFailed failed ->
                    addCondition(CoverageCondition.PREPARATION_FAILED);
            }
        }
        if (attempt != null
                && attempt.machine() != null
                && attempt.machine().provider() == UpgradeProvider.NODE_UPGRADE) {
            addCondition(CoverageCondition.NODE_UPGRADE);
        }
        if (failure != null
                && failure.reason() == FailureReason.NODE_UPGRADE_FAILED
                && failure.failureClass() == FailureClass.TERMINAL) {
            addCondition(CoverageCondition.NODE_UPGRADE_FAILED_FOR_GOOD);
        }
    }

    private void recordMissing(int machines) {
        if (machines > MANY) {
            addCondition(CoverageCondition.MANY_MACHINES_MISSING);
        } else if (machines > 0 && machines <= FEW) {
            addCondition(CoverageCondition.FEW_MACHINES_MISSING);
        }
    }

    private void recordRejection(RejectedRecord rejectedRecord) {
        if (rejectedRecord.reason() == RejectionReason.CANNOT_BE_DECIDED) {
            addCondition(CoverageCondition.INPUT_PARKED);
        } else if (rejectedRecord.problem().startsWith("the provider of ")) {
            addCondition(CoverageCondition.INAPPLICABLE_INTENT);
        } else if (!rejectedRecord.readable()) {
            addCondition(CoverageCondition.UNREADABLE);
        }
    }

    private void recordMachine(MachineRow machine) {
        if (machine.node() == null) {
            addCondition(CoverageCondition.JOINING);
        }
        String really = machine.labels().get(MachineProviderLabel.KEY);
        if (really != null && !really.equals(machine.provider().label())) {
            addCondition(CoverageCondition.PROVIDER_NOT_FOUND);
        }
        for (ForeignActivity foreignActivity : machine.foreignActivities()) {
            switch (foreignActivity) {
                case CERTIFICATES -> addCondition(CoverageCondition.CERTIFICATES);
                case ROLLING -> addCondition(CoverageCondition.ROLLING);
                case SCALING -> addCondition(CoverageCondition.SCALING);
                case REMEDIATION -> addCondition(CoverageCondition.REMEDIATION);
                default -> {
                    // Other activities are no condition.
                }
            }
        }
    }
}
