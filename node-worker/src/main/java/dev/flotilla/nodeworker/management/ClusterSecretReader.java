package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.id.ClusterKey;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Secrets, by name. Nobody lists them. */
final class ClusterSecretReader {
    private ClusterSecretReader() {}

    static KubeResponse readSecret(KubeApiClient api, ClusterKey cluster, String suffix) {
        return api.get(KubeApiPath.coreObject(cluster.namespace(), "secrets", cluster.name() + suffix));
    }

    /** Of which object it is and what it says: another one of the same name says something else. */
    static String versionOf(KubeObject secret, String key) {
        return secret.uid() + " " + secret.text("data", key);
    }

    /** A value; null where there is none, or none that can be read. */
    static @Nullable String value(KubeObject secret, String key) {
        String encoded = secret.text("data", key);
        try {
            return encoded == null ? null : new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
