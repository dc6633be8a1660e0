package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.json.file.CampaignFileReader;
import dev.flotilla.schemas.json.file.FileReadResult;
import dev.flotilla.schemas.json.file.PolicyFileReader;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Compares the documentation with the code. */
class DocumentationTest {
    private static final int MOST_BYTES = 1024 * 1024;
    private static final Pattern CONSOLE = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL);
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)\\)");
    private static final Pattern FIRST_CELL = Pattern.compile("^\\| `([^`]+)` \\|", Pattern.MULTILINE);
    private static final Pattern INLINE = Pattern.compile("`flotilla ([^`]+)`");
    private static final Pattern OPTION = Pattern.compile("^ +- (--[a-z-]+)=", Pattern.MULTILINE);
    private static final Pattern WORD = Pattern.compile("[a-z]+(-[a-z]+)*");

    /** Fields of label selectors, which Kubernetes documents. */
    private static final List<String> KUBERNETES_FIELDS = List.of("matchLabels", "matchExpressions");

    /** Commands that the launcher runs on their own class paths. */
    private static final List<String> LAUNCHER_COMMANDS = List.of("auditor", "bench");

    private static final List<String> ONE_TARGET_OF_EACH_KIND = List.of(
            "channel=1.33-classic/stable",
            "revision=1",
            "localPath=/a.snap",
            "version=v1.36.3",
            "spec=sha256:" + "0".repeat(64));

    private static final String PROMPT = "$ ./flotilla ";

    /** A line of shown output that stands for all further ones. */
    private static final String MORE = "…";

    /** Commands that take long or print times; tests of the commands run them. */
    private static final List<String> NOT_RUN = List.of("demo", "all-in-one", "simulate --seeds", "bench");

    @Test
    void gatesPageListsGatesInOrder() throws IOException {
        assertThat(firstCells(read("docs/gates.md")))
                .containsExactlyElementsOf(
                        Arrays.stream(GateLabel.values()).map(GateLabel::label).toList());
    }

    @Test
    void troubleshootPageLeadsToEveryGateAndNamesEveryReasonOfAFailure() throws IOException {
        String page = read("docs/troubleshoot.md");

        assertThat(page)
                .contains(Arrays.stream(GateLabel.values())
                        .map(gate -> "[`" + gate.label() + "`](runbook.md#" + gate.label() + ")")
                        .toList())
                .contains(Arrays.stream(FailureReason.values())
                        .map(reason -> "`" + reason.label() + "`")
                        .toList());
    }

    @Test
    void providersPageNamesTheTargetsThatEachProviderApplies() throws IOException {
        List<String> cells = read("docs/providers.md")
                .lines()
                .filter(line -> line.startsWith("| targets |"))
                .flatMap(line -> Stream.of(line.split("\\|")))
                .map(String::strip)
                .toList();

        for (UpgradeProvider provider : List.of(UpgradeProvider.K8SD, UpgradeProvider.NODE_UPGRADE)) {
            String page = cells.get(provider == UpgradeProvider.K8SD ? 2 : 3);
            List<String> targets = ONE_TARGET_OF_EACH_KIND.stream()
                    .filter(target -> provider.canApply(UpgradeTarget.parse(target)))
                    .map(target -> "`" + target.substring(0, target.indexOf('=') + 1) + "`")
                    .toList();
            assertThat(page.split(", ")).containsExactlyInAnyOrderElementsOf(targets);
        }
        assertThat(read("docs/providers.md"))
                .contains(Stream.of(UpgradeProvider.values())
                        .map(provider -> "- `" + provider.label() + "`: ")
                        .toList());
    }

    @Test
    void annotationsPageNamesEveryKey() throws Exception {
        String page = read("docs/annotations.md");
        List<String> keys = new ArrayList<>();
        for (Field each : AnnotationKeys.class.getFields()) {
            if (each.get(null) instanceof String key) {
                keys.add(key);
            }
        }
        assertThat(keys)
                .hasSizeGreaterThan(15)
                .allSatisfy(key -> assertThat(page).contains("`" + key + "`"));
    }

    @Test
    void attemptPageListsAllStatesStepsAndReports() throws IOException {
        List<String> named = new ArrayList<>();
        for (Class<?> state : AttemptState.class.getPermittedSubclasses()) {
            named.add(state.getSimpleName());
        }
        Arrays.stream(AttemptStep.values()).map(AttemptStep::label).forEach(named::add);
        for (Class<?> report : AttemptReport.class.getPermittedSubclasses()) {
            named.add(report.getSimpleName());
        }

        String text = read("docs/attempt.md");

        assertThat(firstCells(text)).containsExactlyElementsOf(named);
        assertThat(text)
                .contains(Arrays.stream(FailureClass.values())
                        .map(FailureClass::label)
                        .toList());
    }

    @Test
    void campaignReferenceHasValidExamples() throws IOException {
        List<String> examples = YAML.matcher(read("docs/campaign-reference.md"))
                .results()
                .map(found -> found.group(1))
                .filter(example -> !example.contains("kind: ClusterRole"))
                .toList();

        assertThat(examples)
                .isNotEmpty()
                .allSatisfy(example ->
                        assertThat(CampaignFileReader.read(example)).isInstanceOf(FileReadResult.ValidFile.class));
    }

    @Test
    void policyReferenceHasValidExamples() throws IOException {
        List<String> examples = YAML.matcher(read("docs/policy-reference.md"))
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(examples)
                .hasSizeGreaterThan(1)
                .allSatisfy(example ->
                        assertThat(PolicyFileReader.read(example)).isInstanceOf(FileReadResult.ValidFile.class));
    }

    /** What people copy to install and to operate. Objects have what each object needs. */
    @ParameterizedTest
    @ValueSource(strings = {"install", "operate", "monitor", "cluster-api", "users"})
    void examplesOfAPageAreYaml(String page) throws IOException {
        List<Object> documents = new ArrayList<>();
        for (String example : YAML.matcher(read("docs/" + page + ".md"))
                .results()
                .map(found -> found.group(1).stripIndent())
                .toList()) {
            new Load(LoadSettings.builder().setLabel(example).build())
                    .loadAllFromString(example)
                    .forEach(documents::add);
        }
        assertThat(documents).isNotEmpty().allSatisfy(each -> {
            Map<?, ?> object = (Map<?, ?>) each;
            assertThat(object.containsKey("kind")).as(object.toString()).isEqualTo(object.containsKey("apiVersion"));
            if (object.containsKey("kind") && !"Kustomization".equals(object.get("kind"))) {
                assertThat(object.get("metadata"))
                        .as(object.toString())
                        .asString()
                        .contains("name=");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"policy", "campaign"})
    void referenceListsEveryField(String kind) throws IOException {
        JsonObjectReader schema = (JsonObjectReader) ((ParseResult.ParsedDocument) JsonReader.read(
                        Files.readAllBytes(CliResult.ROOT.resolve(
                                "schemas/src/main/resources/dev/flotilla/schemas/" + kind + ".schema.json")),
                        MOST_BYTES))
                .value();
        String text = read("docs/" + kind + "-reference.md");
        List<String> fields = new ArrayList<>();
        fields(((JsonObjectReader) Objects.requireNonNull(schema.get("properties"))).get("spec"), "spec", fields);

        assertThat(fields).hasSizeGreaterThan(10);
        assertThat(fields).anyMatch(field -> field.contains("windows[]."));
        String campaigns = read("docs/campaign-reference.md");
        for (String field : fields) {
            // Windows have the same fields everywhere and are documented once.
            int window = field.indexOf("windows[].");
            assertThat(window < 0 ? text : campaigns)
                    .as(field)
                    .containsPattern(documented(window < 0 ? field : "spec." + field.substring(window)));
        }
    }

    /** Pattern of a documented field: by its path, by the end of its path, or in the row of its parent. */
    private static Pattern documented(String field) {
        int dot = field.lastIndexOf('.');
        String parent = field.substring(0, dot);
        String name = field.substring(dot + 1) + "\\b";
        String whole = "`(" + Pattern.quote(parent) + ")?\\." + name;
        String end = "`…\\." + name;
        String part = "\\| `…\\." + Pattern.quote(parent.substring(parent.lastIndexOf('.') + 1)) + "` \\|.*`" + name;
        return Pattern.compile(whole + "|" + end + "|" + part);
    }

    /** Collects all fields of a schema, also of list items and alternatives. */
    private static void fields(@Nullable JsonValue form, String path, List<String> into) {
        if (!(form instanceof JsonObjectReader jsonObjectReader)) {
            return;
        }
        if (jsonObjectReader.get("properties") instanceof JsonObjectReader members
                && !KUBERNETES_FIELDS.contains(members.name(0))) {
            for (int i = 0; i < members.size(); i++) {
                String field = path + "." + members.name(i);
                into.add(field);
                fields(members.value(i), field, into);
            }
        }
        fields(jsonObjectReader.get("items"), path + "[]", into);
        for (String choice : List.of("oneOf", "anyOf", "allOf")) {
            if (jsonObjectReader.get(choice) instanceof JsonValue.JsonArray choices) {
                choices.items().forEach(each -> fields(each, path, into));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void commandsInDocumentsPrintTheShownOutput(String block) {
        List<String> lines = block.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith(PROMPT) && NOT_RUN.stream().noneMatch(line.substring(PROMPT.length())::startsWith)) {
                String[] args = line.substring(PROMPT.length()).split(" ");
                for (int a = 0; a < args.length; a++) {
                    args[a] = Files.isRegularFile(CliResult.ROOT.resolve(args[a])) ? CliResult.path(args[a]) : args[a];
                }
                String said = CliResult.flotilla(args).all().replace(CliResult.ROOT + "/", "");
                for (int next = i + 1; next < lines.size() && !lines.get(next).startsWith("$"); next++) {
                    if (lines.get(next).equals(MORE)) {
                        assertThat(said.lines()).as(line).hasSizeGreaterThan(next - i - 1);
                    } else {
                        assertThat(said).as(line).contains(lines.get(next));
                    }
                }
            }
        }
    }

    /** A page of which another test runs the commands needs more than this one has. */
    static List<String> commands() throws IOException {
        List<String> blocks = new ArrayList<>();
        for (Path file : documents()) {
            if (file.endsWith(ClusterApiTutorialIT.PAGE)) {
                continue;
            }
            CONSOLE.matcher(Files.readString(file))
                    .results()
                    .map(found -> found.group(1))
                    .forEach(blocks::add);
        }
        return blocks;
    }

    /** Does not run commands that need a fleet, but checks that commands and options exist. */
    @Test
    void commandsInTheTextExistWithTheirOptions() throws IOException {
        for (Path file : documents()) {
            for (MatchResult found :
                    INLINE.matcher(Files.readString(file)).results().toList()) {
                List<String> words = List.of(found.group(1).split("\\s+", -1));
                List<String> command = words.stream()
                        .takeWhile(WORD.asMatchPredicate())
                        .limit(2)
                        .toList();
                if (!command.isEmpty() && !LAUNCHER_COMMANDS.contains(command.getFirst())) {
                    String[] help =
                            Stream.concat(command.stream(), Stream.of("--help")).toArray(String[]::new);
                    String said = CliResult.flotilla(help).all();
                    assertThat(said)
                            .as("%s in %s", found.group(), file)
                            .contains("Usage: flotilla " + String.join(" ", command) + " ");
                    assertThat(words.stream().filter(word -> word.startsWith("--")))
                            .as("%s in %s", found.group(), file)
                            .allMatch(said::contains);
                }
            }
        }
    }

    /** The commands themselves run only where Cluster API's managers do. */
    @Test
    void tutorialHasCommandsAndFilesThatExist() throws IOException {
        List<String> lines = read(ClusterApiTutorialIT.PAGE).lines().toList();
        for (PageStep step : PageStep.readAll(ClusterApiTutorialIT.PAGE)) {
            if (step.command().startsWith("./flotilla ")) {
                List<String> words = List.of(step.command().split("\\s+", -1));
                String said =
                        CliResult.flotilla(words.get(1), words.get(2), "--help").all();
                assertThat(said).as(step.command()).contains("Usage: flotilla " + words.get(1) + " " + words.get(2));
                assertThat(words.stream().filter(word -> word.startsWith("--")))
                        .as(step.command())
                        .allMatch(said::contains);
            }
        }
        assertThat(lines.stream()
                        .filter(line -> line.startsWith("$ "))
                        .flatMap(line -> Stream.of(line.split("\\s+", -1)))
                        .filter(word -> word.matches("(deploy|examples)/[a-z./-]+"))
                        .distinct())
                .hasSizeGreaterThan(5)
                .allSatisfy(file -> assertThat(CliResult.ROOT.resolve(file)).exists());
        String help = CliResult.flotilla("all-in-one", "--help").all();
        assertThat(OPTION.matcher(read("examples/cluster-api/tutorial/flotilla.yaml"))
                        .results()
                        .map(found -> found.group(1)))
                .hasSizeGreaterThan(3)
                .allMatch(help::contains);
        assertThat(CampaignFileReader.read(read("examples/cluster-api/tutorial/campaign.yaml")))
                .isInstanceOf(FileReadResult.ValidFile.class);
    }

    @Test
    void linksPointToExistingFiles() throws IOException {
        for (Path file : documents()) {
            Path folder = file.getParent();
            assertThat(LINK.matcher(Files.readString(file))
                            .results()
                            .map((MatchResult found) -> found.group(1))
                            .filter(link -> !link.contains("://")))
                    .as("links of %s", file)
                    .allSatisfy(link -> assertThat(folder.resolve(link)).exists());
        }
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents =
                new ArrayList<>(List.of(CliResult.ROOT.resolve("README.md"), CliResult.ROOT.resolve("VERSIONING.md")));
        try (Stream<Path> files = Files.walk(CliResult.ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
        }
        return documents;
    }

    private static List<String> firstCells(String text) {
        return FIRST_CELL.matcher(text).results().map(found -> found.group(1)).toList();
    }

    private static String read(String file) throws IOException {
        return Files.readString(CliResult.ROOT.resolve(file));
    }
}
