package dev.flotilla.schemas.row;

/**
 * Names the template of the NodeUpgrades of an UpgradeTask's machines, an object in their namespace. The policy's rule that
 * names the same template says which version of its kind is used.
 */
public record NodeUpgraderRef(String apiGroup, String kind, String name) {

    /** Names a template. */
    public static NodeUpgraderRef of(NodeUpgradeTemplateRef template) {
        return new NodeUpgraderRef(groupOf(template), template.kind(), template.name());
    }

    /** Whether a template is this one. */
    public boolean isSame(NodeUpgradeTemplateRef template) {
        return template.name().equals(name)
                && template.kind().equals(kind)
                && groupOf(template).equals(apiGroup);
    }

    private static String groupOf(NodeUpgradeTemplateRef template) {
        int slash = template.apiVersion().indexOf('/');
        return slash < 0 ? "" : template.apiVersion().substring(0, slash);
    }

    @Override
    public String toString() {
        return kind + "." + apiGroup + " " + name;
    }
}
