package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.stub.Samples;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.Projection;
import dev.flotilla.managementwatcher.view.SiteView;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReportsTest {
    private static final String RELEASE = "v1beta2.k8sd.io/in-place-upgrade-release";

    private final Projection projection = new Projection(new SiteId("east"));
    private final SiteView view = new SiteView();
    private final Reports reports =
            new Reports(view, new StatusBoard(), SiteMode.INTERCEPT, key -> null, key -> null, kind -> false);

    @Test
    void anOwnersOrderIsTakenBackBeforeItsMachineBearsSomethingElse() {
        owner(", 'annotations': {'" + RELEASE + "': 'revision=7'}");
        view.see(projection.machine(Samples.machine("", "")));
        assertThat(Objects.requireNonNull(reports.before(to(null))).key().name())
                .isEqualTo("blue-workers");
        assertThat(reports.before(to("revision=8"))).isNotNull();
        assertThat(reports.before(to("revision=7"))).isNull();
        assertThat(reports.before(new Amendment(key(), "u-1", 0, new TreeMap<>(), null)))
                .isNull();
        owner("");
        assertThat(reports.before(to("revision=8"))).isNull();
    }

    @Test
    void aMachineThatJoinsIsToldWhatItWillBeUpgradedTo() {
        owner(", 'annotations': {'flotilla.dev/standing-release': 'revision=7'}");
        String joining = KubeObject.toJsonText(Samples.machine("", "").json());
        view.see(projection.machine(Samples.kube(joining.replace("nodeRef", "noRef"))));
        assertThat(reports.of(key()))
                .isInstanceOfSatisfying(
                        Change.Notice.class,
                        notice -> assertThat(notice.happened())
                                .satisfies(happened ->
                                        assertThat(happened.reason()).isEqualTo("InPlaceUpgradeJoins"))
                                .satisfies(
                                        happened -> assertThat(happened.text()).contains("upgraded to revision=7")));
        // With the same it has nothing to be told of, and with a node it is upgraded.
        String same = joining.replace("\"uid\"", "\"annotations\":{\"" + RELEASE + "\":\"revision=7\"},\"uid\"");
        view.see(projection.machine(Samples.kube(same.replace("nodeRef", "noRef"))));
        assertThat(reports.of(key())).isNull();
        view.see(projection.machine(Samples.machine("", "")));
        assertThat(reports.of(key())).isNull();
    }

    @Test
    void anOwnerThatWasAnnotatedBeforeThePolicyIsTakenOver() {
        owner(", 'annotations': {'v1beta2.k8sd.io/in-place-upgrade-to': 'revision=7'}");
        OwnerKey key = new OwnerKey(new SiteId("east"), OwnerKind.MACHINE_DEPLOYMENT, "fleet", "blue-workers");
        Amendment amendment = (Amendment) Objects.requireNonNull(reports.of(key));
        assertThat(amendment.annotations())
                .containsEntry("v1beta2.k8sd.io/in-place-upgrade-to", null)
                .containsEntry("flotilla.dev/upgrade-to", "revision=7");
        assertThat(amendment.seen()).isEqualTo(8);
    }

    @Test
    void aChangeIdThatNobodyRemovesIsToldWithTheWayOut() {
        view.see(projection.machine(
                Samples.machine(", 'annotations': {'v1beta2.k8sd.io/in-place-upgrade-change-id': '42'}", "")));
        assertThat(text(reports))
                .contains("kubectl -n fleet annotate machine blue-w-0 v1beta2.k8sd.io/in-place-upgrade-change-id-");
        // With the provider's key there, its controller is at the machine.
        view.see(projection.machine(Samples.machine(
                ", 'annotations': {'v1beta2.k8sd.io/in-place-upgrade-change-id': '42',"
                        + " 'v1beta2.k8sd.io/in-place-upgrade-to': 'revision=7'}",
                "")));
        assertThat(reports.of(key())).isNull();
    }

    @Test
    void anObjectWhoseRowNobodyCanReadIsTold() {
        view.see(projection.machine(Samples.machine("", "")));
        Reports broken = new Reports(
                view,
                new StatusBoard(),
                SiteMode.INTERCEPT,
                key -> null,
                key -> "providerId: \"x\" is too long",
                kind -> false);
        assertThat(text(broken)).contains("starts nothing on it: providerId: \"x\" is too long");
    }

    @Test
    void anUnknownOutcomeIsToldAndShownInTheCondition() {
        view.see(projection.machine(Samples.machine("", "")));
        StatusBoard status = new StatusBoard();
        Instant since = Instant.ofEpochSecond(100);
        status.read(new ConsumedRecord(
                TablePartition.of(Table.STATUS, key().site()),
                0,
                0,
                WireRecordCodec.encode(new MachineStatus(
                        key(),
                        "u-1",
                        new UpgradeAttempt(
                                17,
                                new RolloutRef.IntentRef(key(), since),
                                new UpgradeTarget.Revision("7"),
                                new AttemptState.Unknown(since, "the call had no answer"),
                                since,
                                false,
                                null),
                        null,
                        List.of()))));
        Change.Conditioned condition = (Change.Conditioned) Objects.requireNonNull(
                new Reports(view, status, SiteMode.DIRECT, key -> null, key -> null, kind -> true).of(key()));
        assertThat(Objects.requireNonNull(condition.condition()).status()).isEqualTo("Unknown");
        assertThat(condition.condition().message())
                .isEqualTo(text(new Reports(view, status, SiteMode.DIRECT, key -> null, key -> null, kind -> false)))
                .isEqualTo(
                        "The outcome of the in place upgrade with revision=7 is unknown since 1970-01-01T00:01:40Z: the"
                                + " call had no answer. The machine is watched and is not called again meanwhile");
    }

    @Test
    void aWishThatWaitsForAPersonSaysForWhat() {
        String wish = ", 'annotations': {'flotilla.dev/upgrade-to': 'revision=7'%s}";
        UpgradeIntent intent = new UpgradeIntent(key(), "u-1", new UpgradeTarget.Revision("7"), Instant.EPOCH);
        StatusBoard status = new StatusBoard();
        Reports waits = new Reports(view, status, SiteMode.INTERCEPT, key -> intent, key -> null, kind -> false);
        view.see(projection.machine(Samples.machine(wish.formatted(""), "")));
        assertThat(waits.of(key())).isNull();

        view.see(projection.machine(Samples.machine(wish.formatted(", 'flotilla.dev/hold': ''"), "")));
        assertThat(text(waits))
                .isEqualTo("Waiting to perform in place upgrade with revision=7: machine: Machine blue-w-0 bears"
                        + " flotilla.dev/hold");

        read(
                status,
                SiteStatus.of(key().site()).with(List.of(), "freeze: The fleet is frozen by the order of ann: smoke"));
        assertThat(text(waits))
                .isEqualTo(
                        "Waiting to perform in place upgrade with revision=7: freeze: The fleet is frozen by the order"
                                + " of ann: smoke");

        RolloutRef asked = new RolloutRef.IntentRef(key(), Instant.EPOCH);
        read(status, new MachineStatus(key(), "u-1", null, null, List.of(new RolloutEntry(asked, "", 1, null, MachineOutcome.OPEN))));
        assertThat(waits.of(key())).as("it has failed, which is more").isNull();
    }

    private static void read(StatusBoard status, RowChange rowChange) {
        status.read(new ConsumedRecord(TablePartition.of(Table.STATUS, key().site()), 0, 0, WireRecordCodec.encode(rowChange)));
    }

    private static String text(Reports reports) {
        return ((Change.Notice) Objects.requireNonNull(reports.of(key())))
                .happened()
                .text();
    }

    private void owner(String metadata) {
        OwnerView owner = projection.owner(OwnerKind.MACHINE_DEPLOYMENT, Samples.deployment(metadata, 3, ""));
        view.see(owner);
    }

    private static Amendment to(@Nullable String release) {
        TreeMap<String, @Nullable String> annotations = new TreeMap<>();
        annotations.put(RELEASE, release);
        return new Amendment(key(), "u-1", 0, annotations, null);
    }

    private static MachineKey key() {
        return new MachineKey(new SiteId("east"), "fleet", "blue-w-0");
    }
}
