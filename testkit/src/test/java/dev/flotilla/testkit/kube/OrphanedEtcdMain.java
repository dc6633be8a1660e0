package dev.flotilla.testkit.kube;

/** A process that starts an etcd and waits to be killed. */
final class OrphanedEtcdMain {
    private OrphanedEtcdMain() {}

    /** Prints the folder of the etcd, and runs until its standard input ends. */
    public static void main(String[] args) throws Exception {
        try (EtcdServer etcd = EtcdServer.start()) {
            System.out.println(etcd.folder());
            System.in.read();
        }
    }
}
