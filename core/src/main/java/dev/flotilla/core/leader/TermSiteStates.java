package dev.flotilla.core.leader;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which sites a leader term has read, and which of them are suspended because their topics cannot be used. Says what
 * the shell must do next about a site.
 */
public final class TermSiteStates {
    /** What to do next about a site. */
    public enum SiteStep {
        NOTHING,
        /** Stop reading its inputs, withhold its rows, and decide that it is unreachable. */
        SUSPEND,
        /** Read all of its tables. */
        READ,
        /** Write its withheld rows, read its inputs again, and decide that it is reachable. */
        RESUME,
        /** End the term: what was read of the site is no longer what its topics hold. */
        END_TERM
    }

    private final Set<SiteId> readSites = new LinkedHashSet<>();
    private final Set<SiteId> suspendedSites = new LinkedHashSet<>();

    /** Sites that are read but whose topics were replaced or have lost records since. */
    private final Set<SiteId> lostSites = new LinkedHashSet<>();

    /** The sites that are read, in the order in which they were. */
    public Set<SiteId> readSites() {
        return Collections.unmodifiableSet(readSites);
    }

    public boolean isRead(SiteId site) {
        return readSites.contains(site);
    }

    public boolean isSuspended(SiteId site) {
        return suspendedSites.contains(site);
    }

    /** Records that all tables of a site are read; returns whether it is the first time. */
    public boolean markRead(SiteId site) {
        return readSites.add(site);
    }

    /**
     * What to do about a site. A site that is neither complete nor known from a head row is not a site yet.
     *
     * @param problem why its topics cannot be used now; null if they can
     * @param complete whether all of its topics exist
     */
    public SiteStep nextStep(
            SiteId site, @Nullable SiteHead head, @Nullable SiteTopicProblem problem, boolean complete) {
        if (problem != null) {
            return head != null || complete ? SiteStep.SUSPEND : SiteStep.NOTHING;
        }
        if (lostSites.contains(site)) {
            return SiteStep.END_TERM;
        }
        if (!readSites.contains(site)) {
            return SiteStep.READ;
        }
        return suspendedSites.contains(site) ? SiteStep.RESUME : SiteStep.NOTHING;
    }

    /** Records that a site is suspended; returns whether it was not before. */
    public boolean suspendSite(SiteId site, SiteTopicProblem problem) {
        if (!problem.lostTables().isEmpty() && readSites.contains(site)) {
            lostSites.add(site);
        }
        return suspendedSites.add(site);
    }

    /** Keeps a site suspended that an earlier leader has suspended. */
    public void keepSuspended(SiteId site) {
        suspendedSites.add(site);
    }

    public void resumeSite(SiteId site) {
        suspendedSites.remove(site);
    }
}
