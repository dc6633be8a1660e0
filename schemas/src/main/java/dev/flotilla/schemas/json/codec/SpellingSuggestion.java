package dev.flotilla.schemas.json.codec;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Suggests the known word for a misspelt one. */
public final class SpellingSuggestion {
    private static final int MAX_LENGTH = 40;

    private SpellingSuggestion() {}

    /** Returns the known word that is nearest to a given word; null if none is near. */
    public static @Nullable String nearest(String typed, Collection<String> known) {
        if (typed.length() > MAX_LENGTH) {
            return null;
        }
        String best = null;
        int fewest = Math.max(1, typed.length() / 3) + 1;
        for (String word : known) {
            int edits = word.equalsIgnoreCase(typed) ? 0 : distance(typed, word);
            if (edits < fewest) {
                fewest = edits;
                best = word;
            }
        }
        return best;
    }

    /** Returns the number of single-character edits between two words. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
