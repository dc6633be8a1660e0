package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.row.UpgradeOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * A request to a node. k8sd refuses bodies with a name that it does not know, and all are posted.
 *
 * @param fields of the body, in their order
 */
public record Request(String path, SequencedMap<String, String> fields) {
    private static final String REFRESH = "/1.0/snap/refresh";
    /** snapd counts from one. */
    private static final String NO_CHANGE = "0";

    private static final String STATUS = "/1.0/snap/refresh-status";

    /** The call: refresh the snap. One of the three names has a value, and all are there. */
    public static Request refresh(UpgradeOption target) {
        SequencedMap<String, String> fields = new LinkedHashMap<>();
        fields.put("channel", target instanceof UpgradeOption.Channel channel ? channel.channel() : "");
        fields.put("revision", target instanceof UpgradeOption.Revision revision ? revision.revision() : "");
        fields.put("localPath", target instanceof UpgradeOption.LocalPath local ? local.path() : "");
        return new Request(REFRESH, fields);
    }

    /** How a change stands. */
    public static Request status(String changeId) {
        return new Request(STATUS, new LinkedHashMap<>(Map.of("changeId", changeId)));
    }

    /** A question that changes nothing and that only a good token is answered: for a change that there is not. */
    public static Request probe() {
        return status(NO_CHANGE);
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
