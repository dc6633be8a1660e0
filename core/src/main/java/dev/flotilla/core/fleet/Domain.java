package dev.flotilla.core.fleet;

/**
 * The machines of a campaign that share a value of a label.
 *
 * @param unknown machines of the campaign in flight of which nobody knows the labels: each of them may be of this value
 * @param most how many of them may be in flight at once
 */
public record Domain(String label, String value, int inFlight, int unknown, int most) {
    public boolean isFull() {
        return inFlight + unknown >= most;
    }
}
