package dev.flotilla.managementwatcher.publish;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Stands for the bytes of a row: whether two are the same, in eight bytes instead of a thousand. */
final class RowContentHash {
    private final MessageDigest digest;

    RowContentHash() {
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    long hashOf(byte[] bytes) {
        return ByteBuffer.wrap(digest.digest(bytes)).getLong();
    }
}
