package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.log.LogKey;
import dev.flotilla.testkit.page.GeneratedPageSection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Log events have constant texts in the past tense, and their data has keys of one enum. A page lists them. */
class LogEventsTest {
    private static final Path PAGE = SourceTree.ROOT.resolve("docs/logs.md");
    private static final List<LogStatements.Event> EVENTS = LogStatements.read();

    /** Words of letters, one of them a past tense. Values are data. */
    private static final Pattern PAST_TENSE =
            Pattern.compile("(?=.*\\b(\\w+ed|found|lost|read|withheld|written)\\b)[A-Za-z]+( [A-Za-z]+)*");

    /** Members of every JSON line, beside the data. */
    private static final Set<String> RESERVED = Set.of("time", "level", "logger", "message", "error");

    /** Any call that logs, so that none is left out by the reader of statements. */
    private static final Pattern CALL = Pattern.compile("\\.log\\(|\\bLOG\\.(trace|debug|info|warn|error)\\(");

    private static final Pattern OTHER_KEY = Pattern.compile("addKeyValue\\(\\s*(?!LogKey\\.|$)");

    @Test
    void everyTextIsAConstantInThePastTense() {
        assertThat(EVENTS)
                .hasSizeGreaterThan(60)
                .allSatisfy(event -> assertThat(event.text())
                        .as("event of %s", event.source())
                        .matches(PAST_TENSE));
    }

    @Test
    void everyCallThatLogsIsRead() {
        Set<String> read = EVENTS.stream().map(LogStatements.Event::source).collect(Collectors.toSet());
        assertThat(SourceTree.productionJava().stream()
                        .filter(source ->
                                source.lines().stream().anyMatch(line -> line.contains("import org.slf4j.Logger;")))
                        .filter(source -> source.linesWith(CALL).findAny().isPresent())
                        .map(SourceTree.Source::name)
                        .filter(name -> !name.equals("StderrLoggers")))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(read).contains(name));
    }

    @Test
    void everyKeyIsOfTheEnumAndEveryOneOfTheEnumIsUsed() {
        Set<String> used = new TreeSet<>();
        EVENTS.forEach(event -> used.addAll(event.keys()));
        Set<String> known = new TreeSet<>();
        Arrays.stream(LogKey.values()).map(LogKey::label).forEach(known::add);
        assertThat(used).isEqualTo(known).doesNotContainAnyElementsOf(RESERVED);
    }

    /** The auditor shares no code, so its keys are literals; the test above holds that they are the enum's. */
    @Test
    void noOtherModuleWritesAKeyAsText() {
        assertThat(SourceTree.productionJava().stream()
                        .filter(source ->
                                source.lines().stream().anyMatch(line -> line.contains("import org.slf4j.Logger;")))
                        .filter(source -> !source.toString().startsWith("auditor/"))
                        .flatMap(source -> source.linesWith(OTHER_KEY)))
                .isEmpty();
    }

    @Test
    void thePageListsEveryEvent() throws IOException {
        String table = "| event | level | data | module |\n|---|---|---|---|\n"
                + EVENTS.stream()
                        .sorted(Comparator.comparing(LogStatements.Event::module)
                                .thenComparing(LogStatements.Event::text)
                                .thenComparing(LogStatements.Event::level))
                        .map(event -> "| %s | %s | %s | %s |\n"
                                .formatted(
                                        event.text(),
                                        event.level(),
                                        event.keys().stream()
                                                .map(key -> "`" + key + "`")
                                                .collect(Collectors.joining(", ")),
                                        event.module()))
                        .distinct()
                        .collect(Collectors.joining());
        assertThat(GeneratedPageSection.readOrRewrite(PAGE, "log-events", table))
                .as("run with -Dflotilla.rewrite=true to regenerate the page")
                .isEqualTo(table);
    }
}
