package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.ClusterApiRule;
import dev.flotilla.schemas.row.ClusterApiRule.UncoveredChange;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.row.VersionFieldChange;
import dev.flotilla.schemas.row.VersionFieldKind;

/** JSON codecs for clusters whose machines Cluster API updates in place. */
final class ClusterUpgradeCodecs {
    private static final JsonCodec<VersionFieldKind> KIND =
            EnumCodec.of(VersionFieldKind.class, VersionFieldKind::label);

    static final JsonCodec<VersionField> FIELD = field();
    static final JsonCodec<ClusterUpgrade> UPGRADE = upgrade();
    static final JsonCodec<ClusterApiRule> RULE = rule();

    private ClusterUpgradeCodecs() {}

    private static JsonCodec<VersionField> field() {
        var field = JsonObjectCodec.<VersionField>of(
                "version-field", "A field with the version of machines that Cluster API updates in place.");
        var kind = field.required(
                "kind", KIND, "The object: topology, control-plane or machine-deployment.", VersionField::kind);
        var name = field.required("name", IdCodecs.NAME, "The object's name.", VersionField::name);
        var version = field.required("version", ScalarCodecs.TOKEN, "The field's value.", VersionField::version);
        var manager = field.optional(
                "manager", ScalarCodecs.TOKEN, "The field manager that wrote it last.", VersionField::manager);
        var problem = field.optional(
                "problem",
                ScalarCodecs.text(0, VersionField.MAX_PROBLEM),
                "Why Cluster API would replace machines after a change. Default: it updates all of them in place.",
                VersionField::problem);
        return field.build(
                v -> new VersionField(v.get(kind), v.get(name), v.get(version), v.get(manager), v.get(problem)));
    }

    private static JsonCodec<ClusterUpgrade> upgrade() {
        var row = JsonObjectCodec.<ClusterUpgrade>of(
                "cluster-upgrade", "A cluster that a campaign has opened, and the fields that its watcher changes.");
        var site = row.required(
                "site",
                IdCodecs.SITE,
                SharedValueCodecs.SITE_TEXT,
                u -> u.cluster().site());
        var namespace = row.required(
                "namespace",
                IdCodecs.LABEL,
                "The Cluster object's namespace.",
                u -> u.cluster().namespace());
        var name = row.required(
                "name",
                IdCodecs.NAME,
                "The Cluster object's name.",
                u -> u.cluster().name());
        var campaign = row.required(
                "campaign",
                IdCodecs.CAMPAIGN,
                "The campaign.",
                u -> u.campaign().name());
        var uid = row.required(
                "campaignUid",
                ScalarCodecs.SEQ,
                "The campaign's uid.",
                u -> u.campaign().uid());
        var version = row.required(
                "version", KubernetesVersionCodec.VERSION, "The version to write.", ClusterUpgrade::version);
        var openedAt = row.required("openedAt", ScalarCodecs.INSTANT, "When it was opened.", ClusterUpgrade::openedAt);
        var changes = row.required(
                "changes",
                new ListCodec<>(change(), ClusterUpgrade.MAX_CHANGES),
                "The fields to write, in the order in which they were added.",
                ClusterUpgrade::changes);
        return row.build(v -> new ClusterUpgrade(
                new ClusterKey(v.get(site), v.get(namespace), v.get(name)),
                new RolloutRef.CampaignRef(v.get(campaign), v.get(uid)),
                v.get(version),
                v.get(openedAt),
                v.get(changes)));
    }

    private static JsonCodec<VersionFieldChange> change() {
        var change = JsonObjectCodec.<VersionFieldChange>of("version-field-change", "A version field that is changed.");
        var kind = change.required(
                "kind", KIND, "The object: topology, control-plane or machine-deployment.", VersionFieldChange::kind);
        var name = change.required("name", IdCodecs.NAME, "The object's name.", VersionFieldChange::name);
        var from = change.required(
                "from",
                ScalarCodecs.TOKEN,
                "The value that the field must have: with another one it is not written.",
                VersionFieldChange::from);
        var written = change.omittedIfDefault(
                "written",
                ScalarCodecs.FLAG,
                false,
                "Whether the field was seen to have the new version.",
                VersionFieldChange::written);
        return change.build(v -> new VersionFieldChange(v.get(kind), v.get(name), v.get(from), v.get(written)));
    }

    private static JsonCodec<ClusterApiRule> rule() {
        var rule = JsonObjectCodec.<ClusterApiRule>of(
                "cluster-api", "Clusters whose machines Cluster API updates in place.");
        var uncovered = rule.defaulted(
                "uncovered",
                EnumCodec.of(UncoveredChange.class, UncoveredChange::label),
                UncoveredChange.STOP,
                "What to do if Cluster API would replace machines: stop (change nothing) or replace.",
                ClusterApiRule::uncovered);
        return rule.build(v -> new ClusterApiRule(v.get(uncovered)));
    }
}
