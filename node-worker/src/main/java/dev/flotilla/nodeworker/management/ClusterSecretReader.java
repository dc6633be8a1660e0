package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.id.ClusterKey;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Reads Secrets by name, so that no permission to list them is needed. */
public final class ClusterSecretReader {
    private ClusterSecretReader() {}

    public static KubeResponse readSecret(KubeApiClient api, ClusterKey cluster, String suffix) {
        return api.get(KubeApiPath.coreObject(cluster.namespace(), "secrets", cluster.name() + suffix));
    }

    /** Identifies a Secret and its content, so that a replaced or changed Secret is noticed. */
    static String versionOf(KubeObject secret, String key) {
        return secret.uid() + " " + secret.text("data", key);
    }

    /** Returns a decoded value; null if it is missing or invalid. */
    public static @Nullable String decodeValue(KubeObject secret, String key) {
        String encoded = secret.text("data", key);
        try {
            return encoded == null ? null : new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
