package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Campaigns and intents, in the order in which they may take machines. */
final class Rollouts {
    private static final Comparator<CampaignRollout> ORDER = Comparator.comparingInt(
                    (CampaignRollout campaign) -> -campaign.spec().priority())
            .thenComparingLong(campaign -> campaign.status().uid());

    private final Inventory inventory;
    private final SortedMap<SiteId, IntentsRollout> intents = new TreeMap<>();
    private final SortedMap<CampaignName, CampaignRollout> campaigns = new TreeMap<>();
    final Map<WaveKey, WaveStatus> waves = new LinkedHashMap<>();
    private List<Rollout> ordered = List.of();
    private List<CampaignRollout> named = List.of();
    private List<CampaignRollout> sorted = List.of();

    Rollouts(Inventory inventory) {
        this.inventory = inventory;
    }

    List<Rollout> ordered() {
        return ordered;
    }

    /** The campaigns in the order in which they may take machines, after all intents. */
    List<CampaignRollout> sorted() {
        return sorted;
    }

    /** The campaigns by their names. */
    List<CampaignRollout> named() {
        return named;
    }

    SortedMap<CampaignName, CampaignRollout> campaigns() {
        return Collections.unmodifiableSortedMap(campaigns);
    }

    SortedMap<SiteId, IntentsRollout> intents() {
        return Collections.unmodifiableSortedMap(intents);
    }

    /** What annotations ask for in a site, there from now on. */
    IntentsRollout intents(SiteId site) {
        IntentsRollout known = intents.get(site);
        if (known == null) {
            Site home = inventory.site(site);
            known = new IntentsRollout(home);
            home.intents = known;
            intents.put(site, known);
            order();
        }
        return known;
    }

    /** The rollout that a driver stands for, if it still does. */
    @Nullable
    Rollout of(Driver driver) {
        return switch (driver) {
            case Driver.OfCampaign by -> {
                CampaignRollout campaign = campaigns.get(by.name());
                yield campaign != null && campaign.status().uid() == by.uid() ? campaign : null;
            }
            case Driver.OfIntent by -> {
                IntentsRollout of = intents.get(by.object().site());
                Intent intent = of == null ? null : of.intent(by.object());
                yield intent != null
                                && intent.since().equals(by.since())
                                && !(intent.option() instanceof UpgradeOption.LocalPath)
                        ? of
                        : null;
            }
        };
    }

    /** Takes a campaign's row in; says whether it may take licences away. */
    boolean put(CampaignStatus row) {
        CampaignRollout known = campaigns.get(row.name());
        if (known != null && known.status().uid() == row.uid()) {
            boolean restarted =
                    known.status().state() != row.state() || known.status().retriedBelow() != row.retriedBelow();
            boolean reshaped = known.take(row);
            if (reshaped) {
                dropShares(known);
                order();
            }
            if (reshaped || restarted) {
                inventory.touchAll();
            }
            return reshaped || restarted;
        }
        if (known != null) {
            remove(row.name());
        }
        CampaignRollout campaign = new CampaignRollout(inventory.machines, row);
        campaigns.put(row.name(), campaign);
        for (WaveStatus wave : waves.values()) {
            if (wave.campaignUid() == row.uid() && wave.key().campaign().equals(row.name())) {
                campaign.putWave(wave, true);
            }
        }
        order();
        inventory.touchAll();
        return true;
    }

    void remove(CampaignName name) {
        CampaignRollout campaign = campaigns.remove(name);
        if (campaign != null) {
            dropShares(campaign);
            order();
            inventory.touchAll();
        }
    }

    /** There may be something to decide about a campaign's end. */
    void touch(CampaignName name) {
        CampaignRollout campaign = campaigns.get(name);
        if (campaign != null) {
            campaign.touched = true;
        }
    }

    void put(WaveStatus row) {
        WaveStatus before = waves.put(row.key(), row);
        CampaignRollout campaign = campaigns.get(row.key().campaign());
        if (campaign != null && campaign.status().uid() == row.campaignUid()) {
            campaign.putWave(row, true);
            boolean same = before != null
                    && before.campaignUid() == row.campaignUid()
                    && (before.opened() == null) == (row.opened() == null)
                    && (before.closed() == null) == (row.closed() == null);
            if (!same) {
                inventory.touchAll();
            }
        }
    }

    void removeWave(WaveKey key) {
        WaveStatus before = waves.remove(key);
        CampaignRollout campaign = campaigns.get(key.campaign());
        if (before != null && campaign != null && campaign.status().uid() == before.campaignUid()) {
            campaign.putWave(before, false);
            inventory.touchAll();
        }
    }

    /** Finds the campaigns whose start or deadline has passed. */
    void advance(Instant now) {
        for (int i = 0; i < named.size(); i++) {
            CampaignRollout campaign = named.get(i);
            if (campaign.claimAt(now)) {
                campaign.touched = true;
                inventory.touchAll();
            }
        }
    }

    private void dropShares(CampaignRollout campaign) {
        for (Cluster cluster : inventory.clusters.values()) {
            Share share = cluster.share(campaign);
            if (share != null) {
                cluster.shares.remove(share);
            }
        }
        campaign.forgetCounts();
    }

    private void order() {
        named = List.copyOf(campaigns.values());
        sorted = named.stream().sorted(ORDER).toList();
        List<Rollout> next = new ArrayList<>(intents.values());
        next.addAll(sorted);
        ordered = next;
    }
}
