package dev.flotilla.simulator.worker;

/**
 * What a worker keeps to. All of it, but in worlds that must fail.
 *
 * @param checksNotAfter never calls after the command's end
 * @param checksLicence calls only under a fresh licence of its own session
 * @param looksLive reads the cluster itself right before the call
 * @param onlyVerifies makes no second call where the outcome of the first is unknown
 * @param asksForProof believes the node and not snapd's word
 * @param obeysCancel does not call once told not to
 */
public record WorkerHabits(
        boolean checksNotAfter,
        boolean checksLicence,
        boolean looksLive,
        boolean onlyVerifies,
        boolean asksForProof,
        boolean obeysCancel) {
    public static final WorkerHabits GOOD = new WorkerHabits(true, true, true, true, true, true);
}
