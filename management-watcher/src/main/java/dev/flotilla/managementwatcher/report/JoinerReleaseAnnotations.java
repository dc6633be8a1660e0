package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.ObjectAnnotations;
import dev.flotilla.schemas.row.SiteMode;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an owner says about the machines that are still to come. To the provider's controllers its `release` is an order: every
 * machine of it that does not bear the same is upgraded to it at once, down as well as up. So it stands there while all of them
 * bear it and no longer, and it is gone before the first of them becomes something else. What is meant by it for machines that
 * join is said by a key of ours, which we follow.
 *
 * @param release for the provider's controllers; null for none
 * @param defaultRelease for us
 */
record JoinerReleaseAnnotations(
        @Nullable String release, @Nullable String defaultRelease) {

    /**
     * A machine of the owner.
     *
     * @param currentRelease what it bears, and what it is going to with what is known by now
     * @param target that an attempt is at it to reach; null for none
     */
    record OwnedMachine(
            @Nullable String currentRelease,
            @Nullable String nextRelease,
            @Nullable String target) {}

    /**
     * What has to stand there.
     *
     * @param targets that the owner is on its way to, apart from its machines' own
     */
    static JoinerReleaseAnnotations planRelease(
            ObjectAnnotations owner, Collection<OwnedMachine> members, Set<String> targets, SiteMode mode) {
        if (members.isEmpty()) {
            return new JoinerReleaseAnnotations(owner.release(), owner.defaultRelease());
        }
        String common = members.iterator().next().currentRelease();
        if (common != null && allStay(members, common) && isOnly(targets, common)) {
            // In this mode they would upgrade whatever joins before anybody else can see it.
            return new JoinerReleaseAnnotations(mode == SiteMode.CLUSTER_ONLY ? null : common, common);
        }
        String meant = owner.defaultRelease() == null ? owner.release() : owner.defaultRelease();
        boolean still = meant != null
                && isOnly(targets, meant)
                && members.stream()
                        .allMatch(each -> each.target() == null || each.target().equals(meant));
        return new JoinerReleaseAnnotations(null, still ? meant : null);
    }

    private static boolean allStay(Collection<OwnedMachine> members, String release) {
        return members.stream().allMatch(each -> stays(each, release));
    }

    private static boolean stays(OwnedMachine ownedMachine, String release) {
        return release.equals(ownedMachine.currentRelease())
                && release.equals(ownedMachine.nextRelease())
                && (ownedMachine.target() == null || ownedMachine.target().equals(release));
    }

    private static boolean isOnly(Set<String> targets, String release) {
        return targets.stream().allMatch(release::equals);
    }
}
