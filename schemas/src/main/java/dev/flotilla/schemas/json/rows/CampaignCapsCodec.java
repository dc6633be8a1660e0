package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.CampaignCaps;
import dev.flotilla.schemas.row.TopologyDomainCap;
import java.util.List;

/** JSON codec for a campaign's caps. */
final class CampaignCapsCodec {
    static final JsonCodec<CampaignCaps> CAPS = caps();

    private static final int MAX_DOMAINS = 8;

    private CampaignCapsCodec() {}

    private static JsonCodec<CampaignCaps> caps() {
        var caps = JsonObjectCodec.<CampaignCaps>of("caps", "How many machines may be in flight at once.");
        var inFlight = caps.optional(
                "inFlight",
                SharedValueCodecs.LIMIT,
                "Machines of this campaign, as a number or as a percentage of its members such as \"5%\" (rounded down, at"
                        + " least 1). Default: no cap for the campaign.",
                CampaignCaps::maxInFlight);
        var domains = caps.omittedIfDefault(
                "domains",
                new ListCodec<>(domainCap(), MAX_DOMAINS),
                List.of(),
                "Caps for each value of a label, such as at most 2 machines in flight in a zone.",
                CampaignCaps::domains);
        return caps.build(v -> new CampaignCaps(v.get(inFlight), v.get(domains)));
    }

    private static JsonCodec<TopologyDomainCap> domainCap() {
        var cap = JsonObjectCodec.<TopologyDomainCap>of("domain-cap", "A cap for each value of a label.");
        var label = cap.required(
                "label",
                ScalarCodecs.text(1, LabelsCodec.MAX_KEY),
                "The machine label; machines with the same value are one topology domain.",
                TopologyDomainCap::label);
        var inFlight = cap.required(
                "inFlight",
                SharedValueCodecs.LIMIT,
                "Machines of the campaign in flight at once in each topology domain, as a number or as a percentage of its"
                        + " members there.",
                TopologyDomainCap::maxInFlight);
        return cap.build(v -> new TopologyDomainCap(v.get(label), v.get(inFlight)));
    }
}
