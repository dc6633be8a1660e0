package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/limits.md shows constants with their values, and what it says that they show in exists. */
class LimitsPageTest {
    /** The auditor has classes of the same names, since it shares none. */
    private static final List<SourceTree.Source> SOURCES = SourceTree.productionJava().stream()
            .filter(source -> !source.toString().startsWith("auditor/"))
            .toList();

    private static final SourceTree.Source PAGE = SourceTree.Source.read(SourceTree.ROOT.resolve("docs/limits.md"));
    private static final Pattern ROW =
            Pattern.compile("\\| `(\\w+)\\.([A-Z_]+)` \\| ([\\d,]+)( \\w+)? \\| .+ \\| (.+) \\|");
    private static final Pattern METRIC = Pattern.compile("`(flotilla_\\w+)`");
    private static final Pattern MESSAGE = Pattern.compile("\"([^\"]+)\"");
    private static final Map<String, Long> UNITS = Map.of(
            "",
            1L,
            "characters",
            1L,
            "KiB",
            1_024L,
            "ms",
            1L,
            "s",
            1_000L,
            "min",
            60_000L,
            "h",
            3_600_000L,
            "d",
            86_400_000L);

    private static List<MatchResult> rows() {
        List<String> rows =
                PAGE.lines().stream().filter(line -> line.startsWith("| `")).toList();
        assertThat(rows)
                .hasSizeGreaterThan(60)
                .allMatch(line -> ROW.matcher(line).matches());
        return rows.stream().flatMap(line -> ROW.matcher(line).results()).toList();
    }

    @Test
    void valuesAreThoseOfTheConstants() throws ReflectiveOperationException {
        List<String> differences = new ArrayList<>();
        for (MatchResult row : rows()) {
            String unit = row.group(4) == null ? "" : row.group(4).strip();
            long shown = Long.parseLong(row.group(3).replace(",", "")) * UNITS.getOrDefault(unit, 0L);
            long actual = value(constant(row.group(1), row.group(2)));
            if (actual != shown) {
                differences.add(row.group(1) + "." + row.group(2) + " is " + actual + " and not " + shown);
            }
        }
        assertThat(differences).isEmpty();
    }

    /** In milliseconds if it is a time. */
    private static long value(Field field) throws IllegalAccessException {
        field.setAccessible(true);
        Object value = field.get(null);
        return value instanceof Duration duration ? duration.toMillis() : ((Number) value).longValue();
    }

    private static Field constant(String type, String name) throws ReflectiveOperationException {
        Pattern declaration = Pattern.compile("static final .*\\b" + name + " =");
        List<SourceTree.Source> sources = SOURCES.stream()
                .filter(source -> source.name().equals(type)
                        && source.linesWith(declaration).findAny().isPresent())
                .toList();
        assertThat(sources).as("classes with the constant %s.%s", type, name).hasSize(1);
        return load(sources.getFirst()).getDeclaredField(name);
    }

    private static Class<?> load(SourceTree.Source source) throws ClassNotFoundException {
        String path = source.path().toString();
        String name = path.substring(path.indexOf("/java/") + "/java/".length(), path.length() - ".java".length());
        return Class.forName(name.replace('/', '.'));
    }

    @Test
    void everyConstantOfTimeoutsAndLimitsIsListed() throws ClassNotFoundException {
        for (SourceTree.Source source : SOURCES) {
            boolean runs = !source.toString().startsWith("simulator/");
            if (runs && (source.name().endsWith("Timeouts") || source.name().endsWith("Limits"))) {
                assertThat(Stream.of(load(source).getDeclaredFields())
                                .filter(field -> Modifier.isStatic(field.getModifiers())
                                        && Modifier.isFinal(field.getModifiers())
                                        && !Modifier.isPrivate(field.getModifiers())
                                        && (field.getType().isPrimitive() || field.getType() == Duration.class))
                                .map(field -> "| `" + source.name() + "." + field.getName() + "` |"))
                        .allMatch(cell -> PAGE.lines().stream().anyMatch(line -> line.startsWith(cell)), "is listed");
            }
        }
    }

    @Test
    void metricsAndMessagesExist() {
        List<String> metrics = SourceTree.Source.read(SourceTree.ROOT.resolve("docs/metrics.md"))
                .lines();
        assertThat(rows().stream()
                        .flatMap(row -> METRIC.matcher(row.group(5)).results())
                        .map(metric -> "| " + metric.group() + " |"))
                .as("metrics that docs/metrics.md lacks")
                .allMatch(cell -> metrics.stream().anyMatch(line -> line.startsWith(cell)));
        // A message is put together from texts and values: its first text must exist.
        assertThat(rows().stream()
                        .flatMap(row -> MESSAGE.matcher(row.group(5)).results())
                        .map(message -> message.group(1).split("( …|\\d)", 2)[0].strip()))
                .as("messages that no class has")
                .allMatch(text -> SOURCES.stream()
                        .anyMatch(source -> source.lines().stream().anyMatch(line -> line.contains(text))));
    }
}
