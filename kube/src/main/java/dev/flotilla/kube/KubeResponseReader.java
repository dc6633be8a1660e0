package dev.flotilla.kube;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.RedactedText;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** What an API server's answer means. Whoever controls one may answer anything, and as much as it likes. */
final class KubeResponseReader {
    private static final KubeResponse NOTHING_MORE =
            new KubeResponse.SuccessResponse(new KubeObject(new JsonObjectReader.Builder().build()));

    private static final int OK = 200;
    private static final int FIRST_REDIRECT = 300;
    private static final int FIRST_REFUSAL = 400;
    private static final long LONGEST_RETRY_AFTER = 60;
    private static final int LONGEST_TEXT = 300;
    private static final int KIB = 1024;

    /** Answers of all API servers that are read at a time: what is made of one may take tens of times its bytes. */
    private static final Semaphore READ_AT_ONCE_KIB = new Semaphore(ResponseLimits.PAGE.bytes() / KIB, true);

    private KubeResponseReader() {}

    /**
     * How much an answer may be.
     *
     * @param values in it, counted by what comes before each
     */
    record ResponseLimits(int bytes, int values) {
        /** An API server keeps none of more than 1.5 MiB. */
        static final ResponseLimits OBJECT = new ResponseLimits(2 * KIB * KIB, 100_000);

        static final ResponseLimits PAGE = new ResponseLimits(8 * KIB * KIB, 500_000);
    }

    /** Of one of the API server's own checks, which answer in text where they do not answer as for an object. */
    static KubeResponse readStatus(int status, long retryAfter, byte[] bytes) {
        if (isGood(status)) {
            return NOTHING_MORE;
        }
        return JsonReader.read(bytes, ResponseLimits.OBJECT.bytes()) instanceof ParseResult.ParsedDocument
                ? readResponse(status, retryAfter, bytes, ResponseLimits.OBJECT)
                : new KubeResponse.ErrorResponse(
                        status,
                        RedactedText.redact(new String(bytes, StandardCharsets.UTF_8).strip(), LONGEST_TEXT),
                        retryAfter);
    }

    private static boolean isGood(int status) {
        return status >= OK && status < FIRST_REDIRECT;
    }

    /** What a header says; it may be a date as well, which no API server writes. */
    static long retryAfter(@Nullable String header) {
        try {
            return header == null ? 0 : Math.clamp(Long.parseLong(header), 0, LONGEST_RETRY_AFTER);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    static KubeResponse readResponse(int status, long retryAfter, byte[] bytes, ResponseLimits responseLimits) {
        if (status >= FIRST_REDIRECT && status < FIRST_REFUSAL) {
            // Whatever it leads to, and whatever it says, is not the API server's.
            return new KubeResponse.ErrorResponse(status, "a redirect, which is not followed", retryAfter);
        }
        if (values(bytes) > responseLimits.values()) {
            return unreadable(status, retryAfter, "it has more than " + responseLimits.values() + " values");
        }
        return switch (parsed(bytes, responseLimits)) {
            case ParseResult.UnparsableDocument unparsableDocument ->
                unreadable(status, retryAfter, unparsableDocument.error().problem());
            case ParseResult.ParsedDocument parsedDocument -> {
                if (!(parsedDocument.value() instanceof JsonObjectReader jsonObjectReader)) {
                    yield unreadable(status, retryAfter, "it is no object");
                }
                yield isGood(status)
                        ? new KubeResponse.SuccessResponse(new KubeObject(jsonObjectReader))
                        : new KubeResponse.ErrorResponse(status, said(new KubeObject(jsonObjectReader)), retryAfter);
            }
        };
    }

    private static ParseResult parsed(byte[] bytes, ResponseLimits responseLimits) {
        int kib = bytes.length / KIB + 1;
        READ_AT_ONCE_KIB.acquireUninterruptibly(Math.min(kib, ResponseLimits.PAGE.bytes() / KIB));
        try {
            return JsonReader.read(bytes, responseLimits.bytes());
        } finally {
            READ_AT_ONCE_KIB.release(Math.min(kib, ResponseLimits.PAGE.bytes() / KIB));
        }
    }

    /** At most so many values are in it: some of what is counted may stand in texts. */
    private static int values(byte[] bytes) {
        int values = 0;
        for (byte each : bytes) {
            if (each == ',' || each == '{' || each == '[') {
                values++;
            }
        }
        return values;
    }

    private static KubeResponse unreadable(int status, long retryAfter, String why) {
        String text = "an answer (" + status + ") that cannot be read: " + why;
        return isGood(status)
                ? new KubeResponse.NoResponse(text)
                : new KubeResponse.ErrorResponse(status, text, retryAfter);
    }

    /** A Status' message with its causes: of an eviction they name the budget. */
    private static String said(KubeObject status) {
        String message = status.text("message");
        StringBuilder text = new StringBuilder(message == null ? "no reason given" : message);
        for (KubeObject cause : status.list("details", "causes")) {
            String more = cause.text("message");
            if (more != null) {
                text.append(' ').append(more);
            }
        }
        return RedactedText.redact(text.toString(), LONGEST_TEXT);
    }
}
