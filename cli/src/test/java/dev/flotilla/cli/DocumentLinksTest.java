package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that links of documents to a part of a page lead to a heading or an anchor of that page. */
class DocumentLinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)#([^)\\s]+)\\)");
    private static final Pattern CODE_BLOCK = Pattern.compile("```.*?```", Pattern.DOTALL);
    private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
    private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\">");
    private static final Pattern LINK_IN_HEADING = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
    private static final Pattern NOT_IN_ANCHORS = Pattern.compile("[^\\p{L}\\p{N}_ -]");

    @ParameterizedTest
    @MethodSource("documents")
    void linkLeadsToAnExistingHeading(Path document) throws IOException {
        List<String> broken = new ArrayList<>();
        for (MatchResult link :
                LINK.matcher(Files.readString(document)).results().toList()) {
            Path page = link.group(1).isEmpty()
                    ? document
                    : document.resolveSibling(link.group(1)).normalize();
            if (!link.group(1).contains("://")
                    && page.toString().endsWith(".md")
                    && !(Files.exists(page) && anchors(Files.readString(page)).contains(link.group(2)))) {
                broken.add(link.group());
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void headingsBecomeAnchorsAsOnTheirHosts() {
        assertThat(anchors("""
                        # Who is called, and when
                        ### `no-policy`
                        <a id="old"></a>
                        ```
                        # not a heading
                        ```
                        """)).containsExactlyInAnyOrder("who-is-called-and-when", "no-policy", "old");
    }

    private static Set<String> anchors(String page) {
        Stream<String> headings = HEADING.matcher(CODE_BLOCK.matcher(page).replaceAll(""))
                .results()
                .map(heading -> LINK_IN_HEADING.matcher(heading.group(1)).replaceAll("$1"))
                .map(heading -> NOT_IN_ANCHORS
                        .matcher(heading.strip().toLowerCase(Locale.ROOT))
                        .replaceAll("")
                        .replace(' ', '-'));
        return Stream.concat(headings, ANCHOR.matcher(page).results().map(anchor -> anchor.group(1)))
                .collect(Collectors.toSet());
    }

    static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        try (Stream<Path> pages = Files.list(CliResult.ROOT)) {
            pages.filter(DocumentLinksTest::isPage).forEach(documents::add);
        }
        for (String folder : List.of("docs", "deploy")) {
            try (Stream<Path> pages = Files.walk(CliResult.ROOT.resolve(folder))) {
                pages.filter(DocumentLinksTest::isPage).forEach(documents::add);
            }
        }
        documents.sort(null);
        return documents;
    }

    private static boolean isPage(Path file) {
        return file.toString().endsWith(".md");
    }
}
