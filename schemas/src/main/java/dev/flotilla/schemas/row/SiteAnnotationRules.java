package dev.flotilla.schemas.row;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the policies allow in a site, so that its watcher can say on an object why a request is refused. The orchestrator decides by
 * the policies themselves.
 *
 * @param localPaths directories below which the local path of an annotation may point
 * @param targetPatterns patterns of which one must match the target of an annotation; empty for any target
 * @param providerRules the rules about what upgrades the site's machines; they name no sites
 */
public record SiteAnnotationRules(
        List<String> localPaths, List<String> targetPatterns, List<ProviderRule> providerRules) {
    public static final SiteAnnotationRules NONE = new SiteAnnotationRules(List.of(), List.of(), List.of());

    public SiteAnnotationRules {
        localPaths = List.copyOf(localPaths);
        targetPatterns = List.copyOf(targetPatterns);
        providerRules = List.copyOf(providerRules);
    }

    /** Returns what upgrades a machine: what the first rule that selects it says, otherwise what the watcher has found. */
    public UpgradeProvider providerOf(Labels labels, UpgradeProvider found) {
        ProviderRule rule = findRule(labels);
        return rule == null ? found : rule.provider();
    }

    /** Returns the template of a machine's NodeUpgrades; null if no rule names one. */
    public @Nullable NodeUpgradeTemplateRef templateOf(Labels labels) {
        ProviderRule rule = findRule(labels);
        return rule == null ? null : rule.template();
    }

    private @Nullable ProviderRule findRule(Labels labels) {
        return providerRules.stream()
                .filter(rule -> rule.machines().matches(labels))
                .findFirst()
                .orElse(null);
    }

    /** Returns the templates that the rules name. */
    public List<NodeUpgradeTemplateRef> templates() {
        return providerRules.stream()
                .map(ProviderRule::template)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    /** Returns the template that a task names, if a rule names it too; otherwise null. */
    public @Nullable NodeUpgradeTemplateRef findTemplate(NodeUpgraderRef upgrader) {
        return templates().stream().filter(upgrader::isSame).findFirst().orElse(null);
    }
}
