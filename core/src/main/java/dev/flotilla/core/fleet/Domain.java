package dev.flotilla.core.fleet;

/**
 * The machines of a campaign that share a value of a label.
 *
 * @param unread machines of the campaign in flight in sites that cannot be read: each of them may be of this value
 * @param most how many of them may be in flight at once
 */
public record Domain(String label, String value, int inFlight, int unread, int most) {
    public boolean isFull() {
        return inFlight + unread >= most;
    }
}
