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
                // The owner's release and default release; for each machine its current release, its next release and
                // the target of its attempt; the owner's own target; the mode; the expected release and default release
                // of the owner.
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
                // A machine joins and is upgraded to the default release.
                "A | A | A/A/- -/-/- | - | INTERCEPT | - | A",
                "- | A | A/A/- -/-/A | - | INTERCEPT | - | A",
                "- | A | A/A/- A/A/- | - | INTERCEPT | A | A",
                // A release that the provider's controllers wrote becomes the default release.
                "A | - | A/A/- -/-/- | - | CLUSTER_ONLY | - | A",
                // Without machines nothing changes.
                "A | - | - | - | CLUSTER_ONLY | A | -",
            })
    void ownerHasAReleaseOnlyWhileAllItsMachinesHaveIt(
            @Nullable String release,
            @Nullable String defaultRelease,
            @Nullable String machines,
            @Nullable String target,
            SiteMode mode,
            @Nullable String expectedRelease,
            @Nullable String expectedDefaultRelease) {
        List<JoinerReleaseAnnotations.OwnedMachine> ownedMachines = machines == null
                ? List.of()
                : Arrays.stream(machines.split(" ", -1))
                        .map(each -> each.split("/", -1))
                        .map(each -> new JoinerReleaseAnnotations.OwnedMachine(
                                valueOrNull(each[0]), valueOrNull(each[1]), valueOrNull(each[2])))
                        .toList();
        assertThat(JoinerReleaseAnnotations.planRelease(
                        readAnnotations(release, defaultRelease),
                        ownedMachines,
                        target == null ? Set.of() : Set.of(target),
                        mode))
                .isEqualTo(new JoinerReleaseAnnotations(expectedRelease, expectedDefaultRelease));
    }

    private static @Nullable String valueOrNull(String text) {
        return text.equals("-") ? null : text;
    }

    private static ObjectAnnotations readAnnotations(@Nullable String release, @Nullable String defaultRelease) {
        String annotations = (release == null ? "" : "'v1beta2.k8sd.io/in-place-upgrade-release': '" + release + "'")
                + (release == null || defaultRelease == null ? "" : ", ")
                + (defaultRelease == null ? "" : "'flotilla.dev/default-release': '" + defaultRelease + "'");
        return new ObjectViewFactory(new SiteId("east"))
                .ownerView(
                        OwnerKind.MACHINE_DEPLOYMENT,
                        SampleObjects.deployment(", 'annotations': {" + annotations + "}", 3, ""))
                .annotations();
    }
}
