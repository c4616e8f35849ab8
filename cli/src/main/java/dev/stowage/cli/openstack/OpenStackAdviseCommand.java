package dev.stowage.cli.openstack;

import dev.stowage.cli.advise.AddedJobs;
import dev.stowage.cli.advise.AdviceOptions;
import dev.stowage.cli.advise.AdviceOutput;
import dev.stowage.cli.advise.AdviceWords;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.openstack.api.CloudException;
import dev.stowage.openstack.snapshot.CloudReader;
import dev.stowage.openstack.translate.CloudFacts;
import dev.stowage.openstack.translate.FlavorFacts;
import dev.stowage.openstack.translate.FlavorNeeds;
import dev.stowage.openstack.translate.GroupFacts;
import dev.stowage.policies.catalog.Suggestion;
import dev.stowage.study.advise.ClusterAdvice;
import dev.stowage.study.advise.ClusterJob;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stowage openstack advise}: advice for a cloud as it is. */
@Command(
        name = "advise",
        description = "Advise on a cloud as it is now, read only: on how few hosts its servers fit, with a proven lower"
                + " bound; valid live migrations to get there; why Nova has no valid host; which hosts must not fail"
                + " (docs/openstack.md).",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage openstack advise --cloud mycloud --report advice.html",
            "  stowage openstack advise --cloud mycloud --explain m1.large --group db",
            "  stowage openstack advise --cloud mycloud --add \"40 x m1.large\"",
            "  stowage openstack advise --from snapshot/"
        })
public final class OpenStackAdviseCommand extends ConsoleCommand implements Runnable {
    private static final Pattern OF_FLAVOR = Pattern.compile("(\\d{1,7})\\s*x\\s*(\\S.*)");
    /** Flavors that a message names. */
    private static final int MOST_NAMED = 10;

    private static final long MIB = 1 << 20;
    private static final double MIB_PER_GIB = 1024;

    @Mixin
    private CloudOptions cloud = new CloudOptions();

    @Mixin
    private LocalDisksOption localDisks = new LocalDisksOption();

    @Option(
            names = "--from",
            paramLabel = "DIR",
            description = "Instead of asking a cloud: a directory that deploy/openstack/snapshot wrote with OpenStack's"
                    + " own client.")
    private @Nullable Path from;

    @Option(
            names = "--explain",
            paramLabel = "FLAVOR",
            description = "Only show, for each host, whether it accepts one more server of this flavor, and if not,"
                    + " every reason.")
    private @Nullable String explain;

    @Option(
            names = "--project",
            paramLabel = "ID",
            description = "With --explain and --add of a flavor: the project that asks.")
    private String project = "";

    @Option(
            names = "--zone",
            paramLabel = "NAME",
            description = "With --explain and --add of a flavor: the availability zone that is asked for.")
    private String zone = "";

    @Option(
            names = "--group",
            paramLabel = "NAME|ID",
            description = "With --explain: the server group that it is to join.")
    private @Nullable String group;

    @Option(names = "--from-volume", description = "With --explain and --add of a flavor: its root disk is a volume.")
    private boolean fromVolume;

    @Mixin
    private AdviceOptions options = new AdviceOptions();

    @Override
    public void run() {
        if (from != null && cloud.given()) {
            throw new BadInputException("--from reads files, --clouds says how to ask a cloud; leave one out");
        }
        OpenStackState known = new OpenStackState(read(), localDisks.keep());
        Console console = console();
        if (explain != null) {
            HostsOfFlavor.of(known, asked(known, explain)).show(console, options.json());
            return;
        }
        if (group != null) {
            throw new BadInputException("--group is for --explain");
        }
        new AdviceOutput(console, options, words())
                .show(
                        options.asksWhyNot() ? known.withGroupsBinding() : known.state(),
                        addition(known),
                        "zone",
                        known.notes());
    }

    private CloudFacts read() {
        try {
            return StatusLine.during(
                    console(),
                    "stowage: reading " + (from == null ? "the cloud" : from),
                    () -> from == null ? CloudReader.live(cloud.session()) : CloudReader.files(from));
        } catch (CloudException e) {
            if (from == null && e.status() > 0) {
                throw new CallFailedException(String.valueOf(e.getMessage()), e);
            }
            throw new BadInputException(String.valueOf(e.getMessage()), e);
        }
    }

    private ClusterJob asked(OpenStackState known, String flavor) {
        FlavorFacts facts = known.source().flavors().get(flavor);
        if (facts == null) {
            throw new BadInputException(noFlavor(known, flavor));
        }
        if (!zone.isEmpty()) {
            List<String> zones = known.source().hosts().stream()
                    .map(host -> host.zone())
                    .distinct()
                    .toList();
            if (!zones.contains(zone)) {
                throw new BadInputException("--zone: there is no zone '" + zone + "'" + Suggestion.of(zone, zones));
            }
        }
        return known.asked(flavor, FlavorNeeds.of(facts, fromVolume), project, zone, group(known.source()));
    }

    private static String noFlavor(OpenStackState known, String flavor) {
        Set<String> flavors = known.source().flavors().keySet();
        String meant = Suggestion.of(flavor, flavors);
        return "the cloud has no flavor '" + flavor + "'"
                + (meant.isEmpty() && !flavors.isEmpty()
                        ? "; it has "
                                + flavors.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                                + (flavors.size() > MOST_NAMED ? " and " + (flavors.size() - MOST_NAMED) + " more" : "")
                        : meant);
    }

    private @Nullable GroupFacts group(CloudFacts facts) {
        if (group == null) {
            return null;
        }
        List<GroupFacts> found = facts.groups().stream()
                .filter(one -> one.id().equals(group) || one.name().equals(group))
                .toList();
        if (found.size() != 1) {
            throw new BadInputException(
                    found.isEmpty()
                            ? "--group: there is no server group '" + group + "'"
                                    + Suggestion.of(
                                            group,
                                            facts.groups().stream()
                                                    .map(GroupFacts::name)
                                                    .toList())
                            : "--group: " + found.size() + " groups have the name '" + group + "'; give the id");
        }
        return found.get(0);
    }

    private ClusterAdvice.@Nullable Addition addition(OpenStackState known) {
        String written = options.addedText();
        if (written == null) {
            return null;
        }
        Matcher parts = OF_FLAVOR.matcher(written.strip());
        String said = parts.matches() ? parts.group(2).strip() : "";
        if (known.source().flavors().containsKey(said)) {
            ClusterJob one = asked(known, said);
            long servers = Long.parseLong(parts.group(1));
            if (servers < 1) {
                throw new BadInputException("--add \"" + written + "\": the number must be at least 1");
            }
            return new ClusterAdvice.Addition(servers, one.demand(), one.admission());
        }
        if (!said.isEmpty() && !Character.isDigit(said.charAt(0))) {
            throw new BadInputException("--add \"" + written + "\": "
                    + (known.source().flavors().containsKey(said.replaceFirst("\\s*,.*", ""))
                            ? "one flavor at a time"
                            : noFlavor(known, said)));
        }
        AddedJobs added = java.util.Objects.requireNonNull(options.added());
        return new ClusterAdvice.Addition(
                added.jobs(),
                added.demand(known.resources(), OpenStackAdviseCommand::unit),
                known.asked("", nothing(), project, zone, null).admission());
    }

    private static FlavorNeeds nothing() {
        return FlavorNeeds.of(new FlavorFacts("", 0, 0, 0, 0, 0, new java.util.TreeMap<>()), false);
    }

    private static Map.Entry<String, BigDecimal> unit(String written, List<String> resources) {
        return switch (written) {
            case "cpu" -> Map.entry(FlavorNeeds.VCPU, BigDecimal.ONE);
            case "memory" -> Map.entry(FlavorNeeds.MEMORY, BigDecimal.ONE.divide(BigDecimal.valueOf(MIB)));
            case "disk" -> Map.entry(FlavorNeeds.DISK, BigDecimal.ONE.divide(BigDecimal.valueOf(MIB << 10)));
            default -> Map.entry(written, BigDecimal.ONE);
        };
    }

    /** What is said of OpenStack. */
    static AdviceWords words() {
        return new AdviceWords("host", "server", OpenStackAdviseCommand::amount);
    }

    static String amount(String resource, long amount) {
        return switch (resource) {
            case FlavorNeeds.MEMORY -> String.format(Locale.ROOT, "%.1f GiB", amount / MIB_PER_GIB);
            case FlavorNeeds.DISK -> amount + " GiB";
            default -> Long.toString(amount);
        };
    }
}
