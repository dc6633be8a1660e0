package dev.flotilla.core.intake;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.WaveProgress;
import dev.flotilla.schemas.edition.CampaignContentHash;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.CampaignApprovals;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.WaveStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Approvals: of a wave in one edition of its campaign, and of running beside one other campaign. */
final class ApprovalIntake {
    private ApprovalIntake() {}

    /** Whether an approval that is written again counts as it is. */
    static boolean holds(FleetState state, OperatorOrder order, CampaignRollout campaign) {
        CampaignApprovals approvals = campaign.status().approvals();
        return switch (order.key()) {
            case OperatorOrderKey.ApproveWave key -> {
                WaveProgress wave = campaign.wave(key.wave());
                WaveStatus status = wave == null ? null : wave.status();
                yield !approvals.editPending() && status != null && order.id().equals(status.approvedBy());
            }
            case OperatorOrderKey.ApproveOverlap key -> {
                CampaignRollout earlier = earlier(state, order.otherCampaignUid(), campaign);
                yield order.otherCampaignUid() != null
                        && order.otherCampaignUid().equals(approvals.approvedOverlapUid())
                        && (earlier == null || campaign.status().mayRunBeside(earlier.status()));
            }
            default -> false;
        };
    }

    static Decision wave(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            OperatorOrder order,
            OperatorOrderKey.ApproveWave key,
            CampaignRollout campaign) {
        WaveProgress wave = campaign.wave(key.wave());
        if (wave == null) {
            return InputRowIntake.reject(
                    draft,
                    recordReceived,
                    RejectionReason.BAD_KEY,
                    "wave",
                    key.wave(),
                    "campaign " + key.campaign() + " has no such wave");
        }
        String now = CampaignContentHash.compute(campaign.status().acceptedCampaign());
        if (!now.equals(order.contentHash())) {
            return InputRowIntake.reject(
                    draft,
                    recordReceived,
                    order.contentHash() == null ? RejectionReason.MISSING_FIELD : RejectionReason.CONTRADICTION,
                    "edition",
                    order.contentHash() == null ? "" : order.contentHash(),
                    "an approval names the edition of the campaign that was looked at, and campaign " + key.campaign()
                            + " is at edition " + now + ": look at it, and approve that one");
        }
        boolean pending = campaign.status().approvals().editPending();
        boolean succeeded = wave.isOpen() && (wave.hasSucceeded() || wave.remaining() == 0);
        if (wave.wave().needsApprovalAfter() && !succeeded && !pending) {
            return InputRowIntake.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "wave",
                    key.wave(),
                    "wave " + key.wave() + " is approved after its machines have succeeded; " + wave.atTarget() + " of "
                            + wave.counted() + " have");
        }
        CampaignStatus next = campaign.status().withAppliedOrder(order.key(), order.id());
        draft.write(order).write(next.with(next.approvals().withoutPendingEdit()));
        if (!wave.wave().needsApprovalAfter() || succeeded) {
            draft.write(wave.row(campaign).approvedBy(order.id()));
        }
        return draft.build(DecisionEvent.ORDER_APPLIED, key, OperatorOrderIntake.describe(order));
    }

    static Decision overlap(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            OperatorOrder order,
            CampaignRollout campaign) {
        Long uid = order.otherCampaignUid();
        if (uid == null || earlier(draft.state(), uid, campaign) == null) {
            return InputRowIntake.reject(
                    draft,
                    recordReceived,
                    uid == null ? RejectionReason.MISSING_FIELD : RejectionReason.CONTRADICTION,
                    "otherUid",
                    uid == null ? "" : uid.toString(),
                    "an overlap is approved with one earlier campaign that is not over, by its uid"
                            + contender(draft, campaign));
        }
        CampaignStatus next = campaign.status().withAppliedOrder(order.key(), order.id());
        return draft.write(order)
                .write(next.with(next.approvals().withOverlap(uid, draft.seq())))
                .build(DecisionEvent.ORDER_APPLIED, order.key(), OperatorOrderIntake.describe(order));
    }

    /** The campaign of a uid, if it came before another and is not over. */
    private static @Nullable CampaignRollout earlier(FleetState state, @Nullable Long uid, CampaignRollout later) {
        for (CampaignRollout other : state.campaigns().values()) {
            long found = other.status().uid();
            if (uid != null && uid == found && found < later.status().uid() && !other.isOver()) {
                return other;
            }
        }
        return null;
    }

    /** An approval that is taken out of the topic ends, as far as something waits for it still. */
    static void withdraw(DecisionBuilder draft, OperatorOrder known) {
        CampaignRollout campaign = known.key() instanceof OperatorOrderKey.CampaignOrder of
                ? draft.state().rollout(of.campaign())
                : null;
        if (campaign == null
                || !Objects.equals(known.campaignUid(), campaign.status().uid())) {
            return;
        }
        CampaignStatus status = campaign.status();
        if (known.key() instanceof OperatorOrderKey.ApproveOverlap && holds(draft.state(), known, campaign)) {
            draft.write(status.with(status.approvals().withoutOverlap()));
        } else if (known.key() instanceof OperatorOrderKey.ApproveWave key) {
            WaveProgress wave = campaign.wave(key.wave());
            WaveStatus row = wave == null ? null : wave.status();
            if (wave != null && row != null && !wave.isClosed() && known.id().equals(row.approvedBy())) {
                draft.write(row.approvedBy(null));
            }
        }
    }

    private static String contender(DecisionBuilder draft, CampaignRollout campaign) {
        CampaignRollout other = draft.state().overlappingCampaign(campaign) == null
                ? null
                : draft.state().rollout(Objects.requireNonNull(draft.state().overlappingCampaign(campaign)));
        return other == null
                ? ""
                : ": campaign " + other.name() + " has the uid "
                        + other.status().uid();
    }
}
