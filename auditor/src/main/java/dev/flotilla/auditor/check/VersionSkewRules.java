package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RolloutRef;
import dev.flotilla.auditor.wire.UpgradeAttempt;
import dev.flotilla.auditor.wire.UpgradeIntent;
import dev.flotilla.auditor.wire.UpgradePolicy;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the version order of starts: no downgrade without permission, one minor version at a time, and workers not
 * newer than their control plane.
 */
final class VersionSkewRules {
    private static final Pattern VERSION_PATTERN =
            Pattern.compile("v?([0-9]{1,6})\\.([0-9]{1,6})(?:\\.([0-9]{1,6}))?.*");
    private static final long MAJOR = 1_000_000;
    private static final long SKEW = 3;
    private static final String CHANNEL = "channel=";
    private static final String REVISION = "revision=";
    private static final String RELEASE = "version=";
    private static final String SPEC = "spec=";

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;

    VersionSkewRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    private record Version(String text, long minor, long patch) {
        private static final long NONE = -1;

        static @Nullable Version of(@Nullable String text) {
            Matcher form = text == null ? null : VERSION_PATTERN.matcher(text);
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

    void check(StartDecision startDecision) {
        if (startDecision.campaign() != null) {
            checkCampaign(startDecision, startDecision.campaign());
        } else if (startDecision.attempt().rollout() instanceof RolloutRef.IntentRef intent) {
            checkIntent(startDecision, intent);
        }
    }

    private void checkCampaign(StartDecision startDecision, CampaignStatus campaign) {
        String site = startDecision.machine().site();
        boolean shown = track(campaign) != null || Version.of(campaign.resolvedVersionIn(site)) != null;
        auditFindings.require(
                shown || countResolving(startDecision, campaign) == 0,
                AuditInvariant.GATES,
                startDecision.machine().id()
                        + " started beside another machine, but no machine has shown which version "
                        + campaign.spec().target() + " is");
        Version target = target(campaign, site);
        if (target != null) {
            checkSkew(startDecision, target, campaign.spec().allowDowngrade(), true);
        }
    }

    /**
     * The machines in flight that may resolve the target: for a campaign without any resolved version all of them,
     * otherwise those of the same site.
     */
    private long countResolving(StartDecision startDecision, CampaignStatus campaign) {
        String site = startDecision.machine().site() + "/";
        return fleetTables.inFlight().machinesOf(startDecision.attempt().rollout()).stream()
                .filter(id -> campaign.resolvedVersions().isEmpty() || id.startsWith(site))
                .count();
    }

    /** A success for one intent does not resolve the target of another: only versions that machines show count. */
    private void checkIntent(StartDecision startDecision, RolloutRef.IntentRef intent) {
        String site = startDecision.machine().site();
        String option = startDecision.attempt().target();
        UpgradePolicy.IntentRule rule = fleetTables.policies().intents(site);
        Version target = option.startsWith(REVISION)
                ? shown(site, option.substring(REVISION.length()))
                : option.startsWith(SPEC) ? expected(intent) : named(option);
        if (target == null) {
            auditFindings.require(
                    rule.allowUnknownVersion() || !isTargetInFlight(site, option),
                    AuditInvariant.GATES,
                    startDecision.machine().id()
                            + " started for the same target as another machine of its site, but the version of "
                            + option
                            + " is not known");
        } else {
            checkSkew(startDecision, target, rule.allowDowngrade(), false);
        }
    }

    /** The version that the UpgradeTask of an intent expects; null for none. */
    private @Nullable Version expected(RolloutRef.IntentRef ref) {
        UpgradeIntent intent = fleetTables.intent(ref.site() + " " + ref.object());
        return intent == null || !intent.rollout().equals(ref) ? null : Version.of(intent.expectedVersion());
    }

    private boolean isTargetInFlight(String site, String option) {
        for (String id : fleetTables.inFlight().attempts()) {
            MachineStatus status = fleetTables.status(id);
            UpgradeAttempt upgradeAttempt = status == null ? null : status.attempt();
            if (status != null
                    && upgradeAttempt != null
                    && status.site().equals(site)
                    && upgradeAttempt.rollout() instanceof RolloutRef.IntentRef
                    && upgradeAttempt.target().equals(option)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The version that machines of a site that are not in flight show for a revision; null if their minor versions
     * differ.
     */
    private @Nullable Version shown(String site, String revision) {
        Version newest = null;
        for (MachineRow machine : fleetTables.machinesAt(site, revision)) {
            Version version = Version.of(machine.kubeletVersion());
            if (version == null || fleetTables.inFlight().contains(machine.id())) {
                continue;
            }
            if (newest != null && newest.minor() != version.minor()) {
                return null;
            }
            newest = newest == null || newest.isBefore(version) ? version : newest;
        }
        return newest;
    }

    private void checkSkew(StartDecision startDecision, Version target, boolean allowDowngrade, boolean proven) {
        MachineRow machine = startDecision.machine();
        Version shown = Version.of(machine.kubeletVersion());
        if (shown != null) {
            forbid(startDecision, !allowDowngrade && target.isBefore(shown), target, "it shows " + shown.text());
            forbid(startDecision, Math.abs(target.minor() - shown.minor()) > 1, target, "it shows " + shown.text());
        }
        for (MachineRow other : fleetTables.machinesOf(machine.cluster())) {
            Version otherVersion = Version.of(other.kubeletVersion());
            if (otherVersion != null && other.controlPlane() != machine.controlPlane()) {
                forbid(
                        startDecision,
                        machine.controlPlane()
                                && target.minor() < otherVersion.minor()
                                && !(proven && isAtTarget(startDecision, other)),
                        target,
                        "worker " + other.id() + " shows " + otherVersion.text());
                forbid(
                        startDecision,
                        other.controlPlane()
                                ? otherVersion.minor() < target.minor() && !(proven && isAtTarget(startDecision, other))
                                : otherVersion.minor() + SKEW < target.minor(),
                        target,
                        other.id() + " shows " + otherVersion.text());
            }
        }
    }

    /**
     * The campaign's expected version, if the track of its target can have it; otherwise the resolved version, or the
     * track's.
     */
    private static @Nullable Version target(CampaignStatus campaign, String site) {
        Version track = track(campaign);
        Version expected = Version.of(campaign.spec().expectedVersion());
        if (expected != null && (track == null || track.minor() == expected.minor())) {
            return expected;
        }
        Version resolved = Version.of(campaign.resolvedVersionIn(site));
        return resolved == null ? track : resolved;
    }

    private static @Nullable Version track(CampaignStatus campaign) {
        return named(campaign.spec().target());
    }

    /** The version that a target names itself; null for none. */
    private static @Nullable Version named(String option) {
        return option.startsWith(CHANNEL)
                ? Version.of(option.substring(CHANNEL.length()))
                : option.startsWith(RELEASE) ? Version.of(option.substring(RELEASE.length())) : null;
    }

    /** Whether the machine has proved to be at the campaign's target. */
    private boolean isAtTarget(StartDecision startDecision, MachineRow other) {
        MachineStatus status = fleetTables.status(other.id());
        RolloutEntry rolloutEntry =
                status == null ? null : status.entry(startDecision.attempt().rollout());
        return rolloutEntry != null && rolloutEntry.isAtTarget();
    }

    private void forbid(StartDecision startDecision, boolean forbidden, Version target, String reason) {
        auditFindings.require(
                !forbidden,
                AuditInvariant.GATES,
                startDecision.machine().id() + " started for version " + target.text() + ", but " + reason);
    }
}
