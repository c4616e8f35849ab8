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
    /** As {@link #CHANGE}, then name and labels of a server. */
    private static final int CHANGE_NAMED = 11;
    /** As {@link #BEGIN}, with names and labels behind each block of servers. */
    private static final int BEGIN_NAMED = 12;
    /** As {@link #SUBMIT}, then the words of its constraints. */
    private static final int SUBMIT_CONSTRAINED = 13;
    /** As {@link #SUBMIT_CONSTRAINED}, then the server. */
    private static final int ADOPT = 14;
    /** As {@link #SUBMIT_CONSTRAINED}, then priority and whether it has an agent. */
    private static final int SUBMIT_LIVING = 15;
    /** As {@link #SUBMIT_LIVING}, then the server. */
    private static final int ADOPT_LIVING = 16;
    /** How many, then each as {@link #SUBMIT_LIVING}. */
    private static final int GANG = 17;

    private static final int TOLD = 18;
    private static final int HEARTBEAT = 19;
    private static final int REPORT = 20;
    private static final int CLOCK_SET = 21;
    /** As {@link #BEGIN_NAMED}, then the most bytes of finished requests. */
    private static final int BEGIN_KEEPING = 22;
    /**
     * As {@link #GANG}, of members with a longest wait: releases that know no such gangs do not misread it.
     */
    private static final int GANG_LIMITED = 23;

    private OperationCodec() {}

    static void write(Operation operation, StateWriter out) {
        if (operation instanceof Submit submit) {
            boolean plain = submit.words().isNone();
            if (isLiving(submit)) {
                out.putInt(SUBMIT_LIVING);
                writeLiving(submit, out);
            } else {
                out.putInt(plain ? SUBMIT : SUBMIT_CONSTRAINED);
                writeSubmit(submit, out);
                if (!plain) {
                    writeWords(submit.words(), out);
                }
            }
        } else if (operation instanceof Adopt adopt) {
            if (isLiving(adopt.submit())) {
                out.putInt(ADOPT_LIVING);
                writeLiving(adopt.submit(), out);
            } else {
                out.putInt(ADOPT);
                writeSubmit(adopt.submit(), out);
                writeWords(adopt.submit().words(), out);
            }
            out.putString(adopt.server());
        } else if (operation instanceof Gang gang) {
            out.putInt(gang.waitNanos() < 0 ? GANG : GANG_LIMITED);
            out.putInt(gang.members().size());
            gang.members().forEach(member -> writeLiving(member, out));
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
            out.putInt(RELEASE);
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
            Command command = change.command();
            boolean named = !command.name().isEmpty()
                    || !command.labels().values().isEmpty()
                    || command.kind() == Command.Kind.LABEL;
            out.putInt(named ? CHANGE_NAMED : CHANGE);
            out.putString(change.id());
            out.putString(change.actor());
            out.putString(change.name());
            writeCommand(command, out);
            if (named) {
                out.putString(command.name());
                out.putString(command.labels().toString());
            }
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
            boolean named = areNamed(begin.setting().cluster());
            Retention keep = begin.setting().keep();
            named |= keep.isBounded();
            out.putInt(keep.isBounded() ? BEGIN_KEEPING : named ? BEGIN_NAMED : BEGIN);
            writeSetting(begin.setting(), named, out);
            if (keep.isBounded()) {
                out.putLong(keep.bytes());
            }
        }
    }

    static Operation read(StateReader in) {
        int kind = in.getInt();
        return switch (kind) {
            case BEGIN -> new Begin(readSetting(in, false));
            case BEGIN_NAMED -> new Begin(readSetting(in, true));
            case BEGIN_KEEPING -> {
                Setting of = readSetting(in, true);
                Retention keep = new Retention(of.keep().nanos(), in.getLong());
                yield new Begin(new Setting(of.cluster(), of.policy(), of.seed(), keep, of.quotas()));
            }
            case SUBMIT -> readSubmit(in, false);
            case SUBMIT_CONSTRAINED -> readSubmit(in, true);
            case ADOPT -> new Adopt(readSubmit(in, true), in.getString());
            case SUBMIT_LIVING -> readLiving(in);
            case ADOPT_LIVING -> new Adopt(readLiving(in), in.getString());
            case GANG, GANG_LIMITED -> new Gang(list(in, () -> readLiving(in)));
            case TOLD -> new Told(readAttempt(in), Codes.COMMAND.at(in.getInt()));
            case HEARTBEAT -> new Heartbeat(in.getString(), in.getLong(), in.getLong(), in.getLong());
            case REPORT -> new Report(in.getString(), in.getLong(), list(in, () -> readAttempt(in)));
            case RELEASE -> new Release(in.getString(), in.getString());
            case CONFIRM -> new Confirm(in.getString(), in.getString(), Codes.ADJUSTMENT.at(in.getInt()), in.getLong());
            case NOTE -> new Note(in.getString(), in.getString(), in.getString());
            case CHANGE -> new Change(in.getString(), in.getString(), in.getString(), readCommand(in));
            case CHANGE_NAMED ->
                new Change(
                        in.getString(),
                        in.getString(),
                        in.getString(),
                        readCommand(in).named(in.getString(), Labels.parse(in.getString())));
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
        writeTexts(submit.sites(), out);
    }

    private static boolean isLiving(Submit submit) {
        return submit.priority() != 0 || submit.agent();
    }

    private static void writeLiving(Submit submit, StateWriter out) {
        writeSubmit(submit, out);
        writeWords(submit.words(), out);
        out.putInt(submit.priority());
        out.putBoolean(submit.agent());
    }

    private static Submit readLiving(StateReader in) {
        return readSubmit(in, true).living(in.getInt(), in.getBoolean());
    }

    private static void writeAttempt(Attempt attempt, StateWriter out) {
        out.putString(attempt.tenant());
        out.putString(attempt.id());
        out.putInt(attempt.attempt());
    }

    private static Attempt readAttempt(StateReader in) {
        return new Attempt(in.getString(), in.getString(), in.getInt());
    }

    private static void writeWords(ConstraintWords words, StateWriter out) {
        writeTexts(words.where(), out);
        writeTexts(words.avoid(), out);
        writeTexts(words.spread(), out);
    }

    private static void writeTexts(List<String> texts, StateWriter out) {
        out.putInt(texts.size());
        texts.forEach(out::putString);
    }

    private static Submit readSubmit(StateReader in, boolean constrained) {
        return new Submit(
                in.getString(),
                in.getString(),
                in.getString(),
                in.getLongs(),
                in.getLongs(),
                in.getLong(),
                in.getLong(),
                list(in, in::getString),
                constrained
                        ? new ConstraintWords(list(in, in::getString), list(in, in::getString), list(in, in::getString))
                        : ConstraintWords.NONE);
    }

    private static void writeCommand(Command command, StateWriter out) {
        out.putInt(Codes.COMMAND.of(command.kind()));
        out.putLong(command.subject());
        writeAmounts(command.amounts(), out);
        writeAmounts(command.pooled(), out);
        writePolicy(command.policy(), out);
    }

    private static Command readCommand(StateReader in) {
        Command.Kind kind = Codes.COMMAND.at(in.getInt());
        return new Command(kind, 0, in.getLong(), -1, readAmounts(in), readAmounts(in), 0, readPolicy(in));
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

    private static boolean areNamed(Cluster cluster) {
        return cluster.sites().stream()
                .flatMap(site -> site.servers().stream())
                .anyMatch(block ->
                        !block.names().isEmpty() || !block.labels().values().isEmpty());
    }

    private static void writeSetting(Setting setting, boolean named, StateWriter out) {
        Cluster cluster = setting.cluster();
        out.putInt(cluster.resources().size());
        for (Resource resource : cluster.resources()) {
            out.putString(resource.name());
            out.putBoolean(resource.divisible());
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
                if (named) {
                    out.putInt(block.names().size());
                    block.names().forEach(out::putString);
                    out.putString(block.labels().toString());
                }
            }
        }
        out.putInt(cluster.types().size());
        for (RequestType type : cluster.types()) {
            out.putString(type.name());
            writeAmounts(type.demand(), out);
            writeAmounts(type.pooledDemand(), out);
            out.putLong(type.rewardMicros());
            out.putLong(type.meanServiceNanos());
        }
        writePolicy(setting.policy(), out);
        out.putLong(setting.seed());
        out.putLong(setting.keep().nanos());
        writeQuotas(setting.quotas(), out);
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

    private static ServerBlock readBlock(StateReader in, boolean named) {
        int count = in.getInt();
        Amounts capacity = Amounts.of(in.getLongs());
        return named
                ? new ServerBlock(count, capacity, list(in, in::getString), Labels.parse(in.getString()))
                : new ServerBlock(count, capacity);
    }

    private static Setting readSetting(StateReader in, boolean named) {
        List<Resource> resources = list(in, () -> new Resource(in.getString(), in.getBoolean()));
        List<String> pooled = list(in, in::getString);
        List<Site> sites = list(in, () -> {
            String name = in.getString();
            Amounts pools = Amounts.of(in.getLongs());
            return new Site(name, list(in, () -> readBlock(in, named)), pools);
        });
        List<RequestType> types = list(
                in,
                () -> new RequestType(
                        in.getString(),
                        Amounts.of(in.getLongs()),
                        Amounts.of(in.getLongs()),
                        in.getLong(),
                        in.getLong()));
        return new Setting(
                new Cluster(resources, pooled, sites, types),
                readPolicy(in),
                in.getLong(),
                in.getLong(),
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
