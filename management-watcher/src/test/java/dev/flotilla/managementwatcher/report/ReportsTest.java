package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.Kube;
import dev.flotilla.managementwatcher.stub.Samples;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.Projection;
import dev.flotilla.managementwatcher.view.SiteView;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteMode;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReportsTest {
    private static final String RELEASE = "v1beta2.k8sd.io/in-place-upgrade-release";

    private final Projection projection = new Projection(new SiteId("east"));
    private final SiteView view = new SiteView();
    private final Reports reports =
            new Reports(view, new StatusBoard(), SiteMode.INTERCEPT, key -> null, kind -> false);

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
        String joining = Kube.written(Samples.machine("", "").json());
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
