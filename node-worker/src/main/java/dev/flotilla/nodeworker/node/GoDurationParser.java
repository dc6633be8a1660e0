package dev.flotilla.nodeworker.node;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses durations as in Kubernetes objects of older versions, such as {@code 1m30s}. */
final class GoDurationParser {
    private static final Pattern PART = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)(h|ms|m|s)");
    private static final Map<String, Long> MILLIS = Map.of("h", 3_600_000L, "m", 60_000L, "s", 1_000L, "ms", 1L);

    private GoDurationParser() {}

    /** Parses a duration; null for anything else. */
    static @Nullable Duration read(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        Matcher part = PART.matcher(text);
        BigDecimal millis = BigDecimal.ZERO;
        int end = 0;
        while (part.find() && part.start() == end) {
            millis = millis.add(new BigDecimal(part.group(1))
                    .multiply(BigDecimal.valueOf(Objects.requireNonNull(MILLIS.get(part.group(2))))));
            end = part.end();
        }
        return end == text.length() ? Duration.ofMillis(millis.longValue()) : null;
    }
}
