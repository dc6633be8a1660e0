package dev.flotilla.clusterapi.hook;

import dev.flotilla.clusterapi.coverage.CoverageAnswer;
import dev.flotilla.kube.KubeObject;
import java.time.Duration;

/** Learns what the hooks are answered. It is called before the response is sent, so it must not wait. */
public interface HookListener {

    /**
     * A hook was answered.
     *
     * @param subject namespace and name of the Machine or MachineSet; empty where the request names none
     * @param message what the response says; never a value of a spec
     */
    void answered(Hook hook, HookOutcome outcome, String subject, String message, Duration took);

    /** A change was judged: its request has the owner's labels. */
    void judged(Hook hook, KubeObject request, CoverageAnswer answer);
}
