package dev.flotilla.orchestrator.api.request;

import dev.flotilla.orchestrator.api.answer.ApiResult;
import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.codec.SpellingSuggestion;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.RedactedText;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The parameters of a request, parsed strictly. The first problem is kept for the response. */
public final class RequestParameters {
    public static final int MAX_LIMIT = 1_000;
    public static final int DEFAULT_LIMIT = 100;

    public static final ApiParameter LIMIT = ApiParameter.queryParameter(
                    "limit", "Largest number of items in a page; " + DEFAULT_LIMIT + " if not given.")
            .withSchema(ScalarCodecs.integer(1, MAX_LIMIT).schema());
    public static final ApiParameter AFTER =
            ApiParameter.queryParameter("after", "The value of \"next\" in the previous page.");

    private static final int BAD_REQUEST = 400;

    private final MultiMap query;
    private final RoutingContext ctx;
    private @Nullable HttpErrorResponse problem;

    public RequestParameters(RoutingContext ctx, List<ApiParameter> known) {
        this.ctx = ctx;
        this.query = ctx.queryParams();
        List<String> names = known.stream()
                .filter(apiParameter -> !apiParameter.inPath())
                .map(ApiParameter::name)
                .toList();
        for (String name : query.names()) {
            if (!names.contains(name)) {
                String near = SpellingSuggestion.nearest(name, names);
                reject(
                        "unknown-parameter",
                        "There is no parameter " + RedactedText.redact(name) + ".",
                        near != null
                                ? "did you mean " + near + "?"
                                : names.isEmpty() ? "leave it out" : "known parameters: " + String.join(", ", names));
            } else if (query.getAll(name).size() > 1) {
                reject("repeated-parameter", "Parameter " + name + " is given more than once.", "give it once");
            }
        }
    }

    /** The first problem; null if there is none. */
    public @Nullable HttpErrorResponse problem() {
        return problem;
    }

    /** The value of a path parameter. */
    public String getPathParameter(String name) {
        String value = ctx.pathParam(name);
        return value == null ? "" : value;
    }

    /** The value of a query parameter, decoded by a codec; null if it is absent or invalid. */
    public <T> @Nullable T get(String name, JsonCodec<T> codec) {
        String text = query.get(name);
        if (text == null) {
            return null;
        }
        ProblemCollector problems = ProblemCollector.strict();
        T value = codec.read(new JsonValue.JsonString(text, JsonValue.NO_LINE), problems);
        if (value == null) {
            RejectionDetail detail = problems.rejections().get(0);
            reject("bad-parameter", name + " \"" + detail.value() + "\" " + detail.problem() + ".", detail.hint());
        }
        return value;
    }

    /** The value of a query parameter, parsed by a function that returns null for invalid text. */
    public <T> @Nullable T get(String name, Function<String, @Nullable T> parse, String format) {
        String text = query.get(name);
        return text == null ? null : parse(name, text, parse, format);
    }

    /** A value parsed by a function that returns null for invalid text. */
    public <T> @Nullable T parse(String name, String text, Function<String, @Nullable T> parse, String format) {
        T value = parse.apply(text);
        if (value == null) {
            reject("bad-parameter", name + " \"" + RedactedText.redact(text) + "\" must be " + format + ".", null);
        }
        return value;
    }

    /** A whole number from 1 to a maximum. */
    public int getInteger(String name, int fallback, int max) {
        String text = query.get(name);
        if (text == null) {
            return fallback;
        }
        boolean isNumber = text.matches("[0-9]{1,9}");
        int value = isNumber ? Integer.parseInt(text) : 0;
        if (value < 1 || value > max) {
            reject(
                    "bad-parameter",
                    name + " \"" + RedactedText.redact(text) + "\" must be a number from 1 to " + max + ".",
                    null);
            return fallback;
        }
        return value;
    }

    private void reject(String code, String message, @Nullable String hint) {
        if (problem == null) {
            problem = new HttpErrorResponse(BAD_REQUEST, code, message, hint);
        }
    }

    public static @Nullable SiteId parseSite(String text) {
        return NameValidator.problemOfOwnName(text) == null ? new SiteId(text) : null;
    }

    public static @Nullable CampaignName parseCampaign(String text) {
        return NameValidator.problemOfOwnName(text) == null ? new CampaignName(text) : null;
    }

    /** The error response for invalid parameters. */
    public static <T> Future<ApiResult<T>> invalidParameters(RequestParameters requestParameters) {
        HttpErrorResponse problem = Objects.requireNonNull(requestParameters.problem());
        return Future.succeededFuture(ApiResult.failed(problem));
    }
}
