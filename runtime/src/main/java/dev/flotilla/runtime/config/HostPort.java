package dev.flotilla.runtime.config;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An address that a server listens on.
 *
 * @param host a host name or an IP address; an IPv6 address has no brackets
 * @param port zero for any free port
 */
public record HostPort(String host, int port) {
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,252})|\\[[0-9A-Fa-f:.]{2,45}]");
    private static final Pattern LOOPBACK = Pattern.compile("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|::1|localhost");
    private static final int MAX_PORT = 65_535;

    static @Nullable String problemOf(String text) {
        int colon = text.lastIndexOf(':');
        String problem = "must be <host>:<port> such as 127.0.0.1:8080, 0.0.0.0:8443 or [::1]:8080";
        if (colon < 1 || !HOST.matcher(text.substring(0, colon)).matches()) {
            return problem;
        }
        String port = text.substring(colon + 1);
        return port.matches("[0-9]{1,5}") && Integer.parseInt(port) <= MAX_PORT ? null : problem;
    }

    /** Parses a text; it must have no problem. */
    public static HostPort parse(String text) {
        String problem = problemOf(text);
        if (problem != null) {
            throw new IllegalArgumentException("\"" + text + "\" " + problem);
        }
        int colon = text.lastIndexOf(':');
        String host = text.substring(0, colon);
        return new HostPort(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                Integer.parseInt(text.substring(colon + 1)));
    }

    /** Whether only this machine can connect, according to the text: what a name resolves to may change. */
    public boolean isLoopback() {
        return LOOPBACK.matcher(host).matches();
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
