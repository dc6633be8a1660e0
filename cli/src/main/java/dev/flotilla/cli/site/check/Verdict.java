package dev.flotilla.cli.site.check;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.Locale;

/**
 * What a check came to.
 *
 * @param check what was looked at
 * @param says what was found, and what to do where it is not as it should be
 */
record Verdict(Word word, String check, String says) {
    /** In a word. */
    enum Word {
        OK("ok"),
        DIFFERS("differs"),
        UNKNOWN("unknown"),
        FAILED("FAILED");

        private final String label;

        Word(String label) {
            this.label = label;
        }
    }

    private static final int WIDTH = Word.DIFFERS.label.length();

    static Verdict ok(String check, String says) {
        return new Verdict(Word.OK, check, says);
    }

    static Verdict failed(String check, String says) {
        return new Verdict(Word.FAILED, check, says);
    }

    static Verdict differs(String check, String says) {
        return new Verdict(Word.DIFFERS, check, says);
    }

    static Verdict unknown(String check, String says) {
        return new Verdict(Word.UNKNOWN, check, says);
    }

    String line() {
        return word.label + " ".repeat(WIDTH - word.label.length()) + "  " + check + ": " + says;
    }

    JsonValue json() {
        return new JsonObjectReader.Builder()
                .put("check", check)
                .put("verdict", word.label.toLowerCase(Locale.ROOT))
                .put("says", says)
                .build();
    }
}
