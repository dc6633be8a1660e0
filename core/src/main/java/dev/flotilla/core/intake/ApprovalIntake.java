package dev.flotilla.core.intake;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.CampaignApprovals;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.WaveStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Accepts approvals: of a wave, for one content hash of its campaign, and of an overlap with one other campaign. */
final class ApprovalIntake {
    private ApprovalIntake() {}

    /** Whether an approval that is written again is in force as it is. */
    static boolean isInForce(FleetState state, OperatorOrder order, CampaignRollout campaign) {
        CampaignApprovals approvals = campaign.status().approvals();
        return switch (order.key()) {
            case OperatorOrderKey.ApproveWave key -> {
                WaveProgress wave = campaign.wave(key.wave());
                WaveStatus status = wave == null ? null : wave.status();
                yield !approvals.editPending() && status != null && order.id().equals(status.approvedBy());
            }
            case OperatorOrderKey.ApproveOverlap key -> {
                CampaignRollout earlier = earlierCampaign(state, order.otherCampaignUid(), campaign);
                yield order.otherCampaignUid() != null
                        && order.otherCampaignUid().equals(approvals.approvedOverlapUid())
                        && (earlier == null || campaign.status().mayOverlap(earlier.status()));
            }
            default -> false;
        };
    }

    static Decision approveWave(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            OperatorOrder order,
            OperatorOrderKey.ApproveWave key,
            CampaignRollout campaign) {
        WaveProgress wave = campaign.wave(key.wave());
        if (wave == null) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    RejectionReason.BAD_KEY,
                    "wave",
                    key.wave(),
                    "campaign " + key.campaign() + " has no wave " + key.wave());
        }
        String contentHash = CampaignContentHash.compute(campaign.status().acceptedCampaign());
        if (!contentHash.equals(order.contentHash())) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    order.contentHash() == null ? RejectionReason.MISSING_FIELD : RejectionReason.CONTRADICTION,
                    "contentHash",
                    order.contentHash() == null ? "" : order.contentHash(),
                    "an approval must name the campaign's current content hash: campaign " + key.campaign() + " has "
                            + contentHash + ". Review it, then approve that content hash");
        }
        boolean editPending = campaign.status().approvals().editPending();
        boolean succeeded = wave.isOpen() && (wave.hasSucceeded() || wave.remaining() == 0);
        if (wave.wave().needsApprovalAfter() && !succeeded && !editPending) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "wave",
                    key.wave(),
                    "wave " + key.wave() + " can be approved after its machines have succeeded; " + wave.atTarget()
                            + " of " + wave.counted() + " have");
        }
        CampaignStatus next = campaign.status().withAppliedOrder(order.key(), order.id());
        draft.write(order).write(next.with(next.approvals().withoutPendingEdit()));
        if (!wave.wave().needsApprovalAfter() || succeeded) {
            draft.write(campaign.rowOf(wave).withApproval(order.id()));
        }
        return draft.build(DecisionEvent.ORDER_APPLIED, key, OperatorOrderIntake.describe(order));
    }

    static Decision approveOverlap(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            OperatorOrder order,
            CampaignRollout campaign) {
        Long uid = order.otherCampaignUid();
        if (uid == null || earlierCampaign(draft.state(), uid, campaign) == null) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    uid == null ? RejectionReason.MISSING_FIELD : RejectionReason.CONTRADICTION,
                    "otherCampaignUid",
                    uid == null ? "" : uid.toString(),
                    "an overlap approval must name the uid of an earlier campaign that is not over"
                            + describeOverlappingCampaign(draft, campaign));
        }
        CampaignStatus next = campaign.status().withAppliedOrder(order.key(), order.id());
        return draft.write(order)
                .write(next.with(next.approvals().withOverlap(uid, draft.seq())))
                .build(DecisionEvent.ORDER_APPLIED, order.key(), OperatorOrderIntake.describe(order));
    }

    /** The campaign with this uid, if it was accepted earlier and is not over. */
    private static @Nullable CampaignRollout earlierCampaign(
            FleetState state, @Nullable Long uid, CampaignRollout later) {
        for (CampaignRollout other : state.campaigns().values()) {
            long found = other.status().uid();
            if (uid != null && uid == found && found < later.status().uid() && !other.isOver()) {
                return other;
            }
        }
        return null;
    }

    /** Ends an approval that was deleted from the topic, if something still waits for it. */
    static void withdrawApproval(DecisionBuilder draft, OperatorOrder known) {
        CampaignRollout campaign = known.key() instanceof OperatorOrderKey.CampaignOrder of
                ? draft.state().rollout(of.campaign())
                : null;
        if (campaign == null
                || !Objects.equals(known.campaignUid(), campaign.status().uid())) {
            return;
        }
        CampaignStatus status = campaign.status();
        if (known.key() instanceof OperatorOrderKey.ApproveOverlap && isInForce(draft.state(), known, campaign)) {
            draft.write(status.with(status.approvals().withoutOverlap()));
        } else if (known.key() instanceof OperatorOrderKey.ApproveWave key) {
            WaveProgress wave = campaign.wave(key.wave());
            WaveStatus row = wave == null ? null : wave.status();
            if (wave != null && row != null && !wave.isClosed() && known.id().equals(row.approvedBy())) {
                draft.write(row.withApproval(null));
            }
        }
    }

    private static String describeOverlappingCampaign(DecisionBuilder draft, CampaignRollout campaign) {
        CampaignRollout other = draft.state().overlappingCampaign(campaign) == null
                ? null
                : draft.state().rollout(Objects.requireNonNull(draft.state().overlappingCampaign(campaign)));
        return other == null
                ? ""
                : ": campaign " + other.name() + " has the uid "
                        + other.status().uid();
    }
}
