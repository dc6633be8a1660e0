package dev.flotilla.runtime.http;

import java.time.Duration;

/** What a client may cost at most. */
final class HttpLimits {
    /** The longest address: a page's cursor and filters take a fraction of it. */
    static final int REQUEST_LINE = 4 * 1024;

    static final int HEADERS = 16 * 1024;

    /** Connections at a time; one more closes the one that has been idle longest. */
    static final int CONNECTIONS = 512;

    /** How long a new connection may take to ask its first question. Idle time would not do: a byte a second is not idle. */
    static final Duration FIRST_REQUEST = Duration.ofSeconds(10);

    /** A connection on which nothing moves is closed. */
    static final Duration IDLE = Duration.ofSeconds(60);

    static final Duration HANDSHAKE = Duration.ofSeconds(5);

    /** How long a token or certificate that was replaced in its file is not noticed. */
    static final Duration ROTATION = Duration.ofSeconds(10);

    private HttpLimits() {}
}
