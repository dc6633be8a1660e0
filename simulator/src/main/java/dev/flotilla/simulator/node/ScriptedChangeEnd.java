package dev.flotilla.simulator.node;

/**
 * How a node's next change is to end.
 *
 * @param status in snapd's words; one that is no end stays for ever
 * @param error what snapd says of it
 */
public record ScriptedChangeEnd(String status, String error) {
    SnapChange.SnapChangeStatus changeStatus() {
        for (SnapChange.SnapChangeStatus each : SnapChange.SnapChangeStatus.values()) {
            if (each.label().equals(status)) {
                return each;
            }
        }
        throw new IllegalArgumentException(status + " is none of snapd's words");
    }
}
