package dev.flotilla.testkit.clusterapi;

/** A release of Cluster API whose managers {@code testkit/capi/build} builds. */
public enum ClusterApiRelease {
    V1_12("cluster-api-1.12.10-test-1.12.5"),
    V1_13("cluster-api-1.13.6-test-1.13.4"),
    V1_14("cluster-api-1.14.2-test-1.14.0");

    /** The release that is used unless a test says otherwise. */
    public static final ClusterApiRelease NEWEST = V1_14;

    private final String folder;

    ClusterApiRelease(String folder) {
        this.folder = folder;
    }

    /** The folder of its programs, named after the versions in the go.mod beside the script. */
    String folder() {
        return folder;
    }

    /** The name of the release, such as {@code 1.14}. */
    public String number() {
        return name().substring(1).replace('_', '.');
    }
}
