package dev.flotilla.nodeworker.nodeupgrade;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.nodeupgrade.NodeUpgradeTemplateReader.TemplateResult.TemplateFound;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * Creates the NodeUpgrade of an attempt, which is the call. The name is the attempt's, so after a creation without an answer
 * the object tells whether it was performed. Methods block.
 */
public final class NodeUpgradeCaller {
    static final String PERMISSION_WAY_OUT = "; give the controller's ClusterRole for node-workers the label"
            + " flotilla.dev/aggregate-to-node-worker: \"true\" (deploy/node-worker/rbac-management.yaml)";

    /** An API server says so if an admission webhook cannot be asked without effects. */
    private static final String NO_DRY_RUN = "does not support dry run";

    private static final String DRY_RUN = "?dryRun=All";
    private static final int BAD_REQUEST = 400;
    private static final int TOO_MANY_REQUESTS = 429;

    /** An API server says so of a name that is taken, in contrast to other conflicts. */
    private static final String ALREADY_EXISTS = "already exists";

    private final KubeApiClient api;

    public NodeUpgradeCaller(KubeApiClient api) {
        this.api = api;
    }

    /** Lets the API server check the creation of an attempt's object without creating it. */
    public ConnectResult tryCreate(NodeUpgradeAttempt attempt, TemplateFound template, Instant deadline) {
        String shown = show(attempt, template.kind());
        KubeResponse response = api.createObject(
                template.kind().path(attempt.machine().namespace()) + DRY_RUN,
                NodeUpgradeObject.build(attempt, template.kind(), template.spec(), deadline));
        if (!(response instanceof KubeResponse.ErrorResponse error)) {
            return response instanceof KubeResponse.SuccessResponse
                    ? new ConnectResult.Connected()
                    : new ConnectResult.NotReachable(shown + " cannot be created: " + response.problem());
        }
        return switch (error.status()) {
            // The call reads what is there.
            case KubeResponse.CONFLICT -> new ConnectResult.Connected();
            case KubeResponse.FORBIDDEN ->
                refused(FailureClass.RETRYABLE, FailureReason.CREDENTIALS, describeForbidden(shown, error));
            case BAD_REQUEST, KubeResponse.UNPROCESSABLE ->
                error.message().contains(NO_DRY_RUN)
                        ? new ConnectResult.Connected()
                        : refused(
                                FailureClass.TERMINAL, FailureReason.REFRESH_REJECTED, describeRejected(shown, error));
            default -> new ConnectResult.NotReachable(shown + " cannot be created: " + error.problem());
        };
    }

    private static ConnectResult refused(FailureClass failureClass, FailureReason reason, String text) {
        return new ConnectResult.ConnectionRefused(failureClass, reason, text);
    }

    /**
     * Creates the object of an attempt.
     *
     * @param inTime evaluated right before the request is sent: if false, it is not sent
     */
    public CallResult create(
            NodeUpgradeAttempt attempt, TemplateFound template, Instant deadline, BooleanSupplier inTime) {
        NodeUpgradeKind kind = template.kind();
        String shown = show(attempt, kind);
        return switch (api.createObject(
                kind.path(attempt.machine().namespace()),
                NodeUpgradeObject.build(attempt, kind, template.spec(), deadline),
                inTime)) {
            case KubeResponse.SuccessResponse success -> new CallResult.ChangeStarted(attempt.objectName());
            case KubeResponse.NoResponse none ->
                none.certainlyNotSent()
                        ? new CallResult.NotSent(shown + " was not created: " + none.message())
                        : readBack(
                                attempt,
                                kind,
                                new CallResult.NoAnswer(
                                        shown + " does not exist, and may be created yet: " + none.message()));
            case KubeResponse.ErrorResponse error -> classifyError(attempt, kind, error);
        };
    }

    private CallResult classifyError(
            NodeUpgradeAttempt attempt, NodeUpgradeKind kind, KubeResponse.ErrorResponse error) {
        String shown = show(attempt, kind);
        return switch (error.status()) {
            case KubeResponse.UNAUTHORIZED, TOO_MANY_REQUESTS ->
                new CallResult.NotSent(shown + " was not created: " + error.problem());
            case KubeResponse.FORBIDDEN ->
                new CallResult.CallRejected(
                        FailureClass.RETRYABLE, FailureReason.CREDENTIALS, describeForbidden(shown, error));
            case BAD_REQUEST, KubeResponse.UNPROCESSABLE ->
                new CallResult.CallRejected(
                        FailureClass.TERMINAL, FailureReason.REFRESH_REJECTED, describeRejected(shown, error));
            case KubeResponse.NOT_FOUND ->
                new CallResult.CallRejected(
                        FailureClass.RETRYABLE, FailureReason.REFRESH_REJECTED, describeRejected(shown, error));
            case KubeResponse.CONFLICT ->
                readBack(
                        attempt,
                        kind,
                        error.message().contains(ALREADY_EXISTS)
                                // It was deleted since: this shows when it is polled.
                                ? new CallResult.ChangeStarted(attempt.objectName())
                                : new CallResult.NotSent(shown + " was not created: " + error.problem()));
            default ->
                readBack(
                        attempt,
                        kind,
                        new CallResult.NoAnswer(shown + " does not exist, and may be created yet: " + error.problem()));
        };
    }

    private CallResult readBack(NodeUpgradeAttempt attempt, NodeUpgradeKind kind, CallResult resultIfMissing) {
        String shown = show(attempt, kind);
        KubeResponse response = api.get(kind.path(attempt.machine().namespace(), attempt.objectName()));
        if (!(response instanceof KubeResponse.SuccessResponse success)) {
            return response.isMissing()
                    ? resultIfMissing
                    : new CallResult.NoAnswer(shown + " may exist, and cannot be read: " + response.problem());
        }
        String difference = NodeUpgradeObject.findDifference(success.object(), attempt);
        return difference == null
                ? new CallResult.ChangeStarted(attempt.objectName())
                : new CallResult.CallRejected(
                        FailureClass.TERMINAL,
                        FailureReason.REFRESH_REJECTED,
                        "this attempt did not create the existing " + shown + ": " + difference
                                + "; find out who did, and delete it");
    }

    private static String describeForbidden(String shown, KubeResponse.ErrorResponse error) {
        return shown + " may not be created: " + error.problem() + PERMISSION_WAY_OUT;
    }

    private static String describeRejected(String shown, KubeResponse.ErrorResponse error) {
        return "the management cluster rejects " + shown + ": " + error.problem();
    }

    private static String show(NodeUpgradeAttempt attempt, NodeUpgradeKind kind) {
        return kind.kind() + " " + attempt.objectName();
    }
}
