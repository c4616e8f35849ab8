package dev.stowage.core.engine;

import dev.stowage.core.model.Resource;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;

/**
 * The devices of servers, in a cluster in which a resource comes in devices: which ones a server has, what is free of
 * each, and which ones a job on a server holds. A set of devices is a long whose bit i is device i. After a resize or
 * an adoption a device may have less than nothing free, even one that the server does not have: then a job holds it.
 */
final class Devices {
    private static final long[] NONE = {};

    final int resource;
    final long amount;
    private final Jobs jobs;
    /** By server: those it has. */
    private long[] present = NONE;
    /** By server and device; nothing is free of a device beyond the end. */
    private long[][] free = {};
    /** By server: the amount of all devices of which all is free, and the most that is free of one device. */
    private long[] wholes = NONE;

    private long[] most = NONE;
    /** By job: those it holds while on a server. */
    private long[] held = NONE;

    Devices(int resource, long amount, Jobs jobs) {
        this.resource = resource;
        this.amount = amount;
        this.jobs = jobs;
    }

    /** A new server with a capacity of the resource. */
    void add(int server, long capacity) {
        if (server >= present.length) {
            int room = server + (server >> 1) + 16;
            int old = present.length;
            present = Arrays.copyOf(present, room);
            wholes = Arrays.copyOf(wholes, room);
            most = Arrays.copyOf(most, room);
            free = Arrays.copyOf(free, room);
            Arrays.fill(free, old, room, NONE);
        }
        setPresent(server, lowest(capacity / amount));
    }

    private static long lowest(long count) {
        return count == 0 ? 0 : -1L >>> (Resource.MOST_DEVICES - count);
    }

    long present(int server) {
        return present[server];
    }

    void setPresent(int server, long devices) {
        long changed = present[server] ^ devices;
        for (; changed != 0; changed &= changed - 1) {
            int device = Long.numberOfTrailingZeros(changed);
            add(server, device, (devices >>> device & 1) != 0 ? amount : -amount);
        }
        present[server] = devices;
        summarize(server);
    }

    /**
     * The devices that a server has after its capacity has changed: more of the lowest free numbers, or less of the
     * emptiest, of equal ones the highest number first.
     */
    long after(int server, long capacity) {
        long devices = present[server];
        for (long missing = capacity / amount - Long.bitCount(devices); missing > 0; missing--) {
            devices |= Long.lowestOneBit(~devices);
        }
        for (long surplus = Long.bitCount(devices) - capacity / amount; surplus > 0; surplus--) {
            int emptiest = Long.numberOfTrailingZeros(devices);
            for (long rest = devices; rest != 0; rest &= rest - 1) {
                int device = Long.numberOfTrailingZeros(rest);
                emptiest = free(server, device) >= free(server, emptiest) ? device : emptiest;
            }
            devices &= ~(1L << emptiest);
        }
        return devices;
    }

    long free(int server, int device) {
        return device < free[server].length ? free[server][device] : 0;
    }

    private void add(int server, int device, long change) {
        if (device >= free[server].length) {
            free[server] = Arrays.copyOf(free[server], device + 1);
        }
        free[server][device] += change;
    }

    private void summarize(int server) {
        long whole = 0;
        long largest = 0;
        for (long rest = present[server]; rest != 0; rest &= rest - 1) {
            long its = free[server][Long.numberOfTrailingZeros(rest)];
            whole += its == amount ? amount : 0;
            largest = Math.max(largest, its);
        }
        wholes[server] = whole;
        most[server] = largest;
    }

    /** The amount of all devices of which all is free. */
    long wholes(int server) {
        return wholes[server];
    }

    /** The most that is free of one device. */
    long most(int server) {
        return most[server];
    }

    private long demand(int job) {
        return jobs.demand(job, resource);
    }

    /** What a job needs of whole devices: its demand, or 0 if that is a part. */
    long needOfWholes(int job) {
        return demand(job) >= amount ? demand(job) : 0;
    }

    /** What a job needs of one device: its demand if that is a part, else 0. */
    long needOfOne(int job) {
        return demand(job) >= amount ? 0 : demand(job);
    }

    boolean haveRoom(int job, int server) {
        return needOfWholes(job) <= wholes[server] && needOfOne(job) <= most[server];
    }

    /** The devices that a job holds, 0 if it is on no server or demands none. */
    long held(int job) {
        return job < held.length ? held[job] : 0;
    }

    /** How many devices a demand takes. */
    int count(long demand) {
        return (int) ((demand + amount - 1) / amount);
    }

    /** Whether a job could get these devices. */
    boolean areFree(int job, int server, long devices) {
        boolean free = Long.bitCount(devices) == count(demand(job)) && (devices & ~present[server]) == 0;
        for (long rest = devices; rest != 0; rest &= rest - 1) {
            free &= free(server, Long.numberOfTrailingZeros(rest)) >= Math.min(demand(job), amount);
        }
        return free;
    }

    /** A job comes to a server and gets these devices, or if they are 0 those of {@link #choose}. */
    void give(int job, int server, long devices) {
        long chosen = devices == 0 ? choose(demand(job), server) : devices;
        if (chosen != 0 && job >= held.length) {
            held = Arrays.copyOf(held, job + (job >> 1) + 16);
        }
        if (job < held.length) {
            held[job] = chosen;
        }
    }

    /** A job has left its server. */
    void forget(int job) {
        if (job < held.length) {
            held[job] = 0;
        }
    }

    /**
     * A part goes to the fullest device that has room for it, whole ones to those of which most is free, so to free
     * ones if there are enough; of equal ones to the lowest number. A part for which no device has room, because what
     * runs already is adopted, goes to the one of which most is free.
     */
    private long choose(long demand, int server) {
        long chosen = demand < amount ? fullest(demand, server) : 0;
        for (int missing = count(demand) - Long.bitCount(chosen); missing > 0; missing--) {
            chosen |= 1L << emptiest(server, chosen);
        }
        return chosen;
    }

    private long fullest(long part, int server) {
        int best = -1;
        for (long rest = present[server]; rest != 0; rest &= rest - 1) {
            int device = Long.numberOfTrailingZeros(rest);
            long its = free(server, device);
            best = its >= part && (best < 0 || its < free(server, best)) ? device : best;
        }
        return best < 0 || part == 0 ? 0 : 1L << best;
    }

    private int emptiest(int server, long but) {
        int best = -1;
        for (int device = 0; device < Resource.MOST_DEVICES; device++) {
            boolean open = (but >>> device & 1) == 0;
            best = open && (best < 0 || free(server, device) > free(server, best)) ? device : best;
            if (best == device && free(server, device) == amount) {
                return device;
            }
        }
        return best;
    }

    /** Takes what a job holds off its devices ({@code sign} 1), or gives it back (-1). */
    void hold(int job, int server, int sign) {
        long rest = held(job);
        if (rest != 0) {
            long each = Math.min(demand(job), amount);
            for (; rest != 0; rest &= rest - 1) {
                add(server, Long.numberOfTrailingZeros(rest), -sign * each);
            }
            summarize(server);
        }
    }

    void save(StateWriter out, int servers) {
        out.putLongs(present, servers);
        out.putLongs(Arrays.copyOf(held, jobs.used()), jobs.used());
    }

    void restore(StateReader in) {
        long[] savedPresent = in.getLongs();
        for (int server = 0; server < savedPresent.length; server++) {
            add(server, 0);
            setPresent(server, savedPresent[server]);
        }
        held = in.getLongs();
        for (int job = 0; job < held.length; job++) {
            if (jobs.state(job) == JobState.RUNNING || jobs.state(job) == JobState.DUMMY) {
                hold(job, jobs.place(job), 1);
            }
        }
    }
}
