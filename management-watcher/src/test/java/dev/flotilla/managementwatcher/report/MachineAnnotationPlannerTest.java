package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.UpgradeAnnotation;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Annotations are named by their last words: `status`, `change-id`, `release`, `upgrade-to`, `last-failed-attempt-at`.
 */
class MachineAnnotationPlannerTest {
    private static final MachineKey KEY = new MachineKey(new SiteId("east"), "fleet", "blue-w-0");
    private static final Instant SINCE = Instant.ofEpochSecond(100);
    private static final UpgradeTarget TARGET = new UpgradeTarget.Revision("7");
    private static final RolloutRef CAMPAIGN = new RolloutRef.CampaignRef(new CampaignName("c"), 3);
    private static final RolloutRef OTHER_CAMPAIGN = new RolloutRef.CampaignRef(new CampaignName("d"), 5);
    private static final UpgradeTarget OTHER_TARGET = new UpgradeTarget.Revision("8");
    private static final RolloutRef INTENT_REF = new RolloutRef.IntentRef(KEY, SINCE);
    private static final UpgradeIntent INTENT = new UpgradeIntent(KEY, "u-1", TARGET, SINCE);
    private static final AttemptFailure FAILURE = new AttemptFailure(
            17,
            FailureClass.RETRYABLE,
            FailureReason.REFRESH_ERROR,
            "the snap is broken",
            Instant.parse("2024-11-07T09:30:00Z"));

    /** A received status of the machine. */
    enum ReceivedCase {
        NO_STATUS {
            @Override
            @Nullable
            ReceivedMachineStatus status() {
                return null;
            }
        },
        ADMITTED {
            @Override
            ReceivedMachineStatus status() {
                return openStatus(INTENT_REF, new AttemptState.Admitted(SINCE));
            }
        },
        CALLING {
            @Override
            ReceivedMachineStatus status() {
                return openStatus(INTENT_REF, new AttemptState.Running(AttemptStep.STARTING, null, SINCE));
            }
        },
        REFRESHING {
            @Override
            ReceivedMachineStatus status() {
                return openStatus(INTENT_REF, new AttemptState.Running(AttemptStep.REFRESHING, "42", SINCE));
            }
        },
        UNKNOWN {
            @Override
            ReceivedMachineStatus status() {
                return openStatus(INTENT_REF, new AttemptState.Unknown(SINCE));
            }
        },
        SUCCEEDED {
            @Override
            ReceivedMachineStatus status() {
                return endedStatus(INTENT_REF, null, MachineOutcome.SUCCEEDED, 0);
            }
        },
        SUCCEEDED_FOR_A_CAMPAIGN {
            @Override
            ReceivedMachineStatus status() {
                return endedStatus(CAMPAIGN, null, MachineOutcome.SUCCEEDED, 0);
            }
        },
        SUCCEEDED_WHILE_WATCHER_DOWN {
            @Override
            ReceivedMachineStatus status() {
                return readStatus(entry(INTENT_REF, TARGET, MachineOutcome.SUCCEEDED, 0));
            }
        },
        CAMPAIGN_SUCCEEDED_WHILE_WATCHER_DOWN {
            @Override
            ReceivedMachineStatus status() {
                return readStatus(entry(CAMPAIGN, TARGET, MachineOutcome.SUCCEEDED, 0));
            }
        },
        CAMPAIGN_SUCCEEDED_AND_ANOTHER_WAS_SKIPPED {
            @Override
            ReceivedMachineStatus status() {
                return readStatus(
                        entry(CAMPAIGN, TARGET, MachineOutcome.SUCCEEDED, 0),
                        entry(OTHER_CAMPAIGN, null, MachineOutcome.SKIPPED, 0));
            }
        },
        CAMPAIGN_SUCCEEDED_AND_ANOTHER_FAILED_AND_WAS_SKIPPED {
            @Override
            ReceivedMachineStatus status() {
                return readStatus(
                        entry(CAMPAIGN, TARGET, MachineOutcome.SUCCEEDED, 0),
                        entry(OTHER_CAMPAIGN, OTHER_TARGET, MachineOutcome.SKIPPED, 2));
            }
        },
        SUCCEEDED_WITHOUT_TARGET {
            @Override
            ReceivedMachineStatus status() {
                return readStatus(entry(INTENT_REF, null, MachineOutcome.SUCCEEDED, 0));
            }
        },
        UNCHANGED {
            @Override
            ReceivedMachineStatus status() {
                return endedStatus(INTENT_REF, null, MachineOutcome.UNCHANGED, 0);
            }
        },
        TO_BE_RETRIED {
            @Override
            ReceivedMachineStatus status() {
                return endedStatus(INTENT_REF, FAILURE, MachineOutcome.OPEN, 1);
            }
        },
        QUARANTINED {
            @Override
            ReceivedMachineStatus status() {
                return endedStatus(INTENT_REF, FAILURE, MachineOutcome.QUARANTINED, 2);
            }
        },
        DEFERRED {
            @Override
            ReceivedMachineStatus status() {
                return endedStatus(INTENT_REF, null, MachineOutcome.OPEN, 0);
            }
        },
        ANOTHER_MACHINE {
            @Override
            ReceivedMachineStatus status() {
                ReceivedMachineStatus receivedMachineStatus =
                        endedStatus(INTENT_REF, null, MachineOutcome.SUCCEEDED, 0);
                MachineStatus row = receivedMachineStatus.row();
                return new ReceivedMachineStatus(new MachineStatus(KEY, "u-0", null, null, row.entries()), SINCE);
            }
        };

        abstract @Nullable ReceivedMachineStatus status();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                // Received status, present annotations, expected patch, and whether only the version that was read may
                // be patched.
                "NO_STATUS | to=revision=7 | - | false",
                "ADMITTED | to=revision=7 | - | false",
                "CALLING | to=revision=7 status=failed | - | false",
                "REFRESHING | to=revision=7 | change-id=42 own-change=17/42 status=in-progress | false",
                "REFRESHING | to=revision=7 release=revision=6 status=done | change-id=42 own-change=17/42 release=! status=in-progress | false",
                "REFRESHING | to=revision=7 last-fulfilled=revision=6 | change-id=42 last-fulfilled=! own-change=17/42 status=in-progress | false",
                "REFRESHING | to=revision=7 change-id=42 own-change=17/42 status=in-progress | - | false",
                "REFRESHING | to=revision=7 change-id=42 own-change=17/42~revision=7 status=in-progress | own-change=17/42 | false",
                "UNKNOWN | to=revision=7 change-id=42 own-change=17/42 status=in-progress | - | false",
                "SUCCEEDED | to=revision=7 change-id=42 own-change=17/42 status=in-progress last-failed-attempt-at=x | change-id=! last-failed-attempt-at=! last-fulfilled=revision=7 own-change=! release=revision=7 status=done to=! | true",
                "SUCCEEDED | release=revision=7 status=done | - | false",
                "SUCCEEDED | to=revision=8 release=revision=7 status=done | - | false",
                "SUCCEEDED_FOR_A_CAMPAIGN | to=revision=7 change-id=42 own-change=17/42 status=in-progress | change-id=! own-change=! release=revision=7 status=done | false",
                "SUCCEEDED_WHILE_WATCHER_DOWN | to=revision=7 | last-fulfilled=revision=7 release=revision=7 status=done to=! | true",
                "CAMPAIGN_SUCCEEDED_WHILE_WATCHER_DOWN | change-id=42 own-change=17/42 status=in-progress | change-id=! own-change=! release=revision=7 status=done | false",
                "CAMPAIGN_SUCCEEDED_WHILE_WATCHER_DOWN | - | release=revision=7 status=done | false",
                "CAMPAIGN_SUCCEEDED_WHILE_WATCHER_DOWN | release=revision=6 status=done | release=revision=7 | false",
                "CAMPAIGN_SUCCEEDED_WHILE_WATCHER_DOWN | status=failed | release=revision=7 status=done | false",
                "CAMPAIGN_SUCCEEDED_WHILE_WATCHER_DOWN | release=revision=7 status=done | - | false",
                "CAMPAIGN_SUCCEEDED_AND_ANOTHER_WAS_SKIPPED | release=revision=6 status=done | release=revision=7 | false",
                "CAMPAIGN_SUCCEEDED_AND_ANOTHER_FAILED_AND_WAS_SKIPPED | status=failed | - | false",
                "SUCCEEDED_WITHOUT_TARGET | to=revision=7 change-id=42 own-change=17/42 status=in-progress | change-id=! own-change=! status=! | false",
                "UNCHANGED | to=revision=7 | last-fulfilled=revision=7 release=revision=7 status=done to=! | true",
                "TO_BE_RETRIED | to=revision=7 change-id=42 own-change=17/42 status=in-progress | change-id=! last-failed-attempt-at=Thu,~07~Nov~2024~09:30:00~+0000 own-change=! status=failed | false",
                "QUARANTINED | to=revision=7 status=failed last-failed-attempt-at=Thu,~07~Nov~2024~09:30:00~+0000 | - | false",
                "DEFERRED | to=revision=7 | - | false",
                "DEFERRED | to=revision=7 change-id=42 own-change=17/42 status=in-progress | change-id=! own-change=! status=! | false",
                "NO_STATUS | change-id=42 own-change=17/42 status=in-progress | change-id=! own-change=! status=! | false",
                "NO_STATUS | change-id=42 status=in-progress | - | false",
                "NO_STATUS | change-id=43 own-change=17/42 status=in-progress | - | false",
                "NO_STATUS | status=done release=revision=7 | - | false",
                "ANOTHER_MACHINE | to=revision=7 | - | false",
                "NO_STATUS | to=latest | status=failed | false",
                "NO_STATUS | to=latest status=failed | - | false",
                "REFRESHING | to=latest | change-id=42 own-change=17/42 status=in-progress | false",
            })
    void plansTheDifference(
            ReceivedCase receivedCase, @Nullable String present, @Nullable String expected, boolean onlyThisVersion) {
        AnnotationWrite annotationWrite = plan(receivedCase.status(), present == null ? "" : present);
        assertThat(annotationWrite == null ? null : format(annotationWrite)).isEqualTo(expected);
        if (annotationWrite != null) {
            assertThat(annotationWrite.uid()).isEqualTo("u-1");
            assertThat(annotationWrite.readVersion()).isEqualTo(onlyThisVersion ? 7 : 0);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "REFRESHING | InPlaceUpgradeInProgress | Performing in place upgrade with revision=7",
                "SUCCEEDED | InPlaceUpgradeDone | Successfully performed in place upgrade with revision=7",
                "QUARANTINED | InPlaceUpgradeFailed | Failed to perform in place upgrade with revision=7:"
                        + " refresh-error: the snap is broken",
            })
    void createsTheDocumentedEvent(ReceivedCase receivedCase, String reason, String message) {
        AnnotationWrite annotationWrite = Objects.requireNonNull(plan(receivedCase.status(), "to=revision=7"));
        assertThat(annotationWrite.event())
                .isEqualTo(new UpgradeEvent(reason.equals("InPlaceUpgradeFailed"), reason, message));
    }

    @Test
    void targetThatIsNotTheProvidersLeavesNoRelease() {
        RolloutEntry entry = entry(CAMPAIGN, UpgradeTarget.parse("version=v1.36.3"), MachineOutcome.SUCCEEDED, 0);
        AnnotationWrite write = Objects.requireNonNull(MachineAnnotationPlanner.planAnnotations(
                new ObjectViewFactory(KEY.site()).machineView(SampleObjects.machine("", "")),
                readStatus(entry),
                null,
                null));
        assertThat(write.annotations().toString()).contains("done").doesNotContain("release");
    }

    @Test
    void createsNoStartEventForAnUpgradeOfACampaign() {
        ReceivedMachineStatus receivedMachineStatus =
                openStatus(CAMPAIGN, new AttemptState.Running(AttemptStep.REFRESHING, "42", SINCE));
        assertThat(Objects.requireNonNull(plan(receivedMachineStatus, "")).event())
                .isNull();
    }

    @Test
    void createsTheEndEventOfACampaignsUpgradeOnTheOwner() {
        assertThat(Objects.requireNonNull(plan(ReceivedCase.SUCCEEDED_FOR_A_CAMPAIGN.status(), "status=in-progress"))
                        .event())
                .isEqualTo(UpgradeEvent.doneAmongOthers("revision=7"));
    }

    @Test
    void machineThatJoinedDoesNotShowItsOwnersRequest() {
        MachineView machine = machine("status=in-progress");
        UpgradeAnnotation defaultRelease = UpgradeAnnotation.of("flotilla.dev/default-release", "revision=7");
        AnnotationWrite annotationWrite = Objects.requireNonNull(MachineAnnotationPlanner.planAnnotations(
                machine, ReceivedCase.SUCCEEDED.status(), defaultRelease, INTENT));
        assertThat(format(annotationWrite)).isEqualTo("release=revision=7 status=done");
        assertThat(annotationWrite.readVersion()).isZero();
    }

    /** The campaign of the latest attempt was deleted, and its entry with it. */
    @Test
    void doesNotShowAnEarlierAttemptAgain() {
        RolloutEntry earlier = entry(CAMPAIGN, TARGET, MachineOutcome.SUCCEEDED, 0);
        RolloutEntry latest = entry(OTHER_CAMPAIGN, OTHER_TARGET, MachineOutcome.SUCCEEDED, 0);
        ReceivedMachineStatus shown = readStatus(earlier, latest).asShown();
        ReceivedMachineStatus deleted = ReceivedMachineStatus.receive(shown, statusRow(null, null, earlier), SINCE);
        assertThat(plan(deleted, "release=revision=8 status=done")).isNull();
        ReceivedMachineStatus next = ReceivedMachineStatus.receive(
                deleted,
                statusRow(null, null, earlier, entry(OTHER_CAMPAIGN, OTHER_TARGET, MachineOutcome.UNCHANGED, 0)),
                SINCE);
        assertThat(format(Objects.requireNonNull(plan(next, "release=revision=7 status=done"))))
                .isEqualTo("release=revision=8");
    }

    /** The same value that was reapplied is another intent, which is not fulfilled. */
    @Test
    void keepsAReappliedAnnotation() {
        MachineView machine = machine("to=revision=7 release=revision=7 status=done");
        UpgradeIntent again = new UpgradeIntent(KEY, "u-1", TARGET, SINCE.plusSeconds(60));
        assertThat(MachineAnnotationPlanner.planAnnotations(
                        machine,
                        ReceivedCase.SUCCEEDED.status(),
                        UpgradeAnnotation.readFrom(machine, null, SiteMode.DIRECT),
                        again))
                .isNull();
    }

    /** The provider upgraded the machine while the site was in another mode, and our own end was never shown. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "canonical | 1970-01-01T00:01:41Z | last-fulfilled=revision=7 to=!",
                "canonical | 1970-01-01T00:01:39Z | last-fulfilled=revision=7 release=revision=7 status=done to=!",
                "flotilla-management-watcher | 1970-01-01T00:01:41Z | last-fulfilled=revision=7 release=revision=7 status=done to=!",
            })
    void keepsAReleaseThatAnotherControllerWroteLater(String manager, String time, String expected) {
        String release = "v1beta2.k8sd.io/in-place-upgrade-release";
        MachineView machine = new ObjectViewFactory(KEY.site())
                .machineView(SampleObjects.machine("""
                , 'annotations': {'%1$s': 'revision=8', 'v1beta2.k8sd.io/in-place-upgrade-to': 'revision=7'},
                'managedFields': [{'manager': '%2$s', 'time': '%3$s',
                  'fieldsV1': {'f:metadata': {'f:annotations': {'f:%1$s': {}}}}}]""".formatted(release, manager, time), ""));
        UpgradeAnnotation upgradeAnnotation = UpgradeAnnotation.readFrom(machine, null, SiteMode.DIRECT);
        assertThat(format(Objects.requireNonNull(MachineAnnotationPlanner.planAnnotations(
                        machine, ReceivedCase.SUCCEEDED_WHILE_WATCHER_DOWN.status(), upgradeAnnotation, INTENT))))
                .isEqualTo(expected);
    }

    private static @Nullable AnnotationWrite plan(
            @Nullable ReceivedMachineStatus receivedMachineStatus, String present) {
        MachineView machine = machine(present);
        UpgradeAnnotation upgradeAnnotation = UpgradeAnnotation.readFrom(machine, null, SiteMode.DIRECT);
        boolean accepted =
                upgradeAnnotation != null && upgradeAnnotation.value().equals(TARGET.text());
        return MachineAnnotationPlanner.planAnnotations(
                machine, receivedMachineStatus, upgradeAnnotation, accepted ? INTENT : null);
    }

    private static MachineView machine(String present) {
        StringBuilder annotations = new StringBuilder();
        for (String each : present.isEmpty() ? new String[0] : present.split(" ", -1)) {
            String name = each.substring(0, each.indexOf('='));
            boolean ours = name.equals("own-change") || name.equals("last-fulfilled");
            String key = (ours ? "flotilla.dev/" : "v1beta2.k8sd.io/in-place-upgrade-") + name;
            annotations
                    .append(annotations.isEmpty() ? "" : ", ")
                    .append("'%s': '%s'"
                            .formatted(key, each.substring(name.length() + 1).replace('~', ' ')));
        }
        return new ObjectViewFactory(KEY.site())
                .machineView(SampleObjects.machine(", 'annotations': {" + annotations + "}", ""));
    }

    private static String format(AnnotationWrite annotationWrite) {
        StringBuilder shown = new StringBuilder();
        List<String> each = annotationWrite.annotations().entrySet().stream()
                .map(entry -> entry.getKey().replaceFirst(".*/(in-place-upgrade-)?", "") + "="
                        + (entry.getValue() == null ? "!" : entry.getValue().replace(' ', '~')))
                .sorted()
                .toList();
        each.forEach(one -> shown.append(shown.isEmpty() ? "" : " ").append(one));
        return shown.toString();
    }

    private static ReceivedMachineStatus openStatus(RolloutRef rolloutRef, AttemptState state) {
        UpgradeAttempt attempt = new UpgradeAttempt(17, rolloutRef, TARGET, state, SINCE, false, null);
        return ReceivedMachineStatus.receive(
                null, statusRow(attempt, null, entry(rolloutRef, TARGET, MachineOutcome.OPEN, 0)), SINCE);
    }

    private static ReceivedMachineStatus endedStatus(
            RolloutRef rolloutRef, @Nullable AttemptFailure failure, MachineOutcome outcome, int failed) {
        ReceivedMachineStatus before =
                openStatus(rolloutRef, new AttemptState.Running(AttemptStep.VERIFYING, "42", SINCE));
        return ReceivedMachineStatus.receive(
                before, statusRow(null, failure, entry(rolloutRef, TARGET, outcome, failed)), SINCE);
    }

    /** The status that a watcher reads when it starts. */
    private static ReceivedMachineStatus readStatus(RolloutEntry... entries) {
        return ReceivedMachineStatus.receive(null, statusRow(null, null, entries), SINCE);
    }

    private static RolloutEntry entry(
            RolloutRef rolloutRef, @Nullable UpgradeTarget target, MachineOutcome outcome, int failed) {
        return new RolloutEntry(rolloutRef, "", failed, null, null, null, outcome, null, target, null);
    }

    private static MachineStatus statusRow(
            @Nullable UpgradeAttempt attempt, @Nullable AttemptFailure failure, RolloutEntry... entries) {
        return new MachineStatus(KEY, "u-1", attempt, failure, List.of(entries));
    }
}
