package dev.flotilla.schemas.row;

/**
 * The template from which a machine's NodeUpgrades are made: an object in the machine's namespace whose {@code
 * spec.template.spec} is copied.
 */
public record NodeUpgradeTemplateRef(String apiVersion, String kind, String name) {}
