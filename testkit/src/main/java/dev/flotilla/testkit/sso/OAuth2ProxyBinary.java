package dev.flotilla.testkit.sso;

import dev.flotilla.testkit.process.LocalProgram;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * oauth2-proxy, in the folder in which {@code testkit/sso/build} puts it. A test that needs it is annotated with
 * {@code @EnabledIf(value = OAuth2ProxyBinary.PRESENT, disabledReason = OAuth2ProxyBinary.MISSING)}: without it, the test is skipped and a
 * line on standard error says so; with {@code FLOTILLA_SSO=required} it fails.
 */
public record OAuth2ProxyBinary(Path program) {
    /** The method with which JUnit checks whether oauth2-proxy is present. */
    public static final String PRESENT = "dev.flotilla.testkit.sso.OAuth2ProxyBinary#present";

    public static final String MISSING = "SKIPPED: oauth2-proxy is not built; build it once with testkit/sso/build";

    /** The version in the go.mod beside the script. */
    public static final String VERSION = "7.15.6";

    /** The program, or empty if it is not built. */
    public static Optional<OAuth2ProxyBinary> find() {
        return find(System.getenv());
    }

    static Optional<OAuth2ProxyBinary> find(Map<String, String> environment) {
        return LocalProgram.findInCache(environment, "sso", "oauth2-proxy-" + VERSION, "oauth2-proxy")
                .map(OAuth2ProxyBinary::new);
    }

    /** Whether oauth2-proxy is present. Prints a line if not, and throws if it is required. */
    public static boolean present() {
        return present(System.getenv(), System.err);
    }

    static boolean present(Map<String, String> environment, PrintStream err) {
        return LocalProgram.isPresent(find(environment).isPresent(), "FLOTILLA_SSO", MISSING, environment, err);
    }
}
