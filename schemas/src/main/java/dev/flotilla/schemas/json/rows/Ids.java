package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.Names;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.Scope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.topic.Keys;
import dev.flotilla.schemas.topic.OrderKeys;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Codecs of what things are called. */
final class Ids {
    static final Codec<SiteId> SITE = Scalars.hinted(
            "a site's name", Names.MAX_LABEL, Names::problemOfOwnName, Ids::asLabel, SiteId::new, SiteId::name);
    static final Codec<CampaignName> CAMPAIGN = Scalars.hinted(
            "a campaign's name",
            Names.MAX_LABEL,
            Names::problemOfOwnName,
            Ids::asLabel,
            CampaignName::new,
            CampaignName::name);
    /** A wave's name, a namespace: a DNS label. */
    static final Codec<String> LABEL =
            Scalars.hinted("a name", Names.MAX_LABEL, Names::problemOfLabel, Ids::asLabel, name -> name, name -> name);
    /** The name of a Kubernetes object. */
    static final Codec<String> NAME = Scalars.parsed(
            "a Kubernetes name", Names.MAX_SUBDOMAIN, Names::problemOfSubdomain, name -> name, name -> name);

    static final Codec<MachineKey> MACHINE = Scalars.parsed(
            "a machine as <site>/<namespace>/<name>",
            2 * Names.MAX_LABEL + Names.MAX_SUBDOMAIN + 2,
            text -> Keys.machine(text) == null ? "must be a machine as <site>/<namespace>/<name>" : null,
            text -> Objects.requireNonNull(Keys.machine(text)),
            MachineKey::toString);
    static final Codec<Scope> SCOPE = Scalars.hinted(
            "\"fleet\" or a site's name",
            Names.MAX_LABEL,
            text -> Keys.scope(text) == null ? "must be \"fleet\" or a site's name" : null,
            Ids::asLabel,
            text -> Objects.requireNonNull(Keys.scope(text)),
            Scope::toString);
    static final Codec<OrderKey> ORDER = Scalars.parsed(
            "an order's key",
            1024,
            text -> OrderKeys.parse(text) == null ? "must be an order's key such as <campaign>/state" : null,
            text -> Objects.requireNonNull(OrderKeys.parse(text)),
            OrderKey::toString);
    static final Codec<OwnerKind> OWNER_KIND = Choice.of(OwnerKind.class, OwnerKind::label);

    /** An object within its site, in the form of its key. */
    static final Codec<String> OBJECT = Scalars.parsed(
            "an object such as machine/<namespace>/<name>",
            512,
            text -> Keys.object(new SiteId("any"), text) == null
                    ? "must be machine/<namespace>/<name>, cluster/<namespace>/<name> or owner/<kind>/<namespace>/<name>"
                    : null,
            text -> text,
            text -> text);

    private Ids() {}

    /** The object that a text of {@link #OBJECT} names. */
    static ObjectKey object(SiteId site, String text) {
        return Objects.requireNonNull(Keys.object(site, text));
    }

    /** A name of the right form that looks like a wrong one, or null. */
    private static @Nullable String asLabel(String wrong) {
        String near =
                wrong.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        return Names.problemOfOwnName(near) == null ? "such as " + near : null;
    }
}
