package dev.flotilla.schemas.json.codec;

import org.jspecify.annotations.Nullable;

/** The rule for texts that can be written again exactly as they were read. */
final class TextValidator {
    private TextValidator() {}

    static @Nullable String problemOf(String text, int min, int max) {
        if (text.length() < min) {
            return "must not be empty";
        }
        if (text.length() > max) {
            return "has " + text.length() + " characters; at most " + max + " are allowed";
        }
        return isWellFormed(text) ? null : "must be valid Unicode, but has an unpaired surrogate";
    }

    private static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean pair = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
