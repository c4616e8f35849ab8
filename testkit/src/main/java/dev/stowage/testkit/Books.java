package dev.stowage.testkit;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.model.Spread;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.ServerStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The auditor's own records, in plain collections: which job is where. Totals are added up each time, never maintained.
 */
final class Books {
    /** A request or dummy in the system. */
    static final class Booking {
        final long id;
        final int type;
        final List<Long> demand;
        final List<Long> pooled;
        final long rewardMicros;
        final long arrivedAt;
        final long order;
        /** The constraints that it arrived with. */
        final Constraints own;
        /** The constraints including the servers that it now avoids. */
        Constraints constraints;

        JobState state;
        int place = -1;
        /** The devices that it holds. */
        final Set<Integer> devices = new TreeSet<>();

        long share;
        int priority;
        long expectedNanos;
        long runsSince;
        boolean agent;
        Phase phase = Phase.STARTED;
        /** Whether it becomes pending again after it has stopped, and then avoids the server. */
        boolean again;

        boolean avoiding;
        int failures;
        /** Number of its gang, -1 for none. */
        int gang = -1;

        Booking(
                JobState state,
                long id,
                int type,
                List<Long> demand,
                List<Long> pooled,
                long rewardMicros,
                long arrivedAt,
                long order,
                Constraints constraints) {
            this.state = state;
            this.id = id;
            this.type = type;
            this.demand = demand;
            this.pooled = pooled;
            this.rewardMicros = rewardMicros;
            this.arrivedAt = arrivedAt;
            this.order = order;
            this.constraints = constraints;
            own = constraints;
        }

        void phase(Phase newPhase) {
            phase = agent ? newPhase : Phase.STARTED;
            again = false;
            avoiding = false;
        }

        boolean isOf(String spreadGroup) {
            return constraints.spread().stream().anyMatch(one -> one.group().equals(spreadGroup));
        }

        boolean mayRunAt(int site) {
            return constraints.sites().isEmpty() || constraints.sites().contains(site);
        }
    }

    /** A server. */
    static final class Machine {
        final int site;
        final String name;
        List<Long> capacity;
        Labels labels;
        final TreeSet<Integer> devices = new TreeSet<>();
        final Set<Integer> occupants = new LinkedHashSet<>();
        ServerStatus status = ServerStatus.UP;
        /** Incarnation of its agent, -1 for none. */
        long incarnation = -1;

        long leaseNanos;
        long graceNanos;
        /** Time of its last heartbeat. */
        long heardAt;
        /** Its status while its agent sends heartbeats, as reports set it. */
        ServerStatus heard = ServerStatus.UP;

        ServerStatus reported = ServerStatus.UP;
        /** Time between moves, 0 if nothing is moved; and when the next is due. */
        long gapNanos;

        long moveAt;

        boolean hasAgent() {
            return incarnation >= 0;
        }

        /** When its status changes without a command, or {@code Long.MAX_VALUE}. */
        long due() {
            if (!hasAgent() || status == ServerStatus.GONE) {
                return Long.MAX_VALUE;
            }
            return heardAt + leaseNanos + (status == ServerStatus.SUSPECTED ? graceNanos : 0);
        }

        Machine(int site, List<Long> capacity, String name, Labels labels) {
            this.site = site;
            this.capacity = capacity;
            this.name = name;
            this.labels = labels;
        }
    }

    final Cluster cluster;
    final int divisible;
    /** The resource that comes in devices, or -1, and the amount of one. */
    final int device;

    final long deviceAmount;
    final List<Machine> machines = new ArrayList<>();
    final List<List<Long>> pools = new ArrayList<>();
    final Map<Integer, Booking> entries = new TreeMap<>();
    final Map<Long, Integer> handles = new TreeMap<>();
    final Map<Integer, Set<Integer>> queues = new TreeMap<>();
    final Set<Integer> pending = new LinkedHashSet<>();
    /** Capacities that some server of a site ever had. */
    final Map<Integer, Set<List<Long>>> capacities = new TreeMap<>();
    /** What the present policy can do. */
    Set<Capability> capabilities = EnumSet.noneOf(Capability.class);

    /** Gangs that are not placed, by number. */
    final Map<Integer, Set<Integer>> gangs = new TreeMap<>();
    /** Members that were placed or rejected in this step while others of their gang were not yet. */
    final Map<Integer, Set<Integer>> decided = new TreeMap<>();

    int nextGang;
    long arrived;
    long left;
    long rejected;
    long refused;

    Books(Cluster cluster) {
        this.cluster = cluster;
        int found = -1;
        int inDevices = -1;
        for (int r = 0; r < cluster.resources().size(); r++) {
            found = cluster.resources().get(r).divisible() ? r : found;
            inDevices = cluster.resources().get(r).comesInDevices() ? r : inDevices;
        }
        divisible = found;
        device = inDevices;
        deviceAmount = device < 0 ? 0 : cluster.resources().get(device).deviceAmount();
        for (Site site : cluster.sites()) {
            for (ServerBlock block : site.servers()) {
                for (int i = 0; i < block.count(); i++) {
                    String name = block.names().isEmpty() ? "" : block.names().get(i);
                    add(new Machine(pools.size(), list(block.capacity().toArray()), name, block.labels()));
                }
            }
            pools.add(list(site.pooled().toArray()));
        }
    }

    void add(Machine machine) {
        machines.add(machine);
        resize(machine, machine.capacity, Set.of());
    }

    /** The devices named are those that it has then, if any are named. */
    void resize(Machine machine, List<Long> capacity, Set<Integer> named) {
        machine.capacity = capacity;
        if (!named.isEmpty()) {
            machine.devices.clear();
            machine.devices.addAll(named);
        }
        long count = device < 0 ? 0 : capacity.get(device) / deviceAmount;
        for (int number = 0; machine.devices.size() < count; number++) {
            machine.devices.add(number);
        }
        while (machine.devices.size() > count) {
            machine.devices.remove(machine.devices.stream()
                    .max(Comparator.<Integer>comparingLong(one -> free(machine, one))
                            .thenComparing(one -> one))
                    .orElseThrow());
        }
        capacities.computeIfAbsent(machine.site, site -> new LinkedHashSet<>()).add(capacity);
    }

    /** Whether a server holds more than it has, or its site's pools do. */
    boolean isOvercommitted(Machine machine) {
        for (int r = 0; r < machine.capacity.size(); r++) {
            if (used(machine, r) > machine.capacity.get(r)) {
                return true;
            }
        }
        for (int p = 0; p < pools.get(machine.site).size(); p++) {
            if (usedOfPool(machine.site, p) > pools.get(machine.site).get(p)) {
                return true;
            }
        }
        return false;
    }

    /** Whether some server that is not gone could hold this, were it empty. */
    boolean couldHold(List<Long> demand, List<Long> pooled, Constraints constraints) {
        for (int server = 0; server < machines.size(); server++) {
            Machine machine = machines.get(server);
            boolean hasLabels = constraints.spread().stream()
                    .allMatch(one -> one.perServer() || machine.labels.values().containsKey(one.key()));
            if (machine.status != ServerStatus.GONE
                    && constraints.admits(machine.site, machine.labels)
                    && !constraints.avoid().contains(server)
                    && hasLabels
                    && ExpectedRefusals.isWithin(demand, machine.capacity)
                    && ExpectedRefusals.isWithin(pooled, pools.get(machine.site))) {
                return true;
            }
        }
        return false;
    }

    /** Makes a request avoid a server, if another server remains for it. */
    void avoid(Booking entry, int server) {
        Constraints more = entry.constraints.avoidingAlso(server);
        Constraints only = entry.own.avoidingAlso(server);
        if (couldHold(entry.demand, entry.pooled, more)) {
            entry.constraints = more;
        } else {
            entry.constraints = couldHold(entry.demand, entry.pooled, only) ? only : entry.own;
        }
    }

    /** Whether the constraints admit a server now, without counting the job {@code but} itself. */
    boolean admits(Constraints constraints, int server, int but) {
        Machine machine = machine(server);
        return constraints.admits(machine.site, machine.labels)
                && !constraints.avoid().contains(server)
                && constraints.spread().stream().allMatch(spread -> hasRoom(spread, machine, but));
    }

    private boolean hasRoom(Spread spread, Machine machine, int but) {
        String value = machine.labels.values().get(spread.key());
        long others = machines.stream()
                .filter(other -> spread.perServer()
                        ? other == machine
                        : Objects.equals(other.labels.values().get(spread.key()), value))
                .flatMap(other -> other.occupants.stream())
                .filter(job -> job != but && entry(job).isOf(spread.group()))
                .count();
        return (spread.perServer() || value != null) && others < spread.most();
    }

    static List<Long> list(long[] values) {
        List<Long> list = new ArrayList<>();
        for (long value : values) {
            list.add(value);
        }
        return list;
    }

    /** What a job on a server holds of a resource. */
    long held(Booking entry, int resource) {
        return resource == divisible ? entry.share : entry.demand.get(resource);
    }

    long used(Machine machine, int resource) {
        long sum = 0;
        for (int job : machine.occupants) {
            sum += held(entry(job), resource);
        }
        return sum;
    }

    /** What is free of a device; less than nothing if it is not there and a job holds it. */
    long free(Machine machine, int number) {
        long free = machine.devices.contains(number) ? deviceAmount : 0;
        for (int job : machine.occupants) {
            free -= entry(job).devices.contains(number)
                    ? Math.min(deviceAmount, entry(job).demand.get(device))
                    : 0;
        }
        return free;
    }

    /** Whether a server has free devices for a demand. */
    boolean hasDevices(Machine machine, long demand) {
        long needed = demand < deviceAmount ? 1 : demand / deviceAmount;
        long each = Math.min(demand, deviceAmount);
        return demand == 0
                || machine.devices.stream()
                                .filter(one -> free(machine, one) >= each)
                                .count()
                        >= needed;
    }

    static Set<Integer> set(long bits) {
        Set<Integer> numbers = new TreeSet<>();
        for (int number = 0; number < Long.SIZE; number++) {
            if ((bits & (1L << number)) != 0) {
                numbers.add(number);
            }
        }
        return numbers;
    }

    long usedOfPool(int site, int pooled) {
        long sum = 0;
        for (Machine machine : machines) {
            if (machine.site == site) {
                for (int job : machine.occupants) {
                    sum += entry(job).pooled.get(pooled);
                }
            }
        }
        return sum;
    }

    /** The entry of a handle; there must be one. */
    Booking entry(int job) {
        Booking entry = entries.get(job);
        if (entry == null) {
            throw new LawError(Law.BOOKS, "job " + job + " is not in the system");
        }
        return entry;
    }

    Machine machine(int server) {
        if (server < 0 || server >= machines.size()) {
            throw new LawError(Law.BOOKS, "server " + server + " does not exist");
        }
        return machines.get(server);
    }

    /** Whether any request in the system is limited to sites. */
    boolean areLimited() {
        return entries.values().stream()
                .anyMatch(entry -> !entry.constraints.sites().isEmpty());
    }

    /** Whether any request in the system has a constraint beyond a set of sites. */
    boolean areConstrained() {
        return entries.values().stream().anyMatch(entry -> !entry.constraints.hasSitesOnly());
    }

    /** Whether a server holds more than it has, or a request is in the system that no server ever could hold. */
    boolean areOverfull() {
        return machines.stream().anyMatch(this::isOvercommitted)
                || entries.values().stream().anyMatch(entry -> !couldEverHold(entry));
    }

    private boolean couldEverHold(Booking entry) {
        return capacities.entrySet().stream()
                .anyMatch(one -> ExpectedRefusals.isWithin(entry.pooled, pools.get(one.getKey()))
                        && one.getValue().stream()
                                .anyMatch(capacity -> ExpectedRefusals.isWithin(entry.demand, capacity)));
    }

    /** Takes a job off its list or server; it is in no list until put into one. */
    void lift(int job) {
        Booking entry = entry(job);
        switch (entry.state) {
            case PENDING -> pending.remove(job);
            case WAITING -> queue(entry.place).remove(job);
            case RUNNING, DUMMY -> {
                machine(entry.place).occupants.remove(job);
                entry.devices.clear();
            }
            case FREE -> throw new LawError(Law.BOOKS, "job " + job + " has left");
        }
    }

    void putPending(int job) {
        put(job, JobState.PENDING, -1);
        pending.add(job);
    }

    void putWaiting(int job, int queue) {
        put(job, JobState.WAITING, queue);
        queue(queue).add(job);
    }

    void putOn(int job, int server) {
        JobState state = entry(job).state == JobState.DUMMY ? JobState.DUMMY : JobState.RUNNING;
        put(job, state, server);
        machine(server).occupants.add(job);
    }

    /** The job is gone; its handle may be reused. */
    void strike(int job) {
        Booking entry = entry(job);
        Set<Integer> gang = gangs.get(entry.gang);
        if (gang != null) {
            gang.remove(job);
            if (gang.isEmpty()) {
                gangs.remove(entry.gang);
            }
        }
        entries.remove(job);
        if (entry.id >= 0) {
            handles.remove(entry.id);
        }
    }

    Set<Integer> queue(int queue) {
        return queues.computeIfAbsent(queue, number -> new LinkedHashSet<>());
    }

    long count(JobState state) {
        return entries.values().stream().filter(entry -> entry.state == state).count();
    }

    private void put(int job, JobState state, int place) {
        Booking entry = entry(job);
        entry.state = state;
        entry.place = place;
    }
}
