package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.flotilla.cli.file.FleetDescriptionFile;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.schemas.json.file.FileReadResult;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ValidateCommandTest {
    private static final String SCHEMA_LINE = "# yaml-language-server: $schema=";

    private static final String BAD = """
            apiVersion: flotilla.dev/v1
            kind: Campaign
            metadata: {name: 'Bad Name!'}
            spec:
              target: {option: 'chanel=1.33/stable'}
              waves: [{name: canary, percent: 140}]
              nonsense: 1
            """;

    @TempDir
    Path folder;

    @Test
    void listsEveryProblemWithItsLine() throws IOException {
        CliResult cliResult = CliResult.flotilla("campaign", "validate", bad());

        assertThat(cliResult.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(cliResult.all())
                .contains("Bad Name!", "chanel", "140", "nonsense", "spec.waves[0].percent")
                .doesNotContain("\tat ")
                .doesNotContain("Exception");
    }

    @Test
    void checksSeveralFiles() throws IOException {
        String good = CliResult.ROOT.resolve("examples/campaigns/canary.yaml").toString();

        CliResult table = CliResult.flotilla("campaign", "validate", good, bad());
        CliResult json = CliResult.flotilla("campaign", "validate", good, bad(), "-o", "json");

        assertThat(table.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(table.out()).contains(good + ": valid.", "spec.waves[0].percent");
        assertThat(json.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(json.json())
                .startsWith("{\"valid\":false,\"files\":[{\"valid\":true,")
                .contains("\"file\":\"" + good + "\"},{\"valid\":false,");
        assertThat(CliResult.flotilla(
                                "campaign",
                                "validate",
                                good,
                                good,
                                folder.resolve("none.yaml").toString())
                        .exit())
                .isEqualTo(ExitCode.USAGE);
        String none = folder.resolve("none.yaml").toString();
        assertThat(CliResult.flotilla("campaign", "validate", good, none, "-o", "json")
                        .json())
                .startsWith("{\"valid\":false,\"files\":[{\"valid\":true,")
                .contains(none + "doesnotexist", "\"file\":\"" + none + "\"}");
        assertThat(CliResult.flotilla("campaign", "validate", none, "-o", "json")
                        .json())
                .startsWith("{\"valid\":false,\"problems\":[{\"path\":\"\"");
        assertThat(CliResult.flotilla("campaign", "validate", good, good).exit())
                .isZero();
    }

    @Test
    void checksStdin() throws IOException {
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream(BAD.getBytes(StandardCharsets.UTF_8)));
            assertThat(CliResult.flotilla("campaign", "validate", "-").all())
                    .contains("Bad Name!", "spec.waves[0].percent");
            System.setIn(Files.newInputStream(CliResult.ROOT.resolve("examples/campaigns/canary.yaml")));
            assertThat(CliResult.flotilla("campaign", "validate", "-").exit()).isZero();
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void warnsOfPreparationsThatNothingLeavesTimeFor() throws IOException {
        String campaign = """
                apiVersion: flotilla.dev/v1
                kind: Campaign
                metadata: {name: v1-36}
                spec:
                  target: {option: version=v1.36.3}
                  select: {}
                  prepare: {before: 12h}
                """;
        Path never = Files.writeString(folder.resolve("never.yaml"), campaign);
        Path later = Files.writeString(folder.resolve("later.yaml"), campaign + "  startAt: 2036-01-01T00:00:00Z\n");

        assertThat(CliResult.flotilla("campaign", "validate", never.toString()).all())
                .contains("valid.", "warning: spec.prepare prepares nothing unless a policy has windows");
        assertThat(CliResult.flotilla("campaign", "validate", later.toString()).all())
                .contains("valid.")
                .doesNotContain("warning:");
    }

    @Test
    void rejectsAVersionAsTargetAndSuggestsAChannel() throws IOException {
        Path file = Files.writeString(folder.resolve("version.yaml"), BAD.replace("'chanel=1.33/stable'", "1.33"));

        assertThat(CliResult.flotilla("campaign", "validate", file.toString()).out())
                .contains("spec.target.option", "channel=1.33-classic/stable");
    }

    @Test
    void compilesTheExpressionsOfChecks() throws IOException {
        String good = Files.readString(CliResult.ROOT.resolve("examples/campaigns/canary.yaml"));
        Path file = Files.writeString(folder.resolve("cel.yaml"), good + """
                  checks:
                    after:
                      - {name: fine, cel: {apiVersion: v1, resource: pods, expression: 'has(object.status)'}}
                      - {name: ceph, cel: {apiVersion: v1, resource: pods, expression: 'object.status =='}}
                """);
        CliResult cliResult = CliResult.flotilla("campaign", "validate", file.toString());
        assertThat(cliResult.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(cliResult.out())
                .contains("spec.checks.after[1].cel.expression", "object.status ==", "line 1, column 17")
                .doesNotContain("after[0]");
    }

    @Test
    void printsProblemsAsJson() throws IOException {
        CliResult cliResult = CliResult.flotilla("campaign", "validate", "--output", "json", bad());

        assertThat(cliResult.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(cliResult.out())
                .contains("\"valid\": false", "\"path\"", "\"line\"", "\"value\"", "\"problem\"", "\"hint\"");
        assertThat(cliResult.err()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("campaigns")
    void exampleCampaignsAreValid(Path file) {
        assertThat(CliResult.flotilla("campaign", "validate", file.toString()).exit())
                .isZero();
        assertThat(CliResult.flotilla("campaign", "validate", "-o", "json", file.toString())
                        .out())
                .isEqualToIgnoringWhitespace("{\"valid\":true,\"problems\":[],\"warnings\":[]}");
    }

    @ParameterizedTest
    @CsvSource({
        "22:00, 23:00, a control plane of 3 machines",
        "22:00, 22:20, too short for any machine to start",
        "22:00, 23:30, ",
        "23:00, 01:00, "
    })
    void warnsOfAWindowThatIsTooShort(String from, String to, String expected) throws IOException {
        String windows = "  windows: [{from: '" + from + "', to: '" + to + "'}]\n";
        Path file = Files.writeString(
                folder.resolve("window.yaml"),
                Files.readString(CliResult.ROOT.resolve("examples/campaigns/night.yaml")) + windows);

        CliResult cliResult = CliResult.flotilla("campaign", "validate", file.toString());
        assertThat(cliResult.exit()).isZero();
        if (expected == null) {
            assertThat(cliResult.err()).isEmpty();
        } else {
            assertThat(cliResult.err()).contains("warning: spec.windows: the longest window is", expected);
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void examplePoliciesAreValid(Path file) {
        assertThat(CliResult.flotilla("policy", "validate", file.toString()).exit())
                .isZero();
    }

    @ParameterizedTest
    @MethodSource("fleets")
    void exampleFleetsAreValid(Path file) throws IOException {
        assertThat(FleetDescriptionFile.read(Files.readString(file))).isInstanceOf(FileReadResult.ValidFile.class);
    }

    /** An editor with a language server for YAML then completes and checks it. */
    @ParameterizedTest
    @MethodSource({"campaigns", "policies", "fleets"})
    void examplesNameTheSchemaThatTheyMatch(Path file) throws IOException {
        String text = Files.readString(file);
        assertThat(text).startsWith(SCHEMA_LINE);
        Path schema = file.resolveSibling(text.substring(SCHEMA_LINE.length(), text.indexOf('\n')));
        assertThat(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                        .getSchema(Files.readString(schema))
                        .validate(text, InputFormat.YAML))
                .isEmpty();
    }

    @Test
    void committedFleetSchemaMatchesTheCode() throws IOException {
        assertThat(Files.readString(CliResult.ROOT.resolve("examples/fleets/fleet.schema.json")))
                .isEqualTo(JsonFormatter.format(FleetDescriptionFile.schema()));
    }

    @Test
    void listsEveryProblemOfAFleet() throws IOException {
        Path fleet = folder.resolve("fleet.yaml");
        Files.writeString(fleet, """
                apiVersion: flotilla.dev/v1
                kind: Fleet
                metadata: {name: bad}
                spec:
                  refresh: {median: soon}
                  sites:
                    - name: North
                      clusters: [{name: k, workers: -1, wrkers: 2}]
                """);

        CliResult cliResult = CliResult.flotilla("simulate", "--fleet", fleet.toString(), "--campaign", bad());

        assertThat(cliResult.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(cliResult.err()).contains("soon", "North", "-1", "wrkers", "did you mean workers?", "Bad Name!");
    }

    private String bad() throws IOException {
        Path file = folder.resolve("bad.yaml");
        Files.writeString(file, BAD);
        return file.toString();
    }

    static List<Path> campaigns() throws IOException {
        return yaml("examples/campaigns");
    }

    static List<Path> policies() throws IOException {
        return yaml("examples/policies");
    }

    static List<Path> fleets() throws IOException {
        return yaml("examples/fleets");
    }

    private static List<Path> yaml(String folder) throws IOException {
        try (Stream<Path> files = Files.list(CliResult.ROOT.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }
}
