package dev.flotilla.simulator.inplace;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.ClusterUpgradeKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterApiRule.UncoveredChange;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.row.VersionFieldChange;
import dev.flotilla.schemas.row.VersionFieldKind;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.simulator.inplace.InPlaceCluster.InPlaceMachine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What must hold in a world of clusters that Cluster API updates in place, judged from the published and the decided rows alone. */
final class InPlaceInvariants {
    private final InPlaceRows rows = new InPlaceRows();
    private final List<String> violations = new ArrayList<>();

    /** Which campaign has opened each cluster, until it is completed or removed. */
    private final Map<ClusterKey, RolloutRef.CampaignRef> openedBy = new LinkedHashMap<>();

    InPlaceRows rows() {
        return rows;
    }

    List<String> violations() {
        return violations;
    }

    /** Checks a decision on the rows before it, and puts its rows. */
    void check(Decision decision) {
        for (RowChange rowChange : decision.changes()) {
            if (rowChange instanceof MachineStatus status
                    && status.attempt() != null
                    && status.attempt().id() == decision.seq()) {
                checkStart(decision, status, status.attempt());
            }
            if (rowChange instanceof ClusterUpgrade upgrade) {
                checkOpening(upgrade);
            }
            if (rowChange instanceof Tombstone && rowChange.rowKey().key() instanceof ClusterUpgradeKey closed) {
                openedBy.computeIfPresent(closed.cluster(), (cluster, ref) -> isDone(cluster, ref) ? null : ref);
            }
        }
        for (RowChange rowChange : decision.changes()) {
            // Of what the site shows its own rows count, whatever a decision makes of them.
            if (!OrchestratorPartitions.isInput(rowChange.rowKey().table())) {
                rows.put(rowChange.rowKey(), rowChange);
            }
        }
        openedBy.values().removeIf(ref -> {
            CampaignStatus campaign = rows.campaign(ref);
            return campaign == null || campaign.state() == CampaignState.COMPLETED;
        });
    }

    /** Notes that a cluster was deleted: the campaign's claim on it ends. */
    void clusterDeleted(ClusterKey cluster) {
        openedBy.remove(cluster);
    }

    private boolean isDone(ClusterKey cluster, RolloutRef.CampaignRef ref) {
        return rows.machines(cluster).stream().allMatch(machine -> rows.isAtTarget(machine, ref));
    }

    /** Checks what must hold when nothing more is due. */
    void checkQuiet() {
        for (RowChange rowChange : List.copyOf(rows.all())) {
            if (rowChange instanceof ClusterUpgrade upgrade) {
                ClusterRow row = rows.row(Table.INVENTORY, upgrade.cluster(), ClusterRow.class);
                for (VersionFieldChange change : upgrade.changes()) {
                    VersionField field = row == null ? null : find(row, change);
                    require(
                            field == null
                                    || field.version().equals(upgrade.version())
                                    || (!change.written() && field.version().equals(change.from())),
                            upgrade.cluster() + " is open although " + change.name() + " has another version");
                }
            }
        }
    }

    private void checkStart(Decision decision, MachineStatus status, UpgradeAttempt attempt) {
        MachineRow machine = Objects.requireNonNull(rows.row(Table.INVENTORY, status.key(), MachineRow.class));
        ClusterUpgrade upgrade = rows.upgrade(machine.clusterKey());
        String version = startedVersion(decision, attempt);
        require(!rows.isFrozen(), status.key() + " started in a frozen fleet");
        require(rows.inFlight() < rows.cap(), status.key() + " started above the cap");
        if (attempt.rolloutRef() instanceof RolloutRef.CampaignRef ref) {
            CampaignStatus campaign = rows.campaign(ref);
            require(
                    campaign != null && campaign.state() == CampaignState.RUNNING,
                    status.key() + " started for a campaign that does not run");
            require(
                    version.equals(machine.kubeletVersion())
                            || (upgrade != null && upgrade.campaign().equals(ref) && isRequested(machine, version)),
                    status.key() + " started although Cluster API has not asked for it, or its cluster is not open");
        } else {
            RolloutRef.CampaignRef holder = openedBy.get(machine.clusterKey());
            CampaignStatus campaign = holder == null ? null : rows.campaign(holder);
            RolloutEntry entry = holder == null ? null : rows.entry(machine.key(), holder);
            require(
                    campaign == null
                            || !spec(campaign).target().option().equals(new UpgradeTarget.KubernetesRelease(version))
                            || !selects(campaign, machine)
                            || (entry != null && entry.outcome().isAtTarget()),
                    status.key() + " started for its task, and " + holder + " has opened its cluster");
        }
        if (machine.role() == MachineRole.WORKER && !version.equals(machine.kubeletVersion())) {
            require(
                    isControlPlaneUpdated(machine.clusterKey(), attempt.rolloutRef()),
                    status.key() + " started before its control plane");
        }
    }

    /** The version to which an attempt starts: that of its target, or with a hash the one that its command expects. */
    private static String startedVersion(Decision decision, UpgradeAttempt attempt) {
        return attempt.target() instanceof UpgradeTarget.KubernetesRelease release
                ? release.version()
                : decision.changes().stream()
                        .filter(WorkerCommand.UpgradeMachine.class::isInstance)
                        .map(command -> String.valueOf(((WorkerCommand.UpgradeMachine) command).expectedVersion()))
                        .findFirst()
                        .orElse("");
    }

    private void checkOpening(ClusterUpgrade upgrade) {
        ClusterUpgrade before = rows.upgrade(upgrade.cluster());
        CampaignStatus campaign = rows.campaign(upgrade.campaign());
        ClusterRow row = Objects.requireNonNull(rows.row(Table.INVENTORY, upgrade.cluster(), ClusterRow.class));
        require(
                before == null || before.campaign().equals(upgrade.campaign()) || isLeft(before),
                upgrade.cluster() + " is open for two campaigns");
        boolean adds = before == null
                || !before.campaign().equals(upgrade.campaign())
                || before.changes().size() < upgrade.changes().size();
        if (!adds) {
            return;
        }
        require(
                campaign != null && campaign.state() == CampaignState.RUNNING,
                upgrade.cluster() + " was opened for a campaign that does not run");
        require(!rows.isFrozen(), upgrade.cluster() + " was opened in a frozen fleet");
        if (before == null || !before.hasChanges()) {
            require(rows.inFlight() + idleClusters() < rows.cap(), upgrade.cluster() + " was opened above the cap");
            openedBy.put(upgrade.cluster(), upgrade.campaign());
        }
        for (VersionFieldChange change : upgrade.changes()) {
            if (campaign != null
                    && (before == null || before.changes().stream().noneMatch(known -> isSame(known, change)))) {
                checkChange(upgrade, campaign, row, change);
            }
        }
    }

    /** Whether the campaign that has opened a cluster runs, and has no changed field there. */
    private boolean isLeft(ClusterUpgrade upgrade) {
        CampaignStatus campaign = rows.campaign(upgrade.campaign());
        return !upgrade.hasChanges() && campaign != null && campaign.state() == CampaignState.RUNNING;
    }

    private static boolean isSame(VersionFieldChange one, VersionFieldChange other) {
        return one.kind() == other.kind() && one.name().equals(other.name());
    }

    private void checkChange(
            ClusterUpgrade upgrade, CampaignStatus campaign, ClusterRow row, VersionFieldChange change) {
        VersionField field = find(row, change);
        String where = upgrade.cluster() + " " + change.name();
        require(field != null && field.version().equals(change.from()), where + " is written whatever value it has");
        require(change.from().compareTo(upgrade.version()) <= 0, where + " would be given a lower version");
        boolean replaces = change.kind() == VersionFieldKind.TOPOLOGY
                ? row.versionFields().stream().anyMatch(each -> each.problem() != null)
                : field != null && field.problem() != null;
        require(
                !replaces || spec(campaign).clusterApi().uncovered() == UncoveredChange.REPLACE,
                where + " is written although machines would be replaced");
        require(
                change.kind() != VersionFieldKind.MACHINE_DEPLOYMENT
                        || controlPlaneHas(upgrade.cluster(), upgrade.version()),
                where + " is written before the control plane has the version");
        boolean isControlPlane = change.kind() == VersionFieldKind.CONTROL_PLANE;
        for (MachineRow machine : rows.machines(upgrade.cluster())) {
            boolean moves = change.kind() == VersionFieldKind.TOPOLOGY
                    || (isControlPlane == (machine.role() == MachineRole.CONTROL_PLANE)
                            && (machine.owner() == null
                                    || machine.owner().name().equals(change.name())));
            require(
                    !moves || upgrade.version().equals(machine.kubeletVersion()) || selects(campaign, machine),
                    where + " is written although " + machine.key() + " is not selected");
        }
    }

    private static CampaignSpec spec(CampaignStatus campaign) {
        return campaign.acceptedCampaign().spec();
    }

    private static boolean selects(CampaignStatus campaign, MachineRow machine) {
        List<MachineRole> roles = spec(campaign).select().roles();
        return roles.isEmpty() || roles.contains(machine.role());
    }

    private static @Nullable VersionField find(ClusterRow row, VersionFieldChange change) {
        return row.versionFields().stream()
                .filter(field -> field.isOf(change))
                .findFirst()
                .orElse(null);
    }

    /** Whether no control-plane machine shows an older version than its owner has, or each has proved to be at the rollout's target. */
    private boolean isControlPlaneUpdated(ClusterKey cluster, RolloutRef ref) {
        ClusterRow row = Objects.requireNonNull(rows.row(Table.INVENTORY, cluster, ClusterRow.class));
        return row.versionFields().stream()
                .filter(field -> field.kind() == VersionFieldKind.CONTROL_PLANE)
                .allMatch(field -> rows.machines(cluster).stream()
                        .allMatch(machine -> machine.role() == MachineRole.WORKER
                                || rows.isAtTarget(machine, ref)
                                || String.valueOf(machine.kubeletVersion()).compareTo(field.version()) >= 0));
    }

    private boolean controlPlaneHas(ClusterKey cluster, String version) {
        return rows.machines(cluster).stream()
                .allMatch(machine -> machine.role() == MachineRole.WORKER
                        || String.valueOf(machine.kubeletVersion()).compareTo(version) >= 0);
    }

    private boolean isRequested(MachineRow machine, String version) {
        UpgradeIntent intent = rows.row(Table.INTENTS, machine.key(), UpgradeIntent.class);
        return intent != null
                && intent.task() != null
                && intent.uid().equals(machine.uid())
                && (intent.target().equals(new UpgradeTarget.KubernetesRelease(version))
                        || version.equals(intent.expectedVersion()));
    }

    /** Checks that a node is upgraded once for one request, and to no version of which Cluster API then asks for the rest. */
    void checkUpgrade(InPlaceMachine machine, UpgradeAttempt attempt) {
        UpgradeIntent intent = rows.row(Table.INTENTS, machine.key, UpgradeIntent.class);
        UpgradeTarget last = machine.upgrades.isEmpty() ? null : machine.upgrades.getLast();
        require(
                !attempt.target().equals(last)
                        && !(intent != null
                                && intent.target() instanceof UpgradeTarget.MachineSpecHash
                                && attempt.target() instanceof UpgradeTarget.KubernetesRelease),
                machine.key + " is upgraded to " + attempt.target() + ", and its request is " + intent);
        machine.upgrades.add(attempt.target());
    }

    /** Checks that a machine's task is done only after its hash was applied. */
    void checkTask(InPlaceMachine machine) {
        UpgradeIntent intent = rows.row(Table.INTENTS, machine.key, UpgradeIntent.class);
        MachineStatus status = rows.row(Table.STATUS, machine.key, MachineStatus.class);
        if (intent == null
                || status == null
                || !machine.uid().equals(intent.uid())
                || !(intent.target() instanceof UpgradeTarget.MachineSpecHash)) {
            return;
        }
        RolloutEntry entry = rows.entry(machine.key, new RolloutRef.IntentRef(intent.object(), intent.requestedAt()));
        require(
                entry == null
                        || !entry.outcome().isAtTarget()
                        || !status.uid().equals(machine.uid())
                        || intent.target().equals(machine.reached),
                machine.key + " is said to be at " + intent.target() + ", and its node has " + machine.reached);
    }

    /** Open clusters with a changed field in which nothing runs, and in which a machine of their campaign has not ended. */
    private int idleClusters() {
        int idle = 0;
        for (RowChange rowChange : rows.all()) {
            if (rowChange instanceof ClusterUpgrade upgrade) {
                CampaignStatus campaign = rows.campaign(upgrade.campaign());
                List<MachineRow> machines = rows.machines(upgrade.cluster());
                boolean runs = machines.stream()
                        .anyMatch(machine -> rows.inFlightMachines().contains(machine.key()));
                boolean left = campaign != null
                        && campaign.state() == CampaignState.RUNNING
                        && upgrade.hasChanges()
                        && machines.stream()
                                .anyMatch(machine -> selects(campaign, machine)
                                        && !hasEnded(rows.entry(machine.key(), upgrade.campaign())));
                idle += !runs && left ? 1 : 0;
            }
        }
        return idle;
    }

    private static boolean hasEnded(@Nullable RolloutEntry entry) {
        return entry != null && entry.outcome().hasEnded();
    }

    private void require(boolean holds, String problem) {
        if (!holds) {
            violations.add(problem);
        }
    }
}
