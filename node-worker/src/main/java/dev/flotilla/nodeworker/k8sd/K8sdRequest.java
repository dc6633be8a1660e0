package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * A request to k8sd. All are POST requests, and k8sd rejects bodies with unknown fields.
 *
 * @param fields fields of the body, in their order
 */
public record K8sdRequest(String path, SequencedMap<String, String> fields) {
    private static final String REFRESH = "/1.0/snap/refresh";
    private static final String STATUS = "/1.0/snap/refresh-status";

    /** A change id that does not exist, because snapd counts from one. */
    private static final String NO_CHANGE = "0";

    private static final Duration CALL = Duration.ofMinutes(1);

    /**
     * Timeout of reads: k8sd responds at once or never, and the end of a tunnel does not show that its node is down.
     */
    private static final Duration QUESTION = Duration.ofSeconds(10);

    /** Creates the call that refreshes the snap. One of the three fields has a value, and all must be there. */
    public static K8sdRequest refresh(UpgradeTarget target) {
        SequencedMap<String, String> fields = new LinkedHashMap<>();
        fields.put("channel", target instanceof UpgradeTarget.Channel channel ? channel.channel() : "");
        fields.put("revision", target instanceof UpgradeTarget.Revision revision ? revision.revision() : "");
        fields.put("localPath", target instanceof UpgradeTarget.LocalPath local ? local.path() : "");
        return new K8sdRequest(REFRESH, fields);
    }

    /** Creates the request for the status of a change. */
    public static K8sdRequest status(String changeId) {
        return new K8sdRequest(STATUS, new LinkedHashMap<>(Map.of("changeId", changeId)));
    }

    /**
     * Creates a request that changes nothing and succeeds only with a valid token: for a change that does not exist.
     */
    public static K8sdRequest probe() {
        return status(NO_CHANGE);
    }

    /** Returns the timeout of the response. */
    Duration timeout() {
        return path.equals(REFRESH) ? CALL : QUESTION;
    }

    byte[] body() {
        JsonWriter out = new JsonWriter();
        out.beginObject();
        fields.forEach((name, value) -> {
            out.name(name);
            out.text(value);
        });
        out.endObject();
        return out.toBytes();
    }
}
