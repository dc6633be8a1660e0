package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.core.procedure.CallResult;
import dev.flotilla.core.procedure.ChangeStatus;
import dev.flotilla.core.procedure.ConnectResult;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What an answer of k8sd means. What nobody has seen k8sd say counts as an outcome that nobody knows. */
public final class K8sdResultClassifier {
    private static final int UNAUTHORIZED = 401;
    private static final int FIRST_CLIENT_ERROR = 400;
    private static final int FIRST_SERVER_ERROR = 500;
    private static final int NOT_IMPLEMENTED = 501;
    private static final int UNAVAILABLE = 503;
    private static final int LONGEST_TEXT = 1_000;

    /** snapd's own numbers. */
    private static final Pattern CHANGE_ID = Pattern.compile("[0-9]{1,19}");

    /** snap's exit where snapd says that it can be tried again: another change is at work on the snap. */
    private static final String TRY_AGAIN = "exit status 10";

    /** snap's exit where its arguments are wrong, as with a channel that cannot be one. */
    private static final String USAGE = "exit status 64";

    /** k8sd cannot tell which token to want. */
    private static final String UNREADABLE_TOKEN = "failed to read node access token";

    private static final Pattern REFUSED = Pattern.compile("exit status 1(?![0-9])");

    /** Said by a member whose k8sd is new, until that of all the others is. */
    private static final String AWAITS_PEERS = "Database is waiting for an upgrade";

    /** Said by a member whose k8sd is old, where that of another is new: it does not come up. */
    private static final String BEHIND = "version is behind";

    private K8sdResultClassifier() {}

    /** Whether the node does not take the token that it was shown. */
    public static boolean isTokenRejected(K8sdRequestResult k8sdRequestResult) {
        return k8sdRequestResult instanceof K8sdRequestResult.ErrorReturned errorReturned
                && errorReturned.status() == UNAUTHORIZED;
    }

    /** Of the call. */
    public static CallResult classifyCall(K8sdRequestResult k8sdRequestResult) {
        return switch (k8sdRequestResult) {
            case K8sdRequestResult.RequestNotSent not ->
                new CallResult.NotSent("the node is not reached: " + not.reason());
            case K8sdRequestResult.UntrustedCertificate other -> new CallResult.NotSent(other.reason());
            case K8sdRequestResult.ConnectionBroken connectionBroken ->
                new CallResult.NoAnswer(connectionBroken.reason());
            case K8sdRequestResult.UnreadableResponse unreadableResponse ->
                new CallResult.NoAnswer(garbled(unreadableResponse));
            case K8sdRequestResult.ErrorReturned errorReturned -> ofRefusal(errorReturned);
            case K8sdRequestResult.SuccessReturned successReturned -> ofSuccess(successReturned.metadata());
        };
    }

    private static CallResult ofSuccess(JsonObjectReader metadata) {
        String changeId = K8sdResponseEnvelope.text(metadata, "changeId");
        if (changeId == null) {
            return new CallResult.NoAnswer("k8sd says that it began and names no change");
        }
        if (changeId.isEmpty()) {
            return new CallResult.NothingToDo();
        }
        return CHANGE_ID.matcher(changeId).matches()
                ? new CallResult.ChangeStarted(changeId)
                : new CallResult.NoAnswer("k8sd names a change as snapd never would: " + RedactedText.redact(changeId));
    }

    private static CallResult ofRefusal(K8sdRequestResult.ErrorReturned errorReturned) {
        int status = errorReturned.status();
        String error = errorReturned.error();
        if (status == UNAVAILABLE || error.contains(BEHIND)) {
            // Said before the request is looked at: the daemon starts, stops, or waits for its database.
            return new CallResult.NotSent("k8sd does not take requests: " + error);
        }
        if (status == UNAUTHORIZED) {
            return new CallResult.CallRejected(FailureClass.TERMINAL, FailureReason.CREDENTIALS, tokenRefused(error));
        }
        if (status == NOT_IMPLEMENTED || (status >= FIRST_CLIENT_ERROR && status < FIRST_SERVER_ERROR)) {
            return refused(FailureClass.TERMINAL, error);
        }
        return status == FIRST_SERVER_ERROR ? ofFailure(error) : new CallResult.NoAnswer(status + ": " + error);
    }

    private static String garbled(K8sdRequestResult.UnreadableResponse it) {
        return "an answer (" + it.status() + ") that k8sd would never give: " + it.reason();
    }

    /** k8sd tells what went wrong in words alone. */
    private static CallResult ofFailure(String error) {
        if (error.contains(TRY_AGAIN)) {
            return new CallResult.NodeBusy("another change is at work on the node's snap: " + error);
        }
        if (error.contains(UNREADABLE_TOKEN)) {
            return new CallResult.CallRejected(FailureClass.RETRYABLE, FailureReason.CREDENTIALS, error);
        }
        if (error.contains(USAGE) || error.contains("strictly confined") || error.contains("pebble does not support")) {
            return refused(FailureClass.TERMINAL, error);
        }
        // snap came back with an error of its own, so that snapd began no change.
        return REFUSED.matcher(error).find() ? refused(FailureClass.RETRYABLE, error) : new CallResult.NoAnswer(error);
    }

    private static CallResult refused(FailureClass failureClass, String error) {
        return new CallResult.CallRejected(
                failureClass, FailureReason.REFRESH_REJECTED, "the node refuses the refresh: " + error);
    }

    private static String tokenRefused(String error) {
        return "the node refuses the node token: " + error;
    }

    /** Of a question that was asked to be answered at all, for a change that nobody has seen. */
    public static ConnectResult classifyConnect(K8sdRequestResult k8sdRequestResult) {
        return switch (k8sdRequestResult) {
            case K8sdRequestResult.RequestNotSent not -> new ConnectResult.NotReachable(not.reason());
            case K8sdRequestResult.UntrustedCertificate other ->
                new ConnectResult.ConnectionRefused(FailureClass.TERMINAL, FailureReason.CREDENTIALS, other.reason());
            case K8sdRequestResult.ConnectionBroken connectionBroken ->
                new ConnectResult.NotReachable(connectionBroken.reason());
            case K8sdRequestResult.UnreadableResponse unreadableResponse ->
                new ConnectResult.NotReachable(garbled(unreadableResponse));
            case K8sdRequestResult.ErrorReturned errorReturned ->
                ofRefusedContact(errorReturned.status(), errorReturned.error());
            case K8sdRequestResult.SuccessReturned successReturned -> new ConnectResult.Connected();
        };
    }

    private static ConnectResult ofRefusedContact(int status, String error) {
        if (status == UNAUTHORIZED) {
            return new ConnectResult.ConnectionRefused(
                    FailureClass.TERMINAL, FailureReason.CREDENTIALS, tokenRefused(error));
        }
        if (error.contains(UNREADABLE_TOKEN)) {
            return new ConnectResult.ConnectionRefused(FailureClass.RETRYABLE, FailureReason.CREDENTIALS, error);
        }
        return status == NOT_IMPLEMENTED || status < FIRST_SERVER_ERROR
                ? new ConnectResult.ConnectionRefused(
                        FailureClass.TERMINAL,
                        FailureReason.REFRESH_REJECTED,
                        "k8sd does not tell how a change stands: " + error)
                : new ConnectResult.NotReachable("k8sd answers " + status + ": " + error);
    }

    /** Of a question for a change. Whatever is not said of the change itself is waited out. */
    public static ChangeStatus classifyStatus(String changeId, K8sdRequestResult k8sdRequestResult) {
        return switch (k8sdRequestResult) {
            case K8sdRequestResult.RequestNotSent not ->
                new ChangeStatus.StatusUnavailable("the node is not reached: " + not.reason());
            case K8sdRequestResult.UntrustedCertificate other -> new ChangeStatus.StatusUnavailable(other.reason());
            case K8sdRequestResult.ConnectionBroken connectionBroken ->
                new ChangeStatus.StatusUnavailable("the node does not answer: " + connectionBroken.reason());
            case K8sdRequestResult.UnreadableResponse unreadableResponse ->
                new ChangeStatus.StatusUnavailable(garbled(unreadableResponse));
            case K8sdRequestResult.ErrorReturned errorReturned ->
                errorReturned.status() == UNAVAILABLE && errorReturned.error().startsWith(AWAITS_PEERS)
                        ? new ChangeStatus.AwaitsPeers(errorReturned.error())
                        : new ChangeStatus.StatusUnavailable(
                                "k8sd says " + errorReturned.status() + ": " + errorReturned.error());
            case K8sdRequestResult.SuccessReturned successReturned ->
                classifyStatus(changeId, successReturned.metadata());
        };
    }

    private static ChangeStatus classifyStatus(String changeId, JsonObjectReader metadata) {
        String status = K8sdResponseEnvelope.text(metadata, "status");
        if (status == null) {
            return new ChangeStatus.StatusUnavailable("k8sd says no status of change " + changeId);
        }
        String is = "change " + changeId + " is " + RedactedText.redact(status);
        boolean over = K8sdResponseEnvelope.flag(metadata, "completed") && !status.isEmpty() && !status.equals("Done");
        if (over) {
            // As the provider has it, whatever the word.
            return failed(is, metadata);
        }
        return switch (status) {
            case "" -> new ChangeStatus.ChangeForgotten();
            // Proven on the node, and not by the word.
            case "Done" -> new ChangeStatus.ChangeDone();
            case "Error", "Undone", "Hold" -> failed(is, metadata);
            case "Default", "Do", "Doing", "Abort", "Undo", "Undoing" -> new ChangeStatus.InProgress(is);
            case "Wait" -> new ChangeStatus.Blocked(is + ", which ends when somebody restarts the node");
            default -> new ChangeStatus.InProgress(is);
        };
    }

    private static ChangeStatus failed(String is, JsonObjectReader metadata) {
        @Nullable String message = K8sdResponseEnvelope.text(metadata, "errorMessage");
        return new ChangeStatus.ChangeFailed(
                RedactedText.redact(is + (message == null || message.isEmpty() ? "" : ": " + message), LONGEST_TEXT));
    }
}
