package dev.flotilla.schemas.topic;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.ClusterUpgradeKey;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.JournalKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.id.WaveKey;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The text form of record keys. */
public final class RecordKeyFormat {
    /** The key of the row about a site itself, in the site's topics. */
    private static final String SITE = "site";

    private static final String MACHINE = "machine/";
    private static final String CLUSTER = "cluster/";
    private static final String OWNER = "owner/";
    private static final String UPGRADE = "cluster-upgrade/";
    private static final String POLICY = "policy/";
    private static final String ZONE = "zone/";
    private static final int MAX_LENGTH = 1024;

    private RecordKeyFormat() {}

    /** Returns the site whose topic has a row, or null for a row of the fleet's topics. */
    public static @Nullable SiteId siteOf(RowKey at) {
        if (!at.table().isPerSite()) {
            return null;
        }
        return switch (at.key()) {
            case SiteId site -> site;
            case ObjectKey object -> object.site();
            case ClusterUpgradeKey upgrade -> upgrade.cluster().site();
            case FleetScope fleet -> null;
            case CampaignName name -> null;
            case WaveKey wave -> null;
            case OperatorOrderKey order -> null;
            case TimeZoneName zone -> null;
            case RejectedRecordKey rejected -> null;
            case JournalKey journal -> null;
        };
    }

    /** Returns the text of a key within its topic; null for the journal, whose records have no keys. */
    public static @Nullable String print(RowKey at) {
        return switch (at.key()) {
            case SiteId site -> at.table().isPerSite() ? SITE : scope(at.table(), site);
            case FleetScope fleet -> scope(at.table(), fleet);
            case ObjectKey object -> print(object);
            case ClusterUpgradeKey upgrade ->
                UPGRADE + upgrade.cluster().namespace() + "/"
                        + upgrade.cluster().name();
            case TimeZoneName zone -> ZONE + zone.id();
            case CampaignName name -> name.name();
            case WaveKey wave -> wave.toString();
            case OperatorOrderKey order -> order.toString();
            case RejectedRecordKey rejected -> rejected.toString();
            case JournalKey journal -> null;
        };
    }

    /** Returns the text of an object's key within its site. */
    public static String print(ObjectKey key) {
        return switch (key) {
            case MachineKey machine -> MACHINE + machine.namespace() + "/" + machine.name();
            case ClusterKey cluster -> CLUSTER + cluster.namespace() + "/" + cluster.name();
            case OwnerKey owner -> OWNER + owner.kind().label() + "/" + owner.namespace() + "/" + owner.name();
        };
    }

    private static String scope(Table table, PolicyScope scope) {
        return table == Table.CAMPAIGN_STATUS ? POLICY + scope : scope.toString();
    }

    /** Parses a key of a topic; null if the text is no such key. */
    public static @Nullable EntityKey parse(Topic topic, String text) {
        if (text.length() > MAX_LENGTH) {
            return null;
        }
        SiteId site = topic.site();
        return switch (topic.table()) {
            case INVENTORY -> site == null ? null : text.equals(SITE) ? site : object(site, text);
            case STATUS -> site == null ? null : text.equals(SITE) ? site : status(site, text);
            case INTENTS -> site == null ? null : object(site, text);
            case COMMANDS, PROGRESS ->
                site != null && object(site, text) instanceof MachineKey machine ? machine : null;
            case CAMPAIGNS -> campaign(text);
            case ORDERS -> OperatorOrderKeyFormat.parse(text);
            case APPROVALS, FREEZES, AUDITOR_ORDERS -> OperatorOrderKeyFormat.parse(topic.table(), text);
            case POLICIES, HEAD -> scope(text);
            case CAMPAIGN_STATUS -> campaignStatus(text);
            case REJECTED -> rejected(text);
            case JOURNAL, LEADER -> null;
        };
    }

    private static @Nullable EntityKey status(SiteId site, String text) {
        return text.startsWith(UPGRADE)
                        && named(text, UPGRADE.length(), (namespace, name) -> new ClusterKey(site, namespace, name))
                                instanceof ClusterKey cluster
                ? new ClusterUpgradeKey(cluster)
                : object(site, text);
    }

    /** Parses the key of an object of a site; null if the text is no such key. */
    public static @Nullable ObjectKey object(SiteId site, String text) {
        if (text.startsWith(MACHINE)) {
            return named(text, MACHINE.length(), (namespace, name) -> new MachineKey(site, namespace, name));
        }
        if (text.startsWith(CLUSTER)) {
            return named(text, CLUSTER.length(), (namespace, name) -> new ClusterKey(site, namespace, name));
        }
        int slash = text.startsWith(OWNER) ? text.indexOf('/', OWNER.length()) : -1;
        OwnerKind kind = slash < 0 ? null : kind(text.substring(OWNER.length(), slash));
        return kind == null
                ? null
                : named(text, slash + 1, (namespace, name) -> new OwnerKey(site, kind, namespace, name));
    }

    /** Parses the part of a key from an index on; null if it is no such key. */
    private static @Nullable ObjectKey named(String text, int from, BiFunction<String, String, ObjectKey> key) {
        int slash = text.indexOf('/', from);
        String namespace = slash < 0 ? "" : text.substring(from, slash);
        String name = text.substring(slash + 1);
        return isObject(namespace, name) ? key.apply(namespace, name) : null;
    }

    /** Parses a machine's key such as {@code site/namespace/name}; null if the text is no such key. */
    public static @Nullable MachineKey machine(String text) {
        String[] parts = text.split("/", -1);
        return parts.length == 3 && NameValidator.problemOfOwnName(parts[0]) == null && isObject(parts[1], parts[2])
                ? new MachineKey(new SiteId(parts[0]), parts[1], parts[2])
                : null;
    }

    /** Parses {@code fleet} or a site's name; null if the text is neither. */
    public static @Nullable PolicyScope scope(String text) {
        if (text.equals(FleetScope.FLEET.toString())) {
            return FleetScope.FLEET;
        }
        return NameValidator.problemOfOwnName(text) == null ? new SiteId(text) : null;
    }

    static @Nullable CampaignName campaign(String text) {
        return NameValidator.problemOfOwnName(text) == null ? new CampaignName(text) : null;
    }

    private static @Nullable EntityKey campaignStatus(String text) {
        if (text.startsWith(POLICY)) {
            return scope(text.substring(POLICY.length()));
        }
        if (text.startsWith(ZONE)) {
            return text.length() > ZONE.length() ? new TimeZoneName(text.substring(ZONE.length())) : null;
        }
        int slash = text.indexOf('/');
        if (slash < 0) {
            return campaign(text);
        }
        CampaignName name = campaign(text.substring(0, slash));
        String wave = text.substring(slash + 1);
        return name != null && NameValidator.problemOfLabel(wave) == null ? new WaveKey(name, wave) : null;
    }

    private static @Nullable RejectedRecordKey rejected(String text) {
        int first = text.indexOf('/');
        int second = first < 0 ? -1 : text.indexOf('/', first + 1);
        if (first < 1 || second < 0) {
            return null;
        }
        Integer partition = partition(text.substring(first + 1, second));
        return partition == null
                ? null
                : new RejectedRecordKey(text.substring(0, first), partition, text.substring(second + 1));
    }

    private static @Nullable Integer partition(String text) {
        boolean good = !text.isEmpty() && text.length() <= 6 && (text.length() == 1 || text.charAt(0) != '0');
        for (int i = 0; good && i < text.length(); i++) {
            good = text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        return good ? Integer.valueOf(text) : null;
    }

    private static @Nullable OwnerKind kind(String label) {
        for (OwnerKind kind : OwnerKind.values()) {
            if (kind.label().equals(label)) {
                return kind;
            }
        }
        return null;
    }

    private static boolean isObject(String namespace, String name) {
        return NameValidator.problemOfLabel(namespace) == null && NameValidator.problemOfSubdomain(name) == null;
    }
}
