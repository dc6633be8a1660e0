package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.stub.ManagementBed;
import dev.flotilla.managementwatcher.view.Condition;
import dev.flotilla.managementwatcher.view.Kind;
import dev.flotilla.managementwatcher.view.Projection;
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
class HandIT {
    private static final String TO = ManagementBed.KEYS + "to";

    private static ManagementBed bed;
    private static KubeApiClient api;
    private static Hand hand;

    @BeforeAll
    static void start() throws Exception {
        bed = ManagementBed.start();
        bed.machine("w", "blue");
        api = ManagementBed.as(bed.cluster.kubeconfig(ManagementBed.WATCHER));
        ServedApiVersions versions = new ServedApiVersions(api);
        hand = new Hand(api, versions, new Pace(100, System::nanoTime), InstantSource.system());
        versions.versionOf(Kind.MACHINES.group(), Kind.MACHINES.plural());
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
        assertThat(hand.make(taken(seen, seen.uid())).isConflict()).isTrue();
        assertThat(bed.documented("w", "to")).isEqualTo("revision=8");
        assertThat(hand.make(taken(bed.read("machines", "w"), "another")).isConflict())
                .isTrue();
        assertThat(hand.make(taken(bed.read("machines", "w"), seen.uid()))).isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(bed.documented("w", "to")).isNull();
    }

    @Test
    void aConditionComesAndGoesAloneAndNobodyElsesDo() throws Exception {
        assertThat(hand.hasConditions(Kind.MACHINES)).isTrue();
        assertThat(hand.hasConditions(Kind.CONTROL_PLANES)).isFalse();
        String others = conditions();
        Condition condition = new Condition("False", "InPlaceUpgradeInProgress", "it is at it", "");
        assertThat(hand.make(conditioned(condition))).isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(bed.read("machines", "w").isCondition(Condition.TYPE, "False"))
                .isTrue();
        assertThat(conditions())
                .startsWith(others.substring(0, others.length() - 1))
                .contains("it is at it");
        assertThat(hand.make(conditioned(null))).isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(conditions()).isEqualTo(others);
    }

    @Test
    void whatJoinersAreMadeWithIsKeptForEachOwnerAlone() {
        OwnerKey pool = new OwnerKey(new SiteId("east"), OwnerKind.MACHINE_DEPLOYMENT, "default", "pool");
        OwnerKey blue = new OwnerKey(new SiteId("east"), OwnerKind.CONTROL_PLANE, "default", "blue");
        String path = "/api/v1/namespaces/default/configmaps/flotilla-standing-releases";
        assertThat(hand.make(new Change.Joining(pool, "revision=7"))).isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(hand.make(new Change.Joining(blue, "revision=8"))).isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(hand.make(new Change.Joining(pool, null))).isInstanceOf(KubeResponse.SuccessResponse.class);
        KubeObject data = ((KubeResponse.SuccessResponse) bed.people.get(path)).object().object("data");
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
                        api.get(ManagementBed.path("machines", "w")),
                        api.createObject("/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines", empty()),
                        api.mergePatch(core + "configmaps/blue-cp-inplace-upgrade-lock", empty()),
                        api.mergePatch(ManagementBed.path("ck8scontrolplanes", "blue") + "/status", empty()),
                        api.mergePatch("/api/v1/namespaces/default", empty())))
                .allSatisfy(reply -> assertThat(reply)
                        .isInstanceOfSatisfying(
                                KubeResponse.ErrorResponse.class,
                                errorResponse -> assertThat(errorResponse.status()).isEqualTo(403)));
    }

    private static JsonObjectReader empty() {
        return new JsonObjectReader.Builder().build();
    }

    private Amendment taken(KubeObject seen, String uid) {
        TreeMap<String, @Nullable String> annotations = new TreeMap<>();
        annotations.put(TO, null);
        return new Amendment(key(), uid, Projection.version(seen.resourceVersion()), annotations, null);
    }

    private Change conditioned(@Nullable Condition condition) {
        return new Change.Conditioned(key(), bed.read("machines", "w").uid(), condition);
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
