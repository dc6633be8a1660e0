package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.CountOrPercent;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachinePreparation;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RowChange;
import dev.flotilla.auditor.wire.UpgradePolicy;
import dev.flotilla.auditor.wire.UpgradeProvider;
import dev.flotilla.auditor.wire.WorkerCommand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks preparations in the journal: under their own caps, while nothing stops them, once for what is to be fetched, and never beside
 * an attempt. They change nothing else of a machine, and an upgrade says what is known of them.
 */
final class PreparationRules {
    private static final String STARTED = "preparation-started";
    private static final List<String> EVENTS = List.of(STARTED, "preparation-succeeded", "preparation-failed");
    private static final int MAX_TRIES = 3;
    private static final int DEFAULT_SITE_CAP = 10;
    private static final long LONGEST = 30 * 60_000L;

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;
    private final AttemptHistories attemptHistories;

    /** What each machine is prepared for since its last attempt. */
    private final Map<String, MachinePreparation> prepared = new HashMap<>();

    PreparationRules(FleetTables fleetTables, AuditFindings auditFindings, AttemptHistories attemptHistories) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
        this.attemptHistories = attemptHistories;
    }

    /** Checks everything that a decision says about preparations, on the rows before it. */
    void check(JournalRecord decision) {
        boolean isPreparation = EVENTS.contains(decision.event());
        boolean starts = false;
        for (RowChange rowChange : decision.changes()) {
            if (rowChange.key().topic().isTable("status") && rowChange.key().isMachine()) {
                MachineStatus before = fleetTables.status(rowChange.key().object());
                MachineStatus after = rowChange.row() instanceof MachineStatus status ? status : null;
                starts |= checkStatus(decision, before, after, isPreparation);
            }
            if (rowChange.row() instanceof WorkerCommand.UpgradeMachine command && command.prepared()) {
                MachinePreparation known = findPrepared(command.id());
                auditFindings.require(
                        known != null && known.target().equals(command.target()),
                        AuditInvariant.GATES,
                        command.id() + " is upgraded as if it were prepared for " + command.target());
            }
        }
        auditFindings.require(
                starts == decision.event().equals(STARTED),
                AuditInvariant.JOURNAL,
                "decision " + decision.seq() + " (" + decision.event() + ")"
                        + (starts ? " begins a preparation" : " begins none"));
    }

    /** What a machine is prepared for; null for nothing. The audit may have begun after its preparation. */
    private @Nullable MachinePreparation findPrepared(String machine) {
        MachinePreparation known = prepared.get(machine);
        MachineStatus status = fleetTables.status(machine);
        MachinePreparation shown = status == null ? null : status.preparation();
        return known == null && shown != null && shown.isPrepared() ? shown : known;
    }

    private boolean checkStatus(
            JournalRecord decision,
            @Nullable MachineStatus before,
            @Nullable MachineStatus after,
            boolean isPreparation) {
        MachinePreparation known = before == null ? null : before.preparation();
        MachinePreparation now = after == null ? null : after.preparation();
        if (known != null && known.isRunning() && (now == null || now.id() != known.id() || !now.isRunning())) {
            AttemptHistory history = attemptHistories.findHistory(known.id());
            if (history != null) {
                attemptHistories.endHistory(history);
            }
        }
        if (before != null && (after == null || (before.attempt() != null && after.attempt() == null))) {
            prepared.remove(before.id());
        }
        if (after == null) {
            return false;
        }
        auditFindings.require(
                after.attempt() == null || (!after.isPreparing() && (known == null || !known.isRunning())),
                AuditInvariant.GATES,
                after.id() + " prepares while its attempt is open");
        if (isPreparation) {
            checkNothingElse(before, after);
        }
        if (now != null && now.isPrepared() && (known == null || !known.isPrepared() || known.id() != now.id())) {
            auditFindings.require(
                    decision.event().equals("preparation-succeeded") && known != null && known.id() == now.id(),
                    AuditInvariant.GATES,
                    after.id() + " counts as prepared, but preparation " + now.id() + " has not succeeded");
            prepared.put(after.id(), now);
        }
        if (decision.event().equals("preparation-succeeded") && known != null) {
            prepared.put(after.id(), known);
        }
        if (now == null || now.id() != decision.seq()) {
            return false;
        }
        checkBegin(decision, after, now, known);
        return true;
    }

    /** A preparation changes nothing of a machine's attempts: what it fetches may be fetched again. */
    private void checkNothingElse(@Nullable MachineStatus before, MachineStatus after) {
        auditFindings.require(
                after.entries().equals(before == null ? List.of() : before.entries())
                        && Objects.equals(after.lastFailure(), before == null ? null : before.lastFailure())
                        && after.attempt() == null,
                AuditInvariant.GATES,
                after.id() + " has other attempts or failures since its preparation");
    }

    private void checkBegin(
            JournalRecord decision, MachineStatus after, MachinePreparation now, @Nullable MachinePreparation known) {
        attemptHistories.openHistory(AttemptHistory.ofPreparation(now.id(), after.id(), after.uid()));
        MachineRow machine = fleetTables.machine(after.id());
        if (machine == null) {
            forbid(after, true, "without an inventory row");
            return;
        }
        checkCaps(machine);
        auditFindings.require(
                !fleetTables.isFrozen(machine.site()),
                AuditInvariant.STOP,
                after.id() + " is prepared while its site is frozen");
        forbid(after, known != null && known.isRunning(), "while it prepares");
        forbid(after, fleetTables.isSuspended(machine.site()), "in an unreachable site");
        forbid(
                after,
                machine.deleting() || machine.hold() || machine.paused() || machine.optOut() || !machine.hasNode(),
                "although it must be left alone");
        forbid(after, !machine.uid().equals(after.uid()), "with another uid");
        forbid(
                after,
                fleetTables.policies().providerOf(machine) != UpgradeProvider.NODE_UPGRADE
                        || !fleetTables.policies().canApply(machine, now.target()),
                "by provider " + fleetTables.policies().providerOf(machine) + " for " + now.target());
        MachinePreparation done = findPrepared(after.id());
        forbid(after, done != null && done.isLike(now), "again for " + now.target());
        forbid(after, now.failures() >= MAX_TRIES, "after " + now.failures() + " failures");
        boolean isRetry = known != null && known.isLike(now);
        forbid(
                after,
                isRetry && known != null && (known.retryAt() == null || decision.time() < known.retryAt()),
                "again before its wait is over");
        checkCampaign(decision, after, now);
        checkCommand(decision, after, now);
    }

    private void checkCampaign(JournalRecord decision, MachineStatus after, MachinePreparation now) {
        CampaignStatus campaign = fleetTables.campaign(now.rollout());
        if (campaign == null) {
            forbid(after, true, "for no campaign");
            return;
        }
        auditFindings.require(
                campaign.isRunning(),
                AuditInvariant.STOP,
                after.id() + " is prepared while campaign " + campaign.name() + " is " + campaign.state());
        Long before = campaign.spec().prepareBefore();
        Long startAt = campaign.spec().startAt();
        forbid(after, before == null, "for campaign " + campaign.name() + ", which did not ask for it");
        forbid(
                after,
                before != null && startAt != null && decision.time() < startAt - before,
                "long before its campaign starts");
        forbid(after, !campaign.spec().target().equals(now.target()), "for " + now.target());
    }

    private void checkCommand(JournalRecord decision, MachineStatus after, MachinePreparation now) {
        Long deadline = now.deadline();
        boolean hasCommand = decision.changes().stream()
                .anyMatch(rowChange -> rowChange.row() instanceof WorkerCommand.PrepareMachine command
                        && command.id().equals(after.id())
                        && command.attemptId() == now.id()
                        && command.uid().equals(after.uid())
                        && command.target().equals(now.target())
                        && deadline != null
                        && command.deadline() == deadline
                        && command.leaseExpiresAt() <= command.deadline());
        auditFindings.require(
                hasCommand,
                AuditInvariant.JOURNAL,
                after.id() + " begins preparation " + now.id() + " without its command");
        forbid(after, deadline != null && deadline - decision.time() > LONGEST, "for longer than 30 min");
    }

    private void checkCaps(MachineRow machine) {
        UpgradePolicy fleet = fleetTables.policy("fleet");
        UpgradePolicy own = fleetTables.policy(machine.site());
        CountOrPercent ofFleet = fleet == null ? null : fleet.prefetch();
        CountOrPercent shared = fleet == null ? null : fleet.sitePrefetch();
        CountOrPercent ofSite = own != null && own.prefetch() != null ? own.prefetch() : shared;
        checkCap(
                machine,
                "the fleet",
                fleetTables.inFlight().preparing().size(),
                ofFleet == null
                        ? Integer.MAX_VALUE
                        : ofFleet.resolve(fleetTables.machines().size()));
        checkCap(
                machine,
                "site " + machine.site(),
                fleetTables.inFlight().countPreparing(machine.site()),
                ofSite == null ? DEFAULT_SITE_CAP : ofSite.resolve(fleetTables.machinesOfSite(machine.site())));
    }

    private void checkCap(MachineRow machine, String scope, int preparing, int cap) {
        auditFindings.require(
                preparing < cap,
                AuditInvariant.CAPS,
                machine.id() + " is number " + (preparing + 1) + " that prepares in " + scope + ", but the cap is "
                        + cap);
    }

    private void forbid(MachineStatus status, boolean forbidden, String what) {
        auditFindings.require(!forbidden, AuditInvariant.GATES, status.id() + " is prepared " + what);
    }
}
