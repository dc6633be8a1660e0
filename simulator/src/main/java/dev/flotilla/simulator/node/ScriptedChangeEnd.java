package dev.flotilla.simulator.node;

/**
 * How a node's next change ends.
 *
 * @param status as snapd names it; a status that is not final stays forever
 * @param error the error that snapd reports with it
 */
public record ScriptedChangeEnd(String status, String error) {
    SnapChange.SnapChangeStatus changeStatus() {
        for (SnapChange.SnapChangeStatus candidate : SnapChange.SnapChangeStatus.values()) {
            if (candidate.label().equals(status)) {
                return candidate;
            }
        }
        throw new IllegalArgumentException(status + " is not a status of a snapd change");
    }
}
