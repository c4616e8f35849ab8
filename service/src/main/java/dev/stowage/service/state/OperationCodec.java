package dev.stowage.service.state;

import dev.stowage.core.engine.Command;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.service.state.Operation.Activate;
import dev.stowage.service.state.Operation.Adopt;
import dev.stowage.service.state.Operation.Attempt;
import dev.stowage.service.state.Operation.Begin;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Check;
import dev.stowage.service.state.Operation.ClockSet;
import dev.stowage.service.state.Operation.Confirm;
import dev.stowage.service.state.Operation.Gang;
import dev.stowage.service.state.Operation.Heartbeat;
import dev.stowage.service.state.Operation.Note;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Report;
import dev.stowage.service.state.Operation.SetQuota;
import dev.stowage.service.state.Operation.Submit;
import dev.stowage.service.state.Operation.Tick;
import dev.stowage.service.state.Operation.Told;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Operations as bytes: a number for the kind, then the fields. */
final class OperationCodec {
    private static final int BEGIN = 1;
    private static final int SUBMIT = 2;
    private static final int RELEASE = 3;
    private static final int CHANGE = 4;
    private static final int TICK = 5;
    private static final int CHECK = 6;
    private static final int ACTIVATE = 7;
    private static final int SET_QUOTA = 8;
    private static final int CONFIRM = 9;
    private static final int NOTE = 10;
    private static final int ADOPT = 11;
    private static final int GANG = 12;
    private static final int TOLD = 13;
    private static final int HEARTBEAT = 14;
    private static final int REPORT = 15;
    private static final int CLOCK_SET = 16;
    private static final int RELEASE_WITH_GANG = 17;

    /*
     * What a request may have beside the rest, one bit each: an entry says which it has, then has these in the order of
     * their bits. A further one takes the next bit, and no new kind of operation.
     */
    private static final int SITES = 1;
    private static final int WORDS = 1 << 1;
    private static final int PRIORITY = 1 << 2;
    private static final int AGENT = 1 << 3;
    private static final int EXPECTED = 1 << 4;
    private static final int KNOWN = SITES | WORDS | PRIORITY | AGENT | EXPECTED;

    private OperationCodec() {}

    static void write(Operation operation, StateWriter out) {
        if (operation instanceof Submit submit) {
            out.putInt(SUBMIT);
            writeSubmit(submit, out);
        } else if (operation instanceof Adopt adopt) {
            out.putInt(ADOPT);
            writeSubmit(adopt.submit(), out);
            out.putString(adopt.server());
            out.putLong(adopt.devices());
        } else if (operation instanceof Gang gang) {
            out.putInt(GANG);
            out.putInt(gang.members().size());
            gang.members().forEach(member -> writeSubmit(member, out));
        } else if (operation instanceof Told told) {
            out.putInt(TOLD);
            writeAttempt(told.of(), out);
            out.putInt(Codes.COMMAND.of(told.what()));
        } else if (operation instanceof Heartbeat heartbeat) {
            out.putInt(HEARTBEAT);
            out.putString(heartbeat.server());
            out.putLong(heartbeat.incarnation());
            out.putLong(heartbeat.leaseNanos());
            out.putLong(heartbeat.graceNanos());
        } else if (operation instanceof Report report) {
            out.putInt(REPORT);
            out.putString(report.server());
            out.putLong(report.incarnation());
            out.putInt(report.running().size());
            report.running().forEach(one -> writeAttempt(one, out));
        } else if (operation instanceof Release release) {
            out.putInt(release.withGang() ? RELEASE_WITH_GANG : RELEASE);
            out.putString(release.tenant());
            out.putString(release.id());
        } else if (operation instanceof Confirm confirm) {
            out.putInt(CONFIRM);
            out.putString(confirm.tenant());
            out.putString(confirm.id());
            out.putInt(Codes.ADJUSTMENT.of(confirm.kind()));
            out.putLong(confirm.effectPosition());
        } else if (operation instanceof Note note) {
            out.putInt(NOTE);
            out.putString(note.actor());
            out.putString(note.text());
            out.putString(note.result());
        } else if (operation instanceof Change change) {
            out.putInt(CHANGE);
            out.putString(change.id());
            out.putString(change.actor());
            out.putString(change.name());
            writeCommand(change.command(), out);
        } else if (operation instanceof Tick) {
            out.putInt(TICK);
        } else if (operation instanceof ClockSet) {
            out.putInt(CLOCK_SET);
        } else if (operation instanceof Check check) {
            out.putInt(CHECK);
            out.putLong(check.position());
            out.putLong(check.digest());
        } else if (operation instanceof Activate activate) {
            out.putInt(ACTIVATE);
            out.putInt(activate.version());
        } else if (operation instanceof SetQuota set) {
            out.putInt(SET_QUOTA);
            out.putString(set.id());
            out.putString(set.actor());
            out.putString(set.tenant());
            writeQuota(set.quota(), out);
        } else if (operation instanceof Begin begin) {
            out.putInt(BEGIN);
            writeSetting(begin.setting(), out);
        }
    }

    static Operation read(StateReader in) {
        int kind = in.getInt();
        return switch (kind) {
            case BEGIN -> new Begin(readSetting(in));
            case SUBMIT -> readSubmit(in);
            case ADOPT -> new Adopt(readSubmit(in), in.getString(), in.getLong());
            case GANG -> new Gang(list(in, () -> readSubmit(in)));
            case TOLD -> new Told(readAttempt(in), Codes.COMMAND.at(in.getInt()));
            case HEARTBEAT -> new Heartbeat(in.getString(), in.getLong(), in.getLong(), in.getLong());
            case REPORT -> new Report(in.getString(), in.getLong(), list(in, () -> readAttempt(in)));
            case RELEASE -> new Release(in.getString(), in.getString());
            case RELEASE_WITH_GANG -> new Release(in.getString(), in.getString(), true);
            case CONFIRM -> new Confirm(in.getString(), in.getString(), Codes.ADJUSTMENT.at(in.getInt()), in.getLong());
            case NOTE -> new Note(in.getString(), in.getString(), in.getString());
            case CHANGE -> new Change(in.getString(), in.getString(), in.getString(), readCommand(in));
            case TICK -> new Tick();
            case CLOCK_SET -> new ClockSet();
            case CHECK -> new Check(in.getLong(), in.getLong());
            case SET_QUOTA -> new SetQuota(in.getString(), in.getString(), in.getString(), readQuota(in));
            case ACTIVATE -> new Activate(in.getInt());
            default -> throw new IllegalArgumentException("log entry has an operation of unknown kind " + kind);
        };
    }

    private static void writeSubmit(Submit submit, StateWriter out) {
        out.putString(submit.tenant());
        out.putString(submit.id());
        out.putString(submit.type());
        out.putLongs(submit.demand(), submit.demand().length);
        out.putLongs(submit.pooled(), submit.pooled().length);
        out.putLong(submit.rewardMicros());
        out.putLong(submit.waitNanos());
        int has = (submit.sites().isEmpty() ? 0 : SITES)
                | (submit.words().isNone() ? 0 : WORDS)
                | (submit.priority() == 0 ? 0 : PRIORITY)
                | (submit.agent() ? AGENT : 0)
                | (submit.expectedNanos() == 0 ? 0 : EXPECTED);
        out.putInt(has);
        if ((has & SITES) != 0) {
            writeTexts(submit.sites(), out);
        }
        if ((has & WORDS) != 0) {
            writeTexts(submit.words().where(), out);
            writeTexts(submit.words().avoid(), out);
            writeTexts(submit.words().spread(), out);
        }
        if ((has & PRIORITY) != 0) {
            out.putInt(submit.priority());
        }
        if ((has & EXPECTED) != 0) {
            out.putLong(submit.expectedNanos());
        }
    }

    private static Submit readSubmit(StateReader in) {
        String tenant = in.getString();
        String id = in.getString();
        String type = in.getString();
        long[] demand = in.getLongs();
        long[] pooled = in.getLongs();
        long rewardMicros = in.getLong();
        long waitNanos = in.getLong();
        int has = in.getInt();
        if ((has & ~KNOWN) != 0) {
            throw new IllegalArgumentException(
                    "log entry has a request with something that this release does not know (" + has + ")");
        }
        List<String> sites = (has & SITES) == 0 ? List.of() : list(in, in::getString);
        ConstraintWords words = (has & WORDS) == 0
                ? ConstraintWords.NONE
                : new ConstraintWords(list(in, in::getString), list(in, in::getString), list(in, in::getString));
        int priority = (has & PRIORITY) == 0 ? 0 : in.getInt();
        long expectedNanos = (has & EXPECTED) == 0 ? 0 : in.getLong();
        return new Submit(
                tenant,
                id,
                type,
                demand,
                pooled,
                rewardMicros,
                waitNanos,
                sites,
                words,
                priority,
                (has & AGENT) != 0,
                expectedNanos);
    }

    private static void writeAttempt(Attempt attempt, StateWriter out) {
        out.putString(attempt.tenant());
        out.putString(attempt.id());
        out.putInt(attempt.attempt());
    }

    private static Attempt readAttempt(StateReader in) {
        return new Attempt(in.getString(), in.getString(), in.getInt());
    }

    private static void writeTexts(List<String> texts, StateWriter out) {
        out.putInt(texts.size());
        texts.forEach(out::putString);
    }

    private static void writeCommand(Command command, StateWriter out) {
        out.putInt(Codes.COMMAND.of(command.kind()));
        out.putLong(command.subject());
        writeAmounts(command.amounts(), out);
        writeAmounts(command.pooled(), out);
        writePolicy(command.policy(), out);
        out.putString(command.name());
        out.putString(command.labels().toString());
        out.putLong(command.devices());
    }

    private static Command readCommand(StateReader in) {
        Command.Kind kind = Codes.COMMAND.at(in.getInt());
        return new Command(kind, 0, in.getLong(), -1, readAmounts(in), readAmounts(in), 0, readPolicy(in))
                .named(in.getString(), Labels.parse(in.getString()))
                .onDevices(in.getLong());
    }

    private static void writeAmounts(List<Long> amounts, StateWriter out) {
        long[] values = amounts.stream().mapToLong(Long::longValue).toArray();
        out.putLongs(values, values.length);
    }

    private static List<Long> readAmounts(StateReader in) {
        return java.util.Arrays.stream(in.getLongs()).boxed().toList();
    }

    static void writePolicy(PolicySpec policy, StateWriter out) {
        out.putString(policy.name());
        out.putInt(policy.parameters().size());
        policy.parameters().forEach((name, value) -> {
            out.putString(name);
            out.putString(value);
        });
    }

    static PolicySpec readPolicy(StateReader in) {
        String name = in.getString();
        TreeMap<String, String> parameters = new TreeMap<>();
        for (int n = in.getInt(); n > 0; n--) {
            parameters.put(in.getString(), in.getString());
        }
        return new PolicySpec(name, parameters);
    }

    private static void writeSetting(Setting setting, StateWriter out) {
        Cluster cluster = setting.cluster();
        out.putInt(cluster.resources().size());
        for (Resource resource : cluster.resources()) {
            out.putString(resource.name());
            out.putBoolean(resource.divisible());
            out.putLong(resource.deviceAmount());
        }
        out.putInt(cluster.pooledResources().size());
        cluster.pooledResources().forEach(out::putString);
        out.putInt(cluster.sites().size());
        for (Site site : cluster.sites()) {
            out.putString(site.name());
            writeAmounts(site.pooled(), out);
            out.putInt(site.servers().size());
            for (ServerBlock block : site.servers()) {
                out.putInt(block.count());
                writeAmounts(block.capacity(), out);
                writeTexts(block.names(), out);
                out.putString(block.labels().toString());
            }
        }
        writeTypes(cluster.types(), out);
        writePolicy(setting.policy(), out);
        out.putLong(setting.seed());
        out.putLong(setting.keep().nanos());
        out.putLong(setting.keep().bytes());
        writeQuotas(setting.quotas(), out);
    }

    static void writeTypes(List<RequestType> types, StateWriter out) {
        out.putInt(types.size());
        for (RequestType type : types) {
            out.putString(type.name());
            writeAmounts(type.demand(), out);
            writeAmounts(type.pooledDemand(), out);
            out.putLong(type.rewardMicros());
            out.putLong(type.meanServiceNanos());
        }
    }

    static List<RequestType> readTypes(StateReader in) {
        return list(
                in,
                () -> new RequestType(
                        in.getString(),
                        Amounts.of(in.getLongs()),
                        Amounts.of(in.getLongs()),
                        in.getLong(),
                        in.getLong()));
    }

    static void writeQuotas(SortedMap<String, Quota> quotas, StateWriter out) {
        out.putInt(quotas.size());
        quotas.forEach((tenant, quota) -> {
            out.putString(tenant);
            writeQuota(quota, out);
        });
    }

    static SortedMap<String, Quota> readQuotas(StateReader in) {
        SortedMap<String, Quota> quotas = new TreeMap<>();
        for (int n = in.getInt(); n > 0; n--) {
            quotas.put(in.getString(), readQuota(in));
        }
        return quotas;
    }

    private static void writeQuota(Quota quota, StateWriter out) {
        out.putLong(quota.requests());
        out.putLongs(quota.amounts(), quota.amounts().length);
    }

    private static Quota readQuota(StateReader in) {
        return new Quota(in.getLong(), in.getLongs());
    }

    private static ServerBlock readBlock(StateReader in) {
        return new ServerBlock(
                in.getInt(), Amounts.of(in.getLongs()), list(in, in::getString), Labels.parse(in.getString()));
    }

    private static Setting readSetting(StateReader in) {
        List<Resource> resources = list(in, () -> new Resource(in.getString(), in.getBoolean(), in.getLong()));
        List<String> pooled = list(in, in::getString);
        List<Site> sites = list(in, () -> {
            String name = in.getString();
            Amounts pools = Amounts.of(in.getLongs());
            return new Site(name, list(in, () -> readBlock(in)), pools);
        });
        return new Setting(
                new Cluster(resources, pooled, sites, readTypes(in)),
                readPolicy(in),
                in.getLong(),
                new Retention(in.getLong(), in.getLong()),
                readQuotas(in));
    }

    private static void writeAmounts(Amounts amounts, StateWriter out) {
        out.putLongs(amounts.toArray(), amounts.size());
    }

    static <T> List<T> list(StateReader in, Supplier<T> element) {
        List<T> all = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            all.add(element.get());
        }
        return all;
    }
}
