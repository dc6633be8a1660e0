package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.UpgradeCondition;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Single writes to a real API server, with exactly the role of {@code deploy/}. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class ObjectWriterIT {
    private static final String TO = ManagementTestBed.KEYS + "to";

    private static ManagementTestBed bed;
    private static KubeApiClient api;
    private static ObjectWriter objectWriter;

    @BeforeAll
    static void start() throws Exception {
        bed = ManagementTestBed.start();
        bed.applyMachine("w", "blue");
        api = ManagementTestBed.openClient(bed.cluster.kubeconfig(ManagementTestBed.WATCHER));
        ServedApiVersions versions = new ServedApiVersions(api);
        objectWriter =
                new ObjectWriter(api, versions, new WriteRateLimiter(100, System::nanoTime), InstantSource.system());
        versions.versionOf(WatchedKind.MACHINES.group(), WatchedKind.MACHINES.plural());
    }

    @AfterAll
    static void stop() {
        api.close();
        bed.close();
    }

    @Test
    void removesAnAnnotationOnlyFromTheVersionThatWasRead() throws Exception {
        bed.setUpgradeTo("w", "revision=7");
        KubeObject readObject = bed.readObject("machines", "w");
        bed.setUpgradeTo("w", "revision=8");
        assertThat(objectWriter
                        .writeObject(removal(readObject, readObject.uid()))
                        .isConflict())
                .isTrue();
        assertThat(bed.readUpgradeAnnotation("w", "to")).isEqualTo("revision=8");
        assertThat(objectWriter
                        .writeObject(removal(bed.readObject("machines", "w"), "another"))
                        .isConflict())
                .isTrue();
        assertThat(objectWriter.writeObject(removal(bed.readObject("machines", "w"), readObject.uid())))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(bed.readUpgradeAnnotation("w", "to")).isNull();
    }

    @Test
    void writesAndRemovesItsConditionWithoutChangingOthers() throws Exception {
        assertThat(objectWriter.canWriteCondition(WatchedKind.MACHINES)).isTrue();
        assertThat(objectWriter.canWriteCondition(WatchedKind.CONTROL_PLANES)).isFalse();
        String others = readConditions();
        UpgradeCondition upgradeCondition =
                new UpgradeCondition("False", "InPlaceUpgradeInProgress", "in progress", "");
        assertThat(objectWriter.writeObject(conditionWrite(upgradeCondition)))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(bed.readObject("machines", "w").isCondition(UpgradeCondition.TYPE, "False"))
                .isTrue();
        assertThat(readConditions())
                .startsWith(others.substring(0, others.length() - 1))
                .contains("in progress");
        assertThat(objectWriter.writeObject(conditionWrite(null))).isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(readConditions()).isEqualTo(others);
    }

    @Test
    void writesTheDefaultReleaseOfEachOwnerSeparately() {
        OwnerKey pool = new OwnerKey(new SiteId("east"), OwnerKind.MACHINE_DEPLOYMENT, "default", "pool");
        OwnerKey blue = new OwnerKey(new SiteId("east"), OwnerKind.CONTROL_PLANE, "default", "blue");
        String path = "/api/v1/namespaces/default/configmaps/flotilla-default-releases";
        assertThat(objectWriter.writeObject(new ObjectWrite.JoinerReleaseWrite(pool, "revision=7")))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(objectWriter.writeObject(new ObjectWrite.JoinerReleaseWrite(blue, "revision=8")))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(objectWriter.writeObject(new ObjectWrite.JoinerReleaseWrite(pool, null)))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
        KubeObject data = ((KubeResponse.SuccessResponse) bed.adminClient.get(path))
                .object()
                .object("data");
        assertThat(data.text("CK8sControlPlane.blue")).isEqualTo("revision=8");
        assertThat(data.has("MachineDeployment.pool")).isFalse();
    }

    @Test
    void roleForbidsAllOtherRequests() {
        String core = "/api/v1/namespaces/default/";
        assertThat(List.of(
                        api.get(core + "secrets"),
                        api.get(core + "secrets/blue-token"),
                        api.get(core + "configmaps"),
                        api.get(core + "pods"),
                        api.get("/api/v1/nodes"),
                        api.get(ManagementTestBed.path("machines", "w")),
                        api.createObject("/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines", empty()),
                        api.mergePatch(core + "configmaps/blue-cp-inplace-upgrade-lock", empty()),
                        api.mergePatch(ManagementTestBed.path("ck8scontrolplanes", "blue") + "/status", empty()),
                        api.mergePatch("/api/v1/namespaces/default", empty())))
                .allSatisfy(reply -> assertThat(reply)
                        .isInstanceOfSatisfying(
                                KubeResponse.ErrorResponse.class,
                                errorResponse ->
                                        assertThat(errorResponse.status()).isEqualTo(403)));
    }

    private static JsonObjectReader empty() {
        return new JsonObjectReader.Builder().build();
    }

    private AnnotationWrite removal(KubeObject readObject, String uid) {
        TreeMap<String, @Nullable String> annotations = new TreeMap<>();
        annotations.put(TO, null);
        return new AnnotationWrite(
                key(), uid, ObjectViewFactory.parseVersion(readObject.resourceVersion()), annotations, null);
    }

    private ObjectWrite conditionWrite(@Nullable UpgradeCondition upgradeCondition) {
        return new ObjectWrite.ConditionWrite(
                key(), bed.readObject("machines", "w").uid(), upgradeCondition);
    }

    private String readConditions() {
        return String.valueOf(bed.readObject("machines", "w").object("status").list("conditions").stream()
                .map(each -> KubeObject.toJsonText(each.json()))
                .toList());
    }

    private static MachineKey key() {
        return new MachineKey(new SiteId("east"), "default", "w");
    }
}
