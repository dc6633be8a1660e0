package dev.flotilla.core.fleet.limits;

/**
 * The machines of a campaign that share a value of a label.
 *
 * @param unlabelledInFlight machines of the campaign in flight of which nobody knows the labels: each of them may be of this value
 * @param maxInFlight how many of them may be in flight at once
 */
public record TopologyDomain(String label, String value, int inFlight, int unlabelledInFlight, int maxInFlight) {
    public boolean isFull() {
        return inFlight + unlabelledInFlight >= maxInFlight;
    }
}
