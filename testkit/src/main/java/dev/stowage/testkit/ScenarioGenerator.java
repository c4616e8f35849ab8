package dev.stowage.testkit;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Command.Kind;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Requirement;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.model.Spread;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Draws a scenario: small, so that servers fill, ties are common and handles are reused. The scenarios of a list of
 * policies have a random stream of their own, so that they stay the same when other policies are added.
 */
final class ScenarioGenerator {
    private static final long[] TIME_UNITS = {1, 1_000, 1_000_000_000L};
    private static final long[] FIRST_IDS = {0, 1_000, 1L << 40};
    private static final long DEVICE = 4;

    private static final List<String> LABELS = List.of("", "a=1", "a=2", "b=1", "a=1,b=1", "a=2,b=2", "a=,b=1");
    private static final List<String> REQUIREMENTS =
            List.of("a", "!a", "b", "!b", "a=1", "a=2", "a!=1", "b=1|2", "b!=1|2", "a=1|", "a=3");
    private static final List<String> SPREADS = List.of("x:1", "x:2", "x:1:a", "x:2:a", "y:1", "y:3:b", "y:1:c");

    private static final List<String> PENALTIES = List.of("a", "b", "c");

    private final Shape shape;
    private final long seed;
    private final KeyedRandom random = new KeyedRandom();
    private final List<Command> commands = new ArrayList<>();
    private final List<Long> live = new ArrayList<>();
    private int resources;
    /** The resource that comes in devices, or -1. */
    private int device = -1;

    private int pooled;
    private int types;
    private List<RequestType> typeList = List.of();
    private int sites;
    private int servers;
    private long now;
    private long nextId;
    private long timeUnit;

    ScenarioGenerator(Shape shape, long seed) {
        this.shape = shape;
        this.seed = seed;
        // In this form, so that the pinned digests stay: [best-fit(score=even), bf-j].
        List<String> names = shape.specs.stream()
                .map(spec -> spec.name()
                        + (spec.parameters().isEmpty()
                                ? ""
                                : spec.parameters().toString().replace('{', '(').replace('}', ')')))
                .toList();
        random.key(seed, Streams.of("fuzz of " + names), 0);
    }

    Scenario generate() {
        Cluster cluster = cluster();
        Steps steps = oneOf(shape.steps);
        timeUnit = TIME_UNITS[random.nextInt(TIME_UNITS.length)];
        nextId = FIRST_IDS[random.nextInt(FIRST_IDS.length)];
        int arrivals = 30 + 15 * random.nextInt(3);
        int size = 1 + random.nextInt(shape.mostCommands);
        while (commands.size() < size) {
            addCommand(steps, arrivals);
        }
        if (chance(30)) {
            live.forEach(id -> commands.add(Command.plain(Kind.LEAVE, now, id)));
        }
        PolicySpec spec = oneOf(shape.specs);
        return new Scenario(shape.policies, spec, cluster, steps, seed, new CommandLog(commands));
    }

    private Cluster cluster() {
        int few = Math.min(shape.mostResources, Math.max(shape.leastResources, 3));
        resources = between(shape.leastResources, chance(70) ? few : shape.mostResources);
        int divisible = shape.divisible && chance(30) ? random.nextInt(resources) : -1;
        if (shape.devices) {
            device = random.nextInt(resources);
            divisible = divisible == device ? -1 : divisible;
        }
        pooled = shape.pools && chance(40) ? between(1, 2) : 0;
        types = between(shape.typesOnly ? 1 : 0, 4);
        sites = shape.singleSite ? 1 : between(1, 3);
        List<List<Long>> capacities = List.of(capacity(), capacity());
        List<Site> siteList = new ArrayList<>();
        for (int site = 0; site < sites; site++) {
            List<ServerBlock> blocks = new ArrayList<>();
            for (int block = between(site == 0 ? 1 : 0, 2); block > 0; block--) {
                int count = between(chance(90) ? 1 : 0, 3);
                servers += count;
                Amounts capacity = amounts(chance(80) ? oneOf(capacities) : capacity());
                blocks.add(new ServerBlock(count, capacity, List.of(), shape.constraints ? labels() : Labels.NONE));
            }
            siteList.add(new Site("site" + site, blocks, amounts(pool())));
        }
        typeList = IntStream.range(0, types)
                .mapToObj(t -> new RequestType(
                        "type" + t,
                        amounts(inDevices(demand(resources))),
                        amounts(demand(pooled)),
                        between(0, 5),
                        chance(50) ? 0 : timeUnit * between(1, 20)))
                .toList();
        int divided = divisible;
        return new Cluster(
                IntStream.range(0, resources)
                        .mapToObj(r -> new Resource("r" + r, r == divided, r == device ? DEVICE : 0))
                        .toList(),
                IntStream.range(0, pooled).mapToObj(p -> "pooled" + p).toList(),
                siteList,
                typeList);
    }

    private void addCommand(Steps steps, int arrivals) {
        if (!chance(30)) {
            now += timeUnit * between(0, 5);
        }
        if (shape.agents && chance(35)) {
            commands.add(ofAgents());
            return;
        }
        int draw = random.nextInt(100);
        if (draw < arrivals) {
            if (shape.gangs && chance(20)) {
                arriveTogether();
            } else {
                arrive();
            }
        } else if (draw < 75) {
            leave();
        } else if (draw < 80) {
            commands.add(invalid());
        } else if (draw < 88 && shape.serverChanges) {
            changeServers();
        } else if (draw < 90 && shape.policySwitches) {
            commands.add(Command.setPolicy(now, oneOf(shape.successors)));
        } else {
            commands.add(Command.plain(steps == Steps.SLOTS ? Kind.ROUND : Kind.TICK, now, -1));
        }
    }

    private void arrive() {
        long id = nextId++;
        live.add(id);
        if ((shape.agents || shape.priorities || shape.lifetimes) && chance(60)) {
            Command command = one(id);
            commands.add(shape.overcommitment && chance(10) ? adopted(command) : command);
            return;
        }
        boolean limited = shape.siteLimits && chance(40);
        if ((shape.constraints && chance(50)) || (shape.overcommitment && chance(25))) {
            arriveConstrained(id);
        } else if (shape.typesOnly || (types > 0 && chance(50))) {
            int type = random.nextInt(types);
            commands.add(limited ? typed(id, type).limitedTo(someSites()) : Command.arrive(now, id, type));
        } else {
            int type = between(-1, types - 1);
            Command command = withOwn(id, type);
            commands.add(limited ? command.limitedTo(someSites()) : command);
        }
    }

    /** Mostly a valid gang; now and then an empty one, or one with an invalid member. */
    private void arriveTogether() {
        List<Command> members = new ArrayList<>();
        for (int count = chance(3) ? 0 : between(1, 4); count > 0; count--) {
            long id = chance(97) ? nextId++ : nextId;
            live.add(id);
            members.add(one(id));
        }
        commands.add(Command.gang(now, members));
    }

    /** A request with its own demand, and what else the scenario's requests may say. */
    private Command one(long id) {
        Command command = shape.typesOnly || (types > 0 && chance(50))
                ? typed(id, random.nextInt(types))
                : withOwn(id, between(-1, types - 1));
        if (shape.constraints && chance(40)) {
            command = command.constrained(someConstraints());
        }
        if (shape.priorities && chance(50)) {
            command = command.withPriority(between(-1, 3));
        }
        if (shape.lifetimes && chance(80)) {
            command = command.expecting(chance(2) ? -1 : timeUnit * between(1, chance(50) ? 8 : 400));
        }
        return shape.agents && chance(60) ? command.withAgent() : command;
    }

    /** With a part of a device, or whole ones, of the resource that comes in devices. */
    private List<Long> inDevices(List<Long> demand) {
        if (device < 0) {
            return demand;
        }
        List<Long> changed = new ArrayList<>(demand);
        long drawn = demand.get(device);
        boolean part = drawn < DEVICE - 1 || (drawn == DEVICE - 1 && chance(50));
        changed.set(device, part ? drawn : drawn / 2 * DEVICE);
        return changed;
    }

    private Command adopted(Command command) {
        Command running = command.adoptedOn(anyServer());
        return device >= 0 && chance(50) ? running.onDevices(some(command.amounts())) : running;
    }

    /** As many devices as there are in the amount; now and then more. */
    private long some(List<Long> amounts) {
        long bits = chance(5) ? 32 : 0;
        for (long k = (amounts.get(device) + DEVICE - 1) / DEVICE; k > 0; k--) {
            bits |= 1L << random.nextInt(7);
        }
        return bits;
    }

    /** Reports of agents, evictions and moves. */
    private Command ofAgents() {
        long id = live.isEmpty() || chance(3) ? nextId + 7 : oneOf(live);
        return switch (random.nextInt(13)) {
            case 0, 1 -> Command.plain(Kind.STARTED, now, id);
            case 2 -> Command.plain(Kind.START_FAILED, now, id);
            case 3 -> Command.plain(Kind.STOP, now, id);
            case 4, 5 -> Command.plain(Kind.STOPPED, now, id);
            case 6 -> Command.plain(Kind.EVICT, now, id);
            case 7 -> Command.drain(now, anyServer(), chance(3) ? 0 : timeUnit * between(1, 6));
            case 8, 9, 10 -> {
                long lease = chance(3) ? 0 : timeUnit * between(1, 12);
                yield Command.heartbeat(now, anyServer(), between(-1, 4) / 2, lease, timeUnit * between(0, 6));
            }
            default -> chance(20) ? Command.renewLeases(now, now + timeUnit * between(-1, 12)) : report();
        };
    }

    private Command report() {
        List<Long> ids = new ArrayList<>();
        live.stream().filter(id -> chance(40)).forEach(ids::add);
        return Command.report(now, anyServer(), between(0, 4) / 2, ids);
    }

    /** With constraints, or running already, or both. */
    private void arriveConstrained(long id) {
        Command command = shape.typesOnly || (types > 0 && chance(50))
                ? typed(id, random.nextInt(types))
                : withOwn(id, between(-1, types - 1));
        if (shape.constraints && chance(80)) {
            command = command.constrained(someConstraints());
        }
        commands.add(shape.overcommitment && chance(40) ? adopted(command) : command);
    }

    private Constraints someConstraints() {
        List<List<Requirement>> terms = new ArrayList<>();
        for (int count = chance(40) ? 0 : between(1, 2); count > 0; count--) {
            List<Requirement> term = new ArrayList<>();
            for (int size = between(1, 2); size > 0; size--) {
                term.add(Requirement.parse(oneOf(REQUIREMENTS)));
            }
            terms.add(term);
        }
        List<Integer> avoid = new ArrayList<>();
        for (int count = chance(70) ? 0 : between(1, 3); count > 0; count--) {
            avoid.add(anyServer());
        }
        List<Spread> spread = chance(50) ? List.of() : List.of(Spread.parse(oneOf(SPREADS)));
        List<Integer> sites = shape.siteLimits && chance(30) ? someSites() : List.of();
        return new Constraints(sites, terms, avoid, spread, chance(75) ? "" : oneOf(PENALTIES));
    }

    /** Now and then one that does not exist. */
    private int anyServer() {
        return chance(97) ? server() : between(-1, servers);
    }

    private Labels labels() {
        return Labels.parse(oneOf(LABELS));
    }

    private Command withOwn(long id, int type) {
        List<Long> demand = demand(resources);
        return Command.arriveWith(now, id, type, inDevices(demand), demand(pooled), between(0, 5));
    }

    private Command typed(long id, int type) {
        RequestType of = typeList.get(type);
        List<Long> demand = Books.list(of.demand().toArray());
        return Command.arriveWith(
                now, id, type, demand, Books.list(of.pooledDemand().toArray()), of.rewardMicros());
    }

    /** At least one, perhaps one twice, now and then one that does not exist. */
    private List<Integer> someSites() {
        List<Integer> some = new ArrayList<>();
        for (int count = between(1, 2); count > 0; count--) {
            some.add(chance(95) ? random.nextInt(sites) : between(-1, sites));
        }
        return some;
    }

    private void leave() {
        if (shape.gangs && !live.isEmpty() && chance(20)) {
            commands.add(Command.plain(Kind.LEAVE_TOGETHER, now, oneOf(live)));
        } else if (!live.isEmpty()) {
            long id = live.remove(random.nextInt(live.size()));
            commands.add(Command.plain(Kind.LEAVE, now, id));
            if (chance(5)) {
                nextId = id;
            }
        }
    }

    private void changeServers() {
        if (shape.constraints && chance(30)) {
            if (chance(70)) {
                commands.add(Command.label(now, anyServer(), labels()));
            } else {
                String name = chance(50) ? "" : "server-" + random.nextInt(3);
                commands.add(Command.addServer(now, random.nextInt(sites), capacity())
                        .named(name, labels()));
            }
            return;
        }
        if (shape.overcommitment && chance(40)) {
            boolean wrong = device >= 0 && chance(10);
            Command resize = Command.resize(now, anyServer(), wrong ? draw(resources, 0, 8) : capacity());
            commands.add(device >= 0 && chance(40) ? resize.onDevices(some(resize.amounts())) : resize);
            return;
        }
        switch (random.nextInt(7)) {
            case 0 -> {
                commands.add(Command.addServer(now, random.nextInt(sites), capacity()));
                servers++;
            }
            case 1 -> addSite();
            case 2 -> commands.add(Command.plain(Kind.DRAIN, now, server()));
            case 3 -> commands.add(Command.plain(Kind.REMOVE, now, server()));
            case 4 -> commands.add(Command.plain(Kind.LOSE, now, server()));
            default -> commands.add(Command.plain(Kind.RETURN, now, server()));
        }
    }

    private void addSite() {
        if (!shape.singleSite) {
            commands.add(Command.addSite(now, pool()));
            sites++;
        }
    }

    /** A command that is refused, or most likely so. */
    private Command invalid() {
        return switch (random.nextInt(12)) {
            case 0 -> Command.plain(Kind.TICK, now - timeUnit, -1);
            case 1 -> Command.arrive(now - 1, nextId, 0);
            case 2 -> Command.arrive(now, -1 - random.nextInt(3), 0);
            case 3 -> Command.arrive(now, live.isEmpty() ? nextId : oneOf(live), types - 1);
            case 4 -> Command.arrive(now, nextId, chance(50) ? types : -1);
            case 5 -> Command.arriveWith(now, nextId, -2, demand(resources), demand(pooled), 0);
            case 6 -> Command.arriveWith(now, nextId, -1, demand(resources + 1), demand(pooled), 0);
            case 7 -> Command.arriveWith(now, nextId, -1, List.of(wrongDemand()), demand(pooled), 0);
            case 8 -> Command.plain(Kind.LEAVE, now, chance(50) ? nextId + 7 : -1);
            case 9 -> Command.plain(chance(50) ? Kind.DRAIN : Kind.LOSE, now, chance(50) ? servers : -1);
            case 10 -> Command.addServer(now, chance(50) ? sites : 0, List.of());
            default -> Command.setPolicy(now, PolicySpec.of(Shape.NO_SUCH_POLICY));
        };
    }

    private Long[] wrongDemand() {
        Long[] demand = demand(resources).toArray(Long[]::new);
        demand[random.nextInt(resources)] = chance(50) ? -1 : Long.MAX_VALUE;
        return demand;
    }

    private int server() {
        return servers == 0 ? 0 : random.nextInt(servers);
    }

    private List<Long> capacity() {
        List<Long> capacity = draw(resources, 0, 8);
        if (device >= 0) {
            capacity.set(device, capacity.get(device) / 2 * DEVICE);
        }
        return capacity;
    }

    private List<Long> pool() {
        return draw(pooled, 2, 20);
    }

    private List<Long> demand(int size) {
        return draw(size, 0, chance(90) ? 4 : 12);
    }

    /** Amounts that are mostly above the least. */
    private List<Long> draw(int size, int least, int most) {
        List<Long> amounts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            amounts.add((long) (chance(10) ? least : between(least + 1, most)));
        }
        return amounts;
    }

    private int between(int least, int most) {
        return least + random.nextInt(Math.max(1, most - least + 1));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T oneOf(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private static Amounts amounts(List<Long> values) {
        return Amounts.of(values.stream().mapToLong(Long::longValue).toArray());
    }
}
