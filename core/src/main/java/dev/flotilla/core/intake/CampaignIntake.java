package dev.flotilla.core.intake;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ChannelTrackVersion;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;

/** Accepts campaigns that operators write. */
final class CampaignIntake {
    /** The hash is keyed with a secret of each site, and only an UpgradeTask knows what it describes. */
    private static final String SPEC =
            "spec= is not supported in campaigns: use version=, or an UpgradeTask in the cluster";

    private CampaignIntake() {}

    static Decision acceptCampaign(DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, Campaign row) {
        UpgradeTarget target = row.spec().target().option();
        if (target instanceof UpgradeTarget.MachineSpecHash) {
            return InputRejection.reject(
                    draft, recordReceived, RejectionReason.NOT_SUPPORTED, "spec.target.option", target.text(), SPEC);
        }
        String contradiction = ChannelTrackVersion.describeContradiction(row.spec());
        if (contradiction != null) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "spec.target.expectedVersion",
                    String.valueOf(row.spec().target().expectedVersion()),
                    contradiction);
        }
        CampaignPolicyValidator.CampaignRuleViolation violation =
                CampaignPolicyValidator.firstViolation(draft.state(), row);
        if (violation != null) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    RejectionReason.NOT_SUPPORTED,
                    violation.path(),
                    violation.value(),
                    violation.message());
        }
        CampaignName cycle = DependencyCycleDetector.findCycle(draft.state(), row);
        if (cycle != null) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "spec.dependsOn",
                    cycle.name(),
                    "the campaign would depend on " + cycle + ", which depends on it");
        }
        CampaignRollout known = draft.state().rollout(row.name());
        String expectedContentHash = row.spec().expectedContentHash();
        if (known == null && expectedContentHash != null) {
            return rejectStaleEdit(
                    draft, recordReceived, expectedContentHash, "there is no campaign " + row.name() + " to edit");
        }
        if (known == null) {
            return draft.write(row)
                    .write(new CampaignStatus(
                            row.name(),
                            draft.seq(),
                            row,
                            CampaignState.RUNNING,
                            null,
                            draft.at(),
                            List.of(),
                            0,
                            List.of()))
                    .build(DecisionEvent.CAMPAIGN_ACCEPTED, row.name(), "");
        }
        CampaignStatus status = known.status();
        if (row.equals(status.acceptedCampaign())) {
            return row.equals(draft.state().campaign(row.name()))
                    ? Decision.NOTHING
                    : draft.write(row).build(DecisionEvent.CAMPAIGN_ACCEPTED, row.name(), "unchanged");
        }
        if (known.isOver()) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "metadata.name",
                    row.name().name(),
                    "the campaign is " + status.state().label() + ": use another name, or delete this campaign first");
        }
        String contentHash = CampaignContentHash.compute(status.acceptedCampaign());
        if (expectedContentHash != null && !expectedContentHash.equals(contentHash)) {
            return rejectStaleEdit(
                    draft,
                    recordReceived,
                    expectedContentHash,
                    "this is an edit of content hash " + expectedContentHash + ", but the campaign has " + contentHash
                            + ": it was edited since. Read it again and repeat the edit");
        }
        if (!row.spec()
                .target()
                .option()
                .equals(status.acceptedCampaign().spec().target().option())) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "spec.target.option",
                    row.spec().target().option().text(),
                    "the target of an accepted campaign cannot change (it is "
                            + status.acceptedCampaign().spec().target().option().text()
                            + "): abort it and create another");
        }
        draft.write(row);
        EditApprovalReset.writeWaves(draft, known, row);
        return draft.write(status.withAcceptedCampaign(row)
                        .with(EditApprovalReset.approvalsAfterEdit(known, row, draft.seq())))
                .build(DecisionEvent.CAMPAIGN_ACCEPTED, row.name(), "edited");
    }

    private static Decision rejectStaleEdit(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            String expectedContentHash,
            String problem) {
        return InputRejection.reject(
                draft,
                recordReceived,
                RejectionReason.CONTRADICTION,
                "spec.expectedContentHash",
                expectedContentHash,
                problem);
    }

    static Decision removeCampaign(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            Tombstone tombstone,
            CampaignName name) {
        CampaignRollout known = draft.state().rollout(name);
        if (known == null) {
            return draft.state().campaign(name) == null
                    ? Decision.NOTHING
                    : draft.write(tombstone).build(DecisionEvent.CAMPAIGN_REMOVED, name, "");
        }
        if (known.status().state() == CampaignState.PAUSED) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "",
                    "",
                    "a tombstone does not end a paused campaign ("
                            + known.status().pauseReason()
                            + "), which could be written again and run: abort or resume it by an order, with author and reason");
        }
        draft.write(tombstone);
        if (!known.isOver()) {
            draft.write(known.status().withState(CampaignState.ABORTED, "removed", draft.at()));
        }
        return draft.build(DecisionEvent.CAMPAIGN_REMOVED, name, "");
    }
}
