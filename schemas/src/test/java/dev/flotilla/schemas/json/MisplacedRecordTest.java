package dev.flotilla.schemas.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MisplacedRecordTest {
    private static final TableRow MACHINE = SampleRows.all().get("machine");

    private static WireRecord record(String topic, String key, TableRow content, String type, String version) {
        return new WireRecord(topic, 0, key, RowCodec.encode(content), new WireHeaders(type, version, null));
    }

    static Stream<Arguments> misplaced() {
        String at = "flotilla.inventory.berlin";
        String key = "machine/fleet-a/worker-7.internal";
        return Stream.of(
                arguments(record("flotilla.inventory.oslo", key, MACHINE, "machine", "1"), RejectionReason.WRONG_SITE),
                arguments(record(at, "machine/fleet-a/other", MACHINE, "machine", "1"), RejectionReason.BAD_KEY),
                arguments(record(at, "site", MACHINE, "machine", "1"), RejectionReason.BAD_KEY),
                arguments(record(at, "machine/fleet-a", MACHINE, "machine", "1"), RejectionReason.BAD_KEY),
                arguments(record(at, "owner/MachineSet/fleet-a/x", MACHINE, "machine", "1"), RejectionReason.BAD_KEY),
                arguments(record(at, null, MACHINE, "machine", "1"), RejectionReason.BAD_KEY),
                arguments(record("other.topic", key, MACHINE, "machine", "1"), RejectionReason.BAD_KEY),
                arguments(record("flotilla.leader", key, MACHINE, "machine", "1"), RejectionReason.BAD_KEY),
                arguments(record(at, key, MACHINE, "machine", "2"), RejectionReason.FUTURE_VERSION),
                arguments(record(at, key, MACHINE, "robot", "2"), RejectionReason.FUTURE_VERSION),
                arguments(record(at, key, MACHINE, "machine", "0"), RejectionReason.BAD_VALUE),
                arguments(record(at, key, MACHINE, "machine", "one"), RejectionReason.BAD_VALUE),
                arguments(record(at, key, MACHINE, "robot", "1"), RejectionReason.UNKNOWN_TYPE),
                arguments(record(at, key, MACHINE, "policy", "1"), RejectionReason.UNKNOWN_TYPE),
                arguments(record(at, key, MACHINE, "cluster", "1"), RejectionReason.MISSING_FIELD),
                arguments(
                        record("flotilla.campaigns", "another", SampleRows.campaign(), null, null),
                        RejectionReason.BAD_KEY),
                arguments(
                        record("flotilla.policies", "oslo", SampleRows.policy(), null, null), RejectionReason.BAD_KEY),
                arguments(
                        new WireRecord("flotilla.journal", 0, null, null, WireHeaders.NONE),
                        RejectionReason.MISSING_FIELD));
    }

    @ParameterizedTest
    @MethodSource("misplaced")
    void rejectsRecordInTheWrongTopicOrWithTheWrongKey(WireRecord record, RejectionReason reason) {
        DecodeResult<RowChange> decodeResult = WireRecordCodec.decode(record);
        assertThat(((DecodeResult.Rejected<RowChange>) decodeResult)
                        .firstRejection()
                        .reason())
                .isEqualTo(reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"campaign", "order-state", "policy-fleet", "policy-site", "machine", "zone-rules", "fleet-head"})
    void derivesTypeOfARecordWithoutHeadersFromTopicAndKey(String sample) {
        TableRow row = SampleRows.all().get(sample);
        WireRecord written = WireRecordCodec.encode(row);
        WireRecord bare = new WireRecord(written.topic(), 0, written.key(), written.value(), WireHeaders.NONE);
        assertThat(WireRecordCodec.decode(bare)).isEqualTo(new DecodeResult.Accepted<>(row));
    }

    @ParameterizedTest
    @CsvSource({
        "heartbeat, flotilla.inventory.berlin, site",
        "cluster, flotilla.inventory.berlin, cluster/fleet-a/shop",
        "machine, flotilla.inventory.berlin, machine/fleet-a/worker-7.internal",
        "intent-owner, flotilla.intents.berlin, owner/MachineDeployment/fleet-a/shop-workers",
        "site-status, flotilla.status.berlin, site",
        "command-cancel, flotilla.commands.berlin, machine/fleet-a/worker-7.internal",
        "progress-failed, flotilla.progress.berlin, machine/fleet-a/worker-7.internal",
        "campaign, flotilla.campaigns, to-1-33",
        "order-state, flotilla.orders, to-1-33/state",
        "order-approve, flotilla.approvals, to-1-33/approve/rest",
        "order-overlap, flotilla.approvals, to-1-33/overlap",
        "order-skip, flotilla.orders, to-1-33/skip/berlin/fleet-a/worker-7.internal",
        "order-retry, flotilla.orders, to-1-33/retry",
        "order-approve-on-orders, flotilla.orders, to-1-33/approve/rest",
        "order-freeze-on-orders, flotilla.orders, fleet/freeze",
        "auditor-order, flotilla.auditor-orders, fleet/freeze",
        "order-fleet-unfreeze, flotilla.freezes, fleet/freeze",
        "order-fleet-freeze, flotilla.freezes, fleet/freeze",
        "order-site-freeze, flotilla.freezes, site/berlin/freeze",
        "order-accept-removal, flotilla.orders, site/berlin/accept-removal",
        "order-write-off, flotilla.orders, site/berlin/write-off",
        "order-adopt-site, flotilla.orders, site/berlin/adopt",
        "order-adopt-fleet, flotilla.orders, fleet/adopt",
        "policy-fleet, flotilla.policies, fleet",
        "policy-site, flotilla.policies, berlin",
        "campaign-status, flotilla.campaign-status, to-1-33",
        "wave-status, flotilla.campaign-status, to-1-33/canary",
        "accepted-policy-fleet, flotilla.campaign-status, policy/fleet",
        "accepted-policy-site, flotilla.campaign-status, policy/berlin",
        "zone-rules, flotilla.campaign-status, zone/Europe/Berlin",
        "fleet-head, flotilla.head, fleet",
        "site-head, flotilla.head, berlin",
        "journal-record, flotilla.journal,",
        "rejected, flotilla.rejected, flotilla.campaigns/0/to/1 33",
    })
    void encodesEachRowWithItsTopicAndKey(String sample, String topic, String key) {
        WireRecord record = WireRecordCodec.encode(SampleRows.all().get(sample));
        assertThat(record.topic()).isEqualTo(topic);
        assertThat(record.key()).isEqualTo(key);
        assertThat(record.headers().schemaVersion()).isEqualTo("1");
        assertThat(record.headers().seq()).isNull();
    }
}
