package dev.flotilla.simulator.node;

/** A change of snapd's, while it runs and after. */
final class Change {
    /** The words of snapd. */
    enum Status {
        DOING("Doing"),
        UNDOING("Undoing"),
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
            return this != DOING && this != WAIT && this != UNDOING;
        }
    }

    private final String id;
    private final boolean ours;
    private Status status = Status.DOING;
    private String error = "";

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

    String error() {
        return error;
    }

    void becomes(Status next) {
        becomes(next, next == Status.ERROR ? "cannot perform the following tasks: simulated" : "");
    }

    void becomes(Status next, String why) {
        status = next;
        error = why;
    }
}
