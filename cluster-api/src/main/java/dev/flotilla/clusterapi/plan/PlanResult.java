package dev.flotilla.clusterapi.plan;

import java.util.List;

/** A plan, or why there is none. */
public sealed interface PlanResult {
    /** A plan. */
    record Planned(InPlacePlan plan) implements PlanResult {}

    /** Objects or a change that no plan can be made of. */
    record InvalidInput(List<String> problems) implements PlanResult {
        public InvalidInput {
            problems = List.copyOf(problems);
        }
    }
}
