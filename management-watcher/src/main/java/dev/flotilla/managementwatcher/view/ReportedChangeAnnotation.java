package dev.flotilla.managementwatcher.view;

import org.jspecify.annotations.Nullable;

/**
 * The annotation that Flotilla writes beside a change-id. It names the attempt that started the change, and its target.
 */
public record ReportedChangeAnnotation(long attempt, String changeId, String target) {

    /** Parses the annotation; null for a value that Flotilla did not write. */
    public static @Nullable ReportedChangeAnnotation parse(@Nullable String text) {
        int slash = text == null ? -1 : text.indexOf('/');
        int blank = text == null ? -1 : text.indexOf(' ', slash + 1);
        if (text == null || slash < 1 || blank < 0) {
            return null;
        }
        try {
            return new ReportedChangeAnnotation(
                    Long.parseLong(text, 0, slash, 10), text.substring(slash + 1, blank), text.substring(blank + 1));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Formats the annotation's value. */
    public String toAnnotationValue() {
        return attempt + "/" + changeId + " " + target;
    }
}
