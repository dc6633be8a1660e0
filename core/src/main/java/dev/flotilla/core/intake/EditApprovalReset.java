package dev.flotilla.core.intake;

import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.WaveProgress;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignConstraints;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.CampaignApprovals;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What an edit does to what people have approved. An approval is of one edition: it ends with an edit of anything but when the
 * campaign runs and how urgent it is, and then nothing starts until somebody approves the new edition.
 */
public final class EditApprovalReset {
    private EditApprovalReset() {}

    /** Writes the rows of waves whose approvals or shares end. */
    static void writeWaves(DecisionBuilder draft, CampaignRollout known, Campaign edited) {
        boolean differs = differs(known.spec(), edited.spec());
        for (WaveProgress wave : known.waves()) {
            WaveStatus status = wave.status();
            if (status != null) {
                WaveStatus next = isTakenAnew(wave, edited) ? status.withShare(null) : status;
                next = differs && !wave.isClosed() ? next.approvedBy(null) : next;
                if (!next.equals(status)) {
                    draft.write(next);
                }
            }
        }
    }

    /** In words, the approvals that an edit of a campaign ends; empty for none. */
    public static List<String> describeEndedApprovals(FleetState state, CampaignRollout known, Campaign edited) {
        List<String> ended = new ArrayList<>();
        if (differs(known.spec(), edited.spec())) {
            for (WaveProgress wave : known.waves()) {
                if (wave.isApproved() && !wave.isClosed()) {
                    ended.add("of wave " + wave.wave().name());
                }
            }
            if (known.status().approvals().approvedOverlapUid() != null) {
                ended.add("to run beside an earlier campaign");
            }
            for (CampaignRollout other : state.campaigns().values()) {
                if (other.status().mayRunBeside(known.status())) {
                    ended.add("of campaign " + other.name() + " to run beside it");
                }
            }
        }
        return ended;
    }

    /** What is still approved of a campaign as a whole, and since when nobody may run beside it by an earlier approval. */
    static CampaignApprovals approvalsAfterEdit(CampaignRollout known, Campaign edited, long seq) {
        CampaignStatus before = known.status();
        if (!differs(known.spec(), edited.spec())) {
            return before.approvals();
        }
        boolean asks = known.waves().stream()
                .anyMatch(wave -> wave.wave().approval() != Wave.WaveApproval.NONE || wave.isApproved());
        return before.approvals().withPendingEdit(asks || before.approvals().editPending(), seq);
    }

    /** A wave that is to take another share than before is settled anew. */
    private static boolean isTakenAnew(WaveProgress known, Campaign edited) {
        return known.status() != null
                && known.status().sharePartsPerMillion() != null
                && edited.spec().waves().stream()
                        .anyMatch(wave -> wave.name().equals(known.wave().name())
                                && !Objects.equals(wave.size(), known.wave().size()));
    }

    private static boolean differs(CampaignSpec before, CampaignSpec after) {
        return !bare(before).equals(bare(after));
    }

    /** Without what says when it runs, how urgent it is, and of what it is an edit. */
    private static CampaignSpec bare(CampaignSpec spec) {
        CampaignConstraints campaignConstraints = spec.constraints();
        return new CampaignSpec(
                spec.target(),
                spec.expectedVersion(),
                spec.selection(),
                spec.waves(),
                spec.maxInFlight(),
                spec.maxInFlightPerCluster(),
                spec.failureBudget(),
                null,
                null,
                0,
                spec.maxUnavailable(),
                spec.controlPlaneFirst(),
                spec.retryRule(),
                spec.checks(),
                new CampaignConstraints(
                        campaignConstraints.clusterSoak(),
                        CampaignConstraints.USUAL_WEIGHT,
                        campaignConstraints.dependsOn(),
                        campaignConstraints.windows(),
                        campaignConstraints.cohortRule(),
                        null,
                        campaignConstraints.domainCaps(),
                        campaignConstraints.allowDowngrade(),
                        campaignConstraints.strict(),
                        campaignConstraints.drainMode()));
    }
}
