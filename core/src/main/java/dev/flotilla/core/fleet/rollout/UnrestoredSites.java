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
 * Sites with a head row whose rows this leader has not read, because a topic is missing, hidden or unreadable. The head
 * rows still tell the machines in flight and the budget use. The number of unfinished machines is unknown, so a
 * campaign that selects such a site closes none of its waves there and does not complete until the site is written off:
 * then nothing is in flight there, and all budget use counts as failed.
 */
public final class UnrestoredSites {
    /** More than any budget. */
    public static final int UNKNOWN = Integer.MAX_VALUE;

    private final Map<SiteId, SiteState> unread = new LinkedHashMap<>();

    /** Applies a new or deleted head row; returns whether the site is written off or removed by it. */
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

    /** Whether the rows of a site that is not written off were not read. */
    public boolean hasAwaited() {
        return !isEmpty() && unread.values().stream().anyMatch(SiteState::isAwaited);
    }

    /** Machines in flight in all unrestored sites. */
    public int inFlight() {
        return inFlight(List.of());
    }

    /** Machines in flight in the named unrestored sites; in all if none is named. */
    public int inFlight(List<SiteId> of) {
        int sum = 0;
        if (!isEmpty()) {
            for (SiteState site : unread.values()) {
                sum += isNamed(site, of) ? site.inFlight() : 0;
            }
        }
        return sum;
    }

    /** Whether a campaign, or one of its waves, may have machines in an unrestored site that is not written off. */
    public boolean any(CampaignRollout campaign, @Nullable WaveProgress wave) {
        if (!isEmpty()) {
            List<SiteId> ofCampaign = campaign.spec().select().sites();
            List<SiteId> ofWave = wave == null ? List.of() : wave.wave().sites();
            for (SiteState site : unread.values()) {
                if (site.isAwaited() && isNamed(site, ofCampaign) && isNamed(site, ofWave)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** A campaign's budget use in unrestored sites; {@link #UNKNOWN} if a head row does not tell it. */
    public int budgetUsed(CampaignRollout campaign) {
        return sumBudgetUse(campaign, false);
    }

    /** A campaign's budget use in written-off sites, which counts as failed; zero if a head row does not tell it. */
    public int writtenOff(CampaignRollout campaign) {
        int used = sumBudgetUse(campaign, true);
        return used == UNKNOWN ? 0 : used;
    }

    private int sumBudgetUse(CampaignRollout campaign, boolean onlyWrittenOff) {
        int sum = 0;
        if (!isEmpty()) {
            List<SiteId> of = campaign.spec().select().sites();
            for (SiteState site : unread.values()) {
                SiteHead head = site.head();
                if (head != null && isNamed(site, of) && (head.isWrittenOff() || !onlyWrittenOff)) {
                    if (head.budgetUses() == null) {
                        return UNKNOWN;
                    }
                    sum += sumBudgetUse(head.budgetUses(), campaign);
                }
            }
        }
        return sum;
    }

    private static int sumBudgetUse(List<FailureBudgetUse> budgets, CampaignRollout campaign) {
        for (FailureBudgetUse use : budgets) {
            if (use.campaignUid() == campaign.status().uid()) {
                return use.machines();
            }
        }
        return 0;
    }

    /** Removes sites that were restored since, because this runs for each start. */
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
