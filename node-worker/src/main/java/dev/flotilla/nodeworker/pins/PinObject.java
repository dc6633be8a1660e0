package dev.flotilla.nodeworker.pins;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.nodeworker.k8sd.Pin;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The object in which a cluster's pins are kept, and its format.
 *
 * @param name of the object, in the namespace of its cluster
 */
record PinObject(Kind kind, String namespace, String name) {
    private static final String SUFFIX = "-flotilla-pins";
    private static final Pattern PINNED = Pattern.compile("([0-9a-f]{64}) (.+)");

    enum Kind {
        CONFIG_MAP("ConfigMap", "configmaps"),
        /** Of earlier versions; only read, and reset. */
        SECRET("Secret", "secrets");

        private final String label;
        private final String plural;

        Kind(String label, String plural) {
            this.label = label;
            this.plural = plural;
        }
    }

    static PinObject of(Kind kind, ClusterKey cluster) {
        return new PinObject(kind, cluster.namespace(), cluster.name() + SUFFIX);
    }

    String path() {
        return KubeApiPath.coreObject(namespace, kind.plural, name);
    }

    /** What the object says of one. What cannot be read closes, as somebody may have cut it. */
    Pins.Trust trust(KubeObject object, Bearer bearer) {
        String value = object.text("data", bearer.key());
        if (value == null) {
            return new Pins.Trust.Stranger();
        }
        String text = kind == Kind.SECRET ? decoded(value) : value;
        Matcher pinned = PINNED.matcher(text == null ? "" : text.strip());
        if (!pinned.matches()) {
            return new Pins.Trust.None("what is pinned for " + bearer + " cannot be read; reset its trust");
        }
        return pinned.group(2).equals(bearer.uid())
                ? new Pins.Trust.Pinned(new Pin(pinned.group(1)))
                : new Pins.Trust.Stranger();
    }

    private static @Nullable String decoded(String value) {
        try {
            return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The ConfigMap with a pin more. */
    JsonObjectReader with(KubeObject object, Bearer bearer, Pin pin) {
        return changed(object, bearer, new JsonValue.JsonString(pin.sha256() + " " + bearer.uid(), JsonValue.NO_LINE));
    }

    JsonObjectReader without(KubeObject object, Bearer bearer) {
        return changed(object, bearer, new JsonValue.JsonNull(JsonValue.NO_LINE));
    }

    private static JsonObjectReader changed(KubeObject object, Bearer bearer, JsonValue value) {
        return new JsonObjectReader.Builder()
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("resourceVersion", object.resourceVersion())
                                .build())
                .put("data", new JsonObjectReader.Builder().put(bearer.key(), value).build())
                .build();
    }

    @Override
    public String toString() {
        return kind.label + " " + name;
    }
}
