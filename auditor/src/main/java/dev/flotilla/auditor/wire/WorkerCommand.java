package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.MalformedJsonException;
import org.jspecify.annotations.Nullable;

/** A command to a site's worker about a machine. */
public sealed interface WorkerCommand extends TableRow {
    String id();

    long attemptId();

    /** Upgrade the machine; the call must be made before {@code leaseExpiresAt}. */
    record UpgradeMachine(
            String id,
            String uid,
            long attemptId,
            String target,
            @Nullable String expectedVersion,
            @Nullable String resolvedRevision,
            boolean controlPlane,
            long leaseExpiresAt,
            UpgradeProvider provider,
            boolean prepared)
            implements WorkerCommand {}

    /** Fetch what the upgrade needs; no step starts after {@code deadline}. */
    record PrepareMachine(String id, String uid, long attemptId, String target, long leaseExpiresAt, long deadline)
            implements WorkerCommand {}

    /** Cancel the attempt: do not call. */
    record CancelUpgrade(String id, String uid, long attemptId) implements WorkerCommand {}

    static WorkerCommand read(JsonFieldReader row) {
        String id = row.text("site") + "/" + row.text("namespace") + "/" + row.text("name");
        String uid = row.text("uid");
        long attempt = row.number("attemptId");
        return switch (row.text("type")) {
            case "upgrade" ->
                new UpgradeMachine(
                        id,
                        uid,
                        attempt,
                        row.text("target"),
                        row.textOr("expectedVersion", null),
                        row.textOr("resolvedRevision", null),
                        row.text("role").equals("control-plane"),
                        row.instant("leaseExpiresAt"),
                        UpgradeProvider.read(row),
                        row.boolOr("prepared", false));
            case "prepare" ->
                new PrepareMachine(
                        id, uid, attempt, row.text("target"), row.instant("leaseExpiresAt"), row.instant("deadline"));
            case "cancel" -> new CancelUpgrade(id, uid, attempt);
            default -> throw new MalformedJsonException("is an unknown command");
        };
    }
}
