package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.MalformedJson;
import org.jspecify.annotations.Nullable;

/** What a worker is told about a machine. */
public sealed interface Command extends Row {
    String id();

    long attempt();

    /** Upgrade it, calling no later than {@code notAfter}. */
    record Upgrade(
            String id,
            String uid,
            long attempt,
            String target,
            @Nullable String expectedVersion,
            @Nullable String learnedRevision,
            boolean controlPlane,
            long notAfter)
            implements Command {}

    /** Do not call. */
    record Cancel(String id, String uid, long attempt) implements Command {}

    static Command read(Fields row) {
        String id = row.text("site") + "/" + row.text("namespace") + "/" + row.text("name");
        String uid = row.text("uid");
        long attempt = row.number("attempt");
        return switch (row.text("do")) {
            case "upgrade" ->
                new Upgrade(
                        id,
                        uid,
                        attempt,
                        row.text("target"),
                        row.textOr("expectedVersion", null),
                        row.textOr("learnedRevision", null),
                        row.text("role").equals("control-plane"),
                        row.instant("notAfter"));
            case "cancel" -> new Cancel(id, uid, attempt);
            default -> throw new MalformedJson("is an unknown command");
        };
    }
}
