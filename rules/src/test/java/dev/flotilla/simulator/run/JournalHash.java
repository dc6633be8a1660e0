package dev.flotilla.simulator.run;

import dev.flotilla.schemas.row.FleetHead;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The hash of a journal record, which the next record and the head row have. */
public final class JournalHash {
    private JournalHash() {}

    public static String of(byte @Nullable [] value) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(value == null ? new byte[0] : value));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Returns a head row with another hash. */
    public static FleetHead with(FleetHead head, String journalHash) {
        return new FleetHead(
                head.term(),
                head.seq(),
                head.decidedAt(),
                journalHash,
                head.featureLevel(),
                head.clockInSync(),
                head.offsets());
    }
}
