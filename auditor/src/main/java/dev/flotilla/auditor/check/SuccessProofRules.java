package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.AttemptReport;
import org.jspecify.annotations.Nullable;

/** Invariant 4: whether a worker's report of success has a proof. */
final class SuccessProofRules {
    private static final String CHANNEL = "channel=";
    private static final String REVISION = "revision=";
    private static final String RELEASE = "version=";
    private static final String SPEC = "spec=";

    private SuccessProofRules() {}

    /** Why a report proves nothing, or null. */
    static @Nullable String findProblem(AttemptHistory history, AttemptReport success) {
        boolean awaitsPeers = success.proof().equals("awaits-peers");
        if (awaitsPeers && !history.controlPlane) {
            return "only members of a control plane wait for their peers";
        }
        if (!success.proof().equals("unchanged") && !history.partial && !history.called) {
            return "there was no call";
        }
        String version = wrongVersion(history, success.version());
        if (version != null) {
            return version;
        }
        // The documented exception: k8sd of such a member does not report its revision before its peers are upgraded.
        return awaitsPeers && success.revision() == null ? null : wrongRevision(history, success);
    }

    private static @Nullable String wrongVersion(AttemptHistory history, @Nullable String shown) {
        if (history.versions.isEmpty() || history.versions.contains("")) {
            return null;
        }
        for (String expected : history.versions) {
            if (shown != null && bare(expected).equals(bare(shown))) {
                return null;
            }
        }
        return "the node shows version " + shown + ", but the target is " + history.versions;
    }

    private static String bare(String version) {
        return version.startsWith("v") ? version.substring(1) : version;
    }

    private static @Nullable String wrongRevision(AttemptHistory history, AttemptReport success) {
        String shown = success.revision();
        if (history.target.startsWith(RELEASE)) {
            return history.target.equals(RELEASE + success.version())
                    ? null
                    : "the node shows version " + success.version() + ", but the target is " + history.target;
        }
        // The report does not carry the hash, and there is no revision.
        if (history.target.startsWith(SPEC)) {
            return null;
        }
        if (history.target.startsWith(REVISION)) {
            return history.target.equals(REVISION + shown)
                    ? null
                    : "the node shows revision " + shown + ", but the target is " + history.target;
        }
        if (!history.target.startsWith(CHANNEL)) {
            return shown == null ? "the node shows no revision" : null;
        }
        if (shown != null && history.resolvedRevisions.contains(shown)) {
            return null;
        }
        if (!history.resolvedRevisions.contains("")) {
            return "the node shows revision " + shown + ", but the channel resolves to " + history.resolvedRevisions;
        }
        return wrongTrack(history, success);
    }

    /**
     * While the channel is not resolved: after a call, a version of the channel's track, if the track's name shows one.
     */
    private static @Nullable String wrongTrack(AttemptHistory history, AttemptReport success) {
        if (!history.partial && !history.hasCallPermit) {
            return history.target + " is not resolved yet, and there was no call";
        }
        String channel = history.target.substring(CHANNEL.length());
        int end = channel.indexOf('-') >= 0 ? channel.indexOf('-') : channel.indexOf('/');
        String track = end < 0 ? channel : channel.substring(0, end);
        String version = success.version();
        boolean hasVersion = !track.isEmpty() && Character.isDigit(track.charAt(0));
        return !hasVersion || version == null || bare(version).startsWith(track + ".")
                ? null
                : "the node shows version " + version + " after " + history.target;
    }
}
