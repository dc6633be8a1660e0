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

/** Single writes on a real API server, under exactly the role of {@code deploy/}. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class ObjectWriterIT {
    private static final String TO = ManagementTestBed.KEYS + "to";

    private static ManagementTestBed bed;
    private static KubeApiClient api;
    private static ObjectWriter objectWriter;

    @BeforeAll
    static void start() throws Exception {
        bed = ManagementTestBed.start();
        bed.machine("w", "blue");
        api = ManagementTestBed.as(bed.cluster.kubeconfig(ManagementTestBed.WATCHER));
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
    void aWishIsTakenAwayOnlyFromTheObjectThatWasLookedAt() throws Exception {
        bed.wish("w", "revision=7");
        KubeObject seen = bed.read("machines", "w");
        bed.wish("w", "revision=8");
        assertThat(objectWriter.writeObject(taken(seen, seen.uid())).isConflict())
                .isTrue();
        assertThat(bed.documented("w", "to")).isEqualTo("revision=8");
        assertThat(objectWriter
                        .writeObject(taken(bed.read("machines", "w"), "another"))
                        .isConflict())
                .isTrue();
        assertThat(objectWriter.writeObject(taken(bed.read("machines", "w"), seen.uid())))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(bed.documented("w", "to")).isNull();
    }

    @Test
    void aConditionComesAndGoesAloneAndNobodyElsesDo() throws Exception {
        assertThat(objectWriter.canWriteCondition(WatchedKind.MACHINES)).isTrue();
        assertThat(objectWriter.canWriteCondition(WatchedKind.CONTROL_PLANES)).isFalse();
        String others = conditions();
        UpgradeCondition upgradeCondition =
                new UpgradeCondition("False", "InPlaceUpgradeInProgress", "it is at it", "");
        assertThat(objectWriter.writeObject(conditioned(upgradeCondition)))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(bed.read("machines", "w").isCondition(UpgradeCondition.TYPE, "False"))
                .isTrue();
        assertThat(conditions())
                .startsWith(others.substring(0, others.length() - 1))
                .contains("it is at it");
        assertThat(objectWriter.writeObject(conditioned(null))).isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(conditions()).isEqualTo(others);
    }

    @Test
    void whatJoinersAreMadeWithIsKeptForEachOwnerAlone() {
        OwnerKey pool = new OwnerKey(new SiteId("east"), OwnerKind.MACHINE_DEPLOYMENT, "default", "pool");
        OwnerKey blue = new OwnerKey(new SiteId("east"), OwnerKind.CONTROL_PLANE, "default", "blue");
        String path = "/api/v1/namespaces/default/configmaps/flotilla-standing-releases";
        assertThat(objectWriter.writeObject(new ObjectWrite.JoinerReleaseWrite(pool, "revision=7")))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(objectWriter.writeObject(new ObjectWrite.JoinerReleaseWrite(blue, "revision=8")))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(objectWriter.writeObject(new ObjectWrite.JoinerReleaseWrite(pool, null)))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
        KubeObject data =
                ((KubeResponse.SuccessResponse) bed.people.get(path)).object().object("data");
        assertThat(data.text("CK8sControlPlane.blue")).isEqualTo("revision=8");
        assertThat(data.has("MachineDeployment.pool")).isFalse();
    }

    @Test
    void itsRoleAllowsNothingElse() {
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

    private AnnotationWrite taken(KubeObject seen, String uid) {
        TreeMap<String, @Nullable String> annotations = new TreeMap<>();
        annotations.put(TO, null);
        return new AnnotationWrite(
                key(), uid, ObjectViewFactory.parseVersion(seen.resourceVersion()), annotations, null);
    }

    private ObjectWrite conditioned(@Nullable UpgradeCondition upgradeCondition) {
        return new ObjectWrite.ConditionWrite(key(), bed.read("machines", "w").uid(), upgradeCondition);
    }

    private String conditions() {
        return String.valueOf(bed.read("machines", "w").object("status").list("conditions").stream()
                .map(each -> KubeObject.toJsonText(each.json()))
                .toList());
    }

    private static MachineKey key() {
        return new MachineKey(new SiteId("east"), "default", "w");
    }
}
