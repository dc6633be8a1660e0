package dev.flotilla.schemas.contenthash;

import dev.flotilla.schemas.json.RowCodec;
import dev.flotilla.schemas.row.TableRow;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A digest of a row's canonical bytes. */
public final class RowDigest {
    private static final int BYTES = 8;

    private RowDigest() {}

    /** Returns the first 16 hexadecimal digits of the SHA-256 of the canonical bytes. */
    public static String of(TableRow row) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(RowCodec.encode(row));
            return HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
