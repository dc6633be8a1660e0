package dev.flotilla.clusterapi.delegate;

import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.coverage.SpecPath;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Another extension with the hook {@code UpdateMachine}.
 *
 * @param url what is in front of the hook's path
 * @param caFile the CAs of its certificate
 * @param handler the name of its handler
 * @param covers the fields that it applies
 */
public record UpdateDelegate(String name, URI url, Path caFile, String handler, List<CoveredKind> covers) {
    private static final int MAX_DELEGATES = 16;
    private static final int MAX_KINDS = 64;
    private static final int MAX_PATHS = 64;
    private static final int MAX_NAME = 63;
    private static final int MAX_URL = 1_024;

    public UpdateDelegate {
        covers = List.copyOf(covers);
    }

    /**
     * Fields of a kind.
     *
     * @param kind such as {@code VSphereMachine}; its template has the same
     */
    public record CoveredKind(String kind, List<SpecPath> paths) {
        public CoveredKind {
            paths = List.copyOf(paths);
        }

        private static JsonCodec<CoveredKind> codec() {
            var it = JsonObjectCodec.<CoveredKind>of("covers", "Fields that a delegate applies.");
            var kind = it.required(
                    "kind",
                    name("a kind that is no template, such as VSphereMachine", "[A-Z][A-Za-z0-9]{0,62}(?<!Template)"),
                    "The kind of the object.",
                    CoveredKind::kind);
            var paths = it.required(
                    "paths",
                    new ListCodec<>(
                            ScalarCodecs.parsed(
                                    "a path below spec, such as memoryMiB",
                                    SpecPath.MAX_LENGTH,
                                    text -> SpecPath.parse(text) == null ? "is no path below spec" : null,
                                    SpecPath::of,
                                    SpecPath::toString),
                            MAX_PATHS),
                    "The fields.",
                    CoveredKind::paths);
            return it.build(v -> new CoveredKind(v.get(kind), v.get(paths)));
        }
    }

    /** Returns a table with the fields that delegates apply. */
    public static CoverageTable addFields(List<UpdateDelegate> delegates, CoverageTable table) {
        CoverageTable more = table;
        for (UpdateDelegate delegate : delegates) {
            for (CoveredKind covered : delegate.covers()) {
                more = more.withDelegated(covered.kind(), covered.paths());
            }
        }
        return more;
    }

    /** Returns the codec of a file with delegates. */
    static JsonCodec<List<UpdateDelegate>> fileCodec(JsonCodec<Path> caFileCodec) {
        var it = JsonObjectCodec.<List<UpdateDelegate>>of("delegates-file", "Other extensions that are called too.");
        var delegates = it.required(
                "delegates",
                new ListCodec<>(codec(caFileCodec), MAX_DELEGATES),
                "In the order of the calls.",
                Function.identity());
        return it.build(v -> v.get(delegates));
    }

    private static JsonCodec<UpdateDelegate> codec(JsonCodec<Path> caFileCodec) {
        var it = JsonObjectCodec.<UpdateDelegate>of("delegate", "Another extension with the hook UpdateMachine.");
        var name = it.required(
                "name",
                name("a name, such as memory", "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"),
                "Its name.",
                UpdateDelegate::name);
        var url = it.required(
                "url",
                ScalarCodecs.parsed(
                        "a URL with https", MAX_URL, UpdateDelegate::problemOfUrl, URI::create, URI::toString),
                "What is in front of the hook's path.",
                UpdateDelegate::url);
        var caFile = it.required("caFile", caFileCodec, "The CAs of its certificate, PEM.", UpdateDelegate::caFile);
        var handler = it.defaulted(
                "handler",
                name("the name of a handler", "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"),
                "update-machine",
                "The name of its handler.",
                UpdateDelegate::handler);
        var covers = it.required(
                "covers",
                new ListCodec<>(CoveredKind.codec(), MAX_KINDS),
                "The fields that it applies.",
                UpdateDelegate::covers);
        return it.build(v -> new UpdateDelegate(v.get(name), v.get(url), v.get(caFile), v.get(handler), v.get(covers)));
    }

    private static JsonCodec<String> name(String what, String pattern) {
        return ScalarCodecs.parsed(
                what,
                MAX_NAME,
                text -> text.matches(pattern) ? null : "is not " + what,
                Function.identity(),
                Function.identity());
    }

    private static @Nullable String problemOfUrl(String text) {
        try {
            URI url = new URI(text);
            return "https".equals(url.getScheme())
                            && url.getHost() != null
                            && url.getRawQuery() == null
                            && url.getRawUserInfo() == null
                    ? null
                    : "is no URL with https and a host, and without a query";
        } catch (java.net.URISyntaxException e) {
            return "is no URL";
        }
    }

    /** Returns the URL of its hook. */
    String hookUrl() {
        return url.toString().replaceAll("/+$", "") + "/hooks.runtime.cluster.x-k8s.io/v1alpha1/updatemachine/"
                + handler;
    }
}
