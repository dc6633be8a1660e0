package dev.flotilla.schemas.id;

/** The name of a campaign. */
public record CampaignName(String name) implements EntityKey, Comparable<CampaignName> {
    public CampaignName {
        NameValidator.require(NameValidator.problemOfOwnName(name), "campaign", name);
    }

    @Override
    public int compareTo(CampaignName other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
