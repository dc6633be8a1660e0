package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Classifies the responses of k8sd. A response that k8sd is not known to send counts as an unknown outcome. */
public final class K8sdResultClassifier {
    private static final int UNAUTHORIZED = 401;
    private static final int FIRST_CLIENT_ERROR = 400;
    private static final int FIRST_SERVER_ERROR = 500;
    private static final int NOT_IMPLEMENTED = 501;
    private static final int UNAVAILABLE = 503;
    private static final int LONGEST_TEXT = 1_000;

    /** A change id of snapd. */
    private static final Pattern CHANGE_ID = Pattern.compile("[0-9]{1,19}");

    /** snap's exit status if another change is running on the snap, so that the call can be retried. */
    private static final String TRY_AGAIN = "exit status 10";

    /** snap's exit status for invalid arguments, such as an impossible channel. */
    private static final String USAGE = "exit status 64";

    /** k8sd cannot read the token that it requires. */
    private static final String UNREADABLE_TOKEN = "failed to read node access token";

    private static final Pattern REFUSED = Pattern.compile("exit status 1(?![0-9])");

    /** Error of a member with a new k8sd, until the k8sd of all other members is new too. */
    private static final String AWAITS_PEERS = "Database is waiting for an upgrade";

    /** Error of a member with an old k8sd if that of another is new: it does not start. */
    private static final String BEHIND = "version is behind";

    private K8sdResultClassifier() {}

    /** Whether the node rejected the token. */
    public static boolean isTokenRejected(K8sdRequestResult k8sdRequestResult) {
        return k8sdRequestResult instanceof K8sdRequestResult.ErrorReturned errorReturned
                && errorReturned.status() == UNAUTHORIZED;
    }

    /** Classifies the response to the call. */
    public static CallResult classifyCall(K8sdRequestResult k8sdRequestResult) {
        return switch (k8sdRequestResult) {
            case K8sdRequestResult.RequestNotSent not ->
                new CallResult.NotSent("the node cannot be reached: " + not.reason());
            case K8sdRequestResult.UntrustedCertificate other -> new CallResult.NotSent(other.reason());
            case K8sdRequestResult.ConnectionBroken connectionBroken ->
                new CallResult.NoAnswer(connectionBroken.reason());
            case K8sdRequestResult.UnreadableResponse unreadableResponse ->
                new CallResult.NoAnswer(describeUnreadable(unreadableResponse));
            case K8sdRequestResult.ErrorReturned errorReturned -> classifyError(errorReturned);
            case K8sdRequestResult.SuccessReturned successReturned -> classifySuccess(successReturned.metadata());
        };
    }

    private static CallResult classifySuccess(JsonObjectReader metadata) {
        String changeId = K8sdResponseEnvelope.text(metadata, "changeId");
        if (changeId == null) {
            return new CallResult.NoAnswer("k8sd accepted the call but returned no change id");
        }
        if (changeId.isEmpty()) {
            return new CallResult.NothingToDo();
        }
        return CHANGE_ID.matcher(changeId).matches()
                ? new CallResult.ChangeStarted(changeId)
                : new CallResult.NoAnswer(
                        "k8sd returned a change id that snapd never uses: " + RedactedText.redact(changeId));
    }

    private static CallResult classifyError(K8sdRequestResult.ErrorReturned errorReturned) {
        int status = errorReturned.status();
        String error = errorReturned.error();
        if (status == UNAVAILABLE || error.contains(BEHIND)) {
            // Sent before the request is read: the daemon starts, stops, or waits for its database.
            return new CallResult.NotSent("k8sd does not accept requests: " + error);
        }
        if (status == UNAUTHORIZED) {
            return new CallResult.CallRejected(
                    FailureClass.TERMINAL, FailureReason.CREDENTIALS, describeRejectedToken(error));
        }
        if (status == NOT_IMPLEMENTED || (status >= FIRST_CLIENT_ERROR && status < FIRST_SERVER_ERROR)) {
            return rejected(FailureClass.TERMINAL, error);
        }
        return status == FIRST_SERVER_ERROR ? classifyFailure(error) : new CallResult.NoAnswer(status + ": " + error);
    }

    private static String describeUnreadable(K8sdRequestResult.UnreadableResponse it) {
        return "a response (" + it.status() + ") that k8sd never sends: " + it.reason();
    }

    /** Classifies a failure, which k8sd reports only as text. */
    private static CallResult classifyFailure(String error) {
        if (error.contains(TRY_AGAIN)) {
            return new CallResult.NodeBusy("another change is running on the node's snap: " + error);
        }
        if (error.contains(UNREADABLE_TOKEN)) {
            return new CallResult.CallRejected(FailureClass.RETRYABLE, FailureReason.CREDENTIALS, error);
        }
        if (error.contains(USAGE) || error.contains("strictly confined") || error.contains("pebble does not support")) {
            return rejected(FailureClass.TERMINAL, error);
        }
        // snap returned an error of its own, so snapd started no change.
        return REFUSED.matcher(error).find() ? rejected(FailureClass.RETRYABLE, error) : new CallResult.NoAnswer(error);
    }

    private static CallResult rejected(FailureClass failureClass, String error) {
        return new CallResult.CallRejected(
                failureClass, FailureReason.REFRESH_REJECTED, "the node rejected the refresh: " + error);
    }

    private static String describeRejectedToken(String error) {
        return "the node rejected the node token: " + error;
    }

    /** Classifies the response to the probe, for a change that does not exist. */
    public static ConnectResult classifyConnect(K8sdRequestResult k8sdRequestResult) {
        return switch (k8sdRequestResult) {
            case K8sdRequestResult.RequestNotSent not -> new ConnectResult.NotReachable(not.reason());
            case K8sdRequestResult.UntrustedCertificate other ->
                new ConnectResult.ConnectionRefused(FailureClass.TERMINAL, FailureReason.CREDENTIALS, other.reason());
            case K8sdRequestResult.ConnectionBroken connectionBroken ->
                new ConnectResult.NotReachable(connectionBroken.reason());
            case K8sdRequestResult.UnreadableResponse unreadableResponse ->
                new ConnectResult.NotReachable(describeUnreadable(unreadableResponse));
            case K8sdRequestResult.ErrorReturned errorReturned ->
                classifyConnectError(errorReturned.status(), errorReturned.error());
            case K8sdRequestResult.SuccessReturned successReturned -> new ConnectResult.Connected();
        };
    }

    private static ConnectResult classifyConnectError(int status, String error) {
        if (status == UNAUTHORIZED) {
            return new ConnectResult.ConnectionRefused(
                    FailureClass.TERMINAL, FailureReason.CREDENTIALS, describeRejectedToken(error));
        }
        if (error.contains(UNREADABLE_TOKEN)) {
            return new ConnectResult.ConnectionRefused(FailureClass.RETRYABLE, FailureReason.CREDENTIALS, error);
        }
        return status == NOT_IMPLEMENTED || status < FIRST_SERVER_ERROR
                ? new ConnectResult.ConnectionRefused(
                        FailureClass.TERMINAL,
                        FailureReason.REFRESH_REJECTED,
                        "k8sd does not report the status of changes: " + error)
                : new ConnectResult.NotReachable("k8sd answers " + status + ": " + error);
    }

    /** Classifies the response to a request for a change. Anything that is not about the change itself is retried. */
    public static ChangeStatus classifyStatus(String changeId, K8sdRequestResult k8sdRequestResult) {
        return switch (k8sdRequestResult) {
            case K8sdRequestResult.RequestNotSent not ->
                new ChangeStatus.StatusUnavailable("the node cannot be reached: " + not.reason());
            case K8sdRequestResult.UntrustedCertificate other -> new ChangeStatus.StatusUnavailable(other.reason());
            case K8sdRequestResult.ConnectionBroken connectionBroken ->
                new ChangeStatus.StatusUnavailable("the node did not respond: " + connectionBroken.reason());
            case K8sdRequestResult.UnreadableResponse unreadableResponse ->
                new ChangeStatus.StatusUnavailable(describeUnreadable(unreadableResponse));
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
            return new ChangeStatus.StatusUnavailable("k8sd returned no status of change " + changeId);
        }
        String is = "change " + changeId + " is " + RedactedText.redact(status);
        boolean over = K8sdResponseEnvelope.flag(metadata, "completed") && !status.isEmpty() && !status.equals("Done");
        if (over) {
            // The provider treats any completed status other than Done as failed.
            return failed(is, metadata);
        }
        return switch (status) {
            case "" -> new ChangeStatus.ChangeForgotten();
            // The node itself is verified afterwards.
            case "Done" -> new ChangeStatus.ChangeDone();
            case "Error", "Undone", "Hold" -> failed(is, metadata);
            case "Default", "Do", "Doing", "Abort", "Undo", "Undoing" -> new ChangeStatus.InProgress(is);
            case "Wait" -> new ChangeStatus.Blocked(is + ", until the node is restarted");
            default -> new ChangeStatus.InProgress(is);
        };
    }

    private static ChangeStatus failed(String is, JsonObjectReader metadata) {
        @Nullable String message = K8sdResponseEnvelope.text(metadata, "errorMessage");
        return new ChangeStatus.ChangeFailed(
                RedactedText.redact(is + (message == null || message.isEmpty() ? "" : ": " + message), LONGEST_TEXT));
    }
}
