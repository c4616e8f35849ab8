package dev.stowage.core.model;

/**
 * A resource that every server has an amount of, in whole units.
 *
 * @param name name with its unit at the end, e.g. {@code cpu_milli}, {@code mem_mib}
 * @param divisible whether a policy divides it among running requests with {@code allocate}; a request then holds what
 *     it was allocated instead of its demand. At most one resource of a cluster is divisible.
 * @param deviceAmount amount of one device, e.g. 1000 of {@code gpu_milli}; 0 if the resource does not come in devices.
 *     A server then has whole devices, at most {@value #MOST_DEVICES}; a request demands whole devices, or a part of
 *     one. At most one resource of a cluster comes in devices.
 */
public record Resource(String name, boolean divisible, long deviceAmount) {
    /** Most devices of a server. */
    public static final int MOST_DEVICES = 64;

    /** Checks the amount of a device. */
    public Resource {
        if (deviceAmount < 0 || (deviceAmount > 0 && divisible)) {
            throw new IllegalArgumentException("resource " + name + " has devices of " + deviceAmount
                    + (divisible
                            ? " and is divisible; it can be only one of the two"
                            : "; they must be at least 1, or 0 for none"));
        }
    }

    /** A resource that does not come in devices. */
    public Resource(String name, boolean divisible) {
        this(name, divisible, 0);
    }

    /** A resource of which a request holds its demand. */
    public static Resource of(String name) {
        return new Resource(name, false);
    }

    /** A resource that comes in devices of this amount. */
    public static Resource inDevices(String name, long deviceAmount) {
        return new Resource(name, false, deviceAmount);
    }

    /** Whether a server has whole devices of the resource, and a request demands whole ones or a part of one. */
    public boolean comesInDevices() {
        return deviceAmount > 0;
    }

    /** Why a server cannot have this amount, or empty if it can. */
    public String wrongCapacity(long capacity) {
        return !comesInDevices() || isWhole(capacity)
                ? ""
                : "a capacity of " + inWords(capacity) + " is not from 0 to " + MOST_DEVICES + " whole devices of "
                        + inWords(deviceAmount);
    }

    /** Why a request cannot demand this amount, or empty if it can. */
    public String wrongDemand(long demand) {
        return !comesInDevices() || demand <= deviceAmount || isWhole(demand)
                ? ""
                : "a demand of " + inWords(demand) + " is neither a part of one device of " + inWords(deviceAmount)
                        + " nor whole devices, at most " + MOST_DEVICES;
    }

    private String inWords(long amount) {
        return ResourceWords.amount(name, amount);
    }

    private boolean isWhole(long amount) {
        return amount % deviceAmount == 0 && amount / deviceAmount <= MOST_DEVICES;
    }
}
