package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignConstraints;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.world.SeededRandom;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Edits of campaigns. */
final class RandomCampaignEdits {
    private RandomCampaignEdits() {}

    /** Another specification with the same target and the same waves, because orders and machines refer to these. */
    static CampaignSpec allButTarget(CampaignSpec spec, CampaignSpec other) {
        return new CampaignSpec(
                spec.target(),
                spec.expectedVersion(),
                spec.selection(),
                spec.waves(),
                other.maxInFlight(),
                other.maxInFlightPerCluster(),
                other.failureBudget(),
                spec.startAt(),
                spec.deadline(),
                other.priority(),
                other.maxUnavailable(),
                spec.controlPlaneFirst(),
                other.retryRule(),
                spec.checks(),
                other.constraints());
    }

    /**
     * Adds an expected content hash to half of the edits: that of the accepted campaign, or of one that it never was.
     */
    static CampaignSpec withRandomContentHash(
            CampaignSpec spec, SeededRandom chance, Campaign written, @Nullable CampaignStatus known) {
        if (known == null || chance.percent(50)) {
            return spec;
        }
        Campaign base =
                chance.percent(50) ? known.acceptedCampaign() : new Campaign(written.name(), written.labels(), spec);
        return spec.with(spec.constraints().expectedContentHash(CampaignContentHash.compute(base)));
    }

    /** Selects everything, and optionally needs no approval any more. */
    static CampaignSpec widened(CampaignSpec spec, boolean withoutApproval) {
        List<Wave> waves = spec.waves().stream()
                .map(wave -> new Wave(
                        wave.name(),
                        wave.sites(),
                        wave.clusters(),
                        wave.size(),
                        withoutApproval ? Wave.WaveApproval.NONE : wave.approval(),
                        wave.successPercent(),
                        wave.soak()))
                .toList();
        return new CampaignSpec(
                spec.target(),
                spec.expectedVersion(),
                MachineSelection.EVERYTHING,
                waves,
                spec.maxInFlight(),
                spec.maxInFlightPerCluster(),
                spec.failureBudget(),
                spec.startAt(),
                spec.deadline(),
                spec.priority(),
                spec.maxUnavailable(),
                spec.controlPlaneFirst(),
                spec.retryRule(),
                spec.checks(),
                spec.constraints());
    }

    /** The same campaign with another failure budget. */
    static CampaignSpec withFailureBudget(CampaignSpec spec, int failures) {
        return with(spec, new FailureBudget(new CountOrPercent.Count(failures), null, 0), spec.startAt());
    }

    /** The same campaign with a later start. */
    static CampaignSpec postponed(CampaignSpec spec, Instant start) {
        return with(spec, spec.failureBudget(), start);
    }

    private static CampaignSpec with(CampaignSpec spec, @Nullable FailureBudget budget, @Nullable Instant start) {
        return new CampaignSpec(
                spec.target(),
                spec.expectedVersion(),
                spec.selection(),
                spec.waves(),
                spec.maxInFlight(),
                spec.maxInFlightPerCluster(),
                budget,
                start,
                spec.deadline(),
                spec.priority(),
                spec.maxUnavailable(),
                spec.controlPlaneFirst(),
                spec.retryRule(),
                spec.checks(),
                spec.constraints());
    }

    /** The same campaign without a failure budget, limits, dependencies and windows: it continues whatever fails. */
    static CampaignSpec unbounded(CampaignSpec spec) {
        return new CampaignSpec(
                spec.target(),
                spec.expectedVersion(),
                spec.selection(),
                spec.waves(),
                null,
                null,
                null,
                spec.startAt(),
                spec.deadline(),
                spec.priority(),
                spec.maxUnavailable(),
                spec.controlPlaneFirst(),
                spec.retryRule(),
                spec.checks(),
                new CampaignConstraints(
                                spec.constraints().clusterSoak(),
                                spec.constraints().weight(),
                                List.of(),
                                List.of())
                        .withDowngrade(true));
    }
}
