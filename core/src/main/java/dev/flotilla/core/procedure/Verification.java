package dev.flotilla.core.procedure;

import dev.flotilla.core.procedure.Proving.After;
import dev.flotilla.core.procedure.Proving.Verifying;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.AttemptReport.SuccessProof;
import dev.flotilla.schemas.row.MachineRole;
import org.jspecify.annotations.Nullable;

/**
 * What a node proves after its change.
 *
 * @param command what was asked for; null where only its withdrawal is known
 * @param doubt why nobody knows what came of the call
 * @param before the revision that the node showed before the call, empty where it showed none; null where nobody remembers
 */
record Verification(
        Caution caution,
        WorkerCommand.@Nullable UpgradeMachine command,
        String doubt,
        @Nullable String before) {

    /** What a node shows that no change is at work on. */
    Verdict of(Verifying verifying, Sight.Node node, Moment now) {
        long waited = now.ticks() - verifying.since();
        if (proves(verifying, node)) {
            if (node.untold() == null) {
                return new Verdict.Proven(verifying.after() == After.UNCHANGED ? SuccessProof.UNCHANGED : SuccessProof.UPGRADED);
            }
            return waited <= Limits.PEERS
                    ? new Verdict.Open()
                    : new Verdict.Missed(
                            FailureReason.NOT_AT_TARGET,
                            "the node shows " + node.revision() + ", and the k8sd of " + node.untold()
                                    + " does not show what runs there");
        }
        boolean known = verifying.after() != After.UNKNOWN;
        if (!node.ready()) {
            return known && waited > Limits.READY
                    ? new Verdict.Missed(FailureReason.NODE_NOT_READY, "not Ready long after the change")
                    : new Verdict.Open();
        }
        if (maySpeakForItself(verifying, node)) {
            return new Verdict.Doubtful();
        }
        return waited <= Limits.TARGET ? new Verdict.Open() : missed(verifying, node);
    }

    /** What is said of one that has been Ready for long and does not prove anything. */
    Verdict missed(Verifying verifying, Sight.Node node) {
        String shows = "the node shows " + shown(node) + wanted();
        return switch (verifying.after()) {
            case DONE ->
                new Verdict.Missed(
                        FailureReason.NOT_AT_TARGET, "change " + verifying.changeId() + " is done, " + shows);
            case LOST ->
                new Verdict.Missed(
                        FailureReason.CHANGE_LOST,
                        "change " + verifying.changeId() + " is not known to the node any more, " + shows);
            case UNCHANGED ->
                new Verdict.Missed(FailureReason.NOT_AT_TARGET, "the node says that there is nothing to do, " + shows);
            case UNKNOWN -> new Verdict.Unclear(doubt + ", " + shows);
        };
    }

    /** What there is to say of a node that cannot be seen, where that lasts; else null. */
    static @Nullable String unseen(Verifying verifying, Sight sight, Moment now) {
        Long dark = verifying.darkSince();
        return dark == null || now.ticks() - dark <= Limits.SILENCE
                ? null
                : "the node has not been seen for long: "
                        + switch (sight) {
                            case Sight.Dark it -> it.text();
                            case Sight.Gone gone -> "no such machine";
                            case Sight.Node node -> "another change is at work on it";
                        };
    }

    /** What whoever goes on must know of the node as it was; null for nothing. */
    @Nullable
    String remembered() {
        return command != null && TargetProof.learns(command) ? before : null;
    }

    private boolean proves(Verifying verifying, Sight.Node node) {
        if (verifying.after() == After.DONE && !caution.asksForProof()) {
            return true;
        }
        if (command == null || !node.ready()) {
            return false;
        }
        return switch (verifying.after()) {
            case DONE -> TargetProof.atTargetAfterChange(node, command, before);
            case UNCHANGED -> TargetProof.atTargetAfterChange(node, command, null);
            case LOST, UNKNOWN -> TargetProof.atTarget(node, command);
        };
    }

    /** Whether it is a member that may wait for its peers. Its kubelet says more than its k8sd then. */
    private boolean maySpeakForItself(Verifying verifying, Sight.Node node) {
        return node.revision() == null
                && verifying.after() != After.UNCHANGED
                && runsTarget(node, verifying.changeId());
    }

    /**
     * Whether a member runs what it should by its kubelet alone. Where nobody has said which version that is, only a change
     * that is known to be ours tells.
     */
    boolean runsTarget(Sight.Node node, @Nullable String changeId) {
        return command != null
                && isMember()
                && node.ready()
                && TargetProof.versionFits(node, command)
                && (TargetProof.versionIsKnown(command) || (changeId != null && node.revision() == null));
    }

    /** Whether the node serves the cluster's API. */
    boolean isMember() {
        return command != null && command.role() == MachineRole.CONTROL_PLANE;
    }

    private static String shown(Sight.Node node) {
        return (node.revision() == null ? "no revision" : "revision " + node.revision())
                + (node.version() == null ? "" : " and version " + node.version());
    }

    private String wanted() {
        if (command == null) {
            return "";
        }
        String learned = command.resolvedRevision();
        return ", wanted is " + command.target() + (learned == null ? "" : ", which is revision " + learned)
                + (command.expectedVersion() == null ? "" : ", version " + command.expectedVersion());
    }
}
