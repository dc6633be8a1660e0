package dev.flotilla.simulator.node;

/** A change of snapd's, while it runs and after. */
final class Change {
    /** The words of snapd. */
    enum Status {
        DOING("Doing"),
        WAIT("Wait"),
        DONE("Done"),
        ERROR("Error"),
        UNDONE("Undone"),
        HOLD("Hold");

        private final String label;

        Status(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }

        boolean over() {
            return this != DOING && this != WAIT;
        }
    }

    private final String id;
    private final boolean ours;
    private Status status = Status.DOING;

    Change(String id, boolean ours) {
        this.id = id;
        this.ours = ours;
    }

    String id() {
        return id;
    }

    /** Whether it began by a call, and not by the node itself. */
    boolean ours() {
        return ours;
    }

    Status status() {
        return status;
    }

    void becomes(Status next) {
        status = next;
    }
}
