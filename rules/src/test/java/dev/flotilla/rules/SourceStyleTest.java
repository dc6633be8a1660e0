package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How a source file looks. A character class in a pattern keeps this file from finding itself. */
class SourceStyleTest {

    private static final int LONGEST_FILE = 400;
    private static final int LONGEST_OF_NINE_IN_TEN = 250;

    private static final Pattern LEFT_OVER = Pattern.compile("\\b(TOD[O]|FIXM[E]|XX[X])\\b");
    private static final Pattern SLEEP = Pattern.compile(
            "Thread\\.slee[p]|TimeUnit\\.\\w+\\.slee[p]|parkNano[s]\\(|FixedWait\\.wai[t]|@Disable[d]|@EnabledI[f]\\(");

    /** Lines that may wait, by the prefix of their path, with the reason. */
    private static final Map<String, String> MAY_WAIT = Map.ofEntries(
            Map.entry(
                    "management-watcher/src/main/java/dev/flotilla/managementwatcher/report/PacedRequestSender.java",
                    "the rate of writes to an API server"),
            Map.entry("bench/src/main/", "a benchmark measures over a period of time"),
            Map.entry(
                    "kafka/src/main/java/dev/flotilla/kafka/TopicDescriptionReader.java",
                    "between two requests to a broker"),
            Map.entry(
                    "testkit/src/main/java/dev/flotilla/testkit/kube/CustomResourceDefinitions.java",
                    "between two requests to an API server"),
            Map.entry(
                    "node-worker/src/test/java/dev/flotilla/nodeworker/bed/SiteTestBed.java",
                    "between two requests to an API server"),
            Map.entry(
                    "cli/src/main/java/dev/flotilla/cli/allinone/ManagementClusterSetup.java",
                    "between two requests to an API server"),
            Map.entry("e2e/src/test/java/dev/flotilla/e2e/SiteCutOffIT.java", "the time for which a network is cut"),
            Map.entry("e2e/src/test/java/dev/flotilla/e2e/BrokerOutageIT.java", "the time for which a broker is down"),
            Map.entry(
                    "cli/src/main/java/dev/flotilla/cli/process/ExtensionUninstallCommand.java",
                    "between two requests to an API server"),
            Map.entry(
                    "cli/src/test/java/dev/flotilla/cli/InPlaceUpdateLab.java",
                    "between two requests to an API server"));

    /** What a test may need and not every machine has; .ci/skipped.txt lists the tests that may be skipped. */
    private static final Pattern COUNTERPART = Pattern.compile(
            "@EnabledIf\\((value = )?((Kube|ClusterApi)Binaries\\.PRESENT\\w*|HelmBinary\\.PRESENT|OAuth2ProxyBinary\\.PRESENT|Chromium\\.PRESENT|Shellcheck\\.PRESENT|LocalPrometheus\\.PRESENT|KubeadmCluster\\.USABLE|\"dockerIsThere\"|\"rootCanMount\")");

    private static final Pattern TRAILING_SPACE = Pattern.compile("\\s+$");
    private static final Pattern EMPTY_NAME =
            Pattern.compile(".*(Utils?|Helpers?|(?<!Trust|Key)Manager|Impl|Base)|Abstract[A-Z].*");

    /** Names that the core must not use, checked in the source text because class files do not show everything. */
    private static final Pattern IMPURE = Pattern.compile("Instant\\.now|System\\.(currentTimeMillis|nanoTime|getenv"
            + "|getProperty)|\\bRandom\\b|UUID\\.randomUUID|CompletableFuture|\\bThread\\b|synchronized|org\\.slf4j"
            + "|io\\.vertx|new HashMap|new HashSet|\\bSet\\.of\\(|\\bMap\\.of\\(|java\\.util\\.concurrent|(?<!TimeZone|Term)Clock\\b"
            + "|java\\.io\\.|java\\.nio\\.file");

    private static final Pattern COMMENT = Pattern.compile("^\\s*(\\*|//|/\\*)");

    @Test
    void filesAreNotLong() {
        assertThat(SourceTree.productionJava())
                .as("files over %d lines: the state machine and the I/O have become one class", LONGEST_FILE)
                .filteredOn(source -> source.lines().size() > LONGEST_FILE)
                .isEmpty();
    }

    @Test
    void mostFilesAreShort() {
        List<Integer> sizes = SourceTree.productionJava().stream()
                .filter(source -> !source.isPackageInfo())
                .map(source -> source.lines().size())
                .sorted()
                .toList();
        assertThat(sizes.get(sizes.size() * 9 / 10))
                .as("lines at the 90th percentile of %d files", sizes.size())
                .isLessThanOrEqualTo(LONGEST_OF_NINE_IN_TEN);
    }

    @Test
    void noOpenWorkIsLeftInComments() {
        assertThat(linesWith(LEFT_OVER, SourceTree.java()))
                .as("open work belongs in an issue")
                .isEmpty();
    }

    @Test
    void noTestSleepsOrIsDisabled() {
        assertThat(linesWith(SLEEP, SourceTree.java()))
                .as("a sleep waits too long or too short, and a disabled test proves nothing")
                .filteredOn(line -> MAY_WAIT.keySet().stream().noneMatch(line::startsWith))
                .filteredOn(line -> !COUNTERPART.matcher(line).find())
                .isEmpty();
    }

    @Test
    void classNamesSayWhatAClassIs() {
        assertThat(SourceTree.java())
                .as("names that do not say what the class is")
                .filteredOn(source -> EMPTY_NAME.matcher(source.name()).matches())
                .isEmpty();
    }

    @Test
    void everyPackageIsDescribedAndNullMarked() {
        assertThat(SourceTree.productionJava().stream()
                        .map(source -> source.path().getParent())
                        .distinct())
                .as("packages with a description and nullness checks")
                .allSatisfy(folder -> assertThat(folder.resolve("package-info.java"))
                        .content()
                        .contains("@NullMarked")
                        .startsWith("/**"));
    }

    @Test
    void noLineHasTrailingSpace() {
        List<SourceTree.Source> texts = Stream.concat(
                        SourceTree.java().stream(),
                        SourceTree.modules().stream()
                                .flatMap(module -> Stream.of("README.md", "pom.xml")
                                        .map(file ->
                                                SourceTree.ROOT.resolve(module).resolve(file)))
                                .filter((Path path) -> Files.exists(path))
                                .map(SourceTree.Source::read))
                .toList();
        assertThat(linesWith(TRAILING_SPACE, texts)).as("trailing white space").isEmpty();
    }

    @Test
    void coreSourceUsesNoImpureNames() {
        assertThat(linesWith(IMPURE, SourceTree.productionJava("core"))
                        .filter(line -> !COMMENT.matcher(line.replaceFirst("^[^ ]+:\\d+: ", ""))
                                .find()))
                .as("the same rows must give the same decisions in every JVM, at every time")
                .isEmpty();
    }

    private static Stream<String> linesWith(Pattern pattern, List<SourceTree.Source> sources) {
        return sources.stream().flatMap(source -> source.linesWith(pattern));
    }
}
