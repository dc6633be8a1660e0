package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.Attempt;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.Driver;
import dev.flotilla.auditor.wire.Entry;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.PolicyRow;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Starts hold to the order of versions: no way back unasked, one minor at a time, workers behind their control plane. */
final class VersionRules {
    private static final Pattern FORM = Pattern.compile("v?([0-9]{1,6})\\.([0-9]{1,6})(?:\\.([0-9]{1,6}))?.*");
    private static final long MAJOR = 1_000_000;
    private static final long SKEW = 3;
    private static final String CHANNEL = "channel=";
    private static final String REVISION = "revision=";

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
        if (start.campaign() != null) {
            ofCampaign(start, start.campaign());
        } else if (start.attempt().driver() instanceof Driver.OfIntent) {
            ofAnnotation(start);
        }
    }

    private void ofCampaign(Start start, CampaignStatus campaign) {
        String site = start.machine().site();
        boolean shown = track(campaign) != null || Version.of(campaign.taughtIn(site)) != null;
        findings.require(
                shown || learning(start, campaign) == 0,
                Invariant.GATES,
                start.machine().id() + " started beside another, and no machine has shown which version "
                        + campaign.spec().target() + " is");
        Version target = target(campaign, site);
        if (target != null) {
            follows(start, target, campaign.spec().allowDowngrade(), true);
        }
    }

    /** Of a campaign that nobody has taught anything none may be in flight, of any other none in the same site. */
    private long learning(Start start, CampaignStatus campaign) {
        String site = start.machine().site() + "/";
        return fleet.flights().machinesOf(start.attempt().driver()).stream()
                .filter(id -> campaign.taught().isEmpty() || id.startsWith(site))
                .count();
    }

    /** A success for an annotation says nothing of what another annotation asks for: only what machines show counts. */
    private void ofAnnotation(Start start) {
        String site = start.machine().site();
        String option = start.attempt().target();
        PolicyRow.IntentRule rule = fleet.intents(site);
        Version target = option.startsWith(CHANNEL)
                ? Version.of(option.substring(CHANNEL.length()))
                : option.startsWith(REVISION) ? shown(site, option.substring(REVISION.length())) : null;
        if (target == null) {
            findings.require(
                    rule.allowUnknownVersion() || !isAsked(site, option),
                    Invariant.GATES,
                    start.machine().id() + " started to where another of its site goes, and nobody knows which version "
                            + option + " is");
        } else {
            follows(start, target, rule.allowDowngrade(), false);
        }
    }

    private boolean isAsked(String site, String option) {
        for (String id : fleet.flights().attempts()) {
            MachineStatus status = fleet.status(id);
            Attempt attempt = status == null ? null : status.attempt();
            if (status != null
                    && attempt != null
                    && status.site().equals(site)
                    && attempt.driver() instanceof Driver.OfIntent
                    && attempt.target().equals(option)) {
                return true;
            }
        }
        return false;
    }

    /** The version that machines of a site show together with a revision, of those not in flight; null where their minors differ. */
    private @Nullable Version shown(String site, String revision) {
        Version newest = null;
        for (MachineRow machine : fleet.machinesAt(site, revision)) {
            Version version = Version.of(machine.kubeletVersion());
            if (version == null || fleet.flights().contains(machine.id())) {
                continue;
            }
            if (newest != null && newest.minor() != version.minor()) {
                return null;
            }
            newest = newest == null || newest.isBefore(version) ? version : newest;
        }
        return newest;
    }

    private void follows(Start start, Version target, boolean allowDowngrade, boolean proven) {
        MachineRow machine = start.machine();
        Version shown = Version.of(machine.kubeletVersion());
        if (shown != null) {
            forbid(start, !allowDowngrade && target.isBefore(shown), target, "it shows " + shown.text());
            forbid(start, Math.abs(target.minor() - shown.minor()) > 1, target, "it shows " + shown.text());
        }
        for (MachineRow other : fleet.machinesOf(machine.cluster())) {
            Version beside = Version.of(other.kubeletVersion());
            if (beside != null && other.controlPlane() != machine.controlPlane()) {
                forbid(
                        start,
                        machine.controlPlane() && target.minor() < beside.minor() && !(proven && isThere(start, other)),
                        target,
                        "worker " + other.id() + " shows " + beside.text());
                forbid(
                        start,
                        other.controlPlane()
                                ? beside.minor() < target.minor() && !(proven && isThere(start, other))
                                : beside.minor() + SKEW < target.minor(),
                        target,
                        other.id() + " shows " + beside.text());
            }
        }
    }

    /** What the campaign expects, where the track of its target can bring that; else what was taught, or the track's. */
    private static @Nullable Version target(CampaignStatus campaign, String site) {
        Version track = track(campaign);
        Version expected = Version.of(campaign.spec().expectedVersion());
        if (expected != null && (track == null || track.minor() == expected.minor())) {
            return expected;
        }
        Version taught = Version.of(campaign.taughtIn(site));
        return taught == null ? track : taught;
    }

    private static @Nullable Version track(CampaignStatus campaign) {
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
