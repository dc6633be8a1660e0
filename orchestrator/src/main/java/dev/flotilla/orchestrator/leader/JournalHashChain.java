package dev.flotilla.orchestrator.leader;

import dev.flotilla.schemas.json.WireRecord;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The journal's hash chain: the hash of a record covers its stored bytes, which include the hash of the record before.
 */
public final class JournalHashChain {
    private static final byte[] NO_BYTES = {};

    private JournalHashChain() {}

    public static String hashOf(WireRecord record) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(valueOf(record)));
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("every JVM has SHA-256", absent);
        }
    }

    static int sizeOf(WireRecord record) {
        return valueOf(record).length;
    }

    private static byte[] valueOf(WireRecord record) {
        byte[] value = record.value();
        return value == null ? NO_BYTES : value;
    }
}
