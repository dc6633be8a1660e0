package dev.flotilla.managementwatcher.view;

import org.jspecify.annotations.Nullable;

/** What we write beside a change-id, so that whoever comes later knows whose it is and what it was to lead to. */
public record ReportedChangeAnnotation(long attempt, String changeId, String target) {

    /** Reads one; null for what we did not write. */
    public static @Nullable ReportedChangeAnnotation read(@Nullable String text) {
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

    /** As the annotation's value. */
    public String text() {
        return attempt + "/" + changeId + " " + target;
    }
}
