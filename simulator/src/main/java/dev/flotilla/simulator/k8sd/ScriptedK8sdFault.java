package dev.flotilla.simulator.k8sd;

/**
 * What a node is to say instead of what it would.
 *
 * @param path of the requests that it is said to
 * @param executesRequest whether the request is done all the same
 * @param times so often, before it behaves again
 */
public record ScriptedK8sdFault(String path, boolean executesRequest, SimK8sdResponse answer, int times) {
    public static final String REFRESH = "/1.0/snap/refresh";
    public static final String STATUS = "/1.0/snap/refresh-status";

    /** For ever. */
    public static final int ALWAYS = Integer.MAX_VALUE;
}
