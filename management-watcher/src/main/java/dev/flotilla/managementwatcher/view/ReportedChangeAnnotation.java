package dev.flotilla.managementwatcher.view;

import org.jspecify.annotations.Nullable;

/** The annotation that Flotilla writes beside a change-id. It names the attempt that started the change. */
public record ReportedChangeAnnotation(long attempt, String changeId) {

    /** Parses the annotation; null for a value that Flotilla did not write. Earlier versions added the target. */
    public static @Nullable ReportedChangeAnnotation parse(@Nullable String text) {
        int slash = text == null ? -1 : text.indexOf('/');
        if (text == null || slash < 1) {
            return null;
        }
        int blank = text.indexOf(' ', slash);
        try {
            return new ReportedChangeAnnotation(
                    Long.parseLong(text, 0, slash, 10), text.substring(slash + 1, blank < 0 ? text.length() : blank));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Formats the annotation's value. */
    public String toAnnotationValue() {
        return attempt + "/" + changeId;
    }
}
