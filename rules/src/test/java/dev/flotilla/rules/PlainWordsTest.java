package dev.flotilla.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Words that are private to this project appear nowhere: each has a word of the field. */
class PlainWordsTest {
    private static final List<String> FOLDERS = List.of("docs", "deploy", "examples", ".ci");
    private static final List<String> SUFFIXES =
            List.of(".java", ".md", ".html", ".js", ".css", ".json", ".yaml", ".yml", ".txt");

    /** The list itself, its test, the page that translates, and tables that earlier versions wrote. */
    private static final Pattern EXEMPT =
            Pattern.compile(".*(forbidden-words\\.txt|glossary\\.md|PlainWordsTest\\.java|/tables/[^/]*)");

    private record ForbiddenWord(boolean isName, String expression, String instead) {}

    private static List<ForbiddenWord> words() throws IOException {
        try (InputStream in = PlainWordsTest.class.getResourceAsStream("forbidden-words.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" \\| ", -1))
                    .map(parts -> new ForbiddenWord(parts[0].equals("name"), parts[1].replace("\\|", "|"), parts[2]))
                    .toList();
        }
    }

    private static Pattern anyOf(boolean isName, String before, String after, int flags) throws IOException {
        return Pattern.compile(
                words().stream()
                        .filter(word -> word.isName() == isName)
                        .map(ForbiddenWord::expression)
                        .collect(Collectors.joining("|", before, after)),
                flags);
    }

    private static Stream<SourceTree.Source> texts() {
        return Stream.concat(
                        Stream.concat(SourceTree.modules().stream(), FOLDERS.stream())
                                .flatMap(folder ->
                                        SUFFIXES.stream().flatMap(suffix -> SourceTree.under(folder, suffix))),
                        Stream.of("README.md", "CONTRIBUTING.md")
                                .map(file -> SourceTree.Source.read(SourceTree.ROOT.resolve(file))))
                .filter(source -> !EXEMPT.matcher(source.toString()).matches());
    }

    @Test
    void noTextHasAForbiddenPhrase() throws IOException {
        Pattern phrase = anyOf(false, "\\b(", ")\\b", Pattern.CASE_INSENSITIVE);
        assertThat(texts().flatMap(source -> source.linesWith(phrase)))
                .as("phrases to replace as forbidden-words.txt says")
                .isEmpty();
    }

    @Test
    void noClassNameHasAForbiddenWord() throws IOException {
        Pattern name = anyOf(true, "(^|[a-z0-9])(", ")(?=[A-Z]|s?$|s[A-Z])", 0);
        assertThat(SourceTree.java())
                .as("class names to replace as forbidden-words.txt says")
                .filteredOn(source -> name.matcher(source.name()).find())
                .isEmpty();
    }

    /** A word of the list that no reader could mistake for a term of the glossary. */
    @Test
    void noForbiddenWordIsATermOfTheGlossary() throws IOException {
        Pattern phrase = anyOf(false, "\\| \\*\\*(", ")\\*\\*", Pattern.CASE_INSENSITIVE);
        assertThat(SourceTree.Source.read(SourceTree.ROOT.resolve("docs/glossary.md"))
                        .linesWith(phrase))
                .as("terms of the glossary that are forbidden elsewhere")
                .isEmpty();
    }

    @Test
    void theGlossaryHasEachTermOnce() {
        Pattern term = Pattern.compile("^\\| \\*\\*([^*]+)\\*\\*");
        List<String> terms = SourceTree.Source.read(SourceTree.ROOT.resolve("docs/glossary.md")).lines().stream()
                .flatMap(line -> term.matcher(line).results())
                .map(found -> found.group(1))
                .toList();
        assertThat(terms).hasSizeGreaterThan(50).doesNotHaveDuplicates();
    }
}
