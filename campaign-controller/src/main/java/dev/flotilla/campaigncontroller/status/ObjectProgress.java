package dev.flotilla.campaigncontroller.status;

/**
 * How far an object has come, in the words of kstatus, which Argo CD and Flux understand: in progress, ready, or stalled until a person
 * acts.
 *
 * @param phase the phase that {@code kubectl get} shows
 * @param reason a word without spaces
 * @param message what that means, and the way out
 */
public record ObjectProgress(Progress progress, String phase, String reason, String message) {
    /** The kinds of progress. */
    public enum Progress {
        IN_PROGRESS,
        READY,
        STALLED
    }

    public static ObjectProgress inProgress(String phase, String reason, String message) {
        return new ObjectProgress(Progress.IN_PROGRESS, phase, reason, message);
    }

    public static ObjectProgress ready(String phase, String reason, String message) {
        return new ObjectProgress(Progress.READY, phase, reason, message);
    }

    public static ObjectProgress stalled(String phase, String reason, String message) {
        return new ObjectProgress(Progress.STALLED, phase, reason, message);
    }
}
