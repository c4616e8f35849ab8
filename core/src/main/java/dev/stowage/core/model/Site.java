package dev.stowage.core.model;

import java.util.List;

/**
 * A data center.
 *
 * @param name name, unique in the cluster
 * @param servers its servers, in blocks; server numbers run through blocks and sites in order
 * @param pooled capacity of every pooled resource, shared by the whole site
 */
public record Site(String name, List<ServerBlock> servers, Amounts pooled) {
    /** Takes a copy of the list. */
    public Site {
        servers = List.copyOf(servers);
    }

    /** A site without pooled resources. */
    public static Site of(String name, ServerBlock... servers) {
        return new Site(name, List.of(servers), Amounts.NONE);
    }
}
