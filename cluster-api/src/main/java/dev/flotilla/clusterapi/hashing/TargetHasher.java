package dev.flotilla.clusterapi.hashing;

import dev.flotilla.clusterapi.coverage.AppliedSpec;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Hashes what is applied to a machine with a secret key: file lists have so little entropy that a plain hash could be guessed.
 *
 * @param key the key of the site, the same in all replicas
 */
public record TargetHasher(SecretKeySpec key) {
    private static final String ALGORITHM = "HmacSHA256";

    /** Uses these bytes as the key. */
    public static TargetHasher of(byte[] key) {
        return new TargetHasher(new SecretKeySpec(key, ALGORITHM));
    }

    /** Returns the hash in the form of a target: {@code sha256:} and 64 digits. */
    public String hash(AppliedSpec appliedSpec) {
        return hash(appliedSpec.content());
    }

    /** Returns the hash of a value whose names are in one order. */
    public String hash(JsonObjectReader content) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(
                                    mac.doFinal(KubeObject.toJsonText(content).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a text without the key. */
    @Override
    public String toString() {
        return "TargetHasher";
    }
}
