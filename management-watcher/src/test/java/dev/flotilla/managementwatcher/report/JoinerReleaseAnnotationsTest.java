package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.managementwatcher.view.ObjectAnnotations;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteMode;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JoinerReleaseAnnotationsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // The owner's release and standing release; of each machine what it bears, is going to bear, and an
                // attempt's
                // target; the owner's own target; the mode; the owner's release and standing release then.
                "- | - | - | - | INTERCEPT | - | -",
                "- | - | A/A/- A/A/- | - | INTERCEPT | A | A",
                "- | - | A/A/- A/A/- | - | CLUSTER_ONLY | - | A",
                "A | - | A/A/- A/A/- | - | CLUSTER_ONLY | - | A",
                "A | A | A/A/- A/A/B | - | INTERCEPT | - | -",
                "A | A | A/A/- A/A/A | - | INTERCEPT | A | A",
                "A | A | A/A/- A/A/- | B | INTERCEPT | - | -",
                "A | A | A/A/- A/B/- | - | DIRECT | - | A",
                "- | - | A/A/- B/B/- | - | INTERCEPT | - | -",
                "- | - | B/B/- B/B/- | - | INTERCEPT | B | B",
                // A machine joins, and is upgraded to what the others have.
                "A | A | A/A/- -/-/- | - | INTERCEPT | - | A",
                "- | A | A/A/- -/-/A | - | INTERCEPT | - | A",
                "- | A | A/A/- A/A/- | - | INTERCEPT | A | A",
                // What the provider's controllers wrote is meant as they mean it, and done by us.
                "A | - | A/A/- -/-/- | - | CLUSTER_ONLY | - | A",
                // Nothing can be told from no machines.
                "A | - | - | - | CLUSTER_ONLY | A | -",
            })
    void standsOnlyWhileEveryMachineBearsIt(
            @Nullable String release,
            @Nullable String standing,
            @Nullable String machines,
            @Nullable String target,
            SiteMode mode,
            @Nullable String releaseThen,
            @Nullable String standingThen) {
        List<JoinerReleaseAnnotations.OwnedMachine> members = machines == null
                ? List.of()
                : Arrays.stream(machines.split(" ", -1))
                        .map(each -> each.split("/", -1))
                        .map(each -> new JoinerReleaseAnnotations.OwnedMachine(
                                value(each[0]), value(each[1]), value(each[2])))
                        .toList();
        assertThat(JoinerReleaseAnnotations.planRelease(
                        notes(release, standing), members, target == null ? Set.of() : Set.of(target), mode))
                .isEqualTo(new JoinerReleaseAnnotations(releaseThen, standingThen));
    }

    private static @Nullable String value(String text) {
        return text.equals("-") ? null : text;
    }

    private static ObjectAnnotations notes(@Nullable String release, @Nullable String standing) {
        String annotations = (release == null ? "" : "'v1beta2.k8sd.io/in-place-upgrade-release': '" + release + "'")
                + (release == null || standing == null ? "" : ", ")
                + (standing == null ? "" : "'flotilla.dev/standing-release': '" + standing + "'");
        return new ObjectViewFactory(new SiteId("east"))
                .ownerView(
                        OwnerKind.MACHINE_DEPLOYMENT,
                        SampleObjects.deployment(", 'annotations': {" + annotations + "}", 3, ""))
                .annotations();
    }
}
