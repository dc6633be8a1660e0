package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.NodeUpgraderRef;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.UpgradeProvider;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON codecs for the providers of machines, and for a policy's rules about them. */
final class UpgradeProviderCodecs {
    private static final int MAX_RULES = 64;

    static final JsonCodec<UpgradeProvider> PROVIDER = EnumCodec.of(UpgradeProvider.class, UpgradeProvider::label);
    static final JsonCodec<NodeUpgradeTemplateRef> TEMPLATE = template();
    static final JsonCodec<NodeUpgraderRef> UPGRADER = upgrader();
    static final JsonCodec<List<ProviderRule>> RULES = new ListCodec<>(rule(), MAX_RULES);

    private UpgradeProviderCodecs() {}

    private static JsonCodec<NodeUpgradeTemplateRef> template() {
        var template = JsonObjectCodec.<NodeUpgradeTemplateRef>of(
                "template", "The template of a machine's NodeUpgrades, an object in the machine's namespace.");
        var apiVersion = template.required(
                "apiVersion",
                ScalarCodecs.TOKEN,
                "Its API group and version, such as flotilla.dev/v1alpha1.",
                NodeUpgradeTemplateRef::apiVersion);
        var kind = template.required(
                "kind", ScalarCodecs.TOKEN, "Its kind, such as NodeUpgradeTemplate.", NodeUpgradeTemplateRef::kind);
        var name = template.required("name", IdCodecs.NAME, "Its name.", NodeUpgradeTemplateRef::name);
        return template.build(v -> new NodeUpgradeTemplateRef(v.get(apiVersion), v.get(kind), v.get(name)));
    }

    private static JsonCodec<NodeUpgraderRef> upgrader() {
        var upgrader = JsonObjectCodec.<NodeUpgraderRef>of(
                "node-upgrader", "A template that an UpgradeTask names, an object in its namespace.");
        var apiGroup = upgrader.required(
                "apiGroup", ScalarCodecs.TOKEN, "Its API group, such as flotilla.dev.", NodeUpgraderRef::apiGroup);
        var kind = upgrader.required(
                "kind", ScalarCodecs.TOKEN, "Its kind, such as NodeUpgradeTemplate.", NodeUpgraderRef::kind);
        var name = upgrader.required("name", IdCodecs.NAME, "Its name.", NodeUpgraderRef::name);
        return upgrader.build(v -> new NodeUpgraderRef(v.get(apiGroup), v.get(kind), v.get(name)));
    }

    private static JsonCodec<ProviderRule> rule() {
        var rule = JsonObjectCodec.<ProviderRule>of(
                "provider-rule", "What upgrades the machines that this rule selects: every given part must match.");
        var sites = rule.<List<SiteId>>omittedIfDefault(
                "sites",
                new ListCodec<>(IdCodecs.SITE, WaveCodec.MAX_SITES),
                List.of(),
                "In the fleet's policy: machines of these sites. Default: every site.",
                ProviderRule::sites);
        var machines = rule.omittedIfDefault(
                "machines",
                LabelSelectorCodec.SELECTOR,
                LabelSelector.ALL,
                "Machines with these labels. Default: every machine.",
                ProviderRule::machines);
        var provider = rule.required(
                "provider",
                PROVIDER,
                "k8sd applies channel=, revision= and localPath=; node-upgrade applies version= and spec=; none applies"
                        + " nothing.",
                ProviderRule::provider);
        var template = rule.optional(
                "template",
                TEMPLATE,
                "Required with node-upgrade: the template of the machines' NodeUpgrades.",
                ProviderRule::template);
        return rule.build((v, at, problems) -> checked(
                new ProviderRule(v.get(sites), v.get(machines), v.get(provider), v.get(template)), at, problems));
    }

    private static @Nullable ProviderRule checked(ProviderRule rule, JsonValue at, ProblemCollector problems) {
        boolean needsTemplate = rule.provider() == UpgradeProvider.NODE_UPGRADE;
        if (needsTemplate == (rule.template() != null)) {
            return rule;
        }
        problems.addBadValue(
                at,
                needsTemplate
                        ? "must have a template with provider node-upgrade: apiVersion, kind and name"
                        : "must have no template with provider "
                                + rule.provider().label(),
                null);
        return null;
    }
}
