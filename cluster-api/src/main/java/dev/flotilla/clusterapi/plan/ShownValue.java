package dev.flotilla.clusterapi.plan;

import dev.flotilla.clusterapi.coverage.CoverageAnswer.ObjectChange;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.RedactedText;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A value as it may be shown. Bootstrap and infrastructure objects hold tokens, keys and files with secrets, so that only numbers, booleans
 * and the texts of fields that are known to be harmless are shown; of all others only the size.
 */
final class ShownValue {
    private static final Pattern NUMBERS_AND_VERSION = Pattern.compile("v?[0-9][A-Za-z0-9.+_-]{0,40}");

    /** Names of fields whose text is no secret. */
    private static final Set<String> HARMLESS = Set.of(
            "bootstrapTimeout",
            "criSocket",
            "failureDomain",
            "flavor",
            "format",
            "imageRepository",
            "imagePullPolicy",
            "imageTag",
            "instanceType",
            "size",
            "startupDuration",
            "startupJitter",
            "version",
            "vmSize");

    private ShownValue() {}

    /** Returns the text of one side of a change; null if the field is absent there. */
    static @Nullable String of(ObjectChange change, @Nullable JsonValue value) {
        return switch (value) {
            case null -> null;
            case JsonValue.JsonArray array -> "(" + count(array.items().size(), "item") + ", not shown)";
            case JsonObjectReader object -> "(" + count(object.size(), "field") + ", not shown)";
            case JsonValue.JsonString text ->
                isHarmless(change.change().path().names(), text.value())
                        ? RedactedText.redact(text.value())
                        : "(text, not shown)";
            case JsonValue other ->
                change.change().path().names().stream().anyMatch(RedactedText::isSecret)
                        ? "(not shown)"
                        : RedactedText.redact(change.change().path().toString(), other);
        };
    }

    private static boolean isHarmless(List<String> path, String value) {
        return !path.isEmpty()
                && path.stream().noneMatch(RedactedText::isSecret)
                && HARMLESS.contains(path.getLast())
                && (!path.getLast().equals("version")
                        || NUMBERS_AND_VERSION.matcher(value).matches());
    }

    private static String count(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
