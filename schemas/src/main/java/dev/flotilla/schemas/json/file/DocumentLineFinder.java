package dev.flotilla.schemas.json.file;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Places in a document, as problems name them: {@code spec.windows[0].zone}. */
final class DocumentLineFinder {
    private static final Pattern PART = Pattern.compile("([^.\\[\\]]+)|\\[(\\d+)]");

    private DocumentLineFinder() {}

    /** The line on which a place stands; {@link JsonValue#NO_LINE} for one that is not there. */
    static int lineOf(JsonValue jsonValue, String path) {
        JsonValue at = jsonValue;
        for (MatchResult part : PART.matcher(path).results().toList()) {
            at = part.group(1) == null ? item(at, Integer.parseInt(part.group(2))) : member(at, part.group(1));
            if (at == null) {
                return JsonValue.NO_LINE;
            }
        }
        return at.line();
    }

    private static @Nullable JsonValue member(JsonValue jsonValue, String name) {
        return jsonValue instanceof JsonObjectReader jsonObjectReader ? jsonObjectReader.get(name) : null;
    }

    private static @Nullable JsonValue item(JsonValue jsonValue, int index) {
        return jsonValue instanceof JsonValue.JsonArray array
                        && index < array.items().size()
                ? array.items().get(index)
                : null;
    }
}
