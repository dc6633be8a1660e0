package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Map;

/** Parts that objects of all kinds consist of. */
final class KubeObjectTemplates {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private KubeObjectTemplates() {}

    static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static String microTime(Instant at) {
        return MICROS.format(at);
    }

    static JsonObjectReader texts(Map<String, String> texts) {
        JsonObjectReader.Builder builder = new JsonObjectReader.Builder();
        texts.forEach(builder::put);
        return builder.build();
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A reference from an object to its controller. */
    static JsonObjectReader controller(StoredObject owner) {
        return ImmutableJson.object(
                "apiVersion", owner.ref().resource().apiVersion(),
                "kind", owner.ref().resource().kind(),
                "name", owner.ref().name(),
                "uid", ImmutableJson.textAt(owner.tree(), "metadata", "uid"),
                "controller", true,
                "blockOwnerDeletion", true);
    }

    static JsonObjectReader condition(String type, boolean holds, String reason, String since) {
        return ImmutableJson.object(
                "type", type,
                "status", holds ? "True" : "False",
                "reason", reason,
                "message", "",
                "lastTransitionTime", since);
    }
}
