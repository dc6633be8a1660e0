package dev.flotilla.clusterapi.hashing;

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
public final class HashKeySecret implements Supplier<HashKeySecret.HashKeyResult> {
    static final String NAME = "flotilla-cluster-api-hash-key";

    private static final String FIELD = "key";
    private static final int KEY_BYTES = 32;
    private static final int MIN_BYTES = 16;

    private final KubeApiClient api;
    private final String namespace;
    private volatile @Nullable HashKeyResult known;

    public HashKeySecret(KubeApiClient api, String namespace) {
        this.api = api;
        this.namespace = namespace;
    }

    /** The hasher with the key, or why there is none. */
    public sealed interface HashKeyResult {
        /** The key. */
        record HashKeyRead(TargetHasher hasher) implements HashKeyResult {}

        /** No key, and why. */
        record HashKeyUnreadable(String problem) implements HashKeyResult {}
    }

    /** Reads the key; creates it if there is none. */
    @Override
    public HashKeyResult get() {
        HashKeyResult result = known;
        if (result == null) {
            result = readKey(api.get(KubeApiPath.coreObject(namespace, "secrets", NAME)));
            if (result == null) {
                KubeResponse created = create();
                result = readKey(api.get(KubeApiPath.coreObject(namespace, "secrets", NAME)));
                if (result == null) {
                    result = unreadable(reasonOf(created));
                }
            }
            known = result instanceof HashKeyResult.HashKeyRead ? result : null;
        }
        return result;
    }

    /** Returns null if there is no Secret. */
    private @Nullable HashKeyResult readKey(KubeResponse response) {
        if (!(response instanceof KubeResponse.SuccessResponse found)) {
            return response.isMissing() ? null : unreadable(reasonOf(response));
        }
        String encoded = found.object().text("data", FIELD);
        try {
            byte[] key = encoded == null ? new byte[0] : Base64.getDecoder().decode(encoded);
            if (key.length >= MIN_BYTES) {
                return new HashKeyResult.HashKeyRead(TargetHasher.of(key));
            }
        } catch (IllegalArgumentException e) {
            // The message below says what it must be.
        }
        return unreadable("its " + FIELD + " is no key of at least " + MIN_BYTES + " bytes in base64");
    }

    /** A reason that stays the same while it holds: Cluster API shows it in a condition. */
    private static String reasonOf(KubeResponse response) {
        return response instanceof KubeResponse.ErrorResponse
                ? response.problem()
                : "the management cluster does not answer";
    }

    private HashKeyResult unreadable(String problem) {
        return new HashKeyResult.HashKeyUnreadable(
                "the key of the hashes, Secret " + namespace + "/" + NAME + ", cannot be used: " + problem);
    }

    /** Another replica may create it at the same time; whose key is stored counts. */
    private KubeResponse create() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return api.createObject(
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
