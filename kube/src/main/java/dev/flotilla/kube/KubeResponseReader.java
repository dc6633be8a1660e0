package dev.flotilla.kube;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.RedactedText;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Reads responses of API servers. A response is untrusted, so its size and content are limited. */
final class KubeResponseReader {
    private static final KubeResponse EMPTY_SUCCESS =
            new KubeResponse.SuccessResponse(new KubeObject(new JsonObjectReader.Builder().build()));

    private static final int OK = 200;
    private static final int FIRST_REDIRECT = 300;
    private static final int FIRST_ERROR = 400;
    private static final long MAX_RETRY_AFTER = 60;
    private static final int MAX_TEXT = 300;
    private static final int KIB = 1024;

    /** The total size of responses that are parsed at a time; a parsed response may take tens of times its size in memory. */
    private static final Semaphore CONCURRENT_PARSE_KIB = new Semaphore(ResponseLimits.PAGE.bytes() / KIB, true);

    private KubeResponseReader() {}

    /**
     * Limits of a response.
     *
     * @param values the maximum number of JSON values, estimated from the characters that precede them
     */
    record ResponseLimits(int bytes, int values) {
        /** An API server stores no object of more than 1.5 MiB. */
        static final ResponseLimits OBJECT = new ResponseLimits(2 * KIB * KIB, 100_000);

        static final ResponseLimits PAGE = new ResponseLimits(8 * KIB * KIB, 500_000);
    }

    /** Reads the response of a health check, which is text or, for an error, may be a Status object. */
    static KubeResponse readStatus(int status, long retryAfter, byte[] bytes) {
        if (isSuccess(status)) {
            return EMPTY_SUCCESS;
        }
        return JsonReader.readDocument(bytes, ResponseLimits.OBJECT.bytes()) instanceof ParseResult.ParsedDocument
                ? readResponse(status, retryAfter, bytes, ResponseLimits.OBJECT)
                : new KubeResponse.ErrorResponse(
                        status,
                        RedactedText.redact(new String(bytes, StandardCharsets.UTF_8).strip(), MAX_TEXT),
                        retryAfter);
    }

    private static boolean isSuccess(int status) {
        return status >= OK && status < FIRST_REDIRECT;
    }

    /** Parses header {@code Retry-After} in seconds. A date is ignored, because no API server sends one. */
    static long retryAfter(@Nullable String header) {
        try {
            return header == null ? 0 : Math.clamp(Long.parseLong(header), 0, MAX_RETRY_AFTER);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    static KubeResponse readResponse(int status, long retryAfter, byte[] bytes, ResponseLimits responseLimits) {
        if (status >= FIRST_REDIRECT && status < FIRST_ERROR) {
            // Neither the target of a redirect nor its body is trusted.
            return new KubeResponse.ErrorResponse(status, "a redirect, which is not followed", retryAfter);
        }
        if (countValues(bytes) > responseLimits.values()) {
            return unreadable(status, retryAfter, "it has more than " + responseLimits.values() + " values");
        }
        return switch (parse(bytes, responseLimits)) {
            case ParseResult.UnparsableDocument unparsableDocument ->
                unreadable(status, retryAfter, unparsableDocument.error().problem());
            case ParseResult.ParsedDocument parsedDocument -> {
                if (!(parsedDocument.value() instanceof JsonObjectReader jsonObjectReader)) {
                    yield unreadable(status, retryAfter, "it is not a JSON object");
                }
                yield isSuccess(status)
                        ? new KubeResponse.SuccessResponse(new KubeObject(jsonObjectReader))
                        : new KubeResponse.ErrorResponse(
                                status, describeStatus(new KubeObject(jsonObjectReader)), retryAfter);
            }
        };
    }

    private static ParseResult parse(byte[] bytes, ResponseLimits responseLimits) {
        int kib = bytes.length / KIB + 1;
        CONCURRENT_PARSE_KIB.acquireUninterruptibly(Math.min(kib, ResponseLimits.PAGE.bytes() / KIB));
        try {
            // Annotations and data may be whole files.
            return JsonReader.readDocument(bytes, responseLimits.bytes());
        } finally {
            CONCURRENT_PARSE_KIB.release(Math.min(kib, ResponseLimits.PAGE.bytes() / KIB));
        }
    }

    /** Returns an upper bound of the number of values; characters within texts are counted, too. */
    private static int countValues(byte[] bytes) {
        int values = 0;
        for (byte each : bytes) {
            if (each == ',' || each == '{' || each == '[') {
                values++;
            }
        }
        return values;
    }

    private static KubeResponse unreadable(int status, long retryAfter, String why) {
        String text = "an unreadable response (" + status + "): " + why;
        return isSuccess(status)
                ? new KubeResponse.NoResponse(text)
                : new KubeResponse.ErrorResponse(status, text, retryAfter);
    }

    /** Returns the message of a Status object with its causes, which name the PodDisruptionBudget of a rejected eviction. */
    private static String describeStatus(KubeObject status) {
        String message = status.text("message");
        StringBuilder text = new StringBuilder(message == null ? "no reason given" : message);
        for (KubeObject cause : status.list("details", "causes")) {
            String more = cause.text("message");
            if (more != null) {
                text.append(' ').append(more);
            }
        }
        return RedactedText.redact(text.toString(), MAX_TEXT);
    }
}
