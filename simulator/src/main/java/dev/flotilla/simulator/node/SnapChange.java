package dev.flotilla.simulator.node;

/** A change of snapd's, while it runs and after. */
final class SnapChange {
    /** The words of snapd. */
    enum SnapChangeStatus {
        DOING("Doing"),
        UNDOING("Undoing"),
        WAIT("Wait"),
        DONE("Done"),
        ERROR("Error"),
        UNDONE("Undone"),
        HOLD("Hold");

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
    private final boolean ours;
    private SnapChangeStatus snapChangeStatus = SnapChangeStatus.DOING;
    private String error = "";

    SnapChange(String id, boolean ours) {
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

    SnapChangeStatus status() {
        return snapChangeStatus;
    }

    String error() {
        return error;
    }

    void setStatus(SnapChangeStatus next) {
        setStatus(next, next == SnapChangeStatus.ERROR ? "cannot perform the following tasks: simulated" : "");
    }

    void setStatus(SnapChangeStatus next, String why) {
        snapChangeStatus = next;
        error = why;
    }
}
