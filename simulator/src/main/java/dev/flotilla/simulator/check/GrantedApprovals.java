package dev.flotilla.simulator.check;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.simulator.log.CommittedTableRows;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What operators have approved, computed from their orders and the content hashes in them, not from the orchestrator's
 * rows. An edit that changes more than when a campaign runs ends its approvals, and needs a new approval if one was
 * needed before.
 */
final class GrantedApprovals {
    private record CampaignWave(long uid, String wave) {}

    private final Map<CampaignWave, OperatorOrder> waves = new HashMap<>();
    /** As {@link #waves}, plus closed waves whose order has been removed from the topic. */
    private final Set<CampaignWave> approved = new HashSet<>();

    private final Map<Long, Long> overlaps = new HashMap<>();
    private final Set<Long> pending = new HashSet<>();

    boolean isApproved(CampaignStatus campaign, String wave) {
        return waves.containsKey(new CampaignWave(campaign.uid(), wave));
    }

    /** Whether any wave has been approved since the last edit. */
    boolean isApprovedOfAnyWave(CampaignStatus campaign) {
        return isApprovedOfAnyWave(campaign.uid());
    }

    private boolean isApprovedOfAnyWave(long uid) {
        return approved.stream().anyMatch(wave -> wave.uid() == uid);
    }

    /** Whether an edit waits for an approval. */
    boolean isPending(CampaignStatus campaign) {
        return pending.contains(campaign.uid());
    }

    @Nullable
    Long overlapOf(CampaignStatus campaign) {
        return overlaps.get(campaign.uid());
    }

    /** Looks at a decision before its row changes are put. */
    void applyDecision(Decision decision, CommittedTableRows rows, ViolationLog violationLog) {
        for (RowChange rowChange : decision.changes()) {
            // A row that is readable again was applied before or never; it approves nothing.
            if (rowChange instanceof OperatorOrder order && decision.event() == DecisionEvent.ORDER_APPLIED) {
                applyApproval(order, rows, violationLog);
            } else if (rowChange instanceof Tombstone tombstone
                    && tombstone.rowKey().table() == Table.APPROVALS) {
                waves.values().removeIf(order -> order.rowKey().equals(tombstone.rowKey()));
                approved.removeIf(wave -> !waves.containsKey(wave) && !isClosed(wave, tombstone, rows));
                if (tombstone.rowKey().key() instanceof OperatorOrderKey.ApproveOverlap key
                        && rows.get(new RowKey(Table.CAMPAIGN_STATUS, key.campaign()))
                                instanceof CampaignStatus status) {
                    overlaps.remove(status.uid());
                }
            } else if (rowChange instanceof CampaignStatus next
                    && rows.get(next.rowKey()) instanceof CampaignStatus before
                    && before.uid() == next.uid()) {
                applyEdit(before.uid(), before.acceptedCampaign(), next.acceptedCampaign());
            }
        }
    }

    private void applyApproval(OperatorOrder order, CommittedTableRows rows, ViolationLog violationLog) {
        if (!(order.key() instanceof OperatorOrderKey.CampaignOrder key)
                || !(rows.get(new RowKey(Table.CAMPAIGN_STATUS, key.campaign())) instanceof CampaignStatus status)
                || !Objects.equals(order.campaignUid(), status.uid())) {
            return;
        }
        if (key instanceof OperatorOrderKey.ApproveOverlap && order.otherCampaignUid() != null) {
            overlaps.put(status.uid(), order.otherCampaignUid());
        } else if (key instanceof OperatorOrderKey.ApproveWave approve) {
            violationLog.require(
                    CampaignContentHash.compute(status.acceptedCampaign()).equals(order.contentHash()),
                    Invariant.APPROVAL,
                    "wave " + approve.wave() + " of campaign " + key.campaign()
                            + " was approved by an approval of content hash " + order.contentHash());
            waves.put(new CampaignWave(status.uid(), approve.wave()), order);
            approved.add(new CampaignWave(status.uid(), approve.wave()));
            pending.remove(status.uid());
        }
    }

    private static boolean isClosed(CampaignWave wave, Tombstone tombstone, CommittedTableRows rows) {
        return tombstone.rowKey().key() instanceof OperatorOrderKey.ApproveWave key
                && key.wave().equals(wave.wave())
                && rows.get(new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(key.campaign(), wave.wave())))
                        instanceof WaveStatus row
                && row.campaignUid() == wave.uid()
                && row.closedAt() != null;
    }

    private void applyEdit(long uid, Campaign before, Campaign after) {
        CampaignSpec spec = before.spec();
        if (!isSameWork(spec, after.spec())) {
            if (isApprovedOfAnyWave(uid)
                    || spec.waves().stream().anyMatch(wave -> wave.approval() != Wave.WaveApproval.NONE)) {
                pending.add(uid);
            }
            approved.removeIf(wave -> wave.uid() == uid);
            waves.keySet().removeIf(wave -> wave.uid() == uid);
            overlaps.remove(uid);
            overlaps.values().removeIf(other -> other == uid);
        }
    }

    private static boolean isSameWork(CampaignSpec a, CampaignSpec b) {
        return a.target().equals(b.target())
                && a.select().equals(b.select())
                && a.waves().equals(b.waves())
                && a.caps().equals(b.caps())
                && Objects.equals(a.failureBudget(), b.failureBudget())
                && a.dependsOn().equals(b.dependsOn())
                && a.windows().equals(b.windows())
                && Objects.equals(a.cohortCircuitBreaker(), b.cohortCircuitBreaker())
                && a.drain() == b.drain()
                && a.cluster().equals(b.cluster())
                && a.retries().equals(b.retries())
                && a.checks().equals(b.checks());
    }
}
