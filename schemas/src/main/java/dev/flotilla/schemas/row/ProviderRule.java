package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.SiteId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A policy's rule about the provider of machines. Every given part of its selection must match; the first rule that matches a
 * machine wins, also over what the machine's row says.
 *
 * @param sites empty for every site
 * @param template the template of its NodeUpgrades; only for {@link UpgradeProvider#NODE_UPGRADE}
 */
public record ProviderRule(
        List<SiteId> sites,
        LabelSelector machines,
        UpgradeProvider provider,
        @Nullable NodeUpgradeTemplateRef template) {
    public ProviderRule {
        sites = List.copyOf(sites);
    }
}
