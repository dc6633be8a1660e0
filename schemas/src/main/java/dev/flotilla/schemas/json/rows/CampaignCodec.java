package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.Labels;

/** A campaign, shaped like a Kubernetes object. */
public final class CampaignCodec {
    public static final Codec<Campaign> CAMPAIGN = campaign();

    private record Metadata(CampaignName name, Labels labels) {}

    private CampaignCodec() {}

    private static Codec<Campaign> campaign() {
        var campaign = RecordCodec.<Campaign>of("campaign", "A campaign as its operator specifies it.");
        Shapes.head(campaign, "Campaign");
        var metadata = campaign.required(
                "metadata", metadata(), "The campaign's name and labels.", c -> new Metadata(c.name(), c.labels()));
        var spec = campaign.required("spec", SpecCodec.SPEC, "What the campaign is to do.", Campaign::spec);
        return campaign.build(v -> {
            Metadata named = v.get(metadata);
            CampaignSpec what = v.get(spec);
            return new Campaign(named.name(), named.labels(), what);
        });
    }

    private static RecordCodec<Metadata> metadata() {
        var metadata = RecordCodec.<Metadata>of("metadata", "A campaign's name and labels.");
        var name = metadata.required(
                "name",
                Ids.CAMPAIGN,
                "The campaign's name, the same as the record's key: lower-case letters, digits and '-'.",
                Metadata::name);
        var labels = metadata.defaulted(
                "labels", Parts.LABELS, Labels.NONE, "Labels for whoever searches campaigns.", Metadata::labels);
        return metadata.build(v -> new Metadata(v.get(name), v.get(labels)));
    }
}
