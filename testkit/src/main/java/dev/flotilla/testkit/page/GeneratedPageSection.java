package dev.flotilla.testkit.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The part of a page between two marks, which code writes. */
public final class GeneratedPageSection {
    private static final String END = "<!-- end -->";

    private GeneratedPageSection() {}

    /**
     * What a page has there. With {@code -Dflotilla.rewrite=true} it has what is wanted, from then on.
     *
     * @param name of the part, as its mark says it
     */
    public static String readOrRewrite(Path page, String name, String wanted) throws IOException {
        String begin = "<!-- " + name + ": generated -->\n";
        String text = Files.readString(page);
        int from = text.indexOf(begin);
        int to = text.indexOf(END, from);
        if (from < 0 || to < 0) {
            throw new IllegalArgumentException(page + " has no part between " + begin.strip() + " and " + END);
        }
        from += begin.length();
        if (Boolean.getBoolean("flotilla.rewrite")) {
            Files.writeString(page, text.substring(0, from) + wanted + text.substring(to));
            return wanted;
        }
        return text.substring(from, to);
    }
}
