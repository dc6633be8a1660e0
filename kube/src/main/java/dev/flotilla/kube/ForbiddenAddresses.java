package dev.flotilla.kube;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Addresses that Flotilla never sends requests to, even if a cluster's objects name them. */
public final class ForbiddenAddresses {
    private static final String IPV4_PART = "(0|[1-9][0-9]{0,2})";

    /** An IP address in its unambiguous form. A host name does not match, because it would have to be resolved. */
    private static final Pattern IP_ADDRESS =
            Pattern.compile(IPV4_PART + "(\\." + IPV4_PART + "){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    /** The IPv6 address of cloud metadata services, besides the link-local one. */
    private static final String METADATA_V6 = "fd00:ec2:0:0:0:0:0:254";

    private static final String UNRESOLVABLE = "is not known";

    private ForbiddenAddresses() {}

    /** Returns why an address is forbidden; null if it is not. */
    public static @Nullable String problemOf(InetAddress address) {
        if (address.isLinkLocalAddress() || address.getHostAddress().equals(METADATA_V6)) {
            return "is link-local, where clouds keep their metadata";
        }
        return address.isAnyLocalAddress() || address.isMulticastAddress()
                ? "is a wildcard or multicast address"
                : null;
    }

    /**
     * Returns why the address in a Node's status is forbidden; null if it is not.
     *
     * @param testBed whether the whole site runs on this machine
     */
    public static @Nullable String problemOfNode(String text, boolean testBed) {
        return IP_ADDRESS.matcher(text).matches() ? problem(text, testBed) : "is no IP address";
    }

    /**
     * Returns why the server in a cluster's kubeconfig is forbidden; null if it is not. A host name that cannot be resolved is not
     * forbidden: connecting to it fails later.
     *
     * @param testBed whether the whole site runs on this machine
     */
    public static @Nullable String problemOfServer(String url, boolean testBed) {
        String host = host(url);
        if (host == null) {
            return "has no host";
        }
        String problem = problem(host, testBed);
        return UNRESOLVABLE.equals(problem) ? null : problem;
    }

    private static @Nullable String problem(String host, boolean testBed) {
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                String problem = address.isLoopbackAddress() && !testBed
                        ? "is on the loopback, that is, on the worker itself"
                        : problemOf(address);
                if (problem != null) {
                    return problem;
                }
            }
            return null;
        } catch (UnknownHostException e) {
            return UNRESOLVABLE;
        }
    }

    /** Whether the URL of a server names this machine. */
    public static boolean isLoopback(String url) {
        String host = host(url);
        try {
            return host != null
                    && (host.equals("localhost")
                            || (IP_ADDRESS.matcher(host).matches()
                                    && InetAddress.getAllByName(host)[0].isLoopbackAddress()));
        } catch (UnknownHostException e) {
            return false;
        }
    }

    static @Nullable String host(String url) {
        try {
            String host = URI.create(url).getHost();
            return host == null ? null : host.replaceAll("[\\[\\]]", "");
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
