package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
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
        return CampaignSpecBuilder.from(other)
                .target(spec.target().option())
                .expectedVersion(spec.target().expectedVersion())
                .select(spec.select())
                .waves(spec.waves())
                .startAt(spec.startAt())
                .deadline(spec.deadline())
                .controlPlaneFirst(spec.cluster().controlPlaneFirst())
                .checks(spec.checks())
                .build();
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
        return CampaignSpecBuilder.from(spec)
                .expectedContentHash(CampaignContentHash.compute(base))
                .build();
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
        return CampaignSpecBuilder.from(spec)
                .select(MachineSelection.EVERYTHING)
                .waves(waves)
                .build();
    }

    /** The same campaign with another failure budget. */
    static CampaignSpec withFailureBudget(CampaignSpec spec, int failures) {
        return CampaignSpecBuilder.from(spec)
                .failureBudget(new FailureBudget(new CountOrPercent.Count(failures), null, 0))
                .build();
    }

    /** The same campaign with a later start. */
    static CampaignSpec postponed(CampaignSpec spec, Instant start) {
        return CampaignSpecBuilder.from(spec).startAt(start).build();
    }

    /** The same campaign without a failure budget, limits, dependencies and windows: it continues whatever fails. */
    static CampaignSpec unbounded(CampaignSpec spec) {
        return CampaignSpecBuilder.from(spec)
                .allowDowngrade(true)
                .maxInFlight(null)
                .domainCaps(List.of())
                .failureBudget(null)
                .dependsOn(List.of())
                .windows(List.of())
                .cohortCircuitBreaker(null)
                .expectedContentHash(null)
                .drain(null)
                .maxInFlightPerCluster(null)
                .strict(false)
                .build();
    }
}
