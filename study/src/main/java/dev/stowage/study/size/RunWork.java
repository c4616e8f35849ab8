package dev.stowage.study.size;

import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeRequirement;
import dev.stowage.sim.experiment.SizeRequirement.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The servers without which no policy can do the work of a run, or earn a reward in it, however long it lets requests
 * wait.
 *
 * <p>In a run of length T a request runs for at most its duration, and at every moment what runs fits. So in the mean
 * over the run n servers hold a mix of configurations, and at any prices of requests whose heaviest configuration
 * weighs h the weights of all requests times the time they run add up to at most n h T. If the queue is not to grow,
 * they run for all their durations as far as the run lasts; if so much is to be earned, what is paid beyond a request's
 * price can at most be earned in full (the dual of program (6) of K. Psychas, J. Ghaderi, A Theory of Auto-Scaling for
 * Resource Reservation in Cloud Services, 2020). Prices come from one resource alone, or from that program; whole
 * numbers, so that the bound is exact whatever the solver's rounding.
 */
final class RunWork {
    private final Experiment experiment;
    private final SizeRequirement its;
    private final ServerFleet fleet;
    private final long length;
    private final List<AlikeRequests> work;

    private RunWork(
            Experiment experiment, SizeRequirement its, ServerFleet fleet, long length, List<AlikeRequests> work) {
        this.experiment = experiment;
        this.its = its;
        this.fleet = fleet;
        this.length = length;
        this.work = work;
    }

    /** Requests of equal demand and reward: for how long they want to run in all. */
    record AlikeRequests(long[] demand, int type, long reward, BigInteger nanos) {}

    /** Whether a requirement is about the whole run. */
    static boolean applies(SizeRequirement its) {
        return its.kind() == Kind.STABLE || its.kind() == Kind.REWARD;
    }

    /** Why there is no bound for a requirement that is about the whole run; empty if there is one. */
    static Optional<String> obstacle(Experiment experiment, SizeQuestion question, SizeRequirement its) {
        if (its.kind() == Kind.STABLE) {
            return Optional.empty();
        }
        if (experiment.slotNanos() > 0) {
            return Optional.of("in slotted time requests stay, and earn, to the end of their last slot");
        }
        if (experiment.end().drain()) {
            return Optional.of("a run that is drained has no given length");
        }
        boolean loses = question.spareServers() > 0
                || question.spareSite()
                || !experiment.hazards().failures().isEmpty();
        boolean preempts = IntStream.range(0, experiment.workload().types().size())
                .anyMatch(type -> experiment.workload().typeTraits(type).priority() != 0);
        return loses || preempts
                ? Optional.of("requests that lose their server, or are evicted, start again and earn more than once")
                : Optional.empty();
    }

    /** How long a run lasts in which every request can be served at once. */
    static long length(Experiment experiment, RequestList requests) {
        boolean timed = experiment.end().atNanos() != Long.MAX_VALUE
                && requests.size() < experiment.end().requests();
        return timed ? experiment.end().atNanos() : requests.last();
    }

    /** Of a requirement that is about the whole run; null where nothing is known. */
    static @Nullable RunWork of(
            Experiment experiment,
            SizeQuestion question,
            SizeRequirement its,
            ServerFleet fleet,
            RequestList requests,
            boolean[] fits) {
        if (!applies(its) || obstacle(experiment, question, its).isPresent()) {
            return null;
        }
        long length = length(experiment, requests);
        List<AlikeRequests> work = work(requests, fits, length, its.kind() == Kind.REWARD);
        return work.isEmpty() ? null : new RunWork(experiment, its, fleet, length, work);
    }

    private static List<AlikeRequests> work(RequestList requests, boolean[] fits, long length, boolean pays) {
        TreeMap<long[], BigInteger> nanos = new TreeMap<>(Arrays::compare);
        for (int i = 0; i < requests.size(); i++) {
            long until = Math.min(requests.until()[i], length);
            int kind = requests.kind()[i];
            if (fits[kind]
                    && until > requests.arrival()[i]
                    && Arrays.stream(requests.demands()[kind]).sum() > 0) {
                long[] key = {kind, pays ? requests.type()[i] : 0, pays ? requests.reward()[i] : 0};
                nanos.merge(key, BigInteger.valueOf(until - requests.arrival()[i]), BigInteger::add);
            }
        }
        List<AlikeRequests> work = new ArrayList<>();
        nanos.forEach(
                (key, sum) -> work.add(new AlikeRequests(requests.demands()[(int) key[0]], (int) key[1], key[2], sum)));
        return work;
    }

    /** How many servers of a list there must be at least; null where nothing is known. */
    @Nullable
    RunNeed fewest() {
        RunPrices prices = new RunPrices(fleet, work, length);
        List<RunPrices.PriceList> all = new ArrayList<>(prices.ofResources(its));
        if (its.kind() == Kind.STABLE && fleet.stay() == 0) {
            double[] one = new double[fleet.kinds().length];
            Arrays.fill(one, 1);
            all.addAll(prices.serving(one));
        } else if (fleet.isOneKind()) {
            all.addAll(prices.earning(its.limit()));
        }
        return all.stream()
                .map(each -> need(each, Worths.ofStaying(each.evidence(), fleet)))
                .max(Comparator.comparingLong(need -> need.level(fleet)))
                .filter(best -> best.level(fleet) > 0)
                .orElse(null);
    }

    /** What servers of several kinds must cost at least; null where nothing is known. */
    @Nullable
    RunNeed cheapest(double[] price) {
        RunPrices prices = new RunPrices(fleet, work, length);
        List<RunPrices.PriceList> all = new ArrayList<>(prices.ofResources(its));
        if (its.kind() == Kind.STABLE) {
            all.addAll(prices.serving(price));
        }
        return all.stream()
                .map(each -> need(each, BigInteger.ZERO))
                .max(Comparator.comparingDouble(need -> need.cost(price)))
                .filter(best -> best.cost(price) > 0)
                .orElse(null);
    }

    private RunNeed need(RunPrices.PriceList prices, BigInteger stay) {
        BigInteger worth = BigInteger.ZERO;
        BigInteger beyond = BigInteger.ZERO;
        for (AlikeRequests some : work) {
            BigInteger weight = weight(prices.evidence(), some.demand());
            worth = worth.add(weight.multiply(some.nanos()));
            BigInteger more = BigInteger.valueOf(some.reward())
                    .multiply(BigInteger.valueOf(prices.perReward()))
                    .subtract(weight);
            beyond = beyond.add(more.max(BigInteger.ZERO).multiply(some.nanos()));
        }
        BigInteger time = BigInteger.valueOf(length);
        boolean earns = its.kind() == Kind.REWARD;
        BigInteger required = !earns
                ? worth
                : BigDecimal.valueOf(its.limit())
                        .multiply(new BigDecimal(time))
                        .multiply(BigDecimal.valueOf(prices.perReward()))
                        .setScale(0, RoundingMode.FLOOR)
                        .toBigInteger();
        return new RunNeed(
                prices.evidence(),
                prices.perReward(),
                earns ? pays() : List.of(),
                new BoundCertificate.Arithmetic(
                        required,
                        earns ? beyond : BigInteger.ZERO,
                        stay.multiply(time),
                        Worths.ofKinds(prices.evidence(), fleet).stream()
                                .map(time::multiply)
                                .toList()));
    }

    private List<BoundCertificate.Pay> pays() {
        return work.stream()
                .map(each -> new BoundCertificate.Pay(
                        Arrays.stream(each.demand()).boxed().toList(),
                        experiment.workload().types().get(each.type()),
                        each.reward()))
                .toList();
    }

    private static BigInteger weight(Evidence evidence, long[] demand) {
        return evidence instanceof Evidence.UnitPrices amounts
                ? amounts.worth(r -> demand[r])
                : BigInteger.valueOf(((Evidence.Packed) evidence).weight(demand));
    }
}
