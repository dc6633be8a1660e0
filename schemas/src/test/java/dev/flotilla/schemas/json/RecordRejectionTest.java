package dev.flotilla.schemas.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.json.rows.RowType;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RecordRejectionTest {
    private static final String HEARTBEAT =
            "{\"site\":\"berlin\",\"managementUid\":\"u\",\"watcher\":\"w\",\"sentAt\":\"2026-01-02T03:04:05.678Z\","
                    + "\"withheldRemovals\":0}";
    private static final String CAMPAIGN = new String(RowCodec.encode(SampleRows.campaign()), StandardCharsets.UTF_8);
    private static final String POLICY = new String(RowCodec.encode(SampleRows.policy()), StandardCharsets.UTF_8);
    private static final String ORDER =
            "{\"order\":\"to-1-33/state\",\"id\":\"o\",\"requestedBy\":\"ada\",\"reason\":\"\",\"campaignUid\":1,\"verb\":\"run\"}";
    private static final String COMMAND = "{\"type\":\"cancel\",\"site\":\"berlin\",\"namespace\":\"n\",\"name\":\"m\","
            + "\"uid\":\"u\",\"attemptId\":1,\"reason\":\"\"}";

    private static Arguments heartbeat(String from, String to, RejectionReason reason, String path) {
        return of(RowType.HEARTBEAT, HEARTBEAT, from, to, reason, path);
    }

    private static Arguments campaign(String from, String to, RejectionReason reason, String path) {
        return of(RowType.CAMPAIGN, CAMPAIGN, from, to, reason, path);
    }

    private static Arguments of(
            RowType type, String good, String from, String to, RejectionReason reason, String path) {
        assertThat(good).contains(from);
        return arguments(type, good.replace(from, to), reason, path);
    }

    static Stream<Arguments> documents() {
        return Stream.of(forms(), scalars(), campaigns(), others()).flatMap(all -> all);
    }

    private static Stream<Arguments> forms() {
        return Stream.of(
                arguments(RowType.HEARTBEAT, "", RejectionReason.NOT_JSON, ""),
                arguments(RowType.HEARTBEAT, "{", RejectionReason.NOT_JSON, ""),
                arguments(RowType.HEARTBEAT, HEARTBEAT + "{}", RejectionReason.NOT_JSON, ""),
                arguments(RowType.HEARTBEAT, "{'site':1}", RejectionReason.NOT_JSON, ""),
                arguments(RowType.HEARTBEAT, "{\"site\":NaN}", RejectionReason.NOT_JSON, ""),
                arguments(RowType.HEARTBEAT, "[]", RejectionReason.WRONG_TYPE, ""),
                arguments(RowType.HEARTBEAT, "7", RejectionReason.WRONG_TYPE, ""),
                arguments(RowType.COMMAND, "[]", RejectionReason.WRONG_TYPE, ""),
                arguments(RowType.HEARTBEAT, " ".repeat(64 * 1024) + HEARTBEAT, RejectionReason.TOO_LARGE, ""),
                arguments(RowType.CAMPAIGN, " ".repeat(64 * 1024) + CAMPAIGN, RejectionReason.TOO_LARGE, ""),
                heartbeat("\"u\"", "\"" + "u".repeat(70_000) + "\"", RejectionReason.TOO_LARGE, ""),
                heartbeat("\"site\"", "\"" + "s".repeat(600) + "\":1,\"site\"", RejectionReason.TOO_LARGE, ""),
                heartbeat(
                        "\"withheldRemovals\":0",
                        "\"withheldRemovals\":" + "9".repeat(50),
                        RejectionReason.WRONG_TYPE,
                        "withheldRemovals"),
                arguments(
                        RowType.HEARTBEAT, "[".repeat(33) + "]".repeat(33), RejectionReason.TOO_DEEP, "[0]".repeat(32)),
                arguments(
                        RowType.HEARTBEAT,
                        "{\"a\":".repeat(40) + "1" + "}".repeat(40),
                        RejectionReason.TOO_DEEP,
                        "a" + ".a".repeat(31)),
                heartbeat("\"watcher\"", "\"site\":\"oslo\",\"watcher\"", RejectionReason.DUPLICATE_KEY, "site"),
                campaign("\"team\"", "\"team\":\"x\",\"team\"", RejectionReason.DUPLICATE_KEY, "metadata.labels.team"));
    }

    private static Stream<Arguments> scalars() {
        return Stream.of(
                heartbeat("\"site\":\"berlin\",", "", RejectionReason.MISSING_FIELD, "site"),
                heartbeat("\"berlin\"", "null", RejectionReason.MISSING_FIELD, "site"),
                heartbeat("\"berlin\"", "7", RejectionReason.WRONG_TYPE, "site"),
                heartbeat("\"berlin\"", "{}", RejectionReason.WRONG_TYPE, "site"),
                heartbeat("\"berlin\"", "\"Berlin\"", RejectionReason.BAD_VALUE, "site"),
                heartbeat("\"berlin\"", "\"fleet\"", RejectionReason.BAD_VALUE, "site"),
                heartbeat("\"berlin\"", "\"policy\"", RejectionReason.BAD_VALUE, "site"),
                heartbeat("\"berlin\"", "\"" + "b".repeat(64) + "\"", RejectionReason.BAD_VALUE, "site"),
                heartbeat("\"u\"", "\"\"", RejectionReason.BAD_VALUE, "managementUid"),
                heartbeat("\"u\"", "\"\\ud800\"", RejectionReason.BAD_VALUE, "managementUid"),
                heartbeat("\"u\"", "\"" + "u".repeat(513) + "\"", RejectionReason.BAD_VALUE, "managementUid"),
                heartbeat("2026-01-02T", "2026-02-30T", RejectionReason.BAD_VALUE, "sentAt"),
                heartbeat("05.678Z", "05.678", RejectionReason.BAD_VALUE, "sentAt"),
                heartbeat("\"2026-01-02T03:04:05.678Z\"", "1767323045678", RejectionReason.WRONG_TYPE, "sentAt"),
                heartbeat(
                        "\"withheldRemovals\":0",
                        "\"withheldRemovals\":-1",
                        RejectionReason.BAD_VALUE,
                        "withheldRemovals"),
                heartbeat(
                        "\"withheldRemovals\":0",
                        "\"withheldRemovals\":0.5",
                        RejectionReason.WRONG_TYPE,
                        "withheldRemovals"),
                heartbeat(
                        "\"withheldRemovals\":0",
                        "\"withheldRemovals\":1e3",
                        RejectionReason.WRONG_TYPE,
                        "withheldRemovals"),
                heartbeat(
                        "\"withheldRemovals\":0",
                        "\"withheldRemovals\":\"0\"",
                        RejectionReason.WRONG_TYPE,
                        "withheldRemovals"),
                heartbeat(
                        "\"withheldRemovals\":0",
                        "\"withheldRemovals\":2147483648",
                        RejectionReason.BAD_VALUE,
                        "withheldRemovals"),
                heartbeat(
                        "\"withheldRemovals\":0",
                        "\"withheldRemovals\":99999999999999999999",
                        RejectionReason.WRONG_TYPE,
                        "withheldRemovals"));
    }

    private static Stream<Arguments> campaigns() {
        return Stream.of(
                campaign("flotilla.dev/v1", "flotilla.dev/v2", RejectionReason.BAD_VALUE, "apiVersion"),
                campaign("\"Campaign\"", "\"Policy\"", RejectionReason.BAD_VALUE, "kind"),
                campaign("\"to-1-33\"", "\"zone\"", RejectionReason.BAD_VALUE, "metadata.name"),
                campaign(
                        "\"channel=1.33-classic/stable\"",
                        "\"channel=\"",
                        RejectionReason.BAD_VALUE,
                        "spec.target.option"),
                campaign("\"1.33.2\"", "\"latest\"", RejectionReason.BAD_VALUE, "spec.target.expectedVersion"),
                campaign("\"worker\"", "\"storage\"", RejectionReason.BAD_VALUE, "spec.select.roles[0]"),
                campaign(
                        "\"Exists\"",
                        "\"exists\"",
                        RejectionReason.BAD_VALUE,
                        "spec.select.machines.matchExpressions[0].operator"),
                campaign("\"Exists\"", "\"In\"", RejectionReason.BAD_VALUE, "spec.select.machines.matchExpressions[0]"),
                campaign(
                        "[\"eu\",\"us\"]",
                        "[]",
                        RejectionReason.BAD_VALUE,
                        "spec.waves[0].clusters.matchExpressions[0]"),
                campaign(
                        "\"berlin/fleet-a/worker-7.internal\"",
                        "\"worker-7\"",
                        RejectionReason.BAD_VALUE,
                        "spec.select.exclude[0]"),
                campaign("\"name\":\"oslo\"", "\"name\":\"canary\"", RejectionReason.BAD_VALUE, "spec.waves[1]"),
                campaign(
                        "\"successPercent\":95",
                        "\"successPercent\":0",
                        RejectionReason.BAD_VALUE,
                        "spec.waves[0].successPercent"),
                campaign(
                        "\"successPercent\":95",
                        "\"successPercent\":95,\"percent\":140",
                        RejectionReason.BAD_VALUE,
                        "spec.waves[0].percent"),
                campaign(
                        "\"successPercent\":95",
                        "\"successPercent\":95,\"percent\":5,\"count\":5",
                        RejectionReason.CONTRADICTION,
                        "spec.waves[0]"),
                campaign(
                        "\"successPercent\":90",
                        "\"successPercent\":90,\"percent\":5",
                        RejectionReason.BAD_VALUE,
                        "spec.waves[2]"),
                campaign(
                        "\"successPercent\":95",
                        "\"successPercent\":95,\"soak\":\"100d\"",
                        RejectionReason.BAD_VALUE,
                        "spec.waves[0].soak"),
                campaign(
                        "\"approval\":\"none\"",
                        "\"approval\":\"never\"",
                        RejectionReason.BAD_VALUE,
                        "spec.waves[0].approval"),
                campaign(
                        "\"mode\":\"strict\"",
                        "\"confidence\":95",
                        RejectionReason.CONTRADICTION,
                        "spec.failureBudget"),
                campaign(
                        "\"machines\":10",
                        "\"machines\":10,\"percent\":5",
                        RejectionReason.CONTRADICTION,
                        "spec.failureBudget"),
                campaign("\"machines\":10", "\"machines\":0", RejectionReason.BAD_VALUE, "spec.failureBudget.machines"),
                campaign("\"inFlight\":\"5%\"", "\"inFlight\":\"0%\"", RejectionReason.BAD_VALUE, "spec.caps.inFlight"),
                campaign("\"inFlight\":\"5%\"", "\"inFlight\":true", RejectionReason.WRONG_TYPE, "spec.caps.inFlight"),
                campaign(
                        "\"inFlight\":\"5%\"",
                        "\"domains\":[{\"label\":\"zone\",\"inFlight\":0}]",
                        RejectionReason.BAD_VALUE,
                        "spec.caps.domains[0].inFlight"),
                campaign("\"priority\":70", "\"priority\":101", RejectionReason.BAD_VALUE, "spec.priority"),
                campaign("\"priority\":70", "\"windows\":{}", RejectionReason.WRONG_TYPE, "spec.windows"),
                campaign(
                        "\"priority\":70",
                        "\"expectedContentHash\":7",
                        RejectionReason.WRONG_TYPE,
                        "spec.expectedContentHash"),
                campaign("\"priority\":70", "\"drain\":true", RejectionReason.WRONG_TYPE, "spec.drain"),
                campaign("\"priority\":70", "\"drain\":\"maybe\"", RejectionReason.BAD_VALUE, "spec.drain"),
                campaign(
                        "\"deadline\":\"2026-01-03",
                        "\"deadline\":\"2026-01-01",
                        RejectionReason.CONTRADICTION,
                        "spec.deadline"),
                campaign("\"attempts\":5", "\"attempts\":21", RejectionReason.BAD_VALUE, "spec.retries.attempts"),
                campaign("\"90s\"", "\"90\"", RejectionReason.BAD_VALUE, "spec.retries.firstDelay"),
                campaign("\"90s\"", "\"3h\"", RejectionReason.BAD_VALUE, "spec.retries"),
                campaign("\"90s\"", "\"400d\"", RejectionReason.BAD_VALUE, "spec.retries.firstDelay"));
    }

    private static Stream<Arguments> others() {
        return Stream.of(
                of(
                        RowType.POLICY,
                        POLICY,
                        "\"name\":\"fleet\"",
                        "\"name\":\"oslo\"",
                        RejectionReason.CONTRADICTION,
                        ""),
                of(RowType.POLICY, POLICY, "\"45m\"", "\"0s\"", RejectionReason.BAD_VALUE, "spec.attempts.deadline"),
                of(
                        RowType.POLICY,
                        POLICY,
                        "\"freeze\":",
                        "\"heartbeatTimeout\":\"5s\",\"freeze\":",
                        RejectionReason.BAD_VALUE,
                        "spec.heartbeatTimeout"),
                of(RowType.ORDER, ORDER, "\"run\"", "\"skip\"", RejectionReason.CONTRADICTION, ""),
                of(RowType.ORDER, ORDER, "\"run\"", "\"ruin\"", RejectionReason.BAD_VALUE, "verb"),
                of(RowType.ORDER, ORDER, "\"campaignUid\":1,", "", RejectionReason.MISSING_FIELD, "campaignUid"),
                of(RowType.ORDER, ORDER, "to-1-33/state", "to-1-33/stat", RejectionReason.BAD_VALUE, "order"),
                of(RowType.COMMAND, COMMAND, "\"cancel\"", "\"reboot\"", RejectionReason.BAD_VALUE, "type"),
                of(RowType.COMMAND, COMMAND, "\"cancel\"", "7", RejectionReason.WRONG_TYPE, "type"),
                of(RowType.COMMAND, COMMAND, "\"type\":\"cancel\",", "", RejectionReason.MISSING_FIELD, "type"),
                arguments(
                        RowType.JOURNAL_RECORD,
                        journal("{\"topic\":\"t\",\"key\":\"k\"}"),
                        RejectionReason.BAD_VALUE,
                        "changes[0].topic"),
                arguments(
                        RowType.JOURNAL_RECORD,
                        journal("{\"topic\":\"flotilla.policies\",\"key\":\"A\"}"),
                        RejectionReason.BAD_KEY,
                        "changes[0].key"),
                arguments(
                        RowType.JOURNAL_RECORD,
                        journal("{\"topic\":\"flotilla.policies\",\"key\":\"oslo\",\"value\":{}}"),
                        RejectionReason.MISSING_FIELD,
                        "changes[0].value.spec"),
                arguments(
                        RowType.JOURNAL_RECORD,
                        journal("{\"topic\":\"flotilla.policies\",\"key\":\"oslo\",\"value\":" + POLICY + "}"),
                        RejectionReason.BAD_KEY,
                        "changes[0].key"),
                arguments(RowType.SITE_HEAD, offsets("7"), RejectionReason.WRONG_TYPE, "offsets"),
                arguments(RowType.SITE_HEAD, offsets("{\"t\":{}}"), RejectionReason.BAD_VALUE, "offsets.t"),
                arguments(
                        RowType.SITE_HEAD, offsets("{\"progress\":7}"), RejectionReason.WRONG_TYPE, "offsets.progress"),
                arguments(
                        RowType.SITE_HEAD,
                        offsets("{\"progress\":{\"00\":7}}"),
                        RejectionReason.BAD_VALUE,
                        "offsets.progress"),
                arguments(
                        RowType.SITE_HEAD,
                        offsets("{\"progress\":{\"0\":-7}}"),
                        RejectionReason.WRONG_TYPE,
                        "offsets.progress"));
    }

    private static String offsets(String offsets) {
        return "{\"site\":\"oslo\",\"inFlight\":0,\"offsets\":" + offsets + "}";
    }

    private static String journal(String fact) {
        return "{\"seq\":1,\"decidedAt\":\"2026-01-02T03:04:05.678Z\",\"event\":\"e\",\"subject\":\"\",\"reason\":\"\","
                + "\"changes\":[" + fact + "],\"previousHash\":\"\"}";
    }

    private static List<RejectionDetail> rejections(RowType type, String document) {
        DecodeResult<TableRow> decodeResult = RowCodec.decode(type, document.getBytes(StandardCharsets.UTF_8));
        assertThat(decodeResult).isInstanceOf(DecodeResult.Rejected.class);
        return ((DecodeResult.Rejected<TableRow>) decodeResult).rejections();
    }

    @ParameterizedTest(name = "{0} {2} at \"{3}\"")
    @MethodSource("documents")
    void rejectsWithReasonAndPath(RowType type, String document, RejectionReason reason, String path) {
        assertThat(rejections(type, document)).anySatisfy(rejectionDetail -> {
            assertThat(rejectionDetail.reason()).isEqualTo(reason);
            assertThat(rejectionDetail.path()).isEqualTo(path);
            assertThat(rejectionDetail.value().length()).isLessThanOrEqualTo(80);
            assertThat(rejectionDetail.problem()).isNotBlank();
        });
    }

    @Test
    void rejectsBytesThatAreNotUtf8() {
        byte[] bytes = HEARTBEAT.getBytes(StandardCharsets.UTF_8);
        bytes[10] = (byte) 0xC0;
        assertThat(RowCodec.decode(RowType.HEARTBEAT, bytes)).isInstanceOf(DecodeResult.Rejected.class);
        assertThat(RowCodec.decode(RowType.HEARTBEAT, HEARTBEAT.getBytes(StandardCharsets.UTF_16)))
                .isInstanceOf(DecodeResult.Rejected.class);
    }

    @Test
    void reportsAllProblemsAtOnce() {
        assertThat(rejections(RowType.HEARTBEAT, "{\"site\":\"A\",\"watcher\":1,\"withheldRemovals\":-1}"))
                .extracting(RejectionDetail::path)
                .containsExactly("site", "watcher", "withheldRemovals", "managementUid", "sentAt");
    }

    @Test
    void saysWhichLimitANumberIsBeyond() {
        assertThat(rejections(RowType.HEARTBEAT, HEARTBEAT.replace("Removals\":0", "Removals\":99999999999")))
                .extracting(RejectionDetail::problem)
                .containsExactly("must be at most 2147483647");
        assertThat(rejections(RowType.HEARTBEAT, HEARTBEAT.replace("Removals\":0", "Removals\":-1")))
                .extracting(RejectionDetail::problem)
                .containsExactly("must be at least 0");
    }

    /** A campaign with a misspelt budget would run without one if unknown fields were ignored. */
    @ParameterizedTest
    @MethodSource("misspelt")
    void rejectsUnknownFieldInRowsThatPeopleWrite(RowType type, String document, String path, String meant) {
        DecodeResult<TableRow> decodeResult = RowCodec.decode(type, document.getBytes(StandardCharsets.UTF_8));
        assertThat(decodeResult).isInstanceOf(DecodeResult.Rejected.class);
        RejectionDetail why = ((DecodeResult.Rejected<TableRow>) decodeResult).firstRejection();
        assertThat(why.reason()).isEqualTo(RejectionReason.BAD_VALUE);
        assertThat(why.path()).isEqualTo(path);
        assertThat(why.hint()).isEqualTo("did you mean " + meant + "?");
    }

    static Stream<Arguments> misspelt() {
        return Stream.of(
                arguments(
                        RowType.CAMPAIGN,
                        "{\"apiVersion\":\"flotilla.dev/v1\",\"kind\":\"Campaign\",\"metadata\":{\"name\":\"up\"},"
                                + "\"spec\":{\"target\":{\"option\":\"revision=1\"},\"failureBudgt\":1}}",
                        "spec.failureBudgt",
                        "failureBudget"),
                arguments(
                        RowType.POLICY,
                        "{\"apiVersion\":\"flotilla.dev/v1\",\"kind\":\"Policy\",\"metadata\":{\"name\":\"fleet\"},"
                                + "\"spec\":{\"cap\":{\"inFlight\":1}}}",
                        "spec.cap",
                        "caps"),
                arguments(
                        RowType.ORDER,
                        "{\"order\":\"fleet/freeze\",\"id\":\"1\",\"requestedBy\":\"ada\",\"reason\":\"\",\"verb\":\"freeze\","
                                + "\"campaignUuid\":7}",
                        "campaignUuid",
                        "campaignUid"),
                arguments(
                        RowType.FREEZE,
                        "{\"order\":\"fleet/freeze\",\"id\":\"1\",\"requestedBy\":\"ada\",\"reason\":\"\",\"verb\":\"unfreeze\","
                                + "\"liftedFreeze\":[\"7\"]}",
                        "liftedFreeze",
                        "liftedFreezes"));
    }

    @ParameterizedTest
    @CsvSource({
        "flotilla.approvals, fleet/freeze, flotilla.freezes",
        "flotilla.approvals, up/state, flotilla.orders",
        "flotilla.freezes, up/approve/rest, flotilla.approvals",
        "flotilla.auditor-orders, site/berlin/freeze, flotilla.freezes",
        "flotilla.auditor-orders, up/overlap, flotilla.approvals",
    })
    void namesTheTopicOfAMisplacedOrder(String topic, String key, String belongs) {
        WireRecord record = new WireRecord(topic, 0, key, "{}".getBytes(StandardCharsets.UTF_8), WireHeaders.NONE);
        RejectionDetail why = ((DecodeResult.Rejected<RowChange>) WireRecordCodec.decode(record))
                .rejections()
                .getFirst();
        assertThat(why.reason()).isEqualTo(RejectionReason.WRONG_TOPIC);
        assertThat(why.problem()).isEqualTo("is not a key of topic " + topic + ": it belongs on " + belongs);
    }

    @Test
    void onlyUnfreezeMayLiftFreezes() {
        assertThat(rejections(
                        RowType.FREEZE,
                        "{\"order\":\"fleet/freeze\",\"id\":\"1\",\"requestedBy\":\"ada\",\"reason\":\"\",\"liftedFreezes\":[\"a\"],"
                                + "\"verb\":\"freeze\"}"))
                .extracting(RejectionDetail::reason)
                .containsExactly(RejectionReason.CONTRADICTION);
    }

    @Test
    void ignoresUnknownFieldsInRowsOfProcesses() {
        String newer =
                HEARTBEAT.replace("\"withheldRemovals\":0", "\"withheldRemovals\":0,\"mood\":{\"good\":[1,2.5,null]}");
        assertThat(RowCodec.decode(RowType.HEARTBEAT, newer.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(DecodeResult.Accepted.class);
    }

    /** A leader that ignored a field of an accepted campaign or policy would upgrade machines against it. */
    @Test
    void rejectsUnknownFieldsInAcceptedCampaignsAndPolicies() throws IOException {
        assertThat(rejections(
                        RowType.CAMPAIGN_STATUS,
                        example("campaign-status").replaceFirst("\"spec\": *\\{", "\"spec\":{\"newLimit\":1,")))
                .extracting(RejectionDetail::toString)
                .containsExactly("acceptedCampaign.spec.newLimit: \"1\" is in a field that this version does not know");
        assertThat(rejections(
                        RowType.ACCEPTED_POLICY,
                        example("accepted-policy-fleet").replaceFirst("\"spec\": *\\{", "\"spec\":{\"newLimit\":1,")))
                .extracting(RejectionDetail::reason)
                .containsExactly(RejectionReason.FUTURE_VERSION);
        String elsewhere = example("campaign-status").replaceFirst("\\{", "{\"newField\":1,");
        assertThat(RowCodec.decode(RowType.CAMPAIGN_STATUS, elsewhere.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(DecodeResult.Accepted.class);
    }

    private static String example(String name) throws IOException {
        return Files.readString(Path.of("src/test/resources/dev/flotilla/schemas/examples/" + name + ".json"));
    }

    @Test
    void masksSecrets() {
        String leak = HEARTBEAT.replace(
                "\"berlin\"", "{\"name\":1,\"apiToken\":\"hunter2\",\"kubeconfig\":{\"a\":\"hunter2\"}}");
        assertThat(rejections(RowType.HEARTBEAT, leak).toString())
                .contains("***")
                .doesNotContain("hunter2");
        String label = CAMPAIGN.replace("\"team\":\"platform\"", "\"join-token\":" + "[\"hunter2\"]");
        assertThat(rejections(RowType.CAMPAIGN, label).toString())
                .contains("***")
                .doesNotContain("hunter2");
    }

    @Test
    void truncatesLongValue() {
        String wrong = HEARTBEAT.replace("berlin", "B".repeat(500));
        assertThat(rejections(RowType.HEARTBEAT, wrong).get(0).value())
                .hasSize(80)
                .endsWith("…");
    }

    @Test
    void reportsAtMostOneHundredProblems() {
        String exclude = "\"x\",".repeat(900) + "\"x\"";
        String wrong = CAMPAIGN.replace("\"berlin/fleet-a/worker-7.internal\"", exclude);
        assertThat(rejections(RowType.CAMPAIGN, wrong)).hasSize(100);
    }
}
