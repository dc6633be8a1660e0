package dev.flotilla.simulator.check;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.MachinePreparation.PreparationProgress;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.PrefetchCaps;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A machine is prepared under its own caps, while nothing stops its campaign, once, and never during an attempt. How a preparation
 * ends changes nothing of its upgrades, which know what was reported.
 */
final class PreparationInvariants {
    private static final int MAX_TRIES = 3;
    private static final Duration LONGEST = Duration.ofMinutes(30);

    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;

    /** The preparations whose workers have reported that they are done. */
    private final Set<Long> reported = new LinkedHashSet<>();

    /** What each machine is prepared for, by the reports that were decided on. */
    private final Map<MachineKey, MachinePreparation> prepared = new HashMap<>();

    PreparationInvariants(ReferenceFleetState rows, ViolationLog violationLog) {
        this.rows = rows;
        this.violationLog = violationLog;
    }

    /** Records a committed report. */
    void applyReport(AttemptProgress progress) {
        if (progress.report() instanceof AttemptReport.Prepared) {
            reported.add(progress.attemptId());
        }
    }

    /** Checks a decision before its row changes are put. */
    void check(Decision decision) {
        for (RowChange rowChange : decision.changes()) {
            if (rowChange instanceof MachineStatus status) {
                checkStatus(decision, status, rows.status(status.key()));
            }
            if (rowChange instanceof WorkerCommand.UpgradeMachine command) {
                checkCommand(command);
            }
        }
    }

    private void checkStatus(Decision decision, MachineStatus status, @Nullable MachineStatus before) {
        MachinePreparation now = status.preparation();
        MachinePreparation known = before == null || !before.uid().equals(status.uid()) ? null : before.preparation();
        require(
                status.attempt() == null || (!status.isPreparing() && (known == null || !known.isRunning())),
                status.key() + " prepares while its attempt is open");
        if (now != null && now.id() == decision.seq()) {
            checkBegin(decision, status, now, known);
        }
        if (isPreparationEvent(decision.event())) {
            List<RolloutEntry> entries = before == null ? List.of() : before.entries();
            require(
                    status.entries().equals(entries),
                    status.key() + " is counted otherwise since its preparation: " + status.entries());
        }
        if (now != null && now.progress() instanceof PreparationProgress.Prepared) {
            require(
                    reported.contains(now.id()),
                    status.key() + " counts as prepared, but no worker has reported preparation " + now.id());
            prepared.put(status.key(), now);
        }
        if (decision.event() == DecisionEvent.PREPARATION_SUCCEEDED && known != null) {
            prepared.put(status.key(), known);
        }
        if (status.attempt() == null && before != null && before.attempt() != null) {
            prepared.remove(status.key());
        }
    }

    private static boolean isPreparationEvent(DecisionEvent event) {
        return event == DecisionEvent.PREPARATION_STARTED
                || event == DecisionEvent.PREPARATION_SUCCEEDED
                || event == DecisionEvent.PREPARATION_FAILED;
    }

    private void checkBegin(
            Decision decision, MachineStatus status, MachinePreparation now, @Nullable MachinePreparation known) {
        MachineKey key = status.key();
        MachineRow machine = rows.machine(key);
        if (machine == null) {
            violationLog.addViolation(Invariant.PREPARATION, key + " is prepared without an inventory row");
            return;
        }
        checkCaps(key.site());
        require(!rows.frozen(key.site()), key + " is prepared while frozen");
        require(known == null || !known.isRunning(), key + " is prepared while it prepares");
        require(machine.uid().equals(status.uid()), key + " is prepared with another uid");
        require(
                rows.providerOf(machine).canPrepare() && rows.canApply(machine, now.target()),
                key + " is prepared by provider " + rows.providerOf(machine) + " for " + now.target());
        require(
                !machine.deleting() && !machine.hold() && !machine.paused() && machine.node() != null,
                key + " is prepared although it must be left alone");
        MachinePreparation done = prepared.get(key);
        boolean again = done != null
                && status.uid().equals(uidOf(rows.status(key)))
                && done.isFor(now.target(), now.template());
        require(!again, key + " is prepared again for " + now.target());
        boolean follows = known != null && known.isFor(now.target(), now.template());
        require(
                now.failures() < MAX_TRIES && (!follows || known == null || now.failures() == known.failures()),
                key + " is prepared after " + now.failures() + " failures");
        if (follows && known != null && known.progress() instanceof PreparationProgress.PreparationFailed failed) {
            require(
                    failed.retryAt() != null && !decision.at().isBefore(failed.retryAt()),
                    key + " is prepared before " + failed.retryAt());
        }
        CampaignStatus campaign = rows.campaign(now.rolloutRef());
        if (campaign == null) {
            violationLog.addViolation(Invariant.PREPARATION, key + " is prepared for no campaign");
            return;
        }
        checkCampaign(decision.at(), key, now, campaign);
    }

    private static @Nullable String uidOf(@Nullable MachineStatus status) {
        return status == null ? null : status.uid();
    }

    private void checkCampaign(Instant at, MachineKey key, MachinePreparation now, CampaignStatus campaign) {
        CampaignSpec spec = campaign.acceptedCampaign().spec();
        require(spec.preparation() != null, key + " is prepared for " + campaign.name() + ", which did not ask for it");
        require(
                campaign.state() == CampaignState.RUNNING,
                key + " is prepared while its campaign is " + campaign.state());
        require(
                spec.target().option().equals(now.target()),
                key + " is prepared for " + now.target() + ", which is not its campaign's target");
        Instant startAt = spec.startAt();
        require(
                spec.preparation() == null
                        || startAt == null
                        || !at.isBefore(startAt.minus(spec.preparation().before())),
                key + " is prepared at " + at + ", long before its campaign starts at " + startAt);
        require(
                now.progress() instanceof PreparationProgress.Preparing preparing
                        && !preparing.deadline().isAfter(at.plus(LONGEST)),
                key + " prepares too long: " + now.progress());
    }

    /** Counts all machines that prepare before this one. */
    private void checkCaps(SiteId site) {
        int ofFleet = 0;
        int ofSite = 0;
        for (MachineStatus status : rows.statuses()) {
            if (status.isPreparing()) {
                ofFleet++;
                ofSite += status.key().site().equals(site) ? 1 : 0;
            }
        }
        UpgradePolicy fleet = rows.policy(FleetScope.FLEET);
        UpgradePolicy own = rows.policy(site);
        CountOrPercent fleetCap = fleet == null ? null : fleet.prefetchCaps().maxPreparing();
        CountOrPercent ownCap = own == null ? null : own.prefetchCaps().maxPreparing();
        CountOrPercent shared = fleet == null ? null : fleet.prefetchCaps().maxPreparingPerSite();
        CountOrPercent siteCap = ownCap != null ? ownCap : shared != null ? shared : PrefetchCaps.DEFAULT_PER_SITE;
        long machinesOfSite = rows.machines().stream()
                .filter(row -> row.key().site().equals(site))
                .count();
        violationLog.require(
                fleetCap == null || ofFleet < fleetCap.of(rows.machines().size()),
                Invariant.PREFETCH_CAP,
                ofFleet + " machines prepare, and one more begins; the cap is " + fleetCap);
        violationLog.require(
                ofSite < siteCap.of((int) machinesOfSite),
                Invariant.PREFETCH_CAP,
                ofSite + " machines of " + site + " prepare, and one more begins; the cap is " + siteCap);
    }

    /** Requires that a command says what is on the node. */
    private void checkCommand(WorkerCommand.UpgradeMachine command) {
        MachinePreparation done = prepared.get(command.key());
        require(
                !command.prepared() || (done != null && done.isFor(command.target(), command.template())),
                command.key() + " attempt " + command.attemptId() + " says that the machine is prepared");
    }

    private void require(boolean holds, String problem) {
        violationLog.require(holds, Invariant.PREPARATION, problem);
    }
}
