package dev.flotilla.clusterapi.update;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The Secret with the key of the hashes. The first replica that needs it creates it; nobody changes it, because another key would begin
 * every update again.
 */
public final class HashKeySecret implements Supplier<@Nullable TargetHasher> {
    static final String NAME = "flotilla-cluster-api-hash-key";

    private static final String FIELD = "key";
    private static final int KEY_BYTES = 32;
    private static final int MIN_BYTES = 16;

    private final KubeApiClient api;
    private final String namespace;
    private volatile @Nullable TargetHasher read;

    public HashKeySecret(KubeApiClient api, String namespace) {
        this.api = api;
        this.namespace = namespace;
    }

    /** Returns the hasher with the key; null while it cannot be read or created. */
    @Override
    public @Nullable TargetHasher get() {
        TargetHasher known = read;
        if (known == null) {
            known = readKey();
            if (known == null) {
                create();
                known = readKey();
            }
            read = known;
        }
        return known;
    }

    private @Nullable TargetHasher readKey() {
        if (!(api.get(KubeApiPath.coreObject(namespace, "secrets", NAME)) instanceof KubeResponse.SuccessResponse found)) {
            return null;
        }
        String encoded = found.object().text("data", FIELD);
        try {
            byte[] key = encoded == null ? new byte[0] : Base64.getDecoder().decode(encoded);
            return key.length < MIN_BYTES ? null : TargetHasher.of(key);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Another replica may create it at the same time; whose key is stored counts. */
    private void create() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        api.createObject(
                KubeApiPath.coreObject(namespace, "secrets"),
                new JsonObjectReader.Builder()
                        .put("apiVersion", "v1")
                        .put("kind", "Secret")
                        .put(
                                "metadata",
                                new JsonObjectReader.Builder()
                                        .put("name", NAME)
                                        .put("namespace", namespace)
                                        .build())
                        .put(
                                "data",
                                new JsonObjectReader.Builder()
                                        .put(FIELD, Base64.getEncoder().encodeToString(key))
                                        .build())
                        .build());
    }
}
