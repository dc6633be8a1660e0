package dev.flotilla.nodeworker.k8sd.trust;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.kube.LabelKeys;

/**
 * The holder of a certificate: a machine, or a control plane whose members share it.
 *
 * @param key key of its pin; no machine can have the key of a control plane
 * @param uid a new holder of the same name has another uid
 */
public record CertificatePinKey(String key, String uid) {
    private static final String CONTROL_PLANE = "_control-plane";

    /** Returns the key of a machine with its own certificate. */
    public static CertificatePinKey machine(String name, String uid) {
        return new CertificatePinKey(name, uid);
    }

    /** Returns the key of a Machine's certificate. */
    public static CertificatePinKey holderOf(String name, KubeObject machine) {
        KubeObject owner = machine.label(LabelKeys.CONTROL_PLANE) == null ? null : machine.controller();
        String uid = owner == null ? null : owner.text("uid");
        return uid == null ? machine(name, machine.uid()) : new CertificatePinKey(CONTROL_PLANE, uid);
    }

    @Override
    public String toString() {
        return key.equals(CONTROL_PLANE) ? "the control plane" : "machine " + key;
    }
}
