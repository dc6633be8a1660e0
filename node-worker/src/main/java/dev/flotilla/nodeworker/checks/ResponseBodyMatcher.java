package dev.flotilla.nodeworker.checks;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.row.HealthCheck.HttpProbe;
import dev.flotilla.schemas.row.HealthCheck.PromQlProbe;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Compares responses with what a check expects. Quotes from them are short. */
final class ResponseBodyMatcher {
    private static final int QUOTED = 100;

    private ResponseBodyMatcher() {}

    /** Returns what is wrong with a response; null if it matches. */
    static @Nullable String findMismatch(HttpProbe wanted, int status, byte[] body) {
        if (status != wanted.status()) {
            return "status " + status + ", not " + wanted.status();
        }
        String text = new String(body, StandardCharsets.UTF_8);
        if (wanted.contains() != null && !text.contains(wanted.contains())) {
            return "the body does not contain \"" + wanted.contains() + "\"";
        }
        String pointer = wanted.pointer();
        if (pointer == null) {
            return null;
        }
        if (!(JsonReader.read(body, RestrictedHttpClient.MOST_BYTES)
                instanceof ParseResult.ParsedDocument parsedDocument)) {
            return "the body is not JSON";
        }
        String found = scalar(at(parsedDocument.value(), pointer));
        return found != null && found.equals(wanted.equal())
                ? null
                : pointer + " is "
                        + (found == null ? "no single value" : "\"" + RedactedText.redact(found, QUOTED) + "\"")
                        + ", not \"" + wanted.equal() + "\"";
    }

    /** Returns what is wrong with the result of a query; null if each value matches. */
    static @Nullable String findMismatch(PromQlProbe wanted, int status, byte[] body) {
        if (!(JsonReader.read(body, RestrictedHttpClient.MOST_BYTES)
                instanceof ParseResult.ParsedDocument parsedDocument)) {
            return "Prometheus answers " + status + " with no JSON";
        }
        if (!"success".equals(scalar(at(parsedDocument.value(), "/status")))) {
            String error = scalar(at(parsedDocument.value(), "/error"));
            return "Prometheus answers " + status + ": "
                    + RedactedText.redact(error == null ? "no reason given" : error, QUOTED);
        }
        JsonValue result = at(parsedDocument.value(), "/data/result");
        if (!(result instanceof JsonValue.JsonArray values)) {
            return "Prometheus gives no result";
        }
        if ("scalar".equals(scalar(at(parsedDocument.value(), "/data/resultType")))) {
            return findMismatch(wanted, values);
        }
        if (values.items().isEmpty()) {
            return "the query gives no value";
        }
        for (JsonValue series : values.items()) {
            String problem = at(series, "/value") instanceof JsonValue.JsonArray sample
                    ? findMismatch(wanted, sample)
                    : "no instant value";
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private static @Nullable String findMismatch(PromQlProbe wanted, JsonValue.JsonArray sample) {
        String value = sample.items().size() == 2 ? scalar(sample.items().get(1)) : null;
        try {
            return value != null && holds(wanted.threshold(), new BigDecimal(value))
                    ? null
                    : "the value is " + value + ", not " + wanted.threshold();
        } catch (NumberFormatException e) {
            // NaN and infinite values never match.
            return "the value is " + RedactedText.redact(String.valueOf(value), QUOTED) + ", not " + wanted.threshold();
        }
    }

    private static boolean holds(String expectation, BigDecimal value) {
        int blank = expectation.indexOf(' ');
        int order = value.compareTo(new BigDecimal(expectation.substring(blank + 1)));
        return switch (expectation.substring(0, blank)) {
            case "<=" -> order <= 0;
            case ">=" -> order >= 0;
            case "==" -> order == 0;
            case "!=" -> order != 0;
            case "<" -> order < 0;
            default -> order > 0;
        };
    }

    private static @Nullable JsonValue at(JsonValue jsonValue, String pointer) {
        JsonValue here = jsonValue;
        for (String escaped : pointer.substring(1).split("/", -1)) {
            String name = escaped.replace("~1", "/").replace("~0", "~");
            here = switch (here) {
                case JsonObjectReader jsonObjectReader -> jsonObjectReader.get(name);
                case JsonValue.JsonArray jsonArray -> item(jsonArray, name);
                default -> null;
            };
            if (here == null) {
                return null;
            }
        }
        return here;
    }

    private static @Nullable JsonValue item(JsonValue.JsonArray jsonArray, String index) {
        return index.matches("0|[1-9][0-9]{0,5}")
                        && Integer.parseInt(index) < jsonArray.items().size()
                ? jsonArray.items().get(Integer.parseInt(index))
                : null;
    }

    private static @Nullable String scalar(@Nullable JsonValue jsonValue) {
        if (jsonValue == null) {
            return null;
        }
        return switch (jsonValue) {
            case JsonValue.JsonString jsonString -> jsonString.value();
            case JsonValue.JsonInteger jsonInteger -> Long.toString(jsonInteger.value());
            case JsonValue.JsonDecimal jsonDecimal -> jsonDecimal.text();
            case JsonValue.JsonBoolean jsonBoolean -> Boolean.toString(jsonBoolean.value());
            default -> null;
        };
    }
}
