package dev.flotilla.core.fleet.limits;

/**
 * The machines of a campaign that share a label value.
 *
 * @param unlabelledInFlight the campaign's machines in flight with unknown labels, each of which may have this
 *     value
 * @param maxInFlight the cap on these machines in flight
 */
public record TopologyDomain(String label, String value, int inFlight, int unlabelledInFlight, int maxInFlight) {
    public boolean isFull() {
        return inFlight + unlabelledInFlight >= maxInFlight;
    }
}
