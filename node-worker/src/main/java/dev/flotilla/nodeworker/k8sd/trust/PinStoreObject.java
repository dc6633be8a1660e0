package dev.flotilla.nodeworker.k8sd.trust;

import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The object with a cluster's pins, and its format.
 *
 * @param name name of the object, in the namespace of its cluster
 */
record PinStoreObject(PinObjectKind kind, String namespace, String name) {
    private static final String SUFFIX = "-flotilla-pins";
    private static final Pattern PINNED = Pattern.compile("([0-9a-f]{64}) (.+)");

    enum PinObjectKind {
        CONFIG_MAP("ConfigMap", "configmaps"),
        /** Used by earlier versions; it is only read and reset. */
        SECRET("Secret", "secrets");

        private final String label;
        private final String plural;

        PinObjectKind(String label, String plural) {
            this.label = label;
            this.plural = plural;
        }
    }

    static PinStoreObject of(PinObjectKind pinObjectKind, ClusterKey cluster) {
        return new PinStoreObject(pinObjectKind, cluster.namespace(), cluster.name() + SUFFIX);
    }

    String path() {
        return KubeApiPath.coreObject(namespace, kind.plural, name);
    }

    /** Reads a pin. An unreadable one allows nothing, because it may have been tampered with. */
    CertificatePinStore.CertificateTrust trust(KubeObject object, CertificatePinKey certificatePinKey) {
        String value = object.text("data", certificatePinKey.key());
        if (value == null) {
            return new CertificatePinStore.CertificateTrust.CertificateUnpinned();
        }
        String text = kind == PinObjectKind.SECRET ? decoded(value) : value;
        Matcher pinned = PINNED.matcher(text == null ? "" : text.strip());
        if (!pinned.matches()) {
            return new CertificatePinStore.CertificateTrust.TrustUnknown(
                    "the pin of " + certificatePinKey + " cannot be read; reset its trust");
        }
        return pinned.group(2).equals(certificatePinKey.uid())
                ? new CertificatePinStore.CertificateTrust.CertificatePinned(new CertificatePin(pinned.group(1)))
                : new CertificatePinStore.CertificateTrust.CertificateUnpinned();
    }

    private static @Nullable String decoded(String value) {
        try {
            return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns the ConfigMap with one more pin. */
    JsonObjectReader withPin(KubeObject object, CertificatePinKey certificatePinKey, CertificatePin certificatePin) {
        return changed(
                object,
                certificatePinKey,
                new JsonValue.JsonString(certificatePin.sha256() + " " + certificatePinKey.uid(), JsonValue.NO_LINE));
    }

    JsonObjectReader withoutPin(KubeObject object, CertificatePinKey certificatePinKey) {
        return changed(object, certificatePinKey, new JsonValue.JsonNull(JsonValue.NO_LINE));
    }

    private static JsonObjectReader changed(KubeObject object, CertificatePinKey certificatePinKey, JsonValue value) {
        return new JsonObjectReader.Builder()
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("resourceVersion", object.resourceVersion())
                                .build())
                .put(
                        "data",
                        new JsonObjectReader.Builder()
                                .put(certificatePinKey.key(), value)
                                .build())
                .build();
    }

    @Override
    public String toString() {
        return kind.label + " " + name;
    }
}
