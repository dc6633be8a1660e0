package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteMode;
import org.junit.jupiter.api.Test;

class JoinerReleaseConfigMapsTest {
    private static final SiteId SITE = new SiteId("east");
    private static final OwnerKey KEY = new OwnerKey(SITE, OwnerKind.MACHINE_DEPLOYMENT, "fleet", "blue-workers");
    private static final OwnerKey DELETED = new OwnerKey(SITE, OwnerKind.CONTROL_PLANE, "fleet", "blue.old");
    private static final ObjectWrite.JoinerReleaseWrite WRITE = new ObjectWrite.JoinerReleaseWrite(KEY, "revision=7");
    private static final KubeObject CONFIG_MAP = SampleObjects.kube(
            "{'data': {'MachineDeployment.blue-workers': 'revision=7', 'CK8sControlPlane.blue.old': 'revision=6', 'x': 'y'}}");

    private final JoinerReleaseConfigMaps configMaps = new JoinerReleaseConfigMaps(SiteMode.INTERCEPT);

    @Test
    void writesAReleaseOnce() {
        assertThat(configMaps.planWrite(KEY, owner("revision=7"))).isEqualTo(WRITE);
        assertThat(configMaps.recordWrite(WRITE, CONFIG_MAP)).doesNotContain(KEY);
        assertThat(configMaps.planWrite(KEY, owner("revision=7"))).isNull();
        assertThat(configMaps.planWrite(KEY, null)).isEqualTo(new ObjectWrite.JoinerReleaseWrite(KEY, null));
    }

    @Test
    void removesTheEntryOfAnOwnerThatWasDeletedWhileNoSessionRan() {
        assertThat(configMaps.planWrite(DELETED, null)).isNull();
        assertThat(configMaps.recordWrite(WRITE, CONFIG_MAP)).containsExactly(DELETED);
        ObjectWrite.JoinerReleaseWrite removal = new ObjectWrite.JoinerReleaseWrite(DELETED, null);
        assertThat(configMaps.planWrite(DELETED, null)).isEqualTo(removal);
        assertThat(configMaps.recordWrite(removal, SampleObjects.kube("{}"))).isEmpty();
        assertThat(configMaps.planWrite(DELETED, null)).isNull();
    }

    /** The response shows what an earlier session wrote into the namespace. */
    @Test
    void writesTheFirstOwnerOfANamespaceAlsoWithoutARelease() {
        ObjectWrite.JoinerReleaseWrite first = new ObjectWrite.JoinerReleaseWrite(KEY, null);
        assertThat(configMaps.planWrite(KEY, owner(""))).isEqualTo(first);
        assertThat(configMaps.recordWrite(first, SampleObjects.kube("{}"))).isEmpty();
        assertThat(configMaps.planWrite(KEY, owner(""))).isNull();
    }

    /** With the role of an earlier version it is forbidden. */
    @Test
    void doesNotRetryAForbiddenWrite() {
        assertThat(configMaps.recordWrite(WRITE, null)).isEmpty();
        assertThat(configMaps.planWrite(KEY, owner("revision=7"))).isNull();
    }

    private static OwnerView owner(String defaultRelease) {
        String annotations = defaultRelease.isEmpty()
                ? ""
                : ", 'annotations': {'flotilla.dev/default-release': '" + defaultRelease + "'}";
        return new ObjectViewFactory(SITE)
                .ownerView(OwnerKind.MACHINE_DEPLOYMENT, SampleObjects.deployment(annotations, 3, ""));
    }
}
