package dev.stowage.cli.serve;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.service.api.ApiServer;
import dev.stowage.service.directory.DataDirectory;
import dev.stowage.service.directory.DirectoryLock;
import dev.stowage.service.directory.Identity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** What a data directory holds already. A service of another size is refused there before anything is written. */
final class UsedDirectory {
    /** The configuration of a group in its directory. */
    static final String GROUP = "service.yaml";

    private static final String BEGINNING =
            "# Written by 'stowage serve --nodes'. Servers and policy are those of a first"
                    + " start without data; then 'stowage servers'\n# and 'stowage policy' change them. Checksum as written: ";

    private UsedDirectory() {}

    /** A configuration as {@code serve} writes it. */
    static String written(String yaml) {
        CRC32 sum = new CRC32();
        sum.update(yaml.getBytes(StandardCharsets.UTF_8));
        return BEGINNING + Long.toHexString(sum.getValue()) + "\n" + yaml;
    }

    /** Whether {@code serve} wrote a configuration that nobody has changed, so that nobody asked for what is in it. */
    static boolean wrote(Path configuration) {
        try {
            String text = Files.readString(configuration);
            return text.startsWith(BEGINNING)
                    && text.equals(written(text.substring(text.indexOf('\n', BEGINNING.length()) + 1)));
        } catch (IOException e) {
            return false;
        }
    }

    /** Refuses a single node where a group is. */
    static void mustBeForOne(Path directory, String id) {
        SortedMap<String, String> members = members(directory, id);
        boolean file = Files.exists(directory.resolve(GROUP));
        if (members.isEmpty() ? file || holds(directory, "n2") : members.size() > 1 || (file && !single(members))) {
            throw new BadInputException("--data " + directory + " holds a node of a group; start "
                    + (file
                            ? "the group with --nodes, or this node with --config " + directory.resolve(GROUP)
                                    + " --node " + id
                            : "it with --nodes or with the group's --config")
                    + ", or give a single node another --data");
        }
    }

    /** The first of other files where a node begins; empty if there are none, or the node has been there before. */
    static String others(Path directory, String id) {
        if (!Files.isDirectory(directory) || holds(directory, id)) {
            return "";
        }
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals(id))
                    .sorted()
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    /** Refuses a node of a group where a single node is. */
    static void mustNotBeOfOne(Path directory, String id) {
        if (single(members(directory, id))) {
            throw new BadInputException(directory + " holds a single node: give the group another directory. A group"
                    + " that begins with what this node has: 'stowage backup " + directory.resolve(id)
                    + " FILE' and 'stowage restore FILE --data NEW --nodes N'; then start it in NEW");
        }
    }

    /** Refuses a new group where some of its nodes are, and the others are not; says whether all are. */
    static boolean mustHoldAllOrNone(Path directory, ServiceConfiguration group) {
        List<String> ids =
                group.nodes().stream().map(ServiceConfiguration.Node::id).toList();
        mustNotBeOfOne(directory, ids.get(0));
        List<String> held = ids.stream().filter(id -> holds(directory, id)).toList();
        if (!held.isEmpty() && held.size() < ids.size()) {
            throw new BadInputException("--data " + directory + " holds " + String.join(", ", held) + " and not "
                    + ids.size() + " nodes: give the number of nodes that it was made for, or another --data");
        }
        return !held.isEmpty();
    }

    /**
     * Refuses a group where a single node is, or where a process serves already.
     *
     * @param choose how to have other ports
     */
    static void mustBeForGroup(Path directory, ServiceConfiguration group, String choose) {
        mustNotBeOfOne(directory, group.nodes().get(0).id());
        try {
            for (ServiceConfiguration.Node node : group.nodes()) {
                mustBeFree(directory, group, node);
            }
        } catch (BindException e) {
            throw new UncheckedIOException(e.getMessage() + "; " + choose, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /**
     * Throws what a node's start would, before anything is made, if its directory or one of its ports is in use.
     *
     * @param directory with the nodes' directories
     */
    static void mustBeFree(Path directory, ServiceConfiguration group, ServiceConfiguration.Node node)
            throws IOException {
        Path data = directory.resolve(node.id());
        if (Files.exists(data.resolve(DirectoryLock.FILE))) {
            DirectoryLock.take(data).close();
        }
        mustBeFree(group.api(node).listen(), "api", node);
        mustBeFree(
                new InetSocketAddress(node.raft().getHostString(), node.raft().getPort()), "raft", node);
    }

    private static void mustBeFree(InetSocketAddress port, String setting, ServiceConfiguration.Node node)
            throws IOException {
        try {
            ApiServer.mustBeFree(port);
        } catch (BindException e) {
            BindException named = new BindException("port " + port.getPort() + " ('" + setting + "' of node "
                    + node.id() + ") is in use, perhaps by another 'stowage serve'");
            named.initCause(e);
            throw named;
        }
    }

    private static boolean holds(Path directory, String id) {
        return Files.exists(Identity.file(directory.resolve(id)));
    }

    /** The members that a node's directory knows; empty if it has no log, or cannot be read: the node says that. */
    private static SortedMap<String, String> members(Path directory, String id) {
        Path data = directory.resolve(id);
        try {
            Identity identity = Identity.read(data, id);
            return identity == null ? new TreeMap<>() : new DataDirectory(data, identity.directory(data)).members();
        } catch (IOException e) {
            return new TreeMap<>();
        }
    }

    /** A node without a group's file has a free port for Raft at each start, which the log has as port 0. */
    private static boolean single(SortedMap<String, String> members) {
        return members.size() == 1 && members.values().stream().allMatch(address -> address.endsWith(":0"));
    }
}
