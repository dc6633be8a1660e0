package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.rows.Wish;
import dev.flotilla.managementwatcher.stub.Samples;
import dev.flotilla.managementwatcher.view.Kind;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.Projection;
import dev.flotilla.managementwatcher.view.View;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectReportTest {
    private static final Instant SINCE = Instant.ofEpochSecond(100);
    private static final UpgradeTarget TARGET = new UpgradeTarget.Revision("7");

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
                "CLUSTERS | DONE | to=revision=7 status=in-progress | {flotilla.dev/fulfilled=revision=7, release=revision=7, status=done, to=null} | true",
                "CLUSTERS | FAILED | to=revision=7 status=in-progress | {status=failed} | false",
                "CLUSTERS | - | status=in-progress | {status=null} | false",
                "CLUSTERS | - | status=done | - | false",
                "CLUSTERS | - | to=latest | {status=failed} | false",
                "MACHINE_DEPLOYMENTS | - | status=in-progress | {status=null} | false",
                "MACHINE_DEPLOYMENTS | DONE | to=revision=7 status=in-progress | {flotilla.dev/fulfilled=revision=7, status=done, to=null} | true",
                "MACHINE_DEPLOYMENTS | IN_PROGRESS | to=revision=7 release=revision=6 | {release=null, status=in-progress} | false",
                "MACHINE_POOLS | - | to=revision=7 | {status=failed} | false",
            })
    void writes(
            Kind kind,
            IntentStatus.@Nullable IntentState state,
            String there,
            @Nullable String written,
            boolean onlyThisVersion) {
        View object = object(kind, there);
        Wish wish = Wish.of(object, null, SiteMode.DIRECT);
        UpgradeIntent intent = wish == null || wish.problem() != null
                ? null
                : new UpgradeIntent(object.key(), "u", UpgradeTarget.parse(wish.value()), SINCE);
        IntentStatus status =
                state == null ? null : new IntentStatus(object.key(), "u", SINCE, TARGET, state, null, 4, 4, 0, null);
        ObjectReport.Owned owned =
                object instanceof OwnerView ? new ObjectReport.Owned(new OwnerRelease(null, null), false, null) : null;
        Amendment amendment = ObjectReport.of(object, status, wish, intent, owned, false);
        assertThat(amendment == null ? null : shown(amendment)).isEqualTo(written);
        assertThat(amendment != null && amendment.seen() == 9).isEqualTo(onlyThisVersion);
    }

    @Test
    void anOwnersWishStaysUntilItsMachinesShowWhatTheyHave() {
        OwnerView owner = (OwnerView) object(Kind.MACHINE_DEPLOYMENTS, "to=revision=7 status=in-progress");
        assertThat(of(owner, IntentStatus.IntentState.DONE, new OwnerRelease(null, null), true))
                .isNull();
        Amendment amendment = of(owner, IntentStatus.IntentState.DONE, new OwnerRelease("revision=7", "revision=7"), false);
        assertThat(shown(Objects.requireNonNull(amendment)))
                .isEqualTo("{flotilla.dev/fulfilled=revision=7, flotilla.dev/standing-release=revision=7,"
                        + " release=revision=7, status=done, to=null}");
        assertThat(amendment.happened()).isEqualTo(Happened.allDone());
    }

    @Test
    void whatSomebodyElseWritesOnAnOwnerIsLeftToThem() {
        View owner = object(Kind.MACHINE_DEPLOYMENTS, "status=in-progress");
        ObjectReport.Owned owned = new ObjectReport.Owned(new OwnerRelease(null, null), false, null);
        assertThat(ObjectReport.of(owner, null, null, null, owned, true)).isNull();
    }

    @Test
    void anOwnersFailureNamesTheMachineInTheDocumentedWords() {
        OwnerView owner = (OwnerView) object(Kind.MACHINE_DEPLOYMENTS, "to=revision=7 status=in-progress");
        ObjectReport.Owned owned = new ObjectReport.Owned(new OwnerRelease(null, null), false, "w-3");
        Amendment amendment = Objects.requireNonNull(of(owner, IntentStatus.IntentState.FAILED, owned));
        assertThat(amendment.happened())
                .isEqualTo(new Happened(true, "InPlaceUpgradeFailed", "In-place upgrade failed for machine \"w-3\"."));
    }

    private static @Nullable Amendment of(
            OwnerView owner, IntentStatus.IntentState state, OwnerRelease release, boolean behind) {
        return of(owner, state, new ObjectReport.Owned(release, behind, null));
    }

    private static @Nullable Amendment of(OwnerView owner, IntentStatus.IntentState state, ObjectReport.Owned owned) {
        UpgradeIntent intent = new UpgradeIntent(owner.key(), "u", TARGET, SINCE);
        return ObjectReport.of(
                owner,
                new IntentStatus(owner.key(), "u", SINCE, TARGET, state, null, 4, 3, 1, null),
                Wish.of(owner, null, SiteMode.DIRECT),
                intent,
                owned,
                false);
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
