package dev.flotilla.schemas.json.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.json.RowCodec;
import dev.flotilla.schemas.json.SampleSpecificationFiles;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.json.rows.RowType;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignChecks;
import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.RejectionReason;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CampaignFileReaderTest {
    private static final String HEAD = "apiVersion: flotilla.dev/v1\nkind: Campaign\nmetadata: {name: x}\n";
    private static final String GOOD = HEAD + "spec:\n  target: {option: revision=1}\n  select: {}\n";

    private static List<FileProblem> problems(String text) {
        FileReadResult<Campaign> read = CampaignFileReader.read(text);
        assertThat(read).isInstanceOf(FileReadResult.InvalidFile.class);
        return ((FileReadResult.InvalidFile<Campaign>) read).problems();
    }

    @Test
    void readsCampaignManifest() {
        FileReadResult<Campaign> read = CampaignFileReader.read(SampleSpecificationFiles.CAMPAIGN);
        assertThat(read).isInstanceOf(FileReadResult.ValidFile.class);
        Campaign campaign = ((FileReadResult.ValidFile<Campaign>) read).value();
        assertThat(campaign.spec().waves()).extracting(wave -> wave.name()).containsExactly("canary", "oslo", "rest");
        assertThat(campaign.spec().deadline()).hasToString("2026-01-03T03:04:05.678Z");
        assertThat(RowCodec.decode(RowType.CAMPAIGN, RowCodec.encode(campaign)))
                .isEqualTo(new DecodeResult.Accepted<>(campaign));
    }

    @Test
    void suggestsTheMissingVOfAVersion() {
        assertThat(problems(GOOD.replace("revision=1", "version=1.36.3")))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.value()).isEqualTo("version=1.36.3");
                    assertThat(problem.problem()).contains("with its leading v");
                    assertThat(problem.hint()).isEqualTo("did you mean version=v1.36.3?");
                });
    }

    @Test
    void rejectsAnotherExpectedVersionThanTheTargets() {
        String release = GOOD.replace("option: revision=1", "option: version=v1.36.3, expectedVersion: %s");
        assertThat(problems(release.formatted("1.36.4"))).singleElement().satisfies(problem -> {
            assertThat(problem.path()).isEqualTo("spec.target.expectedVersion");
            assertThat(problem.value()).isEqualTo("1.36.4");
            assertThat(problem.problem())
                    .contains("is not the version of version=v1.36.3", "Leave expectedVersion out");
        });
        assertThat(CampaignFileReader.read(release.formatted("1.36.3"))).isInstanceOf(FileReadResult.ValidFile.class);
    }

    @Test
    void selectsMachinesByProvider() {
        assertThat(CampaignFileReader.read(GOOD.replace("select: {}", "select: {providers: [node-upgrade, none]}"))
                        .toString())
                .contains("ValidFile", "providers=[NODE_UPGRADE, NONE]");
        assertThat(problems(GOOD.replace("select: {}", "select: {providers: [snap]}")))
                .extracting(FileProblem::path)
                .containsExactly("spec.select.providers[0]");
    }

    @Test
    void campaignWithoutWavesHasOneWaveNamedAll() {
        Campaign campaign = ((FileReadResult.ValidFile<Campaign>) CampaignFileReader.read(GOOD)).value();
        assertThat(campaign.spec().waves())
                .singleElement()
                .satisfies(wave -> assertThat(wave.name()).isEqualTo("all"));
        assertThat(CampaignFileReader.read(GOOD + "  waves: []\n")).isEqualTo(CampaignFileReader.read(GOOD));
    }

    @Test
    void reportsAllProblemsOfACampaignWithTheirLines() {
        List<FileProblem> problems = problems("""
                apiVersion: flotilla.dev/v1
                kind: Campaign
                metadata: {name: 'Bad Name!'}
                spec:
                  target: {option: 'chanel=1.33/stable'}
                  waves: [{name: canary, percent: 140}]
                  nonsense: 1
                """);
        assertThat(problems)
                .extracting(FileProblem::line, FileProblem::path, FileProblem::value)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(3, "metadata.name", "Bad Name!"),
                        org.assertj.core.groups.Tuple.tuple(5, "spec.target.option", "chanel=1.33/stable"),
                        org.assertj.core.groups.Tuple.tuple(5, "spec.select", ""),
                        org.assertj.core.groups.Tuple.tuple(6, "spec.waves[0].percent", "140"),
                        org.assertj.core.groups.Tuple.tuple(7, "spec.nonsense", "1"));
        assertThat(problems.get(0).hint()).contains("bad-name");
        assertThat(problems.get(1).hint()).contains("channel=1.33/stable");
    }

    static Stream<Arguments> invalidFiles() {
        return Stream.of(
                Arguments.of("", RejectionReason.NOT_JSON, 0),
                Arguments.of("# nothing\n", RejectionReason.NOT_JSON, 0),
                Arguments.of("a: [1,\nb: 2\n", RejectionReason.NOT_JSON, 3),
                Arguments.of("a: 1\n\tb: 2\n", RejectionReason.NOT_JSON, 2),
                Arguments.of(GOOD + "---\n" + GOOD, RejectionReason.NOT_JSON, 8),
                Arguments.of("? [a]\n: 1\n", RejectionReason.NOT_JSON, 1),
                Arguments.of("- " + "[".repeat(5_000), RejectionReason.TOO_DEEP, 1),
                Arguments.of("a: &a [*a]\n", RejectionReason.TOO_DEEP, 1),
                Arguments.of("#" + "x".repeat(70_000), RejectionReason.TOO_LARGE, 0),
                Arguments.of(laughs(), RejectionReason.NOT_JSON, 0),
                Arguments.of("just words", RejectionReason.WRONG_TYPE, 1),
                Arguments.of("a: !!java.net.URL [http://localhost/]\n", RejectionReason.BAD_VALUE, 1),
                Arguments.of(GOOD + "  select: {}\n", RejectionReason.DUPLICATE_KEY, 7),
                Arguments.of(GOOD + "  startAt: tomorrow\n", RejectionReason.BAD_VALUE, 7),
                Arguments.of(GOOD + "  prioritty: 5\n", RejectionReason.BAD_VALUE, 7),
                Arguments.of(GOOD + "  priority: 0x10\n", RejectionReason.WRONG_TYPE, 7),
                Arguments.of(GOOD + "  weight: 0\n", RejectionReason.BAD_VALUE, 7),
                Arguments.of(GOOD + "  waves: [{name: a}, {name: b}]\n", RejectionReason.BAD_VALUE, 7),
                Arguments.of(GOOD + "  waves: [{name: a, percent: 5}]\n", RejectionReason.BAD_VALUE, 7),
                Arguments.of(
                        GOOD + "  waves: [{name: a, percent: 60}, {name: b, percent: 50}, {name: c}]\n",
                        RejectionReason.BAD_VALUE,
                        7),
                Arguments.of(GOOD + "  waves:\n  - name: a\n    sites: [berlin]\n", RejectionReason.BAD_VALUE, 8),
                Arguments.of(HEAD + "spec: null\n", RejectionReason.MISSING_FIELD, 1));
    }

    /** Nested aliases ("billion laughs"): a small file that expands to a large tree. */
    private static String laughs() {
        StringBuilder text = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 20; i++) {
            text.append("a").append(i).append(": &a").append(i).append(" [");
            text.append(("*a" + (i - 1) + ", ").repeat(9)).append("x]\n");
        }
        return text.toString();
    }

    @ParameterizedTest
    @MethodSource("invalidFiles")
    void rejectsInvalidFileWithReasonAndLine(String text, RejectionReason reason, int line) {
        assertThat(problems(text)).anySatisfy(problem -> {
            assertThat(problem.reason()).as(problem.toString()).isEqualTo(reason);
            assertThat(problem.line()).as(problem.toString()).isEqualTo(line);
        });
    }

    @Test
    void suggestsTheNearestField() {
        assertThat(problems(GOOD + "  prioritty: 5\n")).singleElement().satisfies(problem -> {
            assertThat(problem.problem()).isEqualTo("is in a field that does not exist");
            assertThat(problem.hint()).isEqualTo("did you mean priority?");
        });
    }

    @Test
    void saysWhichFieldsAnObjectHas() {
        assertThat(problems(GOOD + "  failureBudget: lots\n")).singleElement().satisfies(problem -> {
            assertThat(problem.problem()).isEqualTo("must be an object");
            assertThat(problem.hint()).startsWith("with the fields ");
        });
    }

    @Test
    void rejectsASelectorInTheLastWave() {
        assertThat(problems(GOOD + "  waves: [{name: a, sites: [berlin]}]\n"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.problem()).contains("takes the rest"));
    }

    @Test
    void namesUnsupportedFeatures() {
        assertThat(problems(GOOD + "  attempt: {deadline: 2h}\n"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.reason()).isEqualTo(RejectionReason.NOT_SUPPORTED);
                    assertThat(problem.problem()).contains("a deadline for attempts");
                });
    }

    @Test
    void cohortCircuitBreakerHasDefaults() {
        Campaign campaign = ((FileReadResult.ValidFile<Campaign>)
                        CampaignFileReader.read(GOOD + "  cohortCircuitBreaker: {}\n"))
                .value();
        assertThat(campaign.spec().cohortCircuitBreaker()).isEqualTo(new FailureCohortRule(List.of(), 3, 50));
    }

    @Test
    void readsMaintenanceWindows() {
        Campaign campaign = ((FileReadResult.ValidFile<Campaign>) CampaignFileReader.read(GOOD + """
                                  windows:
                                    - {days: [sat, sun], from: '22:00', to: '05:30', zone: Europe/Berlin}
                                    - {date: '2026-01-31', from: '00:00', to: '23:59'}
                                """)).value();
        assertThat(campaign.spec().windows())
                .containsExactly(
                        new MaintenanceWindow(
                                List.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY),
                                null,
                                22 * 60,
                                330,
                                new TimeZoneName("Europe/Berlin")),
                        new MaintenanceWindow(List.of(), LocalDate.parse("2026-01-31"), 0, 23 * 60 + 59, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{days: [caturday], from: '22:00', to: '05:00'}",
                "{days: [sat], from: '24:00', to: '05:00'}",
                "{days: [sat], from: '22:60', to: '05:00'}",
                "{days: [sat], from: '2:00', to: '05:00'}",
                "{days: [sat], from: '22:00'}",
                "{date: '2026-02-30', from: '22:00', to: '05:00'}",
                "{date: '2026-01-31', days: [sat], from: '22:00', to: '05:00'}"
            })
    void rejectsInvalidWindow(String window) {
        assertThat(problems(GOOD + "  windows: [" + window + "]\n"))
                .anySatisfy(problem -> assertThat(problem.path()).startsWith("spec.windows[0]"));
    }

    @Test
    void masksASecretInAnUnknownField() {
        assertThat(problems(GOOD + "  password: hunter2\n").toString())
                .contains("***")
                .doesNotContain("hunter2");
    }

    @Test
    void readsHealthChecks() {
        Campaign campaign = ((FileReadResult.ValidFile<Campaign>) CampaignFileReader.read(GOOD + """
                  checks:
                    requireBackup: 24h
                    before:
                      - {name: quiet, promql: {query: 'sum(ALERTS) or vector(0)', expect: '<= 0.5'}, severity: advisory}
                    after:
                      - {name: app, http: {url: 'https://h.example/${node}?a=b'}, retryFor: 5m, roles: [worker]}
                      - {name: csi, condition: {apiVersion: apps/v1, resource: deployments, type: Available}}
                """)).value();
        CampaignChecks checks = campaign.spec().checks();
        assertThat(checks.maxBackupAge()).hasHours(24);
        assertThat(checks.beforeCall())
                .containsExactly(new HealthCheck(
                        "quiet",
                        new HealthCheck.PromQlProbe("sum(ALERTS) or vector(0)", "<= 0.5"),
                        false,
                        Duration.ofSeconds(30),
                        List.of()));
        assertThat(checks.forRole(MachineRole.CONTROL_PLANE).afterCall())
                .extracting(HealthCheck::name)
                .containsExactly("csi");
        assertThat(checks.forRole(MachineRole.WORKER)).isSameAs(checks);
    }

    @ParameterizedTest
    @MethodSource
    void rejectsInvalidCheckWithItsPath(String check, String path, String problem) {
        assertThat(problems(GOOD + "  checks: {before: [" + check + "]}\n")).anySatisfy(found -> {
            assertThat(found.path()).isEqualTo("spec.checks.before[0]" + path);
            assertThat(found.problem()).contains(problem);
        });
    }

    static Stream<Arguments> rejectsInvalidCheckWithItsPath() {
        return Stream.of(
                Arguments.of("{name: x}", "", "must have exactly one of condition, cel, http and promql"),
                Arguments.of(
                        "{name: x, promql: {query: a, expect: '== 1'}, http: {url: 'https://a/'}}",
                        "",
                        "must have exactly one of"),
                Arguments.of(
                        "{name: x, cel: {apiVersion: v1, resource: secrets, expression: 'true'}}",
                        ".cel",
                        "a check never reads Secrets"),
                Arguments.of(
                        "{name: x, cel: {apiVersion: v1, resource: pods, name: a, matchLabels: {a: b}, expression: 'true'}}",
                        ".cel",
                        "must have name or matchLabels, and not both"),
                Arguments.of(
                        "{name: x, cel: {apiVersion: v1, resource: pods/log, expression: 'true'}}",
                        ".cel.resource",
                        "in the plural"),
                Arguments.of(
                        "{name: x, cel: {apiVersion: v1, resource: pods, expression: '" + "a".repeat(1025) + "'}}",
                        ".cel.expression",
                        "1024"),
                Arguments.of(
                        "{name: x, cel: {apiVersion: v1, resource: pods, name: '${nod}', expression: 'true'}}",
                        ".cel.name",
                        "unknown placeholder"),
                Arguments.of("{name: x, http: {url: 'ftp://a/'}}", ".http.url", "https:// or http://"),
                Arguments.of("{name: x, http: {url: 'https://me:secret@a/'}}", ".http.url", "no user"),
                Arguments.of("{name: x, http: {url: 'https://${node}/'}}", ".http.url", "must not have placeholders"),
                Arguments.of(
                        "{name: x, http: {url: 'https://a${node}:1/'}}", ".http.url", "must not have placeholders"),
                Arguments.of("{name: x, http: {url: 'https://a/${pod}'}}", ".http.url", "${pod}"),
                Arguments.of(
                        "{name: x, http: {url: 'https://a/', pointer: /b}}", ".http", "pointer and equals together"),
                Arguments.of(
                        "{name: x, promql: {query: a, expect: about 1}}", ".promql.expect", "a space and a number"),
                Arguments.of("{name: x, promql: {query: '${', expect: '> 1'}}", ".promql.query", "${"),
                Arguments.of(
                        "{name: x, condition: {apiVersion: ../v1, resource: pods, type: Ready}}",
                        ".condition.apiVersion",
                        "such as v1 or apps/v1"),
                Arguments.of(
                        "{name: x, condition: {apiVersion: v1, resource: pods/exec, type: Ready}}",
                        ".condition.resource",
                        "lower-case letters"),
                Arguments.of("{name: x, promql: {query: a, expect: '> 1'}, timeout: 1h}", ".timeout", ""));
    }

    @Test
    void rejectsTwoChecksWithTheSameName() {
        assertThat(problems(GOOD + """
                  checks:
                    before: [{name: x, promql: {query: a, expect: '> 1'}}]
                    after: [{name: x, promql: {query: a, expect: '> 1'}}]
                """))
                .extracting(FileProblem::problem)
                .anyMatch(text -> text.contains("two checks with the name \"x\""));
    }
}
