package dev.flotilla.managementwatcher.event;

/** What a write changes on an object. The labels are the same in metrics and logs. */
public enum ObjectWriteKind {
    ANNOTATIONS("annotations"),
    CONDITION("condition"),
    DEFAULT_RELEASE("default-release"),
    UPGRADE_TASK("upgrade-task"),
    VERSION("version");

    private final String label;

    ObjectWriteKind(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
