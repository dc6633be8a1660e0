package dev.flotilla.clusterapi.plan;

import dev.flotilla.clusterapi.plan.MachinePlan.MachineFate;
import java.util.List;

/**
 * What happens to the machines of an owner.
 *
 * @param owner kind and name
 * @param machines the machines that the change reaches
 * @param unaffected how many machines it does not reach
 * @param surged how many of the machines that could be updated in place are replaced because a new one is made first; which is not known
 * @param notes what else is to be known
 */
public record OwnerPlan(String owner, List<MachinePlan> machines, int unaffected, int surged, List<String> notes) {
    public OwnerPlan {
        machines = List.copyOf(machines);
        notes = List.copyOf(notes);
    }

    /** Counts the machines that keep their name. */
    public int inPlace() {
        return count(MachineFate.IN_PLACE) - surged;
    }

    /** Counts the machines that are replaced, also because of a surge. */
    public int replaced() {
        return count(MachineFate.REPLACED) + surged;
    }

    public int held() {
        return count(MachineFate.HELD);
    }

    private int count(MachineFate fate) {
        return (int) machines.stream().filter(machine -> machine.fate() == fate).count();
    }
}
