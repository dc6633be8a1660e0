package dev.flotilla.nodeworker.checks;

import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Parsed;
import dev.flotilla.schemas.json.tree.Shown;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.Check.Http;
import dev.flotilla.schemas.row.Check.PromQl;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What answers say, against what is expected of them. What is quoted of them is short. */
final class Bodies {
    private static final int QUOTED = 100;

    private Bodies() {}

    /** What is wrong with an answer; null where it is as it should be. */
    static @Nullable String problem(Http wanted, int status, byte[] body) {
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
        if (!(JsonReader.read(body, Outside.MOST_BYTES) instanceof Parsed.Whole whole)) {
            return "the body is no JSON";
        }
        String found = scalar(at(whole.tree(), pointer));
        return found != null && found.equals(wanted.equal())
                ? null
                : pointer + " is " + (found == null ? "no single value" : "\"" + Shown.of(found, QUOTED) + "\"")
                        + ", not \"" + wanted.equal() + "\"";
    }

    /** What is wrong with the result of a query; null where each value is as it should be. */
    static @Nullable String problem(PromQl wanted, int status, byte[] body) {
        if (!(JsonReader.read(body, Outside.MOST_BYTES) instanceof Parsed.Whole whole)) {
            return "Prometheus answers " + status + " with no JSON";
        }
        if (!"success".equals(scalar(at(whole.tree(), "/status")))) {
            String error = scalar(at(whole.tree(), "/error"));
            return "Prometheus answers " + status + ": " + Shown.of(error == null ? "no reason given" : error, QUOTED);
        }
        Tree result = at(whole.tree(), "/data/result");
        if (!(result instanceof Tree.Arr values)) {
            return "Prometheus gives no result";
        }
        if ("scalar".equals(scalar(at(whole.tree(), "/data/resultType")))) {
            return problem(wanted, values);
        }
        if (values.items().isEmpty()) {
            return "the query gives no value";
        }
        for (Tree series : values.items()) {
            String problem =
                    at(series, "/value") instanceof Tree.Arr sample ? problem(wanted, sample) : "no instant value";
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private static @Nullable String problem(PromQl wanted, Tree.Arr sample) {
        String value = sample.items().size() == 2 ? scalar(sample.items().get(1)) : null;
        try {
            return value != null && holds(wanted.expect(), new BigDecimal(value))
                    ? null
                    : "the value is " + value + ", not " + wanted.expect();
        } catch (NumberFormatException e) {
            // NaN and the infinities hold for nothing.
            return "the value is " + Shown.of(String.valueOf(value), QUOTED) + ", not " + wanted.expect();
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

    private static @Nullable Tree at(Tree tree, String pointer) {
        Tree here = tree;
        for (String escaped : pointer.substring(1).split("/", -1)) {
            String name = escaped.replace("~1", "/").replace("~0", "~");
            here = switch (here) {
                case Obj obj -> obj.get(name);
                case Tree.Arr arr -> item(arr, name);
                default -> null;
            };
            if (here == null) {
                return null;
            }
        }
        return here;
    }

    private static @Nullable Tree item(Tree.Arr arr, String index) {
        return index.matches("0|[1-9][0-9]{0,5}")
                        && Integer.parseInt(index) < arr.items().size()
                ? arr.items().get(Integer.parseInt(index))
                : null;
    }

    private static @Nullable String scalar(@Nullable Tree tree) {
        if (tree == null) {
            return null;
        }
        return switch (tree) {
            case Tree.Text text -> text.value();
            case Tree.Whole whole -> Long.toString(whole.value());
            case Tree.Inexact inexact -> inexact.written();
            case Tree.Flag flag -> Boolean.toString(flag.value());
            default -> null;
        };
    }
}
