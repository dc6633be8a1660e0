package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.BudgetUse;
import dev.flotilla.schemas.row.SiteHead;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sites whose topics could not be read when this leader took over: none of their rows is known. What was in flight there,
 * and what was used there of failure budgets, the head rows still say. How many of their machines are left nobody can tell,
 * so that a campaign that selects them closes no wave and does not end.
 */
final class UnreadSites {
    /** More than any budget bears. */
    static final int UNKNOWN = Integer.MAX_VALUE;

    private final Map<SiteId, Site> unreachable = new LinkedHashMap<>();

    /** Returns whether a site is back. */
    boolean put(Site site, SiteHead head) {
        if (head.unreachableSince() == null) {
            return unreachable.remove(site.id()) != null;
        }
        unreachable.put(site.id(), site);
        return false;
    }

    /** Machines in flight in all of them. */
    int inFlight() {
        return inFlight(List.of());
    }

    /** Machines in flight in those of them that are named; in all if none is. */
    int inFlight(List<SiteId> of) {
        int sum = 0;
        if (!unreachable.isEmpty()) {
            for (Site site : unreachable.values()) {
                sum += isUnread(site, of) ? site.inFlight() : 0;
            }
        }
        return sum;
    }

    /** Whether any of these sites, or any at all if none is named, is one of them. */
    boolean any(List<SiteId> of) {
        if (!unreachable.isEmpty()) {
            for (Site site : unreachable.values()) {
                if (isUnread(site, of)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** What of a campaign's failure budget was used in them: {@link #UNKNOWN} where a head row does not say. */
    int budgetUsed(CampaignRollout campaign) {
        int sum = 0;
        if (!unreachable.isEmpty()) {
            List<SiteId> of = campaign.spec().select().sites();
            for (Site site : unreachable.values()) {
                SiteHead head = site.head;
                if (head != null && isUnread(site, of)) {
                    if (head.budgets() == null) {
                        return UNKNOWN;
                    }
                    sum += used(head.budgets(), campaign);
                }
            }
        }
        return sum;
    }

    private static int used(List<BudgetUse> budgets, CampaignRollout campaign) {
        for (BudgetUse use : budgets) {
            if (use.campaignUid() == campaign.status().uid()) {
                return use.machines();
            }
        }
        return 0;
    }

    private static boolean isUnread(Site site, List<SiteId> of) {
        return site.isUnread() && (of.isEmpty() || of.contains(site.id()));
    }
}
