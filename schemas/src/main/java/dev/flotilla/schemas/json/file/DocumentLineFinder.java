package dev.flotilla.schemas.json.file;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the line of a path in a document, such as {@code spec.windows[0].zone}. */
final class DocumentLineFinder {
    private static final Pattern PART = Pattern.compile("([^.\\[\\]]+)|\\[(\\d+)]");

    private DocumentLineFinder() {}

    /** Returns the line of a path; {@link JsonValue#NO_LINE} if the document has no such path. */
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
