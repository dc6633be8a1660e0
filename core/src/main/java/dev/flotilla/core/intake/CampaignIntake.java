package dev.flotilla.core.intake;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.schemas.edition.CampaignContentHash;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ChannelTrackVersion;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;

/** Campaigns as operators write them. */
final class CampaignIntake {
    /** It installs an unsigned file as root. */
    private static final String LOCAL_PATH =
            "localPath is for annotations alone in this version. Use channel= or revision=";

    private CampaignIntake() {}

    static Decision put(DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, Campaign row) {
        if (row.spec().target() instanceof UpgradeTarget.LocalPath path) {
            return InputRowIntake.reject(
                    draft,
                    recordReceived,
                    RejectionReason.NOT_SUPPORTED,
                    "spec.target.option",
                    path.text(),
                    LOCAL_PATH);
        }
        String contradiction = ChannelTrackVersion.describeContradiction(row.spec());
        if (contradiction != null) {
            return InputRowIntake.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "spec.target.expectedVersion",
                    String.valueOf(row.spec().expectedVersion()),
                    contradiction);
        }
        CampaignPolicyValidator.CampaignRuleViolation breach =
                CampaignPolicyValidator.firstViolation(draft.state().policy(FleetScope.FLEET), row);
        if (breach != null) {
            return InputRowIntake.reject(
                    draft,
                    recordReceived,
                    RejectionReason.NOT_SUPPORTED,
                    breach.path(),
                    breach.value(),
                    breach.message());
        }
        CampaignName circle = DependencyCycleDetector.findCycle(draft.state(), row);
        if (circle != null) {
            return InputRowIntake.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "spec.dependsOn",
                    circle.name(),
                    "the campaign would wait for " + circle + ", which waits for it");
        }
        CampaignRollout known = draft.state().rollout(row.name());
        String basedOn = row.spec().constraints().expectedContentHash();
        if (known == null && basedOn != null) {
            return stale(draft, recordReceived, basedOn, "there is no campaign " + row.name() + " to edit");
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
            return InputRowIntake.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "metadata.name",
                    row.name().name(),
                    "the campaign is " + status.state().label()
                            + ": give the new one another name, or remove this one first");
        }
        String edition = CampaignContentHash.compute(status.acceptedCampaign());
        if (basedOn != null && !basedOn.equals(edition)) {
            return stale(
                    draft,
                    recordReceived,
                    basedOn,
                    "this edits edition " + basedOn + ", and the campaign is at " + edition
                            + ": somebody has edited it since");
        }
        if (!row.spec().target().equals(status.acceptedCampaign().spec().target())) {
            return InputRowIntake.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "spec.target.option",
                    row.spec().target().text(),
                    "the target of an accepted campaign cannot change (it is "
                            + status.acceptedCampaign().spec().target().text() + "): abort it and write another");
        }
        draft.write(row);
        EditApprovalReset.writeWaves(draft, known, row);
        return draft.write(status.withAcceptedCampaign(row)
                        .with(EditApprovalReset.approvalsAfterEdit(known, row, draft.seq())))
                .build(DecisionEvent.CAMPAIGN_ACCEPTED, row.name(), "edited");
    }

    private static Decision stale(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, String basedOn, String problem) {
        return InputRowIntake.reject(
                draft, recordReceived, RejectionReason.CONTRADICTION, "spec.basedOn", basedOn, problem);
    }

    static Decision remove(
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
            return InputRowIntake.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "",
                    "",
                    "a tombstone ends no campaign that is paused ("
                            + known.status().pauseReason()
                            + "): it could be written again and run. Order to abort it, with who and why, or to run it");
        }
        draft.write(tombstone);
        if (!known.isOver()) {
            draft.write(known.status().withState(CampaignState.ABORTED, "removed", draft.at()));
        }
        return draft.build(DecisionEvent.CAMPAIGN_REMOVED, name, "");
    }
}
