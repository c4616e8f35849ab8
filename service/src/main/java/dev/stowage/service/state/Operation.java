package dev.stowage.service.state;

import dev.stowage.core.engine.Command;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.policy.PolicySpec;
import java.util.List;
import java.util.Locale;

/** One operation on the service, as it is in the log. Its time is that of its {@link Batch}. */
public sealed interface Operation {
    /** A request may wait as long as it likes. */
    long ANY_WAIT = -1;
    /** The reward of the type; 0 without a type. */
    long TYPE_REWARD = -1;

    /**
     * The first operation of a log: what the service starts with, so that no node depends on its own configuration.
     *
     * @param setting cluster, policy and the rest
     */
    record Begin(Setting setting) implements Operation {}

    /**
     * A request arrives. A repetition with the same tenant and id gets the present state of the first.
     *
     * @param tenant whose request
     * @param id chosen by the client, unique for the tenant
     * @param type name of a type, or empty
     * @param demand amount per resource; empty for the type's
     * @param pooled amount per pooled resource; empty for the type's, or none
     * @param rewardMicros reward per hour of service, micro-units, or {@link #TYPE_REWARD}
     * @param waitNanos longest time to wait for a server, or {@link #ANY_WAIT}; 0 takes a server at once or not at all
     * @param sites names of the sites that may run it; none for every site
     * @param words what else it asks of its servers
     * @param priority 0 for most
     * @param agent whether an agent starts and stops it, and reports
     * @param expectedNanos how long it expects to run; 0 if it does not say
     */
    record Submit(
            String tenant,
            String id,
            String type,
            long[] demand,
            long[] pooled,
            long rewardMicros,
            long waitNanos,
            List<String> sites,
            ConstraintWords words,
            int priority,
            boolean agent,
            long expectedNanos)
            implements Operation {
        /** Takes a copy of the list. */
        public Submit {
            sites = List.copyOf(sites);
        }
    }

    /**
     * Requests arrive that are placed at once or not at all.
     *
     * @param members of one tenant, with different ids and one longest wait; the service refuses others
     */
    record Gang(List<Submit> members) implements Operation {
        /** Takes a copy. */
        public Gang {
            members = List.copyOf(members);
        }

        /** How long it waits as a whole; negative for any time. */
        public long waitNanos() {
            return members.isEmpty() ? -1 : members.get(0).waitNanos();
        }
    }

    /**
     * One stay of a request on a server.
     *
     * @param tenant whose request
     * @param id the client's id
     * @param attempt number of the stay ({@link Life#attempt})
     */
    record Attempt(String tenant, String id, int attempt) {}

    /**
     * The agent of a request reports what became of it.
     *
     * @param of which stay: a report of an earlier one no longer matters
     * @param what {@code STARTED}, {@code START_FAILED} or {@code STOPPED}
     */
    record Told(Attempt of, Command.Kind what) implements Operation {}

    /**
     * The agent of a server is there.
     *
     * @param server name of the server, or its number
     * @param incarnation grows with each start of the agent
     * @param leaseNanos how long it may be silent until it is suspected
     * @param graceNanos from then until it is lost
     */
    record Heartbeat(String server, long incarnation, long leaseNanos, long graceNanos) implements Operation {}

    /**
     * The agent of a server that is returning says what runs there.
     *
     * @param server name of the server, or its number
     * @param incarnation of the agent
     * @param running all that run
     */
    record Report(String server, long incarnation, List<Attempt> running) implements Operation {
        /** Takes a copy. */
        public Report {
            running = List.copyOf(running);
        }
    }

    /**
     * A request that runs on a server already comes in.
     *
     * @param submit what it is
     * @param server name of the server, or its number
     * @param devices those that it holds there, bit i for device i; 0 for the emptiest that suffice
     */
    record Adopt(Submit submit, String server, long devices) implements Operation {
        /** On any devices. */
        public Adopt(Submit submit, String server) {
            this(submit, server, 0);
        }
    }

    /**
     * A request ends, or gives up waiting.
     *
     * @param withGang whether the gang in which it waits gives up too; in logs of earlier releases the others remained
     */
    record Release(String tenant, String id, boolean withGang) implements Operation {
        /** Of one that does not wait in a gang. */
        public Release(String tenant, String id) {
            this(tenant, id, false);
        }
    }

    /**
     * An agent has carried out what the policy changed about a request.
     *
     * @param tenant whose request
     * @param id the client's id
     * @param kind of the change
     * @param effectPosition where in the log it was decided
     */
    record Confirm(String tenant, String id, Adjustment.Kind kind, long effectPosition) implements Operation {}

    /**
     * Servers, sites or the policy change.
     *
     * @param id chosen by the client; a repetition is answered, not carried out
     * @param actor who asks, for the audit trail
     * @param name name of a new site, else empty
     * @param command what to do; its own time is not used
     */
    record Change(String id, String actor, String name, Command command) implements Operation {
        /** Another policy. */
        public static Change policy(String id, String actor, PolicySpec policy) {
            return new Change(id, actor, "", Command.setPolicy(0, policy));
        }

        /** All servers of a site; see {@link SiteChange}. */
        public static Change site(String id, String actor, String site, Command.Kind kind) {
            return new Change(id, actor, site, Command.plain(kind, 0, -1));
        }

        /** Whether it changes all servers of a site, which {@code name} then names. */
        boolean ofSite() {
            return SiteChange.is(command.kind()) && !name.isEmpty();
        }

        @Override
        public String toString() {
            String what = ofSite() ? command.kind().name().toLowerCase(Locale.ROOT) : command.toString();
            return name.isEmpty() ? what : what + (ofSite() ? " site=" : " name=") + name;
        }
    }

    /**
     * Another quota of a tenant.
     *
     * @param id chosen by the client; the same again is answered, not carried out
     * @param actor who asks, for the audit trail
     * @param tenant whose, or {@link Quota#EVERYBODY}
     * @param quota how much
     */
    record SetQuota(String id, String actor, String tenant, Quota quota) implements Operation {}

    /**
     * A note for the audit trail: somebody asked for something outside the state, such as a snapshot.
     *
     * @param actor who
     * @param text what
     * @param result empty, or why it was not done
     */
    record Note(String actor, String text, String result) implements Operation {}

    /** Time passes, and due events happen. */
    record Tick() implements Operation {}

    /**
     * The first operation of an entry if the leader's clock was set before it, because another node leads or this one
     * leads again. It is unknown how much of the time since the previous entry has really passed.
     */
    record ClockSet() implements Operation {}

    /** The digest that the leader had after the entry at a position: a node that had another one has diverged. */
    record Check(long position, long digest) implements Operation {}

    /** From now on entries need nodes of this version. */
    record Activate(int version) implements Operation {}
}
