package dev.flotilla.core.intake;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.Input;
import dev.flotilla.core.attempt.AttemptEnd;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FailureRisk;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.CampaignState;

/** Orders under a campaign's name. */
final class CampaignOrders {
    private CampaignOrders() {}

    static Decision apply(
            Draft draft, Input.Arrived arrived, OperatorOrder order, OperatorOrderKey.CampaignOrder key, CampaignRollout campaign) {
        if (campaign.over()) {
            return Intake.refuse(
                    draft,
                    arrived,
                    RejectionReason.CONTRADICTION,
                    "campaignUid",
                    String.valueOf(order.campaignUid()),
                    "campaign " + key.campaign() + " is "
                            + campaign.status().state().label());
        }
        return switch (key) {
            case OperatorOrderKey.SetCampaignState state -> state(draft, arrived, order, key, campaign);
            case OperatorOrderKey.ApproveWave approve -> ApprovalIntake.wave(draft, arrived, order, approve, campaign);
            case OperatorOrderKey.ApproveOverlap overlap -> ApprovalIntake.overlap(draft, arrived, order, campaign);
            case OperatorOrderKey.SkipMachine skip -> skip(draft, arrived, order, skip, campaign);
            case OperatorOrderKey.RetryQuarantined retry ->
                draft.write(order)
                        .write(applied(campaign, order).withRetryBefore(draft.seq()))
                        .decide(Event.ORDER_APPLIED, key, OrderIntake.said(order));
        };
    }

    private static CampaignStatus applied(CampaignRollout campaign, OperatorOrder order) {
        return campaign.status().withAppliedOrder(order.key(), order.id());
    }

    private static Decision state(
            Draft draft, Input.Arrived arrived, OperatorOrder order, OperatorOrderKey key, CampaignRollout campaign) {
        CampaignState next = switch (order.verb()) {
            case PAUSE -> CampaignState.PAUSED;
            case ABORT -> CampaignState.ABORTED;
            default -> CampaignState.RUNNING;
        };
        if (next == CampaignState.RUNNING && FailureRisk.isBreached(draft.state(), campaign)) {
            return Intake.refuse(
                    draft,
                    arrived,
                    RejectionReason.CONTRADICTION,
                    "verb",
                    order.verb().label(),
                    FailureRisk.breach(draft.state(), campaign) + ": nothing would start before the budget is raised");
        }
        Event event = switch (next) {
            case PAUSED -> Event.CAMPAIGN_PAUSED;
            case ABORTED -> Event.CAMPAIGN_ABORTED;
            case RUNNING, COMPLETED -> Event.CAMPAIGN_RESUMED;
        };
        String reason = next == CampaignState.RUNNING ? null : OrderIntake.said(order);
        return draft.write(order)
                .write(applied(campaign, order).withState(next, reason, draft.at()))
                .decide(event, key, OrderIntake.said(order));
    }

    private static Decision skip(
            Draft draft, Input.Arrived arrived, OperatorOrder order, OperatorOrderKey.SkipMachine key, CampaignRollout campaign) {
        MachineKey name = key.machine();
        Machine machine = draft.state().machine(name);
        boolean known = machine != null && (machine.isPresent() || machine.entry(campaign.driver()) != null);
        if (machine == null || !known) {
            return Intake.refuse(
                    draft, arrived, RejectionReason.BAD_KEY, "machine", name.toString(), "there is no machine " + name);
        }
        MachineStatus status = machine.status();
        RolloutEntry before = machine.entry(campaign.driver());
        draft.write(order);
        if (before == null || !before.outcome().isAtTarget()) {
            RolloutEntry entry = before == null
                    ? new RolloutEntry(campaign.driver(), wave(campaign, machine), 0, null, MachineOutcome.SKIPPED)
                    : before.withOutcome(MachineOutcome.SKIPPED);
            draft.write(new MachineStatus(
                    name,
                    status == null ? machine.uid() : status.uid(),
                    status == null ? null : status.attempt(),
                    status == null ? null : status.lastFailure(),
                    AttemptEnd.with(draft.state(), status, entry)));
        }
        return draft.decide(Event.MACHINE_SKIPPED, name, OrderIntake.said(order));
    }

    private static String wave(CampaignRollout campaign, Machine machine) {
        return campaign.waveName(machine);
    }
}
