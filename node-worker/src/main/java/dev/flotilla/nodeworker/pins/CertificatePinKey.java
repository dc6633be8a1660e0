package dev.flotilla.nodeworker.pins;

import dev.flotilla.kube.KubeObject;

/**
 * Who shows a certificate: a machine, or the control plane whose members share it.
 *
 * @param key under what its pin is kept; no machine has the name of that of a control plane
 * @param uid a new one of the same name is another
 */
public record CertificatePinKey(String key, String uid) {
    private static final String CONTROL_PLANE = "_control-plane";

    /** Of a machine of its own. */
    public static CertificatePinKey machine(String name, String uid) {
        return new CertificatePinKey(name, uid);
    }

    /** Of a Machine as it is. */
    public static CertificatePinKey holderOf(String name, KubeObject machine) {
        KubeObject owner = machine.label("cluster.x-k8s.io/control-plane") == null ? null : machine.controller();
        String uid = owner == null ? null : owner.text("uid");
        return uid == null ? machine(name, machine.uid()) : new CertificatePinKey(CONTROL_PLANE, uid);
    }

    @Override
    public String toString() {
        return key.equals(CONTROL_PLANE) ? "the control plane" : "machine " + key;
    }
}
