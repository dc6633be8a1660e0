package dev.flotilla.schemas.row;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** The rule for addresses that a check asks. Which of them a site's worker may ask is the site's to say. */
public final class CheckUrlValidator {
    public static final int MAX_LENGTH = 512;

    private CheckUrlValidator() {}

    /** What is wrong with one, or null. */
    public static @Nullable String problemOf(String url) {
        URI uri;
        try {
            // A placeholder stands for a name, so that a name in its place tells whether the rest is right.
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
                ? "must name its host without placeholders: they may stand in the path and the query"
                : CheckPlaceholders.problemOf(url);
    }
}
