package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.rows.Mode;
import dev.flotilla.managementwatcher.rows.Wish;
import dev.flotilla.managementwatcher.stub.Samples;
import dev.flotilla.managementwatcher.view.Kind;
import dev.flotilla.managementwatcher.view.Projection;
import dev.flotilla.managementwatcher.view.View;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.ObjectStatus;
import dev.flotilla.schemas.row.UpgradeOption;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectReportTest {
    private static final Instant SINCE = Instant.ofEpochSecond(100);
    private static final UpgradeOption TARGET = new UpgradeOption.Revision("7");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                // The kind, what was told, what is there, what is written, and whether only on what was looked at.
                "CLUSTERS | - | to=revision=7 | - | false",
                "CLUSTERS | IN_PROGRESS | to=revision=7 | {status=in-progress} | false",
                "CLUSTERS | IN_PROGRESS | to=revision=7 release=revision=6 status=done | {release=null, status=in-progress} | false",
                "CLUSTERS | IN_PROGRESS | to=revision=7 status=in-progress | - | false",
                "CLUSTERS | DONE | to=revision=7 status=in-progress | {release=revision=7, status=done, to=null} | true",
                "CLUSTERS | FAILED | to=revision=7 status=in-progress | {status=failed} | false",
                "CLUSTERS | - | status=in-progress | {status=null} | false",
                "CLUSTERS | - | status=done | - | false",
                "CLUSTERS | - | to=latest | {status=failed} | false",
                "MACHINE_DEPLOYMENTS | - | status=in-progress | - | false",
                "MACHINE_DEPLOYMENTS | DONE | to=revision=7 status=in-progress | {release=revision=7, status=done, to=null} | true",
            })
    void writes(
            Kind kind,
            ObjectStatus.@Nullable State state,
            String there,
            @Nullable String written,
            boolean onlyThisVersion) {
        View object = object(kind, there);
        Wish wish = Wish.of(object, Mode.DIRECT);
        Intent intent = wish == null || wish.problem() != null
                ? null
                : new Intent(object.key(), "u", UpgradeOption.parse(wish.value()), SINCE);
        ObjectStatus status =
                state == null ? null : new ObjectStatus(object.key(), "u", SINCE, TARGET, state, null, 4, 4, 0, null);
        Amendment amendment = ObjectReport.of(object, status, wish, intent);
        assertThat(amendment == null ? null : shown(amendment)).isEqualTo(written);
        assertThat(amendment != null && amendment.seen() == 9).isEqualTo(onlyThisVersion);
    }

    private static String shown(Amendment amendment) {
        return amendment.annotations().toString().replaceAll("v1beta2.k8sd.io/in-place-upgrade-", "");
    }

    private static View object(Kind kind, String there) {
        StringBuilder annotations = new StringBuilder();
        for (String each : there.split(" ", -1)) {
            String name = each.substring(0, each.indexOf('='));
            annotations
                    .append(annotations.isEmpty() ? "" : ", ")
                    .append("'v1beta2.k8sd.io/in-place-upgrade-%s': '%s'"
                            .formatted(name, each.substring(name.length() + 1)));
        }
        return kind.project(
                new Projection(new SiteId("east")),
                Samples.kube("{'metadata': {'namespace': 'fleet', 'name': 'x', 'uid': 'u', 'resourceVersion': '9',"
                        + " 'annotations': {" + annotations + "}}}"));
    }
}
