package dev.flotilla.core.intake;

import dev.flotilla.core.attempt.MachineStatusWriter;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FailureBudgetBreach;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RolloutEntry;
import java.util.List;

/** Applies orders about a campaign. */
final class CampaignOrderIntake {
    private CampaignOrderIntake() {}

    static Decision applyOrder(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            OperatorOrder order,
            OperatorOrderKey.CampaignOrder key,
            CampaignRollout campaign) {
        if (campaign.isOver()) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "campaignUid",
                    String.valueOf(order.campaignUid()),
                    "campaign " + key.campaign() + " is "
                            + campaign.status().state().label());
        }
        return switch (key) {
            case OperatorOrderKey.SetCampaignState state -> setState(draft, recordReceived, order, key, campaign);
            case OperatorOrderKey.ApproveWave approve ->
                ApprovalIntake.approveWave(draft, recordReceived, order, approve, campaign);
            case OperatorOrderKey.ApproveOverlap overlap ->
                ApprovalIntake.approveOverlap(draft, recordReceived, order, campaign);
            case OperatorOrderKey.SkipMachine skip -> skipMachine(draft, recordReceived, order, skip, campaign);
            case OperatorOrderKey.RetryQuarantined retry ->
                draft.write(order)
                        .write(withAppliedOrder(campaign, order).withRetryBefore(draft.seq()))
                        .build(DecisionEvent.ORDER_APPLIED, key, OperatorOrderIntake.describe(order));
        };
    }

    private static CampaignStatus withAppliedOrder(CampaignRollout campaign, OperatorOrder order) {
        return campaign.status().withAppliedOrder(order.key(), order.id());
    }

    private static Decision setState(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            OperatorOrder order,
            OperatorOrderKey key,
            CampaignRollout campaign) {
        CampaignState next = switch (order.verb()) {
            case PAUSE -> CampaignState.PAUSED;
            case ABORT -> CampaignState.ABORTED;
            default -> CampaignState.RUNNING;
        };
        if (next == CampaignState.RUNNING && FailureBudgetBreach.isBreached(draft.state(), campaign)) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "verb",
                    order.verb().label(),
                    FailureBudgetBreach.describe(draft.state(), campaign)
                            + ": raise the budget first, because nothing can start");
        }
        DecisionEvent event = switch (next) {
            case PAUSED -> DecisionEvent.CAMPAIGN_PAUSED;
            case ABORTED -> DecisionEvent.CAMPAIGN_ABORTED;
            case RUNNING, COMPLETED -> DecisionEvent.CAMPAIGN_RESUMED;
        };
        String reason = next == CampaignState.RUNNING ? null : OperatorOrderIntake.describe(order);
        return draft.write(order)
                .write(withAppliedOrder(campaign, order).withState(next, reason, draft.at()))
                .build(event, key, OperatorOrderIntake.describe(order));
    }

    private static Decision skipMachine(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            OperatorOrder order,
            OperatorOrderKey.SkipMachine key,
            CampaignRollout campaign) {
        MachineKey name = key.machine();
        SiteState site = draft.state().site(name.site());
        if (site != null && site.isUnreachable()) {
            return rejectSkip(
                    draft,
                    recordReceived,
                    name,
                    RejectionReason.CONTRADICTION,
                    "the topics of site " + name.site()
                            + " cannot be used now: skip the machine with a new id once they can");
        }
        MachineView machine = draft.state().machine(name);
        boolean known = machine != null && (machine.isPresent() || machine.entry(campaign.rolloutRef()) != null);
        if (machine == null || !known) {
            return rejectSkip(draft, recordReceived, name, RejectionReason.BAD_KEY, "there is no machine " + name);
        }
        MachineStatus status = machine.status();
        RolloutEntry before = machine.entry(campaign.rolloutRef());
        if (status != null && machine.isPresent() && !machine.isUid(status.uid())) {
            return rejectSkip(
                    draft,
                    recordReceived,
                    name,
                    RejectionReason.CONTRADICTION,
                    "an earlier machine of this name still has an open attempt; once that has ended, skip this one with a new id");
        }
        if (before != null && before.outcome().isAtTarget()) {
            return buildSkipped(draft.write(order), order, name);
        }
        List<RolloutEntry> entries = MachineStatusWriter.withEntry(
                draft.state(),
                status,
                before == null
                        ? new RolloutEntry(
                                campaign.rolloutRef(), campaign.waveName(machine), 0, null, MachineOutcome.SKIPPED)
                        : before.withOutcome(MachineOutcome.SKIPPED));
        if (entries.size() > RolloutEntry.MAX_PER_MACHINE) {
            return rejectSkip(
                    draft,
                    recordReceived,
                    name,
                    RejectionReason.CONTRADICTION,
                    "has the maximum of " + RolloutEntry.MAX_PER_MACHINE
                            + " campaigns and intents; delete a campaign that has ended, then skip the machine with a new id");
        }
        draft.write(order)
                .write(
                        status == null
                                ? new MachineStatus(name, machine.uid(), null, null, entries)
                                : status.withEntries(entries));
        return buildSkipped(draft, order, name);
    }

    private static Decision rejectSkip(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            MachineKey machine,
            RejectionReason reason,
            String problem) {
        return InputRejection.reject(draft, recordReceived, reason, "machine", machine.toString(), problem);
    }

    private static Decision buildSkipped(DecisionBuilder draft, OperatorOrder order, MachineKey machine) {
        return draft.build(DecisionEvent.MACHINE_SKIPPED, machine, OperatorOrderIntake.describe(order));
    }
}
