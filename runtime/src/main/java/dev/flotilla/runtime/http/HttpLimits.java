package dev.flotilla.runtime.http;

import java.time.Duration;

/** Limits for HTTP clients. */
final class HttpLimits {
    /** The maximum length of a request line; a page's cursor and filters need a fraction of it. */
    static final int MAX_REQUEST_LINE = 4 * 1024;

    static final int MAX_HEADERS = 16 * 1024;

    /** The maximum number of connections; one more closes the one that has been idle for the longest time. */
    static final int MAX_CONNECTIONS = 512;

    /** How long a new connection may take for its first request. An idle timeout is not enough: a byte a second is not idle. */
    static final Duration FIRST_REQUEST_TIMEOUT = Duration.ofSeconds(10);

    /** The time after which an idle connection is closed. */
    static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);

    static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(5);

    /** How often the files of tokens and certificates are checked for changes. */
    static final Duration RELOAD_INTERVAL = Duration.ofSeconds(10);

    private HttpLimits() {}
}
