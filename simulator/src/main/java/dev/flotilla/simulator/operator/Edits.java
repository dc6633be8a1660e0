package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.edition.Edition;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Selection;
import dev.flotilla.schemas.row.Terms;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.world.Chance;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Campaigns as somebody changed them. */
final class Edits {
    private Edits() {}

    /** Another specification for the same target, with the same waves: those are what orders and machines name. */
    static CampaignSpec allButTarget(CampaignSpec spec, CampaignSpec other) {
        return new CampaignSpec(
                spec.target(),
                spec.expectedVersion(),
                spec.select(),
                spec.waves(),
                other.inFlight(),
                other.clusterInFlight(),
                other.failureBudget(),
                spec.startAt(),
                spec.deadline(),
                other.priority(),
                other.maxUnavailable(),
                spec.controlPlaneFirst(),
                other.retries(),
                spec.checks(),
                other.terms());
    }

    /** Half of the edits say what they edit: what was accepted last, or something that it never was. */
    static CampaignSpec basedOn(CampaignSpec spec, Chance chance, Campaign meant, @Nullable CampaignStatus known) {
        if (known == null || chance.percent(50)) {
            return spec;
        }
        Campaign base = chance.percent(50) ? known.accepted() : new Campaign(meant.name(), meant.labels(), spec);
        return spec.with(spec.terms().basedOn(Edition.of(base)));
    }

    /** Everything is selected, and perhaps no wave waits for a person any more. */
    static CampaignSpec widened(CampaignSpec spec, boolean unasked) {
        List<Wave> waves = spec.waves().stream()
                .map(wave -> new Wave(
                        wave.name(),
                        wave.sites(),
                        wave.clusters(),
                        wave.takes(),
                        unasked ? Wave.Approval.NONE : wave.approval(),
                        wave.successPercent(),
                        wave.soak()))
                .toList();
        return new CampaignSpec(
                spec.target(),
                spec.expectedVersion(),
                Selection.EVERYTHING,
                waves,
                spec.inFlight(),
                spec.clusterInFlight(),
                spec.failureBudget(),
                spec.startAt(),
                spec.deadline(),
                spec.priority(),
                spec.maxUnavailable(),
                spec.controlPlaneFirst(),
                spec.retries(),
                spec.checks(),
                spec.terms());
    }

    /** The same with another failure budget. */
    static CampaignSpec bearing(CampaignSpec spec, int failures) {
        return with(spec, new FailureBudget(new Limit.Count(failures), null, 0), spec.startAt());
    }

    /** The same, but not before an instant. */
    static CampaignSpec postponed(CampaignSpec spec, Instant start) {
        return with(spec, spec.failureBudget(), start);
    }

    private static CampaignSpec with(CampaignSpec spec, @Nullable FailureBudget budget, @Nullable Instant start) {
        return new CampaignSpec(
                spec.target(),
                spec.expectedVersion(),
                spec.select(),
                spec.waves(),
                spec.inFlight(),
                spec.clusterInFlight(),
                budget,
                start,
                spec.deadline(),
                spec.priority(),
                spec.maxUnavailable(),
                spec.controlPlaneFirst(),
                spec.retries(),
                spec.checks(),
                spec.terms());
    }

    /** No budget, no limits of its own and nobody and no hour to wait for any more: whatever fails, it goes on. */
    static CampaignSpec unbounded(CampaignSpec spec) {
        return new CampaignSpec(
                spec.target(),
                spec.expectedVersion(),
                spec.select(),
                spec.waves(),
                null,
                null,
                null,
                spec.startAt(),
                spec.deadline(),
                spec.priority(),
                spec.maxUnavailable(),
                spec.controlPlaneFirst(),
                spec.retries(),
                spec.checks(),
                new Terms(spec.terms().settle(), spec.terms().weight(), List.of(), List.of()).allowingDowngrade(true));
    }
}
