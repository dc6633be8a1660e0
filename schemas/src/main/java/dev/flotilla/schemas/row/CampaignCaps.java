package dev.flotilla.schemas.row;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many machines of a campaign may be in flight at once.
 *
 * @param maxInFlight in all; null for no cap
 * @param domains with the same value of a label
 */
public record CampaignCaps(@Nullable CountOrPercent maxInFlight, List<TopologyDomainCap> domains) {
    public static final CampaignCaps NONE = new CampaignCaps(null, List.of());

    public CampaignCaps {
        domains = List.copyOf(domains);
    }
}
