package dev.flotilla.core.clusterupgrade;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.core.fleet.OpenClusters;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.ClusterBacklog;
import dev.flotilla.core.fleet.start.ClusterUpgradeNeed;
import dev.flotilla.core.fleet.start.GateEvaluator;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.id.ClusterUpgradeKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.row.VersionFieldChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Opens clusters for campaigns, has further fields written, notes what was written by whom, and closes clusters. */
public final class ClusterUpgradeDecider {
    private ClusterUpgradeDecider() {}

    public static Decision decideNext(DecisionBuilder draft, GateEvaluator gateEvaluator) {
        OpenClusters openClusters = draft.state().dueWork().openClusters();
        for (ClusterState cluster : openClusters.changed()) {
            Decision decision = DecisionFailedException.runFor(cluster.key(), () -> review(draft, cluster));
            if (!decision.isNothing()) {
                return decision;
            }
            openClusters.noteReview(cluster);
        }
        StartCandidate candidate = draft.state().dueWork().selectNextClusterUpgrade(gateEvaluator, draft.at());
        return candidate == null
                ? Decision.NOTHING
                : DecisionFailedException.runFor(candidate.cluster().key(), () -> changeFields(draft, candidate));
    }

    /** Adds the fields that are changed next, and opens the cluster with the first of them. */
    private static Decision changeFields(DecisionBuilder draft, StartCandidate candidate) {
        ClusterState cluster = candidate.cluster();
        CampaignRollout campaign = (CampaignRollout) candidate.rollout();
        String version = Objects.requireNonNull(campaign.release());
        MachineView scratch = draft.state().machines(cluster).getFirst();
        List<VersionField> fields = ClusterUpgradeNeed.nextFields(draft.state(), cluster, campaign, scratch);
        ClusterUpgrade before = ClusterUpgradeNeed.isOpenedBy(cluster, campaign) ? cluster.upgrade() : null;
        List<VersionFieldChange> changes = new ArrayList<>(before == null ? List.of() : before.changes());
        for (VersionField field : fields) {
            changes.add(new VersionFieldChange(
                    field.kind(), field.name(), field.version(), field.version().equals(version)));
        }
        draft.write(
                before == null
                        ? new ClusterUpgrade(cluster.key(), campaign.ref(), version, draft.at(), changes)
                        : before.withChanges(changes));
        return draft.build(
                before == null || !before.hasChanges()
                        ? DecisionEvent.CLUSTER_UPGRADE_OPENED
                        : DecisionEvent.CLUSTER_UPGRADE_CHANGED,
                new ClusterUpgradeKey(cluster.key()),
                "campaign " + campaign.name() + " writes " + version + " to "
                        + fields.stream().map(VersionField::describe).collect(Collectors.joining(", ")));
    }

    private static Decision review(DecisionBuilder draft, ClusterState cluster) {
        ClusterUpgrade upgrade = Objects.requireNonNull(cluster.upgrade());
        CampaignRollout campaign =
                draft.state().rollout(upgrade.campaign()) instanceof CampaignRollout known ? known : null;
        if (campaign == null) {
            return close(draft, upgrade, "its campaign was removed");
        }
        if (campaign.status().state() == CampaignState.COMPLETED) {
            return close(draft, upgrade, "its campaign is completed");
        }
        ClusterRow row = cluster.row();
        if (cluster.unreadable() || !cluster.site().isRestored()) {
            return Decision.NOTHING;
        }
        if (row == null) {
            // One that is created under its name has a version that nobody has put back.
            return cluster.size() == 0 ? close(draft, upgrade, "the cluster is gone") : Decision.NOTHING;
        }
        List<VersionFieldChange> changes = new ArrayList<>(upgrade.changes().size());
        VersionField taken = null;
        for (VersionFieldChange change : upgrade.changes()) {
            VersionField field = find(row, change);
            String shown = field == null ? change.from() : field.version();
            boolean isWritten = field != null && shown.equals(upgrade.version());
            if (field != null && !isWritten && (change.written() || !shown.equals(change.from()))) {
                taken = taken == null ? field : taken;
            } else {
                changes.add(isWritten ? change.asWritten() : change);
            }
        }
        if (taken != null) {
            return noteForeignVersion(draft, campaign, upgrade.withChanges(changes), taken);
        }
        if (!changes.equals(upgrade.changes())) {
            return draft.write(upgrade.withChanges(changes))
                    .build(
                            DecisionEvent.CLUSTER_UPGRADE_CHANGED,
                            new ClusterUpgradeKey(cluster.key()),
                            "version " + upgrade.version() + " is written");
        }
        return isDone(draft.state().dueWork().openClusters().backlogOf(cluster, upgrade))
                ? close(draft, upgrade, "no machine is left")
                : Decision.NOTHING;
    }

    /** Whether Cluster API has nothing more to ask for that the campaign must admit. */
    private static boolean isDone(@Nullable ClusterBacklog backlog) {
        return backlog == null
                || (backlog.counts().remaining() == 0 && backlog.quarantined() == 0 && backlog.skipped() == 0);
    }

    private static @Nullable VersionField find(ClusterRow row, VersionFieldChange change) {
        for (VersionField field : row.versionFields()) {
            if (field.isOf(change)) {
                return field;
            }
        }
        return null;
    }

    /**
     * Somebody else has written another version, such as GitOps the old one: two writers would go on for ever. The cluster stays open, so
     * that what Cluster API has asked for before waits with the campaign.
     */
    private static Decision noteForeignVersion(
            DecisionBuilder draft, CampaignRollout campaign, ClusterUpgrade upgrade, VersionField field) {
        String reason = (field.manager() == null ? "somebody" : "field manager " + field.manager())
                + " has written version " + field.version() + " to " + field.describe() + " of cluster "
                + upgrade.cluster() + ", and the campaign writes " + upgrade.version();
        draft.write(upgrade);
        if (campaign.status().state() != CampaignState.RUNNING) {
            return draft.build(DecisionEvent.CLUSTER_UPGRADE_CHANGED, new ClusterUpgradeKey(upgrade.cluster()), reason);
        }
        return draft.write(campaign.status().withState(CampaignState.PAUSED, reason, draft.at()))
                .build(DecisionEvent.CAMPAIGN_PAUSED, campaign.name(), reason);
    }

    private static Decision close(DecisionBuilder draft, ClusterUpgrade upgrade, String reason) {
        ClusterUpgradeKey key = new ClusterUpgradeKey(upgrade.cluster());
        return draft.remove(Table.STATUS, key).build(DecisionEvent.CLUSTER_UPGRADE_CLOSED, key, reason);
    }
}
