package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.AttemptReport;
import org.jspecify.annotations.Nullable;

/** Invariant 4: whether a worker's word of success says what proves it. */
final class SuccessProofRules {
    private static final String CHANNEL = "channel=";
    private static final String REVISION = "revision=";

    private SuccessProofRules() {}

    /** Why a report proves nothing, or null. */
    static @Nullable String findProblem(AttemptHistory book, AttemptReport success) {
        boolean awaitsPeers = success.proof().equals("awaits-peers");
        if (awaitsPeers && !book.controlPlane) {
            return "only members of a control plane wait for their peers";
        }
        if (!success.proof().equals("unchanged") && !book.partial && !book.called) {
            return "nothing was called for it";
        }
        String version = wrongVersion(book, success.version());
        if (version != null) {
            return version;
        }
        // The documented exception: k8sd of such a member does not say its revision before the others are there.
        return awaitsPeers && success.revision() == null ? null : wrongRevision(book, success);
    }

    private static @Nullable String wrongVersion(AttemptHistory book, @Nullable String shown) {
        if (book.versions.isEmpty() || book.versions.contains("")) {
            return null;
        }
        for (String expected : book.versions) {
            if (shown != null && bare(expected).equals(bare(shown))) {
                return null;
            }
        }
        return "the node shows version " + shown + ", " + book.versions + " is asked for";
    }

    private static String bare(String version) {
        return version.startsWith("v") ? version.substring(1) : version;
    }

    private static @Nullable String wrongRevision(AttemptHistory book, AttemptReport success) {
        String shown = success.revision();
        if (book.target.startsWith(REVISION)) {
            return book.target.equals(REVISION + shown)
                    ? null
                    : "the node shows revision " + shown + ", " + book.target + " is asked for";
        }
        if (!book.target.startsWith(CHANNEL)) {
            return shown == null ? "the node shows no revision" : null;
        }
        if (shown != null && book.learned.contains(shown)) {
            return null;
        }
        if (!book.learned.contains("")) {
            return "the node shows revision " + shown + ", the channel is known to mean " + book.learned;
        }
        return wrongTrack(book, success);
    }

    /** While nobody knows what the channel means: after a call, a version of its track, where its name tells one. */
    private static @Nullable String wrongTrack(AttemptHistory book, AttemptReport success) {
        if (!book.partial && !book.licensed) {
            return "nobody knows yet what " + book.target + " means, and nothing was called";
        }
        String channel = book.target.substring(CHANNEL.length());
        int end = channel.indexOf('-') >= 0 ? channel.indexOf('-') : channel.indexOf('/');
        String track = end < 0 ? channel : channel.substring(0, end);
        String version = success.version();
        boolean told = !track.isEmpty() && Character.isDigit(track.charAt(0));
        return !told || version == null || bare(version).startsWith(track + ".")
                ? null
                : "the node shows version " + version + " after " + book.target;
    }
}
