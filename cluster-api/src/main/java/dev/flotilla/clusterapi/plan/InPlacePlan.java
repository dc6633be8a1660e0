package dev.flotilla.clusterapi.plan;

import java.util.List;
import java.util.function.ToIntFunction;

/**
 * What a change does to the machines of a cluster.
 *
 * @param cluster namespace and name
 * @param judgedBy where the table of covered fields is from
 * @param notes what else is to be known
 */
public record InPlacePlan(String cluster, String judgedBy, List<OwnerPlan> owners, List<String> notes) {
    public InPlacePlan {
        owners = List.copyOf(owners);
        notes = List.copyOf(notes);
    }

    /** The answer in one word. */
    public enum PlanAnswer {
        /** No machine is replaced. */
        IN_PLACE("in-place"),
        /** At least one machine is replaced. */
        REPLACE("replace"),
        /** No machine is replaced, and at least one is held. */
        STOP("stop");

        private final String label;

        PlanAnswer(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /** Returns the answer; a replacement counts more than a machine that is held. */
    public PlanAnswer answer() {
        return replaced() > 0 ? PlanAnswer.REPLACE : held() > 0 ? PlanAnswer.STOP : PlanAnswer.IN_PLACE;
    }

    public int inPlace() {
        return sum(OwnerPlan::inPlace);
    }

    public int replaced() {
        return sum(OwnerPlan::replaced);
    }

    public int held() {
        return sum(OwnerPlan::held);
    }

    private int sum(ToIntFunction<OwnerPlan> count) {
        return owners.stream().mapToInt(count).sum();
    }
}
