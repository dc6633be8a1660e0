package dev.flotilla.managementwatcher.view;

/** The cluster that UpgradeTasks name; it need not exist. Its tasks are planned together. */
public record TaskCluster(String namespace, String name) {
    /** Returns the cluster of a machine. */
    public static TaskCluster of(MachineView machine) {
        return new TaskCluster(machine.key().namespace(), machine.cluster());
    }

    /** Returns the cluster of a task. */
    public static TaskCluster of(UpgradeTaskView task) {
        return new TaskCluster(task.key().namespace(), task.spec().clusterName());
    }
}
