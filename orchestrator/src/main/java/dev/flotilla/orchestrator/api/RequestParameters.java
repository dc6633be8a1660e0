package dev.flotilla.orchestrator.api;

import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.json.codec.SpellingSuggestion;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.RedactedText;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a question says, read strictly. The first thing that is wrong is kept until somebody asks for it. */
final class RequestParameters {
    private static final int BAD_REQUEST = 400;

    private final MultiMap query;
    private final RoutingContext ctx;
    private @Nullable HttpErrorResponse problem;

    RequestParameters(RoutingContext ctx, List<ApiParameter> known) {
        this.ctx = ctx;
        this.query = ctx.queryParams();
        List<String> names = known.stream()
                .filter(apiParameter -> !apiParameter.inPath())
                .map(ApiParameter::name)
                .toList();
        for (String name : query.names()) {
            if (!names.contains(name)) {
                String near = SpellingSuggestion.nearest(name, names);
                refuse(
                        "unknown-parameter",
                        "There is no parameter " + RedactedText.redact(name) + ".",
                        near != null
                                ? "did you mean " + near + "?"
                                : names.isEmpty() ? "leave it out" : "known here: " + String.join(", ", names));
            } else if (query.getAll(name).size() > 1) {
                refuse("repeated-parameter", "The parameter " + name + " stands there more than once.", "give it once");
            }
        }
    }

    /** What is wrong; null for nothing. */
    @Nullable
    HttpErrorResponse problem() {
        return problem;
    }

    /** A part of the path. */
    String path(String name) {
        String value = ctx.pathParam(name);
        return value == null ? "" : value;
    }

    /** A parameter as a codec reads it; null where it is not given, or wrong. */
    <T> @Nullable T get(String name, JsonCodec<T> codec) {
        String text = query.get(name);
        if (text == null) {
            return null;
        }
        ProblemCollector problems = ProblemCollector.strict();
        T value = codec.read(new JsonValue.JsonString(text, JsonValue.NO_LINE), problems);
        if (value == null) {
            RejectionDetail why = problems.rejections().get(0);
            refuse("bad-parameter", name + " \"" + why.value() + "\" " + why.problem() + ".", why.hint());
        }
        return value;
    }

    /** A parameter as a parser reads it, that answers null to what is none. */
    <T> @Nullable T get(String name, Function<String, @Nullable T> parse, String form) {
        String text = query.get(name);
        return text == null ? null : parsed(name, text, parse, form);
    }

    /** A text as a parser reads it. */
    <T> @Nullable T parsed(String name, String text, Function<String, @Nullable T> parse, String form) {
        T value = parse.apply(text);
        if (value == null) {
            refuse("bad-parameter", name + " \"" + RedactedText.redact(text) + "\" must be " + form + ".", null);
        }
        return value;
    }

    /** A whole number from 1 to a bound. */
    int integer(String name, int fallback, int most) {
        String text = query.get(name);
        if (text == null) {
            return fallback;
        }
        boolean number = text.matches("[0-9]{1,9}");
        int value = number ? Integer.parseInt(text) : 0;
        if (value < 1 || value > most) {
            refuse(
                    "bad-parameter",
                    name + " \"" + RedactedText.redact(text) + "\" must be a number from 1 to " + most + ".",
                    null);
            return fallback;
        }
        return value;
    }

    private void refuse(String code, String message, @Nullable String hint) {
        if (problem == null) {
            problem = new HttpErrorResponse(BAD_REQUEST, code, message, hint);
        }
    }
}
