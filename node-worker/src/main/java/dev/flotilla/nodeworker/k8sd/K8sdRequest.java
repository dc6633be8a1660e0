package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * A request to a node. k8sd refuses bodies with a name that it does not know, and all are posted.
 *
 * @param fields of the body, in their order
 */
public record K8sdRequest(String path, SequencedMap<String, String> fields) {
    private static final String REFRESH = "/1.0/snap/refresh";
    private static final String STATUS = "/1.0/snap/refresh-status";

    /** snapd counts from one. */
    private static final String NO_CHANGE = "0";

    private static final Duration CALL = Duration.ofMinutes(1);

    /** A question is answered at once, or not at all: the end of a tunnel does not tell that its node has gone down. */
    private static final Duration QUESTION = Duration.ofSeconds(10);

    /** The call: refresh the snap. One of the three names has a value, and all are there. */
    public static K8sdRequest refresh(UpgradeTarget target) {
        SequencedMap<String, String> fields = new LinkedHashMap<>();
        fields.put("channel", target instanceof UpgradeTarget.Channel channel ? channel.channel() : "");
        fields.put("revision", target instanceof UpgradeTarget.Revision revision ? revision.revision() : "");
        fields.put("localPath", target instanceof UpgradeTarget.LocalPath local ? local.path() : "");
        return new K8sdRequest(REFRESH, fields);
    }

    /** How a change stands. */
    public static K8sdRequest status(String changeId) {
        return new K8sdRequest(STATUS, new LinkedHashMap<>(Map.of("changeId", changeId)));
    }

    /** A question that changes nothing and that only a good token is answered: for a change that there is not. */
    public static K8sdRequest probe() {
        return status(NO_CHANGE);
    }

    /** How long its answer is waited for. */
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
