package dev.flotilla.runtime.config;

import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** JSON codecs for values in configurations. */
public final class ConfigCodecs {
    private static final int MAX_PATH = 4_096;
    private static final int MAX_URL = 2_048;

    /** The path of a readable file. It is checked at the start, so that a problem is not found only when the file is needed. */
    public static final JsonCodec<Path> FILE =
            ScalarCodecs.parsed("the path of a file", MAX_PATH, ConfigCodecs::problemOfFile, Path::of, Path::toString);

    /** The path of a file of another machine, which need not exist on this one. */
    public static final JsonCodec<Path> REMOTE_FILE =
            ScalarCodecs.parsed("the path of a file", MAX_PATH, ConfigCodecs::problemOfPath, Path::of, Path::toString);

    /** The address that a server listens on. */
    public static final JsonCodec<HostPort> LISTEN =
            ScalarCodecs.parsed("<host>:<port>", 320, HostPort::problemOf, HostPort::parse, HostPort::toString);

    /** A site's name. */
    public static final JsonCodec<SiteId> SITE = ScalarCodecs.parsed(
            "a site's name", NameValidator.MAX_LABEL, NameValidator::problemOfOwnName, SiteId::new, SiteId::name);

    /** A namespace. */
    public static final JsonCodec<String> NAMESPACE = ScalarCodecs.parsed(
            "a namespace",
            NameValidator.MAX_LABEL,
            NameValidator::problemOfLabel,
            Function.identity(),
            Function.identity());

    /**
     * The URL of a server that this process asks. It is https, except on the loopback. One with user, query or fragment is refused: it is
     * printed at the start, and must contain no secret.
     */
    public static final JsonCodec<URI> SERVER_URL =
            ScalarCodecs.parsed("a URL", MAX_URL, ConfigCodecs::problemOfServerUrl, URI::create, URI::toString);

    private ConfigCodecs() {}

    private static @Nullable String problemOfFile(String text) {
        String invalid = problemOfPath(text);
        if (invalid != null) {
            return invalid;
        }
        Path file = Path.of(text);
        if (!Files.isRegularFile(file)) {
            return Files.exists(file) ? "is not a regular file" : "does not exist";
        }
        return Files.isReadable(file) ? null : "cannot be read by this process";
    }

    private static @Nullable String problemOfPath(String text) {
        try {
            var unused = Path.of(text);
            return null;
        } catch (InvalidPathException e) {
            return "is not a valid path";
        }
    }

    private static @Nullable String problemOfServerUrl(String text) {
        try {
            URI url = new URI(text);
            String host = url.getHost();
            if (host == null
                    || url.getRawUserInfo() != null
                    || url.getRawQuery() != null
                    || url.getRawFragment() != null
                    || !("https".equals(url.getScheme()) || "http".equals(url.getScheme()))) {
                return "must be https://<host>:<port> or https://<host>:<port>/<path>, without user, query and fragment";
            }
            String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
            return "https".equals(url.getScheme()) || new HostPort(bare, 0).isLoopback()
                    ? null
                    : "must be https: without it, only the loopback may be used";
        } catch (URISyntaxException invalid) {
            return "is not a URL";
        }
    }
}
