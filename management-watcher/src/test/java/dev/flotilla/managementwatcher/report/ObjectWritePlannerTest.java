package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectWritePlannerTest {
    private static final String RELEASE = "v1beta2.k8sd.io/in-place-upgrade-release";

    private final ObjectViewFactory objectViewFactory = new ObjectViewFactory(new SiteId("east"));
    private final SiteObjectCache cache = new SiteObjectCache();
    private final ObjectWritePlanner objectWritePlanner = new ObjectWritePlanner(
            cache,
            new ReceivedStatusTable(),
            SiteMode.INTERCEPT,
            rows(null, null),
            watchedKind -> false,
            machine -> null);

    @BeforeEach
    void setMode() {
        cache.setAnnotationRules(SiteMode.INTERCEPT, null);
    }

    @Test
    void removesTheOwnersReleaseBeforeAMachineChanges() {
        putOwner(", 'annotations': {'" + RELEASE + "': 'revision=7'}");
        cache.put(objectViewFactory.machineView(SampleObjects.machine("", "")));
        assertThat(Objects.requireNonNull(objectWritePlanner.ownerToWriteFirst(releaseWrite(null)))
                        .key()
                        .name())
                .isEqualTo("blue-workers");
        assertThat(objectWritePlanner.ownerToWriteFirst(releaseWrite("revision=8")))
                .isNotNull();
        assertThat(objectWritePlanner.ownerToWriteFirst(releaseWrite("revision=7")))
                .isNull();
        assertThat(objectWritePlanner.ownerToWriteFirst(new AnnotationWrite(key(), "u-1", 0, new TreeMap<>(), null)))
                .isNull();
        putOwner("");
        assertThat(objectWritePlanner.ownerToWriteFirst(releaseWrite("revision=8")))
                .isNull();
    }

    @Test
    void createsAnEventWithTheDefaultReleaseOnAJoiningMachine() {
        putOwner(", 'annotations': {'flotilla.dev/default-release': 'revision=7'}");
        String joining = KubeObject.toJsonText(SampleObjects.machine("", "").json());
        cache.put(objectViewFactory.machineView(SampleObjects.kube(joining.replace("nodeRef", "noRef"))));
        assertThat(objectWritePlanner.nextWrite(key()))
                .isInstanceOfSatisfying(
                        ObjectWrite.EventWrite.class,
                        eventWrite -> assertThat(eventWrite.event())
                                .satisfies(upgradeEvent ->
                                        assertThat(upgradeEvent.reason()).isEqualTo("InPlaceUpgradeDefaultRelease"))
                                .satisfies(upgradeEvent ->
                                        assertThat(upgradeEvent.message()).contains("upgraded to revision=7")));
        // A machine with that release needs no Event, and one with a node is upgraded.
        String same = joining.replace("\"uid\"", "\"annotations\":{\"" + RELEASE + "\":\"revision=7\"},\"uid\"");
        cache.put(objectViewFactory.machineView(SampleObjects.kube(same.replace("nodeRef", "noRef"))));
        assertThat(objectWritePlanner.nextWrite(key())).isNull();
        cache.put(objectViewFactory.machineView(SampleObjects.machine("", "")));
        assertThat(objectWritePlanner.nextWrite(key())).isNull();
    }

    @Test
    void movesTheAnnotationOfAnOwnerThatIsOlderThanThePolicy() {
        putOwner(", 'annotations': {'v1beta2.k8sd.io/in-place-upgrade-to': 'revision=7'}");
        OwnerKey key = new OwnerKey(new SiteId("east"), OwnerKind.MACHINE_DEPLOYMENT, "fleet", "blue-workers");
        AnnotationWrite annotationWrite = (AnnotationWrite) Objects.requireNonNull(objectWritePlanner.nextWrite(key));
        assertThat(annotationWrite.annotations())
                .containsEntry("v1beta2.k8sd.io/in-place-upgrade-to", null)
                .containsEntry("flotilla.dev/upgrade-to", "revision=7");
        assertThat(annotationWrite.readVersion()).isEqualTo(8);
    }

    @Test
    void createsAnEventWithTheCommandThatRemovesAForeignChangeId() {
        cache.put(objectViewFactory.machineView(
                SampleObjects.machine(", 'annotations': {'v1beta2.k8sd.io/in-place-upgrade-change-id': '42'}", "")));
        assertThat(nextEventMessage(objectWritePlanner))
                .contains("kubectl -n fleet annotate machine blue-w-0 v1beta2.k8sd.io/in-place-upgrade-change-id-");
        // With the provider's annotation, the provider's controller is upgrading the machine.
        cache.put(objectViewFactory.machineView(SampleObjects.machine(
                ", 'annotations': {'v1beta2.k8sd.io/in-place-upgrade-change-id': '42',"
                        + " 'v1beta2.k8sd.io/in-place-upgrade-to': 'revision=7'}",
                "")));
        assertThat(objectWritePlanner.nextWrite(key())).isNull();
    }

    @Test
    void createsAnEventForAnObjectWithARejectedRow() {
        cache.put(objectViewFactory.machineView(SampleObjects.machine("", "")));
        ObjectWritePlanner planner = new ObjectWritePlanner(
                cache,
                new ReceivedStatusTable(),
                SiteMode.INTERCEPT,
                rows(null, "providerId: \"x\" is too long"),
                watchedKind -> false,
                machine -> null);
        assertThat(nextEventMessage(planner)).contains("starts nothing on it: providerId: \"x\" is too long");
    }

    /** The orchestrator refuses these; the object says why. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "CK8sConfig | version=v1.36.3 | the provider of Machine blue-w-0 is k8sd, which applies channel=, revision= and"
                        + " localPath=; annotate it with such a target, or correct its provider in the policy (providers)",
                "KubeadmConfig | revision=7 | the provider of Machine blue-w-0 is node-upgrade, which applies version= and"
                        + " spec=; annotate it with such a target, or correct its provider in the policy (providers)",
                "CK8sConfig | revision=7 | the site's or the fleet's policy allows only these targets in intents.targets:"
                        + " channel=*, version=*"
            })
    void rejectedTargetIsShownWithTheReason(String bootstrap, String target, String reason) {
        String annotation = "'annotations': {'flotilla.dev/upgrade-to': '" + target + "'}";
        cache.put(objectViewFactory.machineView(SampleObjects.kube("""
                {'metadata': {'namespace': 'fleet', 'name': 'blue-w-0', 'uid': 'u-1', 'resourceVersion': '7',
                   'labels': {'cluster.x-k8s.io/deployment-name': 'blue-workers'}, %s},
                 'spec': {'clusterName': 'blue', 'bootstrap': {'configRef': {'kind': '%s'}}},
                 'status': {'nodeRef': {'name': 'blue-w-0'}}}""".formatted(annotation, bootstrap))));
        putOwner(", " + annotation);
        ReceivedStatusTable status = new ReceivedStatusTable();
        ObjectWritePlanner planner = new ObjectWritePlanner(
                cache, status, SiteMode.INTERCEPT, rows(null, null), watchedKind -> false, machine -> null);
        assertThat(planner.nextWrite(key())).isNull();
        SiteAnnotationRules rules = new SiteAnnotationRules(List.of(), List.of("channel=*", "version=*"), List.of());
        if (bootstrap.equals("KubeadmConfig")) {
            rules = SiteAnnotationRules.NONE;
        }
        receive(status, SiteStatus.of(key().site()).withRules(rules));
        cache.setAnnotationRules(SiteMode.INTERCEPT, rules);
        OwnerKey owner = new OwnerKey(key().site(), OwnerKind.MACHINE_DEPLOYMENT, "fleet", "blue-workers");
        for (ObjectKey object : List.of(key(), owner)) {
            AnnotationWrite write = (AnnotationWrite) Objects.requireNonNull(planner.nextWrite(object));
            assertThat(write.annotations())
                    .containsExactly(Map.entry("v1beta2.k8sd.io/in-place-upgrade-status", "failed"));
            assertThat(Objects.requireNonNull(write.event()).message())
                    .isEqualTo("Failed to perform in place upgrade with " + target
                            + ": the annotation cannot be used here: " + reason);
        }
    }

    @Test
    void ownerOfMachinesOfSeveralProvidersIsNotRejected() {
        putOwner(", 'annotations': {'flotilla.dev/upgrade-to': 'version=v1.36.3'}");
        for (String bootstrap : List.of("CK8sConfig", "KubeadmConfig")) {
            cache.put(objectViewFactory.machineView(
                    SampleObjects.kube("""
                    {'metadata': {'namespace': 'fleet', 'name': '%2$s', 'uid': 'u-%2$s', 'resourceVersion': '7',
                       'labels': {'cluster.x-k8s.io/deployment-name': 'blue-workers'}},
                     'spec': {'clusterName': 'blue', 'bootstrap': {'configRef': {'kind': '%1$s'}}}}""".formatted(bootstrap, bootstrap.toLowerCase(Locale.ROOT)))));
        }
        ReceivedStatusTable status = new ReceivedStatusTable();
        receive(status, SiteStatus.of(key().site()));
        ObjectWritePlanner planner = new ObjectWritePlanner(
                cache, status, SiteMode.INTERCEPT, rows(null, null), watchedKind -> false, machine -> null);
        OwnerKey owner = new OwnerKey(key().site(), OwnerKind.MACHINE_DEPLOYMENT, "fleet", "blue-workers");
        assertThat(planner.nextWrite(owner)).isNotInstanceOf(AnnotationWrite.class);
    }

    @Test
    void showsAnUnknownOutcomeInEventAndCondition() {
        cache.put(objectViewFactory.machineView(SampleObjects.machine("", "")));
        ReceivedStatusTable status = new ReceivedStatusTable();
        Instant since = Instant.ofEpochSecond(100);
        status.applyRecord(new ConsumedRecord(
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
        ObjectWrite.ConditionWrite condition =
                (ObjectWrite.ConditionWrite) Objects.requireNonNull(new ObjectWritePlanner(
                                cache, status, SiteMode.DIRECT, rows(null, null), watchedKind -> true, machine -> null)
                        .nextWrite(key()));
        assertThat(Objects.requireNonNull(condition.condition()).status()).isEqualTo("Unknown");
        assertThat(condition.condition().message())
                .isEqualTo(nextEventMessage(new ObjectWritePlanner(
                        cache, status, SiteMode.DIRECT, rows(null, null), watchedKind -> false, machine -> null)))
                .isEqualTo(
                        "The outcome of the in place upgrade with revision=7 is unknown since 1970-01-01T00:01:40Z: the"
                                + " call had no answer. Flotilla watches the machine and does not call it again until"
                                + " the outcome is known");
    }

    @Test
    void createsAnEventForAnIntentThatWaitsForAPerson() {
        String annotation = ", 'annotations': {'flotilla.dev/upgrade-to': 'revision=7'%s}";
        UpgradeIntent intent = new UpgradeIntent(key(), "u-1", new UpgradeTarget.Revision("7"), Instant.EPOCH);
        ReceivedStatusTable status = new ReceivedStatusTable();
        ObjectWritePlanner planner = new ObjectWritePlanner(
                cache, status, SiteMode.INTERCEPT, rows(intent, null), watchedKind -> false, machine -> null);
        cache.put(objectViewFactory.machineView(SampleObjects.machine(annotation.formatted(""), "")));
        assertThat(planner.nextWrite(key())).isNull();

        cache.put(objectViewFactory.machineView(
                SampleObjects.machine(annotation.formatted(", 'flotilla.dev/hold': ''"), "")));
        assertThat(nextEventMessage(planner))
                .isEqualTo(
                        "Waiting to perform in place upgrade with revision=7: machine-not-eligible: Machine blue-w-0 is on hold"
                                + " (annotation flotilla.dev/hold)");

        receive(
                status,
                SiteStatus.of(key().site())
                        .with(SiteAnnotationRules.NONE, "freeze: The fleet is frozen by the order of ann: smoke"));
        assertThat(nextEventMessage(planner))
                .isEqualTo(
                        "Waiting to perform in place upgrade with revision=7: freeze: The fleet is frozen by the order"
                                + " of ann: smoke");

        RolloutRef intentRef = new RolloutRef.IntentRef(key(), Instant.EPOCH);
        receive(
                status,
                new MachineStatus(
                        key(),
                        "u-1",
                        null,
                        null,
                        List.of(new RolloutEntry(intentRef, "", 1, null, MachineOutcome.OPEN))));
        assertThat(planner.nextWrite(key())).as("the failure is shown instead").isNull();
    }

    private static PublishedObjectRows rows(@Nullable UpgradeIntent intent, @Nullable String unreadableReason) {
        return new PublishedObjectRows() {
            @Override
            public @Nullable UpgradeIntent intent(ObjectKey key) {
                return intent;
            }

            @Override
            public Set<ObjectKey> intentKeys() {
                return intent == null ? Set.of() : Set.of(intent.object());
            }

            @Override
            public @Nullable String unreadableReason(ObjectKey key) {
                return unreadableReason;
            }
        };
    }

    private static void receive(ReceivedStatusTable status, RowChange rowChange) {
        status.applyRecord(new ConsumedRecord(
                TablePartition.of(Table.STATUS, key().site()), 0, 0, WireRecordCodec.encode(rowChange)));
    }

    private static String nextEventMessage(ObjectWritePlanner objectWritePlanner) {
        return ((ObjectWrite.EventWrite) Objects.requireNonNull(objectWritePlanner.nextWrite(key())))
                .event()
                .message();
    }

    private void putOwner(String metadata) {
        OwnerView owner =
                objectViewFactory.ownerView(OwnerKind.MACHINE_DEPLOYMENT, SampleObjects.deployment(metadata, 3, ""));
        cache.put(owner);
    }

    private static AnnotationWrite releaseWrite(@Nullable String release) {
        TreeMap<String, @Nullable String> annotations = new TreeMap<>();
        annotations.put(RELEASE, release);
        return new AnnotationWrite(key(), "u-1", 0, annotations, null);
    }

    private static MachineKey key() {
        return new MachineKey(new SiteId("east"), "fleet", "blue-w-0");
    }
}
