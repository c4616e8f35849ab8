package dev.stowage.sim.trace;

import dev.stowage.core.model.Labels;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects servers; neighbours that are equal become one block. */
final class ServerListBuilder {
    private final List<String> resources;
    private final List<Growing> growing = new ArrayList<>();
    private long servers;

    ServerListBuilder(List<String> resources) {
        this.resources = List.copyOf(resources);
    }

    long servers() {
        return servers;
    }

    void add(String site, long count, List<Long> capacity) {
        add(site, count, capacity, "", Labels.NONE);
    }

    /** The same with a name, of a single server, and labels. */
    void add(String site, long count, List<Long> capacity, String name, Labels labels) {
        add(site, count, capacity, name, labels, "", 0);
    }

    /** The same of a kind that is called so and has a price. */
    void add(String site, long count, List<Long> capacity, String name, Labels labels, String kind, double price) {
        servers = Math.addExact(servers, count);
        @Nullable Growing last = growing.isEmpty() ? null : growing.get(growing.size() - 1);
        if (last == null || !last.takes(site, capacity, name, labels, kind, price)) {
            last = new Growing(site, capacity, labels, kind, price, !name.isEmpty());
            growing.add(last);
        }
        last.count += count;
        last.kind = last.kind.equals(kind) ? kind : "";
        if (!name.isEmpty()) {
            last.names.add(name);
        }
    }

    ServerList build() {
        return new ServerList(
                resources,
                growing.stream()
                        .map(last -> new ServerList.Block(
                                last.site, last.count, last.capacity, last.names, last.labels, last.kind, last.price))
                        .toList());
    }

    /** A block that may still grow. */
    private static final class Growing {
        private final String site;
        private final List<Long> capacity;
        private final Labels labels;
        private String kind;
        private final double price;
        private final boolean named;
        private final List<String> names = new ArrayList<>();
        private long count;

        Growing(String site, List<Long> capacity, Labels labels, String kind, double price, boolean named) {
            this.site = site;
            this.capacity = capacity;
            this.labels = labels;
            this.kind = kind;
            this.price = price;
            this.named = named;
        }

        boolean takes(
                String otherSite,
                List<Long> otherCapacity,
                String name,
                Labels otherLabels,
                String otherKind,
                double otherPrice) {
            return site.equals(otherSite)
                    && capacity.equals(otherCapacity)
                    && labels.equals(otherLabels)
                    && (price == 0 || kind.equals(otherKind))
                    && price == otherPrice
                    && named != name.isEmpty();
        }
    }
}
