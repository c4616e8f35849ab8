package dev.stowage.sim.trace;

import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The cluster that the comments at the head of a file in Standard Workload Format describe. */
final class SwfServersFormat extends ServerFormat {
    private static final Pattern PROCESSORS = Pattern.compile(";\\s*MaxProcs:\\s*(\\d{1,9})\\b.*");
    private static final Pattern NODES = Pattern.compile(";\\s*MaxNodes:\\s*(\\d{1,9})\\b.*");
    private static final long MILLI = 1000;

    SwfServersFormat() {
        super(
                "swf-header",
                "the cluster in the header of a Standard Workload Format file",
                "Parallel Workloads Archive, https://www.cs.huji.ac.il/labs/parallel/workload/swf.html; cite"
                        + " Chapin et al., JSSPP 1999",
                List.of(
                        required(
                                "processors",
                                "MaxProcs: processors of all nodes together, divided equally; a remainder is left out"),
                        required(
                                "nodes",
                                "MaxNodes: number of nodes, at most one for each processor; if missing, one node with"
                                        + " all processors")));
    }

    @Override
    public String recognisedBy() {
        return "text that begins with ';' and says MaxProcs";
    }

    @Override
    boolean recognises(FileHead head) {
        return head.kind() == FileHead.Kind.TEXT
                && !head.lines().isEmpty()
                && head.lines().get(0).startsWith(";")
                && number(head, PROCESSORS).orElse(0) > 0;
    }

    @Override
    Rows open(Source source, Settings chosen) {
        long processors = number(source.head(), PROCESSORS).orElse(0);
        long nodes = number(source.head(), NODES).orElse(1);
        List<String> row = List.of(Long.toString(processors), Long.toString(Math.max(1, Math.min(nodes, processors))));
        return new DocumentRows(source.files().get(0), new DocumentTable("header", names(), List.of(row), List.of(1L)));
    }

    private static OptionalLong number(FileHead head, Pattern pattern) {
        return head.lines().stream()
                .map(pattern::matcher)
                .filter(Matcher::matches)
                .mapToLong(matcher -> Long.parseLong(String.valueOf(matcher.group(1))))
                .findFirst();
    }

    @Override
    Mapper mapper(Reading reading) {
        int processors = reading.column("processors");
        int nodes = reading.column("nodes");
        return new SimpleServerMapper(List.of("cpu_milli")) {
            @Override
            public void map(Fields row) {
                long count = row.whole(nodes);
                long each = row.whole(processors) / count;
                servers().add(ServerList.DEFAULT_SITE, count, List.of(each * MILLI));
                if (each * count != row.whole(processors)) {
                    reading.report()
                            .warn("the header has " + row.text(processors) + " processors on " + count + " nodes: each"
                                    + " node gets " + each);
                }
            }
        };
    }
}
