package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.Entry;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A campaign's starts hold to the order of versions: no way back unasked, one minor at a time, workers behind their control plane. */
final class VersionRules {
    private static final Pattern FORM = Pattern.compile("v?([0-9]{1,6})\\.([0-9]{1,6})(?:\\.([0-9]{1,6}))?.*");
    private static final long MAJOR = 1_000_000;
    private static final long SKEW = 3;
    private static final String CHANNEL = "channel=";

    private final Fleet fleet;
    private final Findings findings;

    VersionRules(Fleet fleet, Findings findings) {
        this.fleet = fleet;
        this.findings = findings;
    }

    private record Version(String text, long minor, long patch) {
        private static final long NONE = -1;

        static @Nullable Version of(@Nullable String text) {
            Matcher form = text == null ? null : FORM.matcher(text);
            if (text == null || form == null || !form.matches()) {
                return null;
            }
            String patch = form.group(3);
            return new Version(
                    text,
                    Long.parseLong(form.group(1)) * MAJOR + Long.parseLong(form.group(2)),
                    patch == null ? NONE : Long.parseLong(patch));
        }

        boolean isBefore(Version other) {
            return minor != other.minor
                    ? minor < other.minor
                    : patch != NONE && other.patch != NONE && patch < other.patch;
        }
    }

    void check(Start start) {
        CampaignStatus campaign = start.campaign();
        if (campaign == null) {
            return;
        }
        MachineRow machine = start.machine();
        Version target = target(campaign);
        if (target == null) {
            findings.require(
                    campaign.spec().target().startsWith(CHANNEL)
                            || fleet.flights().of(start.attempt().driver()) == 0,
                    Invariant.GATES,
                    machine.id() + " started beside another, and nobody knows which version "
                            + campaign.spec().target() + " is");
            return;
        }
        Version shown = Version.of(machine.kubeletVersion());
        if (shown != null) {
            forbid(
                    start,
                    !campaign.spec().allowDowngrade() && target.isBefore(shown),
                    target,
                    "it shows " + shown.text());
            forbid(start, target.minor() > shown.minor() + 1, target, "it shows " + shown.text());
        }
        for (MachineRow other : fleet.machinesOf(machine.cluster())) {
            Version beside = Version.of(other.kubeletVersion());
            if (beside != null && other.controlPlane() != machine.controlPlane()) {
                forbid(
                        start,
                        other.controlPlane()
                                ? beside.minor() < target.minor() && !isThere(start, other)
                                : beside.minor() + SKEW < target.minor(),
                        target,
                        other.id() + " shows " + beside.text());
            }
        }
    }

    private static @Nullable Version target(CampaignStatus campaign) {
        String expected = campaign.spec().expectedVersion();
        if (expected != null) {
            return Version.of(expected);
        }
        if (campaign.taught() != null) {
            return Version.of(campaign.taught());
        }
        String option = campaign.spec().target();
        return option.startsWith(CHANNEL) ? Version.of(option.substring(CHANNEL.length())) : null;
    }

    /** Whether it has proved to be at the campaign's target. */
    private boolean isThere(Start start, MachineRow other) {
        MachineStatus status = fleet.status(other.id());
        Entry entry = status == null ? null : status.entry(start.attempt().driver());
        return entry != null && entry.atTarget();
    }

    private void forbid(Start start, boolean forbidden, Version target, String since) {
        findings.require(
                !forbidden,
                Invariant.GATES,
                start.machine().id() + " started for version " + target.text() + ", and " + since);
    }
}
