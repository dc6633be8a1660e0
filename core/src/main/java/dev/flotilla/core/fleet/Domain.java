package dev.flotilla.core.fleet;

/**
 * The machines of a campaign that share a value of a label.
 *
 * @param most how many of them may be in flight at once
 */
public record Domain(String label, String value, int inFlight, int most) {
    public boolean isFull() {
        return inFlight >= most;
    }
}
