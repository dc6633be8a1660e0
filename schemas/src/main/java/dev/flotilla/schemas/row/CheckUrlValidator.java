package dev.flotilla.schemas.row;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** The rule for URLs of HTTP checks. Each site's worker also has a list of hosts that it may send requests to. */
public final class CheckUrlValidator {
    public static final int MAX_LENGTH = 512;

    private CheckUrlValidator() {}

    /** Returns the problem of a URL, or null. */
    public static @Nullable String problemOf(String url) {
        URI uri;
        try {
            // Replace placeholders by a name, so that the rest can be checked.
            uri = new URI(CheckPlaceholders.fill(url, name -> "x"));
        } catch (URISyntaxException e) {
            return "must be a URL such as https://health.example:8443/ready";
        }
        if (!"https".equals(uri.getScheme()) && !"http".equals(uri.getScheme())) {
            return "must begin with https:// or http://";
        }
        if (uri.getHost() == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            return "must name a host, and no user, password or fragment";
        }
        int path = url.indexOf('/', url.indexOf("//") + 2);
        return url.substring(0, path < 0 ? url.length() : path).contains("${")
                ? "must not have placeholders in its host: only path and query may have them"
                : CheckPlaceholders.problemOf(url);
    }
}
