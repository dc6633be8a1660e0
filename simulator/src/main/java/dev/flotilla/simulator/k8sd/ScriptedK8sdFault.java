package dev.flotilla.simulator.k8sd;

/**
 * A response that a node gives instead of its usual one.
 *
 * @param path of the requests that receive it
 * @param executesRequest whether the node executes the request anyway
 * @param times how many requests receive it before the node behaves normally again
 */
public record ScriptedK8sdFault(String path, boolean executesRequest, SimK8sdResponse answer, int times) {
    public static final String REFRESH = "/1.0/snap/refresh";
    public static final String STATUS = "/1.0/snap/refresh-status";

    /** For all requests. */
    public static final int ALWAYS = Integer.MAX_VALUE;
}
