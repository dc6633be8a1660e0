package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.ClusterWaveAssignment;
import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.ClusterRow;
import dev.flotilla.auditor.wire.ClusterUpgrade;
import dev.flotilla.auditor.wire.ClusterUpgrade.VersionFieldChange;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RolloutRef;
import dev.flotilla.auditor.wire.RowChange;
import dev.flotilla.auditor.wire.UpgradeIntent;
import dev.flotilla.auditor.wire.VersionField;
import dev.flotilla.auditor.wire.WaveStatus;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks clusters whose machines Cluster API updates in place: a campaign opens one while it runs, in its wave and windows, for changes
 * that replace nothing; and a machine starts only for the campaign that has opened its cluster, after Cluster API has asked for it.
 */
final class ClusterUpgradeRules {
    private static final String RELEASE = "version=";

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;
    private final ClusterWaveAssignment waves;
    private final MaintenanceWindowRules windows;
    private final OpenClusterCapRules caps;

    ClusterUpgradeRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
        this.waves = new ClusterWaveAssignment(fleetTables);
        this.windows = new MaintenanceWindowRules(fleetTables, auditFindings);
        this.caps = new OpenClusterCapRules(fleetTables, auditFindings);
    }

    /** Checks what a decision opens and closes, on the rows before it. */
    void check(JournalRecord decision) {
        for (RowChange rowChange : decision.changes()) {
            if (rowChange.row() == null && rowChange.key().isClusterUpgrade()) {
                checkClosing(rowChange.key().object());
            }
            if (rowChange.row() instanceof ClusterUpgrade after) {
                ClusterUpgrade before = fleetTables.clusterUpgrade(after.cluster());
                List<VersionFieldChange> added = after.changes().stream()
                        .filter(change -> before == null || !before.changes().contains(change))
                        .toList();
                forbid(
                        after,
                        before != null && !before.campaign().equals(after.campaign()) && !isLeft(before),
                        "while it is open for " + (before == null ? "" : before.campaign()));
                if (!added.isEmpty()) {
                    checkOpening(decision, after, added);
                }
            }
        }
    }

    /** Whether the campaign that has opened a cluster runs, and has no changed field there: another one may have the cluster. */
    private boolean isLeft(ClusterUpgrade upgrade) {
        CampaignStatus campaign = fleetTables.campaign(upgrade.campaign());
        return !upgrade.hasChanges() && campaign != null && campaign.isRunning();
    }

    /** A cluster is open until its campaign is completed or removed, or has no machine left there: until then nobody else starts one. */
    private void checkClosing(String cluster) {
        ClusterUpgrade upgrade = fleetTables.clusterUpgrade(cluster);
        CampaignStatus campaign = upgrade == null ? null : fleetTables.campaign(upgrade.campaign());
        if (upgrade == null || campaign == null || campaign.isCompleted()) {
            return;
        }
        for (MachineRow machine : fleetTables.machinesOf(cluster)) {
            auditFindings.require(
                    !fleetTables.membership().isWaiting(machine, upgrade.campaign()),
                    AuditInvariant.GATES,
                    "cluster " + cluster + " was closed while " + machine.id() + " waits for campaign "
                            + campaign.name());
        }
    }

    private void checkOpening(JournalRecord decision, ClusterUpgrade after, List<VersionFieldChange> added) {
        String site = after.cluster().substring(0, after.cluster().indexOf('/'));
        CampaignStatus campaign = fleetTables.campaign(after.campaign());
        stop(after, campaign == null || !campaign.isRunning(), "for a campaign that does not run");
        stop(after, fleetTables.isFrozen(site), "while its site is frozen");
        forbid(after, fleetTables.isSuspended(site), "in an unreachable site");
        ClusterRow cluster = fleetTables.cluster(after.cluster());
        if (campaign == null || cluster == null) {
            forbid(after, true, "without its row or its campaign's");
            return;
        }
        forbid(after, cluster.paused() || cluster.hold(), "while it is paused or held");
        forbid(
                after,
                !campaign.spec().target().equals(RELEASE + after.version()),
                "to " + after.version() + " for a campaign to "
                        + campaign.spec().target());
        checkTime(decision, after, campaign);
        ClusterUpgrade before = fleetTables.clusterUpgrade(after.cluster());
        if (before == null || !before.hasChanges()) {
            caps.check(after, campaign);
        }
        for (VersionFieldChange change : added) {
            checkChange(after, campaign, cluster, change);
        }
    }

    private void checkTime(JournalRecord decision, ClusterUpgrade after, CampaignStatus campaign) {
        Long startAt = campaign.spec().startAt();
        forbid(after, startAt != null && decision.time() < startAt, "before its campaign starts");
        List<MachineRow> machines = fleetTables.machinesOf(after.cluster());
        boolean isStarted = machines.stream()
                .anyMatch(machine -> fleetTables.membership().hasStartedControlPlane(machine, after.campaign()));
        if (isStarted || machines.isEmpty()) {
            return;
        }
        WaveStatus wave = fleetTables.wave(
                campaign, waves.waveOf(campaign, after.cluster(), machines).name());
        forbid(after, wave == null || !wave.opened(), "before its wave");
        forbid(
                after,
                !windows.areOpen(machines.getFirst(), campaign, decision.time()),
                "outside its maintenance windows");
    }

    private void checkChange(
            ClusterUpgrade after, CampaignStatus campaign, ClusterRow cluster, VersionFieldChange change) {
        VersionField field = cluster.versionFields().stream()
                .filter(change::isOf)
                .findFirst()
                .orElse(null);
        forbid(after, field == null, "for " + change.name() + ", which Cluster API does not update in place");
        forbid(
                after,
                field != null && !field.version().equals(change.from()),
                "from " + change.from() + ", which is not the version of " + change.name());
        boolean covered = field != null
                && (field.isTopology()
                        ? cluster.versionFields().stream().allMatch(VersionField::covered)
                        : field.covered());
        forbid(
                after,
                !covered && !campaign.spec().replacesUncovered(),
                "although Cluster API would replace machines of " + change.name());
    }

    /** Checks a start in a cluster whose machines Cluster API updates in place. */
    void checkStart(StartDecision start) {
        MachineRow machine = start.machine();
        ClusterRow cluster = fleetTables.cluster(machine.cluster());
        VersionField field = cluster == null ? null : cluster.fieldOf(machine);
        UpgradeIntent request = fleetTables.membership().taskIntent(machine);
        ClusterUpgrade upgrade = fleetTables.clusterUpgrade(machine.cluster());
        checkTarget(start, upgrade, request);
        String version = versionOf(start, request);
        boolean hasLostFields =
                upgrade != null && (cluster == null || cluster.versionFields().isEmpty());
        if ((field == null && !hasLostFields) || version == null) {
            return;
        }
        if (start.attempt().rollout() instanceof RolloutRef.CampaignRef campaign) {
            boolean isAdmitted = isShown(machine, version)
                    || (upgrade != null && upgrade.campaign().equals(campaign) && requests(request, version));
            forbidStart(
                    machine,
                    !isAdmitted,
                    "before its campaign has opened the cluster and Cluster API has asked for it");
        } else {
            forbidStart(
                    machine,
                    upgrade != null
                            && upgrade.version().equals(version)
                            && ((field != null && upgrade.changes(field))
                                    || fleetTables.membership().isSelected(machine, upgrade.campaign()))
                            && requests(request, version)
                            && !isAtTarget(machine, upgrade.campaign()),
                    "for its intent, and not for the campaign that has opened the cluster");
        }
    }

    /** Whether Cluster API updates a machine in place: the campaign that has opened its cluster starts it, and no other. */
    boolean isUpdatedInPlace(MachineRow machine) {
        ClusterRow cluster = fleetTables.cluster(machine.cluster());
        return cluster != null && cluster.fieldOf(machine) != null;
    }

    private static boolean isShown(MachineRow machine, String version) {
        return machine.kubeletVersion() != null
                && bare(machine.kubeletVersion()).equals(bare(version));
    }

    private static String bare(String version) {
        return version.startsWith("v") ? version.substring(1) : version;
    }

    /** A campaign upgrades to its own target, or, in a cluster that it has opened, to that of the task with which Cluster API asks. */
    private void checkTarget(StartDecision start, @Nullable ClusterUpgrade upgrade, @Nullable UpgradeIntent request) {
        CampaignStatus campaign = start.campaign();
        String target = start.attempt().target();
        if (campaign == null || campaign.spec().target().equals(target)) {
            return;
        }
        String version = versionOf(start, request);
        boolean isAskedFor = upgrade != null
                && upgrade.campaign().equals(start.attempt().rollout())
                && request != null
                && request.target().equals(target)
                && version != null
                && requests(request, version);
        forbidStart(
                start.machine(),
                !isAskedFor,
                "to " + target + ", but its campaign's target is "
                        + campaign.spec().target());
    }

    /** The version to which a machine starts; null if its target names none. */
    private static @Nullable String versionOf(StartDecision start, @Nullable UpgradeIntent request) {
        CampaignStatus campaign = start.campaign();
        String target =
                campaign == null ? start.attempt().target() : campaign.spec().target();
        if (target.startsWith(RELEASE)) {
            return target.substring(RELEASE.length());
        }
        return campaign == null && request != null && request.target().equals(target)
                ? request.expectedVersion()
                : null;
    }

    /** Whether an UpgradeTask requests a machine's upgrade to a version. */
    private static boolean requests(@Nullable UpgradeIntent request, String version) {
        return request != null
                && (request.target().startsWith(RELEASE)
                        ? request.target().equals(RELEASE + version)
                        : Objects.equals(request.expectedVersion(), version));
    }

    private boolean isAtTarget(MachineRow machine, RolloutRef campaign) {
        MachineStatus status = fleetTables.status(machine.id());
        RolloutEntry entry = status == null ? null : status.entry(campaign);
        return entry != null && entry.isAtTarget();
    }

    /** Whether the campaign that has opened a machine's cluster goes before the machine's intent. */
    static boolean goesBeforeIntent(FleetTables fleetTables, MachineRow machine, RolloutRef campaign) {
        ClusterUpgrade upgrade = fleetTables.clusterUpgrade(machine.cluster());
        return upgrade != null && upgrade.campaign().equals(campaign);
    }

    private void forbidStart(MachineRow machine, boolean forbidden, String what) {
        auditFindings.require(!forbidden, AuditInvariant.GATES, machine.id() + " started " + what);
    }

    private void forbid(ClusterUpgrade upgrade, boolean forbidden, @Nullable String what) {
        auditFindings.require(!forbidden, AuditInvariant.GATES, "cluster " + upgrade.cluster() + " was opened " + what);
    }

    private void stop(ClusterUpgrade upgrade, boolean forbidden, String what) {
        auditFindings.require(!forbidden, AuditInvariant.STOP, "cluster " + upgrade.cluster() + " was opened " + what);
    }
}
