package dev.flotilla.core.intake;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignDependency;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds campaigns that depend on each other in a cycle. */
final class DependencyCycleDetector {
    private DependencyCycleDetector() {}

    /** A direct dependency of the campaign that depends on it, directly or not; null for none. */
    static @Nullable CampaignName findCycle(FleetState state, Campaign row) {
        for (CampaignDependency first : row.spec().dependsOn()) {
            Set<CampaignName> seen = new TreeSet<>();
            Deque<CampaignName> next = new ArrayDeque<>();
            next.add(first.campaign());
            while (!next.isEmpty()) {
                CampaignName name = next.remove();
                if (name.equals(row.name())) {
                    return first.campaign();
                }
                CampaignRollout known = seen.add(name) ? state.rollout(name) : null;
                if (known != null) {
                    known.spec().dependsOn().forEach(dependency -> next.add(dependency.campaign()));
                }
            }
        }
        return null;
    }
}
