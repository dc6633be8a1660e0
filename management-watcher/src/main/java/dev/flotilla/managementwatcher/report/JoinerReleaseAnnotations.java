package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.ObjectAnnotations;
import dev.flotilla.schemas.row.SiteMode;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The release annotations of an owner. To the provider's controllers an owner's {@code release} is an order: they
 * upgrade or downgrade every machine that has another one at once. So the owner has it only while all its machines have
 * it, and loses it before the first of them changes. Flotilla's own annotation, the default release, tells to which
 * release machines that join are upgraded.
 *
 * @param release the provider's annotation; null for none
 * @param defaultRelease Flotilla's annotation; null for none
 */
record JoinerReleaseAnnotations(
        @Nullable String release, @Nullable String defaultRelease) {

    /**
     * A machine of the owner.
     *
     * @param currentRelease the release annotation that it has
     * @param nextRelease the release annotation that it will have after the writes that are planned now
     * @param target target of its open attempt; null for none
     */
    record OwnedMachine(
            @Nullable String currentRelease,
            @Nullable String nextRelease,
            @Nullable String target) {}

    /**
     * Plans the two annotations.
     *
     * @param targets targets of the owner's own running intent
     */
    static JoinerReleaseAnnotations planRelease(
            ObjectAnnotations owner, Collection<OwnedMachine> machines, Set<String> targets, SiteMode mode) {
        if (machines.isEmpty()) {
            return new JoinerReleaseAnnotations(owner.release(), owner.defaultRelease());
        }
        String common = machines.iterator().next().currentRelease();
        if (common != null && allStayAt(machines, common) && isOnly(targets, common)) {
            // In this mode they would upgrade whatever joins before anybody else can see it.
            return new JoinerReleaseAnnotations(mode == SiteMode.CLUSTER_ONLY ? null : common, common);
        }
        String intended = owner.defaultRelease() == null ? owner.release() : owner.defaultRelease();
        boolean intendedHolds = intended != null
                && isOnly(targets, intended)
                && machines.stream()
                        .allMatch(each -> each.target() == null || each.target().equals(intended));
        return new JoinerReleaseAnnotations(null, intendedHolds ? intended : null);
    }

    private static boolean allStayAt(Collection<OwnedMachine> machines, String release) {
        return machines.stream().allMatch(each -> staysAt(each, release));
    }

    private static boolean staysAt(OwnedMachine ownedMachine, String release) {
        return release.equals(ownedMachine.currentRelease())
                && release.equals(ownedMachine.nextRelease())
                && (ownedMachine.target() == null || ownedMachine.target().equals(release));
    }

    private static boolean isOnly(Set<String> targets, String release) {
        return targets.stream().allMatch(release::equals);
    }
}
