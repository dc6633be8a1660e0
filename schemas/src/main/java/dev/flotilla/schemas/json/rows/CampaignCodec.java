package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.Labels;

/** JSON codec for a campaign, which has the form of a Kubernetes object. */
public final class CampaignCodec {
    public static final JsonCodec<Campaign> CAMPAIGN = campaign();

    private record CampaignMetadata(CampaignName name, Labels labels) {}

    private CampaignCodec() {}

    private static JsonCodec<Campaign> campaign() {
        var campaign = JsonObjectCodec.<Campaign>of("campaign", "A campaign as an operator wrote it.");
        ManifestFields.declareApiVersionAndKind(campaign, "Campaign");
        var metadata = campaign.required(
                "metadata",
                metadata(),
                "The campaign's name and labels.",
                c -> new CampaignMetadata(c.name(), c.labels()));
        var spec = campaign.required(
                "spec", CampaignSpecCodec.SPEC, "What the campaign upgrades, to which target and how.", Campaign::spec);
        return campaign.build(v -> {
            CampaignMetadata named = v.get(metadata);
            CampaignSpec what = v.get(spec);
            return new Campaign(named.name(), named.labels(), what);
        });
    }

    private static JsonObjectCodec<CampaignMetadata> metadata() {
        var metadata = JsonObjectCodec.<CampaignMetadata>of("metadata", "A campaign's name and labels.");
        var name = metadata.required(
                "name",
                IdCodecs.CAMPAIGN,
                "The campaign's name, the same as the record's key: lower-case letters, digits and '-'.",
                CampaignMetadata::name);
        var labels = metadata.defaulted(
                "labels",
                SharedValueCodecs.LABELS,
                Labels.NONE,
                "Labels to search campaigns by.",
                CampaignMetadata::labels);
        return metadata.build(v -> new CampaignMetadata(v.get(name), v.get(labels)));
    }
}
