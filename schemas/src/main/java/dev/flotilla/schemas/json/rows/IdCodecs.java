package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.topic.OperatorOrderKeyFormat;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** JSON codecs for names and keys. */
final class IdCodecs {
    static final JsonCodec<SiteId> SITE = ScalarCodecs.parsedWithHint(
            "a site's name",
            NameValidator.MAX_LABEL,
            NameValidator::problemOfOwnName,
            IdCodecs::asLabel,
            SiteId::new,
            SiteId::name);
    static final JsonCodec<CampaignName> CAMPAIGN = ScalarCodecs.parsedWithHint(
            "a campaign's name",
            NameValidator.MAX_LABEL,
            NameValidator::problemOfOwnName,
            IdCodecs::asLabel,
            CampaignName::new,
            CampaignName::name);
    /** A DNS label, such as a wave's name or a namespace. */
    static final JsonCodec<String> LABEL = ScalarCodecs.parsedWithHint(
            "a name",
            NameValidator.MAX_LABEL,
            NameValidator::problemOfLabel,
            IdCodecs::asLabel,
            name -> name,
            name -> name);
    /** The name of a Kubernetes object. */
    static final JsonCodec<String> NAME = ScalarCodecs.parsed(
            "a Kubernetes name",
            NameValidator.MAX_SUBDOMAIN,
            NameValidator::problemOfSubdomain,
            name -> name,
            name -> name);

    static final JsonCodec<MachineKey> MACHINE = ScalarCodecs.parsed(
            "a machine as <site>/<namespace>/<name>",
            2 * NameValidator.MAX_LABEL + NameValidator.MAX_SUBDOMAIN + 2,
            text -> RecordKeyFormat.machine(text) == null ? "must be a machine as <site>/<namespace>/<name>" : null,
            text -> Objects.requireNonNull(RecordKeyFormat.machine(text)),
            MachineKey::toString);
    static final JsonCodec<PolicyScope> SCOPE = ScalarCodecs.parsedWithHint(
            "\"fleet\" or a site's name",
            NameValidator.MAX_LABEL,
            text -> RecordKeyFormat.scope(text) == null ? "must be \"fleet\" or a site's name" : null,
            IdCodecs::asLabel,
            text -> Objects.requireNonNull(RecordKeyFormat.scope(text)),
            PolicyScope::toString);
    static final JsonCodec<OperatorOrderKey> ORDER = ScalarCodecs.parsed(
            "an order's key",
            1024,
            text -> OperatorOrderKeyFormat.parse(text) == null
                    ? "must be an order's key such as <campaign>/state"
                    : null,
            text -> Objects.requireNonNull(OperatorOrderKeyFormat.parse(text)),
            OperatorOrderKey::toString);
    static final JsonCodec<OwnerKind> OWNER_KIND = EnumCodec.of(OwnerKind.class, OwnerKind::label);

    /** An object of a site, written as its key. */
    static final JsonCodec<String> OBJECT = ScalarCodecs.parsed(
            "an object such as machine/<namespace>/<name>",
            512,
            text -> RecordKeyFormat.object(new SiteId("any"), text) == null
                    ? "must be machine/<namespace>/<name>, cluster/<namespace>/<name> or owner/<kind>/<namespace>/<name>"
                    : null,
            text -> text,
            text -> text);

    private IdCodecs() {}

    /** Returns the object that a text of {@link #OBJECT} names. */
    static ObjectKey object(SiteId site, String text) {
        return Objects.requireNonNull(RecordKeyFormat.object(site, text));
    }

    /** Returns a valid name that is similar to an invalid one, or null. */
    private static @Nullable String asLabel(String wrong) {
        String near =
                wrong.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        return NameValidator.problemOfOwnName(near) == null ? "such as " + near : null;
    }
}
