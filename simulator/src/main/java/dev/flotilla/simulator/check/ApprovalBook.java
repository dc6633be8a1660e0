package dev.flotilla.simulator.check;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Event;
import dev.flotilla.schemas.edition.Edition;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Terms;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.log.CommittedRows;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What people have approved, by their orders and the editions that they were of; the orchestrator's rows about it are not asked. An
 * edit of more than when a campaign runs ends what was approved of it, and asks for a person where one was asked for before.
 */
final class ApprovalBook {
    private record OfWave(long uid, String wave) {}

    private final Map<OfWave, Order> waves = new HashMap<>();
    /** As {@link #waves}, with those whose order was taken out of the topic when they were done with already. */
    private final Set<OfWave> approved = new HashSet<>();

    private final Map<Long, Long> overlaps = new HashMap<>();
    private final Set<Long> pending = new HashSet<>();

    boolean isApproved(CampaignStatus campaign, String wave) {
        return waves.containsKey(new OfWave(campaign.uid(), wave));
    }

    /** Whether somebody has approved of any wave since the last edit. */
    boolean isApprovedOfAnyWave(CampaignStatus campaign) {
        return isApprovedOfAnyWave(campaign.uid());
    }

    private boolean isApprovedOfAnyWave(long uid) {
        return approved.stream().anyMatch(wave -> wave.uid() == uid);
    }

    /** Whether an edit waits for somebody who approves it. */
    boolean isPending(CampaignStatus campaign) {
        return pending.contains(campaign.uid());
    }

    @Nullable
    Long overlapOf(CampaignStatus campaign) {
        return overlaps.get(campaign.uid());
    }

    /** Before a decision's facts are put. */
    void decided(Decision decision, CommittedRows rows, Verdicts verdicts) {
        for (Fact fact : decision.facts()) {
            // A row that can be read again, and was applied before or not at all, approves nothing anew.
            if (fact instanceof Order order && decision.event() == Event.ORDER_APPLIED) {
                take(order, rows, verdicts);
            } else if (fact instanceof Gone gone && gone.at().table() == Table.APPROVALS) {
                waves.values().removeIf(order -> order.at().equals(gone.at()));
                approved.removeIf(wave -> !waves.containsKey(wave) && !isClosed(wave, gone, rows));
                if (gone.at().key() instanceof OrderKey.Overlap key
                        && rows.get(new RowKey(Table.CAMPAIGN_STATUS, key.campaign()))
                                instanceof CampaignStatus status) {
                    overlaps.remove(status.uid());
                }
            } else if (fact instanceof CampaignStatus next
                    && rows.get(next.at()) instanceof CampaignStatus before
                    && before.uid() == next.uid()) {
                edited(before.uid(), before.accepted(), next.accepted());
            }
        }
    }

    private void take(Order order, CommittedRows rows, Verdicts verdicts) {
        if (!(order.key() instanceof OrderKey.OfCampaign key)
                || !(rows.get(new RowKey(Table.CAMPAIGN_STATUS, key.campaign())) instanceof CampaignStatus status)
                || !Objects.equals(order.campaignUid(), status.uid())) {
            return;
        }
        if (key instanceof OrderKey.Overlap && order.otherUid() != null) {
            overlaps.put(status.uid(), order.otherUid());
        } else if (key instanceof OrderKey.Approve approve) {
            verdicts.require(
                    Edition.of(status.accepted()).equals(order.edition()),
                    Invariant.APPROVAL,
                    "wave " + approve.wave() + " of campaign " + key.campaign()
                            + " was approved by an approval of edition " + order.edition());
            waves.put(new OfWave(status.uid(), approve.wave()), order);
            approved.add(new OfWave(status.uid(), approve.wave()));
            pending.remove(status.uid());
        }
    }

    private static boolean isClosed(OfWave wave, Gone gone, CommittedRows rows) {
        return gone.at().key() instanceof OrderKey.Approve key
                && key.wave().equals(wave.wave())
                && rows.get(new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(key.campaign(), wave.wave())))
                        instanceof WaveStatus row
                && row.campaignUid() == wave.uid()
                && row.closed() != null;
    }

    private void edited(long uid, Campaign before, Campaign after) {
        CampaignSpec spec = before.spec();
        if (!isSameWork(spec, after.spec())) {
            if (isApprovedOfAnyWave(uid)
                    || spec.waves().stream().anyMatch(wave -> wave.approval() != Wave.Approval.NONE)) {
                pending.add(uid);
            }
            approved.removeIf(wave -> wave.uid() == uid);
            waves.keySet().removeIf(wave -> wave.uid() == uid);
            overlaps.remove(uid);
            overlaps.values().removeIf(other -> other == uid);
        }
    }

    private static boolean isSameWork(CampaignSpec a, CampaignSpec b) {
        return Objects.equals(a.expectedVersion(), b.expectedVersion())
                && a.target().equals(b.target())
                && a.select().equals(b.select())
                && a.waves().equals(b.waves())
                && Objects.equals(a.inFlight(), b.inFlight())
                && Objects.equals(a.clusterInFlight(), b.clusterInFlight())
                && Objects.equals(a.failureBudget(), b.failureBudget())
                && a.maxUnavailable().equals(b.maxUnavailable())
                && a.controlPlaneFirst() == b.controlPlaneFirst()
                && a.retries().equals(b.retries())
                && a.checks().equals(b.checks())
                && isSameWork(a.terms(), b.terms());
    }

    private static boolean isSameWork(Terms a, Terms b) {
        return a.settle().equals(b.settle())
                && a.dependsOn().equals(b.dependsOn())
                && a.windows().equals(b.windows())
                && Objects.equals(a.cohorts(), b.cohorts())
                && a.domains().equals(b.domains())
                && a.allowDowngrade() == b.allowDowngrade()
                && a.strict() == b.strict()
                && a.drain() == b.drain();
    }
}
