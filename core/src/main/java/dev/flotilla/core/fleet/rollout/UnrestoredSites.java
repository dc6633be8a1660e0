package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.FailureBudgetUse;
import dev.flotilla.schemas.row.SiteHead;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sites that have a head row and whose rows this leader has not read, whatever the reason: a topic is missing or hidden, or
 * cannot be read. What was in flight there, and what was used there of failure budgets, the head rows still say. How many of
 * their machines are left nobody can tell, so that a campaign that selects them closes no wave of theirs and does not end,
 * until an order writes the site off: then nothing is in flight there any more, and what was counts as failed.
 */
public final class UnrestoredSites {
    /** More than any budget bears. */
    public static final int UNKNOWN = Integer.MAX_VALUE;

    private final Map<SiteId, SiteState> unread = new LinkedHashMap<>();

    /** A site's head row has come or gone. Returns whether the site is written off by it, or is no more. */
    public boolean put(SiteState site, @Nullable SiteHead row) {
        SiteHead before = site.head();
        site.putHead(row);
        if (site.isUnrestored()) {
            unread.put(site.id(), site);
        } else {
            unread.remove(site.id());
        }
        return row == null
                || (row.writeOff() != null && (before == null || !row.writeOff().equals(before.writeOff())));
    }

    /** Machines in flight in all of them. */
    public int inFlight() {
        return inFlight(List.of());
    }

    /** Machines in flight in those of them that are named; in all if none is. */
    public int inFlight(List<SiteId> of) {
        int sum = 0;
        if (!isEmpty()) {
            for (SiteState site : unread.values()) {
                sum += isNamed(site, of) ? site.inFlight() : 0;
            }
        }
        return sum;
    }

    /** Whether a wave of a campaign, or the campaign where none is named, may have machines in one that nobody gave up. */
    public boolean any(CampaignRollout campaign, @Nullable WaveProgress wave) {
        if (!isEmpty()) {
            List<SiteId> ofCampaign = campaign.spec().selection().sites();
            List<SiteId> ofWave = wave == null ? List.of() : wave.wave().sites();
            for (SiteState site : unread.values()) {
                if (site.isAwaited() && isNamed(site, ofCampaign) && isNamed(site, ofWave)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** What of a campaign's failure budget was used in them: {@link #UNKNOWN} where a head row does not say. */
    public int budgetUsed(CampaignRollout campaign) {
        return used(campaign, false);
    }

    /** What of it was used in those that were written off: all of it has failed. Nothing where a head row does not say. */
    public int writtenOff(CampaignRollout campaign) {
        int used = used(campaign, true);
        return used == UNKNOWN ? 0 : used;
    }

    private int used(CampaignRollout campaign, boolean onlyWrittenOff) {
        int sum = 0;
        if (!isEmpty()) {
            List<SiteId> of = campaign.spec().selection().sites();
            for (SiteState site : unread.values()) {
                SiteHead head = site.head();
                if (head != null && isNamed(site, of) && (head.isWrittenOff() || !onlyWrittenOff)) {
                    if (head.budgetUses() == null) {
                        return UNKNOWN;
                    }
                    sum += used(head.budgetUses(), campaign);
                }
            }
        }
        return sum;
    }

    private static int used(List<FailureBudgetUse> budgets, CampaignRollout campaign) {
        for (FailureBudgetUse use : budgets) {
            if (use.campaignUid() == campaign.status().uid()) {
                return use.machines();
            }
        }
        return 0;
    }

    /** Those that have been read since are forgotten here: this is asked for each start, and they would be looked at each time. */
    private boolean isEmpty() {
        if (!unread.isEmpty()) {
            unread.values().removeIf(site -> !site.isUnrestored());
        }
        return unread.isEmpty();
    }

    private static boolean isNamed(SiteState site, List<SiteId> of) {
        return of.isEmpty() || of.contains(site.id());
    }
}
