package dev.stowage.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportWriterTest {
    /** What a browser could fetch; the namespace of SVG is a name and never fetched. */
    private static final Pattern REFERENCE =
            Pattern.compile("(?:src|href|action|data|srcset|poster)\\s*=\\s*[\"']([^\"']*)");

    private static final Pattern STYLE_REFERENCE = Pattern.compile("url\\(([^)]*)\\)|@import");
    private static final Pattern ID = Pattern.compile(" id=\"([^\"]+)\"");

    @TempDir
    Path directory;

    private static List<String> groups(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(ReportWriterTest::group).toList();
    }

    private static String group(MatchResult match) {
        return match.groupCount() > 0 && match.group(1) != null ? match.group(1) : match.group();
    }

    private String html(ResultSample sample) throws IOException {
        return Files.readString(write(sample.write(directory)));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            return walk.filter(Files::isRegularFile)
                    .map(directory::relativize)
                    .sorted()
                    .toList();
        }
    }

    @Test
    void refersToNothingOutsideItsDirectory() throws IOException {
        String html = html(new ResultSample());
        List<String> references = groups(REFERENCE, html);
        assertThat(references).hasSize(2).allMatch(reference -> Files.isRegularFile(directory.resolve(reference)));
        assertThat(groups(STYLE_REFERENCE, html)).allMatch(reference -> reference.startsWith("#"));
        assertThat(html.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xlink", ""))
                .doesNotContain("http://", "https://", "//cdn");
        assertThat(html).doesNotContain("<link", "<iframe", "<script src");
    }

    @Test
    void hasItsPartsInOrder() throws IOException {
        String html = html(new ResultSample());
        List<String> headings = groups(Pattern.compile("<h[12]>([^<]*)"), html);
        assertThat(headings)
                .containsExactly(
                        "quickstart",
                        "Summary",
                        "Policies",
                        "By request type",
                        "By site",
                        "What was run",
                        "The experiment");
        assertThat(html)
                .contains(
                        "<!DOCTYPE html>",
                        "name=\"viewport\"",
                        "prefers-color-scheme: dark",
                        "@media print",
                        "unstable (+12.34 ± 0.80 requests/h)",
                        "Mean wait: bf-js is lowest",
                        "interval, from 5 replications at 95",
                        "0123456789abcdef",
                        "17.0.15",
                        "42, 43, 44, 45, 46",
                        "# a &lt; b &amp; c")
                .doesNotContain("@DARK@");
        assertThat(html.replaceAll("(?s)<script.*?</script>", "")).doesNotContain("null", "NaN");
        assertThat(groups(ID, html)).doesNotHaveDuplicates();
    }

    @Test
    void showsTheTitleOfTheExperiment() throws IOException {
        new ResultSample().write(directory);
        Path experiment = directory.resolve(ResultsReader.EXPERIMENT);
        Files.writeString(experiment, "title: \"Two <days>\"\n");
        assertThat(Files.readString(write(directory))).contains("Two &lt;days&gt;: 4 policies, ");
        Files.writeString(experiment, "{ not yaml");
        assertThat(Files.readString(write(directory))).contains("<p class=\"lead\">4 policies, ");
    }

    @Test
    void saysHowToRunItAgainFromWhereItStands() {
        assertThat(again("name: a\nworkload: {azure-like: {days: 1}}\n"))
                .endsWith("again: stowage run experiment.yaml");
        assertThat(again("workload: {trace: {file: my.csv}}\ncluster: {server-list: hosts.csv}\n"))
                .endsWith("again: stowage run experiment.yaml, with my.csv, hosts.csv beside it");
        // The experiment itself says where they are.
        assertThat(again("# file my.csv is ../my.csv\nworkload: {trace: {file: my.csv}}\n"))
                .endsWith("again: stowage run experiment.yaml");
        assertThat(again("workload: {trace: {file: /data/my.csv}}\n")).endsWith("again: stowage run experiment.yaml");
        assertThat(again("# --plugins ../a.jar,../b.jar\nworkload: {trace: {file: my.csv}}\n"))
                .endsWith("again: stowage run experiment.yaml --plugins ../a.jar,../b.jar, with my.csv beside it");
        assertThat(again("# stowage replay run.log --policy bf-js\nname: run-replay\n"))
                .endsWith("again: stowage replay run.log --policy bf-js");
    }

    @Test
    void namesTheChangesOfServers() {
        assertThat(again("""
                        server-changes:
                          - {at: 1 h, drain: {from: 0, count: 6}}
                          - {at: 3 d, add: {site: north, count: 2, cpu: 16}}
                        cluster: {failures: {time-to-failure: {exponential: 30 d}}}
                        """))
                .startsWith("Server changes: drain from 0, count 6 at 1 h; add site north, count 2, cpu 16 at 3 d ·"
                        + " Failures: time-to-failure exponential 30 d · Stowage");
        assertThat(again("server-changes: [" + "{at: 1 h, lose: {count: 1}}, ".repeat(14) + "]"))
                .contains("lose count 1 at 1 h; and 2 more · Stowage");
    }

    private static String again(String experiment) {
        return new Results(List.of(), experiment, List.of()).setting();
    }

    @Test
    void everyElementThatIsOpenedIsClosed() throws IOException {
        String html = html(new ResultSample().loads(0.5, 0.9)).replaceAll("(?s)<(script|style)>.*?</\\1>", "");
        List<String> open = new ArrayList<>();
        for (MatchResult tag : Pattern.compile("<(/?)([a-zA-Z0-9]+)[^>]*?(/?)>")
                .matcher(html)
                .results()
                .toList()) {
            if (tag.group(2).equals("meta") || tag.group(3).equals("/")) {
                continue;
            }
            if (tag.group(1).isEmpty()) {
                open.add(tag.group(2));
            } else {
                assertThat(open.remove(open.size() - 1)).as("at " + tag.start()).isEqualTo(tag.group(2));
            }
        }
        assertThat(open).isEmpty();
    }

    @Test
    void escapesEverythingFromOutside() throws IOException {
        String evil = "<script>alert('x')</script>\"&";
        ResultSample sample = new ResultSample().loads(0.5, 0.9);
        sample.experiment = evil;
        sample.policies = List.of(evil, "</svg>" + evil);
        sample.sites = List.of(evil, "b");
        sample.types = List.of(evil);
        sample.points = List.of(ResultSample.point(evil, evil), ResultSample.point(evil, "2" + evil));
        String html = html(sample);
        assertThat(html).doesNotContain("<script>alert", "</svg><script>");
        assertThat(groups(Pattern.compile("<script(?! type=\"application/json\")"), html))
                .hasSize(2);
        assertThat(html).contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp;");
    }

    @Test
    void twiceTheSameBytes() throws IOException {
        Path html = write(new ResultSample().write(directory));
        byte[] first = Files.readAllBytes(html);
        List<Path> files = files();
        write(directory);
        assertThat(Files.readAllBytes(html)).isEqualTo(first);
        assertThat(files()).isEqualTo(files).noneMatch(file -> file.toString().endsWith(".part"));
    }

    @Test
    void onePolicyOneReplication() throws IOException {
        ResultSample sample = new ResultSample();
        sample.policies = List.of("best-fit");
        sample.replications = 1;
        assertThat(html(sample))
                .contains(
                        "1 policy, 5.7\u00a0d of simulated time, 1 replication<",
                        "A single run gives no confidence intervals")
                .doesNotContain("±", "lowest");
    }

    @Test
    void showsAnInterruptedRun() throws IOException {
        new ResultSample().write(directory);
        Path results = directory.resolve(ResultsReader.RESULTS);
        byte[] bytes = Files.readAllBytes(results);
        Files.write(results, java.util.Arrays.copyOf(bytes, bytes.length - 10));
        assertThat(Files.readString(write(directory)))
                .contains("<p class=\"note\">Line ", "is cut off and was skipped", "bf-js (incomplete)", "not judged");
    }

    @Test
    void resultsWithoutSeriesGiveAReportWithoutFigures() throws IOException {
        Results results = SummaryTableTest.results("a", 1.0, null, "stable");
        assertThat(Files.readString(ReportWriter.write(results, directory)))
                .contains("Summary")
                .doesNotContain("<figure>");
        assertThat(files()).containsExactly(Path.of("report.html"), Path.of("summary.csv"));
    }

    @Test
    void saysWhichFileCannotBeWrittenAndLeavesTheOldReport() throws IOException {
        new ResultSample().write(directory);
        Files.createDirectory(directory.resolve("summary.csv"));
        Files.writeString(directory.resolve("report.html"), "old");
        assertThatThrownBy(() -> write(directory))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("summary.csv: cannot be written");
        Files.writeString(directory.resolve("plots"), "in the way");
        assertThatThrownBy(() -> ReportWriter.writePictures(ResultsReader.read(directory), directory))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("plots: cannot be created");
        assertThat(directory.resolve("report.html")).hasContent("old");
        assertThatThrownBy(() -> SafeFiles.write(directory.resolve("no/such/dir.txt"), new byte[1]))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("dir.txt: cannot be written: NoSuchFile");
    }

    @Test
    void tenPoliciesOnEightSitesStayReadableInSize() throws IOException {
        ResultSample sample = new ResultSample();
        sample.policies = java.util.stream.IntStream.range(0, 10)
                .mapToObj(i -> "policy-" + i)
                .toList();
        sample.sites =
                java.util.stream.IntStream.range(0, 8).mapToObj(i -> "dc" + i).toList();
        String html = html(sample);
        assertThat(groups(Pattern.compile("<figure>"), html)).hasSize(23);
        assertThat(html.getBytes(StandardCharsets.UTF_8).length).isLessThan(4_000_000);
    }

    private static Path write(Path directory) {
        return ReportWriter.write(ResultsReader.read(directory), directory);
    }
}
