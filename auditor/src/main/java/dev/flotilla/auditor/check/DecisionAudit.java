package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RowChange;
import dev.flotilla.auditor.wire.RowKey;
import dev.flotilla.auditor.wire.TopicName;
import dev.flotilla.auditor.wire.UpgradeAttempt;
import dev.flotilla.auditor.wire.WaveStatus;
import dev.flotilla.auditor.wire.WorkerCommand;
import java.util.Set;

/** Applies all rules to one decision on the rows before it; then its changes become the rows. */
final class DecisionAudit {
    /** Events of the journal itself, which decide nothing. */
    private static final Set<String> CHAPTERS = Set.of(JournalRecord.CHAPTER_STARTED, JournalRecord.CHAPTER_COMPLETED);

    private final FleetTables fleetTables;
    private final AttemptHistories attemptHistories;
    private final OperatorOrderRules orders;
    private final AttemptRules machines;
    private final PreparationRules preparations;
    private final ClusterUpgradeRules clusterUpgrades;
    private final WaveRules waves;
    private final LeaseRevocationRules stops;
    private final OverdueAttemptRules timers;
    private final LostSiteRows lostSiteRows;

    DecisionAudit(
            FleetTables fleetTables,
            AuditFindings auditFindings,
            AttemptHistories attemptHistories,
            AttemptEndRules ends,
            LostSiteRows lostSiteRows) {
        this.fleetTables = fleetTables;
        this.attemptHistories = attemptHistories;
        this.orders = new OperatorOrderRules(fleetTables, auditFindings);
        this.machines = new AttemptRules(fleetTables, auditFindings, attemptHistories, ends, orders);
        this.preparations = new PreparationRules(fleetTables, auditFindings, attemptHistories);
        this.clusterUpgrades = new ClusterUpgradeRules(fleetTables, auditFindings);
        this.waves = new WaveRules(fleetTables, auditFindings);
        this.stops = new LeaseRevocationRules(fleetTables, auditFindings);
        this.timers = new OverdueAttemptRules(fleetTables, auditFindings);
        this.lostSiteRows = lostSiteRows;
    }

    void check(JournalRecord decision, long append) {
        lostSiteRows.restoreRowsBefore(decision);
        if (!CHAPTERS.contains(decision.event())) {
            orders.checkBefore(decision);
            timers.check(decision);
            stops.check(decision, append);
            preparations.check(decision);
            clusterUpgrades.check(decision);
            machines.check(decision, append);
            for (RowChange rowChange : decision.changes()) {
                if (rowChange.row() instanceof WaveStatus wave) {
                    waves.check(wave, decision.time());
                } else if (rowChange.row() instanceof MachineStatus status) {
                    waves.checkStatus(status, decision.time());
                    UpgradeAttempt upgradeAttempt = status.attempt();
                    if (upgradeAttempt != null && upgradeAttempt.id() == decision.seq()) {
                        waves.checkStart(status, upgradeAttempt);
                    }
                } else if (rowChange.row() instanceof CampaignStatus campaign
                        && campaign.state().equals("completed")) {
                    waves.checkCompletion(campaign);
                }
            }
        }
        lostSiteRows.recordChanges(decision);
        decision.changes().forEach(fleetTables::put);
        lostSiteRows.resumeSites(decision);
        orders.checkAfter(decision);
    }

    /** Starts histories for the attempts and preparations that were open when the audit started. */
    void startHistories() {
        for (String machine : fleetTables.inFlight().preparing()) {
            MachineStatus status = fleetTables.status(machine);
            if (status != null && status.preparation() != null) {
                attemptHistories.openHistory(
                        AttemptHistory.ofPreparation(status.preparation().id(), machine, status.uid()));
            }
        }
        for (String machine : fleetTables.inFlight().attempts()) {
            MachineStatus status = fleetTables.status(machine);
            UpgradeAttempt upgradeAttempt = status == null ? null : status.attempt();
            if (status != null && upgradeAttempt != null) {
                AttemptHistory history = new AttemptHistory(upgradeAttempt.id(), machine, status.uid());
                history.partial = true;
                if (fleetTables.command(RowKey.ofMachine(new TopicName("commands", status.site()), machine))
                                instanceof WorkerCommand.UpgradeMachine up
                        && up.attemptId() == upgradeAttempt.id()) {
                    history.recordCommand(up);
                }
                attemptHistories.openHistory(history);
            }
        }
    }
}
