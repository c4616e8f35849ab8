package dev.stowage.policies.shadow;

/** Equal servers of one site: a capacity class of the view. Requests are routed to blocks. */
final class Block {
    final int number;
    final int site;
    final long[] capacity;
    final ConfigurationSet configurations;
    /** By type: whether one fits an empty server and the whole pools of the site. */
    final boolean[] fits;
    /** Servers that are up: beta*. */
    int up;
    /** Place among the blocks of the site. */
    int place;

    Block(int number, int site, long[] capacity, ConfigurationSet configurations, boolean[] fits) {
        this.number = number;
        this.site = site;
        this.capacity = capacity;
        this.configurations = configurations;
        this.fits = fits;
    }

    /** Utilization per unit of a resource, if {@code whole} is that of a full server; 0 for what it has none of. */
    long weight(int resource, long whole) {
        return capacity[resource] == 0 ? 0 : whole / capacity[resource];
    }
}
