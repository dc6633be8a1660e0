package dev.flotilla.orchestrator.loop;

import dev.flotilla.schemas.json.WireRecord;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The journal's chain: the hash of a record covers its bytes as stored, and with them the hash of the one before. */
public final class JournalHashChain {
    private static final byte[] NOTHING = {};

    private JournalHashChain() {}

    public static String hashOf(WireRecord record) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes(record)));
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("every JVM has SHA-256", absent);
        }
    }

    static int sizeOf(WireRecord record) {
        return bytes(record).length;
    }

    private static byte[] bytes(WireRecord record) {
        byte[] value = record.value();
        return value == null ? NOTHING : value;
    }
}
