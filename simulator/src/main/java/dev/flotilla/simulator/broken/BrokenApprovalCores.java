package dev.flotilla.simulator.broken;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.CampaignApprovals;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cores that give an approval more effect than it has. */
final class BrokenApprovalCores {
    private BrokenApprovalCores() {}

    static List<BrokenCore> all() {
        return List.of(
                core(
                                "approval-outlives-an-edit",
                                "an approval stays valid after an edit of any kind",
                                BrokenApprovalCores::outliving)
                        .expectedToBreak(Invariant.APPROVAL),
                core(
                                "overlap-outlives-an-edit",
                                "an approved overlap stays valid after an edit of the other campaign",
                                BrokenApprovalCores::runningOn)
                        .expectedToBreak(Invariant.OVERLAP),
                core(
                                "approval-of-any-content",
                                "an approval for an earlier content hash counts for the current content",
                                BrokenApprovalCores::ofAnyEdition)
                        .expectedToBreak(Invariant.APPROVAL),
                core(
                                "approved-before-its-successes",
                                "a wave that needs an approval afterwards can be approved as soon as it has begun",
                                BrokenApprovalCores::tooEarly)
                        .expectedToBreak(Invariant.APPROVAL),
                BrokenConstraintCores.opens(
                                "policy-asks-at-acceptance-only",
                                "a campaign that was accepted before the policy required an approval needs none",
                                GateLabel.WAVE,
                                closedGate -> closedGate.message().contains("campaigns.requireApproval"))
                        .expectedToBreak(Invariant.CAMPAIGN_RULE),
                BrokenConstraintCores.opens(
                                "target-forbidden-at-acceptance-only",
                                "a campaign that was accepted before the policy forbade its target continues",
                                GateLabel.CAMPAIGN_NOT_RUNNING,
                                closedGate -> closedGate.message().contains("campaigns.targets"))
                        .expectedToBreak(Invariant.CAMPAIGN_RULE),
                BrokenConstraintCores.opens(
                                "first-wave-of-any-size",
                                "if the policy requires an approval after the first wave, that wave may have any size",
                                GateLabel.WAVE,
                                closedGate -> closedGate.message().contains("campaigns.firstWave"))
                        .expectedToBreak(Invariant.FIRST_WAVE),
                core(
                                "wave-forgotten-by-an-edit",
                                "an edit of a wave's share resets the wave's progress",
                                BrokenApprovalCores::forgetful)
                        .expectedToBreak(Invariant.WAVE_HISTORY));
    }

    private static BrokenCore core(String name, String what, Decider decider) {
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(() -> decider));
    }

    private static Decision real(FleetState state, DecisionInput input) {
        return FleetDecider.standard().decide(state, input);
    }

    private static Decision outliving(FleetState state, DecisionInput input) {
        return isEdit(input)
                ? DecisionRewriter.each(real(state, input), rowChange -> switch (rowChange) {
                    case CampaignStatus status -> status.with(status.approvals().withoutPendingEdit());
                    case WaveStatus wave -> wave.withApproval(approvedBy(state, wave));
                    default -> rowChange;
                })
                : real(state, input);
    }

    private static Decision runningOn(FleetState state, DecisionInput input) {
        return isEdit(input)
                ? DecisionRewriter.each(real(state, input), rowChange -> {
                    CampaignRollout known =
                            rowChange instanceof CampaignStatus status ? state.rollout(status.name()) : null;
                    return rowChange instanceof CampaignStatus status && known != null
                            ? status.with(new CampaignApprovals(
                                    status.approvals().editPending(),
                                    null,
                                    0,
                                    known.status().approvals().endedBeforeSeq()))
                            : rowChange;
                })
                : real(state, input);
    }

    private static @Nullable String approvedBy(FleetState state, WaveStatus wave) {
        CampaignRollout campaign = state.rollout(wave.key().campaign());
        WaveProgress known = campaign == null ? null : campaign.wave(wave.key().wave());
        WaveStatus before = known == null ? null : known.status();
        return before == null ? wave.approvedBy() : before.approvedBy();
    }

    private static Decision ofAnyEdition(FleetState state, DecisionInput input) {
        if (!(input instanceof DecisionInput.RecordReceived recordReceived)
                || !(recordReceived.change() instanceof OperatorOrder order)
                || order.isOnWrongTable()
                || !(order.key() instanceof OperatorOrderKey.ApproveWave key)) {
            return real(state, input);
        }
        CampaignRollout campaign = state.rollout(key.campaign());
        if (campaign == null) {
            return real(state, input);
        }
        OperatorOrder rewritten = new OperatorOrder(
                key,
                order.id(),
                order.requestedBy(),
                order.reason(),
                order.campaignUid(),
                CampaignContentHash.compute(campaign.status().acceptedCampaign()),
                null,
                order.verb());
        return DecisionRewriter.each(
                real(
                        state,
                        new DecisionInput.RecordReceived(
                                rewritten, recordReceived.partition(), recordReceived.offset(), input.at())),
                rowChange -> rowChange.equals(rewritten) ? order : rowChange);
    }

    private static Decision tooEarly(FleetState state, DecisionInput input) {
        Decision decision = real(state, input);
        if (decision.event() != DecisionEvent.REJECTED
                || !(input instanceof DecisionInput.RecordReceived recordReceived)
                || !(recordReceived.change() instanceof OperatorOrder order)
                || order.isOnWrongTable()
                || !(order.key() instanceof OperatorOrderKey.ApproveWave key)) {
            return decision;
        }
        CampaignRollout campaign = state.rollout(key.campaign());
        if (campaign == null) {
            return decision;
        }
        WaveProgress wave = campaign.wave(key.wave());
        boolean hasCurrentHash = CampaignContentHash.compute(campaign.status().acceptedCampaign())
                .equals(order.contentHash());
        return wave != null && hasCurrentHash && wave.wave().needsApprovalAfter() && wave.isOpen() && !campaign.isOver()
                ? new DecisionBuilder(state, input.at())
                        .write(order)
                        .write(campaign.rowOf(wave).withApproval(order.id()))
                        .build(DecisionEvent.ORDER_APPLIED, key, "too early")
                : decision;
    }

    private static Decision forgetful(FleetState state, DecisionInput input) {
        return isEdit(input)
                ? DecisionRewriter.each(
                        real(state, input),
                        rowChange -> rowChange instanceof WaveStatus wave && wave.sharePartsPerMillion() == null
                                ? WaveStatus.of(wave.key(), wave.campaignUid())
                                : rowChange)
                : real(state, input);
    }

    private static boolean isEdit(DecisionInput input) {
        return input instanceof DecisionInput.RecordReceived recordReceived
                && recordReceived.change() instanceof Campaign;
    }
}
