package dev.flotilla.managementwatcher.rows;

import static dev.flotilla.managementwatcher.stub.SampleObjects.deployment;
import static dev.flotilla.managementwatcher.stub.SampleObjects.machine;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeProvider;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InventoryRowBuilderTest {
    private static final SiteId SITE = new SiteId("east");
    private static final String READY = ", 'conditions': [{'type': 'NodeReady', 'status': 'True'}]";

    @Test
    void buildsTheRowOfAMachineWithoutForeignActivity() {
        assertThat(buildRow(machine("", READY), null, SiteMode.DIRECT))
                .isEqualTo(new MachineRow(
                        new MachineKey(SITE, "fleet", "blue-w-0"),
                        "u-1",
                        "blue",
                        new MachineRow.MachineOwner(OwnerKind.MACHINE_DEPLOYMENT, "blue-workers"),
                        MachineRole.WORKER,
                        new Labels(
                                new TreeMap<>(Map.of("cluster.x-k8s.io/deployment-name", "blue-workers", "zone", "a"))),
                        "blue-w-0",
                        "sim:///blue-w-0",
                        "s-1",
                        true,
                        false,
                        false,
                        false,
                        false,
                        null,
                        "v1.32.1",
                        null,
                        "arm64",
                        List.of()));
    }

    @Test
    void rowNamesTheFieldsThatAMachineKeeps() {
        assertThat(unappliedFields("VSphereMachine spec.template")).isEqualTo("VSphereMachine spec.template");
        assertThat(unappliedFields("x".repeat(10_000))).hasSize(MachineRow.MAX_UNAPPLIED_FIELDS);
        assertThat(buildRow(machine("", READY), null, SiteMode.DIRECT).unappliedFields())
                .isNull();
    }

    private static @Nullable String unappliedFields(String annotation) {
        KubeObject machine = SampleObjects.kube("""
                {'metadata': {'namespace': 'fleet', 'name': 'm', 'uid': 'u', 'annotations': {'flotilla.dev/dirty': '%s'}}, 'status': {}}""".formatted(annotation));
        return buildRow(machine, null, SiteMode.DIRECT).unappliedFields();
    }

    private static UpgradeProvider provider(String labels, String rest, SiteMode mode) {
        return buildRow(
                        SampleObjects.kube("{'metadata': {'namespace': 'fleet', 'name': 'm', 'uid': 'u', 'labels': {"
                                + labels + "}" + rest + "}, 'status': {}}"),
                        null,
                        mode)
                .provider();
    }

    private static String madeBy(String kind) {
        return "}, 'spec': {'clusterName': 'blue', 'bootstrap': {'configRef': {'kind': '" + kind + "', 'name': 'm'}}";
    }

    @ParameterizedTest
    @CsvSource({
        "CK8sConfig, K8SD",
        "KubeadmConfig, NODE_UPGRADE",
        "K3sConfig, NODE_UPGRADE",
        "KThreesConfig, NODE_UPGRADE",
        "RKE2Config, NODE_UPGRADE",
        "TalosConfig, NONE"
    })
    void bootstrapKindTellsTheProvider(String kind, UpgradeProvider expected) {
        for (SiteMode mode : SiteMode.values()) {
            assertThat(provider("", madeBy(kind), mode)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({"k8sd, K8SD", "node-upgrade, NODE_UPGRADE", "none, NONE", "kubeadm, NONE", "'', NONE", "K8SD, NONE"})
    void labelTellsItBeforeTheBootstrapKind(String label, UpgradeProvider expected) {
        String labels = "'flotilla.dev/provider': '" + label + "'";
        assertThat(provider(labels, madeBy("CK8sConfig"), SiteMode.INTERCEPT)).isEqualTo(expected);
        assertThat(provider(labels, madeBy("KubeadmConfig"), SiteMode.DIRECT)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"INTERCEPT, K8SD", "CLUSTER_ONLY, K8SD", "DIRECT, NONE"})
    void machineThatDoesNotSayHasWhatItsSiteHas(SiteMode mode, UpgradeProvider expected) {
        assertThat(provider("", "", mode)).isEqualTo(expected);
        assertThat(provider(
                        "",
                        ", 'ownerReferences': [{'kind': 'CK8sControlPlane', 'name': 'c', 'controller': true}]",
                        mode))
                .as("a member of a control plane of Canonical Kubernetes")
                .isEqualTo(UpgradeProvider.K8SD);
    }

    @ParameterizedTest
    @CsvSource({
        "CK8sConfig, K8SD",
        "CK8sConfigTemplate, K8SD",
        "KubeadmConfig, NODE_UPGRADE",
        "RKE2ConfigTemplate, NODE_UPGRADE",
        "Template, NONE"
    })
    void machineOfAPoolHasTheProviderOfThePoolsTemplate(String kind, UpgradeProvider expected) {
        OwnerView pool = new ObjectViewFactory(new SiteId("east"))
                .ownerView(OwnerKind.MACHINE_POOL, SampleObjects.kube("""
                        {'metadata': {'namespace': 'fleet', 'name': 'pool', 'uid': 'p'}, 'spec': {'template': {'spec':
                         {'bootstrap': {'configRef': {'kind': '%s'}}}}}}""".formatted(kind)));
        KubeObject machine = SampleObjects.kube("""
                {'metadata': {'namespace': 'fleet', 'name': 'm', 'uid': 'u', 'ownerReferences': [{'kind': 'MachinePool',
                 'name': 'pool', 'controller': true}]}, 'spec': {'bootstrap': {'dataSecretName': ''}}, 'status': {}}""");
        for (SiteMode mode : SiteMode.values()) {
            assertThat(InventoryRowBuilder.buildMachineRow(
                                    new ObjectViewFactory(new SiteId("east")).machineView(machine), pool, null, mode)
                            .provider())
                    .isEqualTo(expected);
        }
    }

    /** Cluster API writes empty strings if a kubelet reports nothing. */
    @Test
    void emptyStringsCountAsMissing() {
        MachineRow row = buildRow(SampleObjects.kube("""
                {'metadata': {'namespace': 'fleet', 'name': 'blue-w-0', 'uid': 'u-1', 'resourceVersion': '7'},
                 'spec': {'clusterName': 'blue', 'providerID': ''},
                 'status': {'nodeRef': {'name': ''}, 'nodeInfo': {'kubeletVersion': '', 'systemUUID': '',
                   'architecture': ''}}}"""), null, SiteMode.DIRECT);
        assertThat(row.providerId()).isNull();
        assertThat(row.systemUuid()).isNull();
        assertThat(row.kubeletVersion()).isNull();
        assertThat(row.node()).isNull();
        assertThat(WireRecordCodec.decode(WireRecordCodec.encode(row))).isEqualTo(new DecodeResult.Accepted<>(row));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                ", 'conditions': [{'type': 'NodeReady', 'status': 'False'}, {'type': 'Ready', 'status': 'True'}] | false",
                ", 'conditions': [{'type': 'NodeHealthy', 'status': 'True'}, {'type': 'Ready', 'status': 'False'}] | true",
                ", 'conditions': [{'type': 'Ready', 'status': 'True'}] | true",
                ", 'conditions': [{'type': 'NodeReady', 'status': 'Unknown'}] | false",
                ", 'conditions': [] | false",
            })
    void machineIsReadyIfItsNodeIs(String conditions, boolean ready) {
        assertThat(buildRow(machine("", conditions), null, SiteMode.DIRECT).ready())
                .isEqualTo(ready);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                "'cluster.x-k8s.io/remediate-machine': '' | DIRECT | REMEDIATION",
                "'cluster.x-k8s.io/delete-machine': '' | DIRECT | SCALING",
                "'v1beta2.k8sd.io/refresh-certificates': '1y' | DIRECT | CERTIFICATES",
                "'in-place-updates.internal.cluster.x-k8s.io/update-in-progress': '' | DIRECT | FOREIGN",
                "'v1beta2.k8sd.io/in-place-upgrade-to': 'revision=7' | DIRECT | -",
                "'v1beta2.k8sd.io/in-place-upgrade-to': 'revision=7' | INTERCEPT | FOREIGN",
                "'v1beta2.k8sd.io/in-place-upgrade-to': 'revision=7' | CLUSTER_ONLY | FOREIGN",
                "'v1beta2.k8sd.io/in-place-upgrade-change-id': '42' | DIRECT | FOREIGN",
                "'v1beta2.k8sd.io/in-place-upgrade-change-id': '42', 'flotilla.dev/attempt': '{}' | DIRECT | -",
                "'v1beta2.k8sd.io/in-place-upgrade-change-id': '42', 'flotilla.dev/own-change': '7/42' | DIRECT | -",
                "'v1beta2.k8sd.io/in-place-upgrade-change-id': '43', 'flotilla.dev/own-change': '7/42' | DIRECT | FOREIGN",
                "'flotilla.dev/upgrade-to': 'revision=7' | INTERCEPT | -",
            })
    void showsTheForeignActivityOfAMachine(
            String annotation, SiteMode mode, @Nullable ForeignActivity foreignActivity) {
        assertThat(buildRow(machine(annotations(annotation), ""), null, mode).foreignActivities())
                .isEqualTo(foreignActivity == null ? List.of() : List.of(foreignActivity));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                "- | 3 | - | DIRECT | []",
                "- | 3 | , 'conditions': [{'type': 'RollingOut', 'status': 'True'}] | DIRECT | [ROLLING]",
                "- | 3 | , 'conditions': [{'type': 'ScalingUp', 'status': 'True'}] | DIRECT | [SCALING]",
                "- | 3 | , 'conditions': [{'type': 'ScalingDown', 'status': 'True'}] | DIRECT | [SCALING]",
                "- | 3 | , 'conditions': [{'type': 'Remediating', 'status': 'True'}] | DIRECT | [REMEDIATION]",
                "- | 5 | - | DIRECT | [ROLLING, SCALING]",
                "- | 2 | - | DIRECT | [SCALING]",
                "'v1beta2.k8sd.io/in-place-upgrade-to': 'revision=7' | 3 | - | INTERCEPT | [FOREIGN]",
                "'v1beta2.k8sd.io/in-place-upgrade-to': 'revision=7' | 3 | - | DIRECT | []",
            })
    void showsTheActivityOfItsOwner(
            @Nullable String annotation, int replicas, @Nullable String conditions, SiteMode mode, String activities) {
        KubeObject owner = deployment(annotation == null ? "" : annotations(annotation), replicas, orEmpty(conditions));
        assertThat(buildRow(machine("", READY), owner, mode).foreignActivities())
                .hasToString(activities);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                "true | 3 | - | []",
                "true | 5 | - | []",
                "true | 3 | , 'conditions': [{'type': 'RollingOut', 'status': 'True'}] | []",
                "true | 2 | , 'conditions': [{'type': 'RollingOut', 'status': 'True'}] | []",
                "true | 2 | - | [SCALING]",
                "true | 3 | , 'conditions': [{'type': 'Remediating', 'status': 'True'}] | [REMEDIATION]",
                "false | 3 | - | [FOREIGN]",
                "false | 3 | , 'conditions': [{'type': 'RollingOut', 'status': 'True'}] | [ROLLING, FOREIGN]",
            })
    void updateInPlaceIsForeignUnlessAnUpgradeTaskDoesIt(
            boolean ofTask, int replicas, @Nullable String conditions, String activities) {
        ObjectViewFactory objectViewFactory = new ObjectViewFactory(SITE);
        MachineView updating = objectViewFactory.machineView(machine(
                annotations("'in-place-updates.internal.cluster.x-k8s.io/update-in-progress': '',"
                        + " 'flotilla.dev/upgrade-task': 't-uid'"),
                READY));
        UpgradeTaskView task = objectViewFactory.upgradeTaskView(
                SampleObjects.kube("{'metadata': {'namespace': 'fleet', 'name': 't', 'uid': 't-uid'}}"));
        OwnerView owner = objectViewFactory.ownerView(
                OwnerKind.MACHINE_DEPLOYMENT, deployment("", replicas, orEmpty(conditions)));
        assertThat(InventoryRowBuilder.buildMachineRow(updating, owner, ofTask ? task : null, SiteMode.DIRECT)
                        .foreignActivities())
                .hasToString(activities);
    }

    @ParameterizedTest
    @CsvSource({"cluster.x-k8s.io/paused, true, false", "flotilla.dev/hold, false, true"})
    void holdOrPauseOfTheOwnerHoldsForItsMachines(String annotation, boolean paused, boolean hold) {
        MachineRow row = buildRow(
                machine("", READY), deployment(annotations("'" + annotation + "': ''"), 3, ""), SiteMode.DIRECT);
        assertThat(row.paused()).isEqualTo(paused);
        assertThat(row.hold()).isEqualTo(hold);
    }

    @Test
    void machineOfAStandAloneMachineSetIsOwnedByIt() {
        KubeObject machine = SampleObjects.kube("""
                {'metadata': {'namespace': 'fleet', 'name': 'm', 'uid': 'u', 'ownerReferences': [
                   {'kind': 'MachineSet', 'name': 'lone', 'controller': true}]}}""");
        assertThat(buildRow(machine, null, SiteMode.DIRECT).owner())
                .isEqualTo(new MachineRow.MachineOwner(OwnerKind.MACHINE_SET, "lone"));
    }

    private static String annotations(String annotations) {
        return ", 'annotations': {" + annotations + "}";
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static MachineRow buildRow(KubeObject machine, @Nullable KubeObject owner, SiteMode mode) {
        ObjectViewFactory objectViewFactory = new ObjectViewFactory(SITE);
        OwnerView view = owner == null ? null : objectViewFactory.ownerView(OwnerKind.MACHINE_DEPLOYMENT, owner);
        return InventoryRowBuilder.buildMachineRow(objectViewFactory.machineView(machine), view, null, mode);
    }
}
