package dev.flotilla.simulator.node;

/** A change of snapd, while it runs and after it has ended. */
final class SnapChange {
    /** The statuses of a change, with snapd's names. */
    enum SnapChangeStatus {
        DOING("Doing"),
        UNDOING("Undoing"),
        WAIT("Wait"),
        DONE("Done"),
        ERROR("Error"),
        UNDONE("Undone"),
        HOLD("Hold"),
        /** A NodeUpgrade stopped between two steps, as it was asked. */
        ABORTED("Aborted");

        private final String label;

        SnapChangeStatus(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }

        boolean isFinal() {
            return this != DOING && this != WAIT && this != UNDOING;
        }
    }

    private final String id;
    private final boolean startedByCall;
    private SnapChangeStatus snapChangeStatus = SnapChangeStatus.DOING;
    private String error = "";

    SnapChange(String id, boolean ours) {
        this.id = id;
        this.startedByCall = ours;
    }

    String id() {
        return id;
    }

    /** Whether a call started it, and not the node itself. */
    boolean startedByCall() {
        return startedByCall;
    }

    SnapChangeStatus status() {
        return snapChangeStatus;
    }

    String error() {
        return error;
    }

    void setStatus(SnapChangeStatus next) {
        setStatus(next, next == SnapChangeStatus.ERROR ? "cannot perform the following tasks: simulated" : "");
    }

    void setStatus(SnapChangeStatus next, String nextError) {
        snapChangeStatus = next;
        error = nextError;
    }
}
