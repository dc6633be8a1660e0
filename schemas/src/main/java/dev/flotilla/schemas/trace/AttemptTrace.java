package dev.flotilla.schemas.trace;

import dev.flotilla.schemas.id.MachineKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The trace of one attempt: its id and that of its root span, in lower-case hexadecimal digits. Both are hashes of what identifies the
 * attempt, so that every process finds the same ids without keeping any.
 */
public record AttemptTrace(String traceId, String rootSpanId) {
    private static final int TRACE_BYTES = 16;
    private static final int SPAN_BYTES = 8;

    /** Version 00 of the W3C header. The sampled flag is set: an attempt is traced wholly or not at all. */
    private static final Pattern TRACEPARENT = Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}");

    private static final Pattern ZEROS = Pattern.compile("0+");

    /**
     * Returns the trace of an attempt.
     *
     * @param uid the uid of the Machine, which no machine of another fleet has
     */
    public static AttemptTrace of(MachineKey machine, String uid, long attemptId) {
        byte[] digest = digest("attempt\n" + machine + "\n" + uid + "\n" + attemptId);
        return new AttemptTrace(
                HexFormat.of().formatHex(digest, 0, TRACE_BYTES),
                HexFormat.of().formatHex(digest, TRACE_BYTES, TRACE_BYTES + SPAN_BYTES));
    }

    /** Returns the trace that a {@code traceparent} header names, with the header's span as its root; null if the header is not valid. */
    public static @Nullable AttemptTrace parse(@Nullable String traceparent) {
        Matcher header = TRACEPARENT.matcher(traceparent == null ? "" : traceparent);
        return header.matches()
                        && !ZEROS.matcher(header.group(1)).matches()
                        && !ZEROS.matcher(header.group(2)).matches()
                ? new AttemptTrace(header.group(1), header.group(2))
                : null;
    }

    /** The value of the W3C header {@code traceparent} on records of the attempt. */
    public String traceparent() {
        return "00-" + traceId + "-" + rootSpanId + "-01";
    }

    /** Returns the id of a span below the root. A span with the same name and start is the same span. */
    public String childSpanId(String name, Instant startedAt) {
        return HexFormat.of()
                .formatHex(digest("span\n" + traceId + "\n" + name + "\n" + startedAt.toEpochMilli()), 0, SPAN_BYTES);
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("every JVM has SHA-256", absent);
        }
    }
}
